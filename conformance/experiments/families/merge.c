/* merge.c - merges over a small scope at random: two functions in two files, nested blocks with and without file,
 * blocks of other files, chains of inlinedAt up to depth 3, lines and columns from 0 to 2, implicit code, 2 to 4
 * locations, some empty. Every case is one that LLVM's hoisting can be asked about.
 *
 * A case is written as it is drawn; complete_vector brings it into order and leaves out what nothing refers to. */
#include "families.h"

#include "document/buffer.h"
#include "experiments/world/random.h"
#include "vector/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SCOPES = 8, CALLS = 4, LOCATIONS = 4, LAYERS = 4, LAYER_SCOPES = 3, NONE = 255 };

typedef struct generator {
  bool layers;
  uint64_t seed;
  uint64_t state;
  dloc_buffer text;
  /* Of the case. */
  bool stands_in_f[SCOPES]; /* each scope, rather than in g */
  unsigned scope_count;
  dloc_buffer places;
  unsigned args[LOCATIONS]; /* the number of a location, or NONE: empty */
  unsigned arg_count;
  bool has_layers[LOCATIONS]; /* each location */
} generator;

static unsigned below(generator *g, unsigned limit) { return (unsigned)(random_next(&g->state) % limit); }

static bool one_in(generator *g, unsigned chances) { return below(g, chances) == 0; }

static const char *distinct_field(bool distinct) { return distinct ? ", distinct: true" : ""; }

/* ---- Scopes ---- */

static const char *const scope_names[SCOPES] = {"f", "g", "s1", "s2", "s3", "s4", "s5", "s6"};

static void put_subprogram(generator *g, const char *name, bool is_f) {
  const char *file = !is_f && one_in(g, 3) ? "b" : "a";
  unsigned line = 1 + below(g, 2);
  buffer_format(&g->text,
                "  %s: {node: DISubprogram, distinct: true, name: %s, scope: %s, file: %s, line: %u, spFlags: "
                "DISPFlagDefinition, unit: u}\n",
                name, name, file, file, line);
  g->stands_in_f[g->scope_count++] = is_f;
}

static void put_block(generator *g) {
  bool of_file = one_in(g, 3);
  unsigned parent = below(g, g->scope_count);
  const char *file = one_in(g, 4) ? ", file: b" : ", file: a";
  buffer_format(&g->text, "  %s: {scope: %s", scope_names[g->scope_count], scope_names[parent]);
  if (of_file) {
    unsigned discriminator = 2 * below(g, 3);
    buffer_format(&g->text, ", node: DILexicalBlockFile, discriminator: %u%s%s}\n", discriminator,
                  distinct_field(one_in(g, 6)), file);
  } else {
    bool fileless = one_in(g, 8);
    unsigned line = below(g, 3), column = line ? below(g, 3) : 0; /* line 0 with a column is a violation */
    buffer_format(&g->text, ", node: DILexicalBlock, line: %u, column: %u%s%s}\n", line, column,
                  distinct_field(!one_in(g, 4)), fileless ? "" : file);
  }
  g->stands_in_f[g->scope_count++] = g->stands_in_f[parent];
}

static void put_scopes(generator *g) {
  buffer_format(&g->text, "nodes:\n"
                          "  a: {node: DIFile, filename: a.c, directory: src}\n"
                          "  b: {node: DIFile, filename: b.c, directory: src}\n"
                          "  u: {node: DICompileUnit, distinct: true, language: DW_LANG_C99, file: a}\n");
  g->scope_count = 0;
  put_subprogram(g, "f", true);
  put_subprogram(g, "g", false);
  for (unsigned count = 2 + below(g, SCOPES - 1); g->scope_count < count;)
    put_block(g);
}

/* ---- Locations ---- */

/* The beginning of a location in f, or in either function when it was inlined at a call. */
static void begin_place(generator *g, const char *prefix, unsigned number, unsigned call) {
  unsigned line = below(g, 3), column = below(g, 3), scope;
  do
    scope = below(g, g->scope_count);
  while (call == NONE && !g->stands_in_f[scope]);
  buffer_format(&g->places, "  %s%u: {node: DILocation, line: %u, column: %u, scope: %s", prefix, number + 1, line,
                column, scope_names[scope]);
  if (call != NONE)
    buffer_format(&g->places, ", inlinedAt: c%u", call + 1);
}

/* The first half stand in f, the others are inlined at one of these. */
static void put_calls(generator *g) {
  for (unsigned i = 0; i < CALLS; i++) {
    begin_place(g, "c", i, i < CALLS / 2 ? NONE : below(g, CALLS / 2));
    buffer_format(&g->places, "%s}\n", distinct_field(!one_in(g, 4)));
  }
}

static void put_location(generator *g, unsigned number) {
  unsigned depth = below(g, 4);
  begin_place(g, "x", number, depth < 2 ? NONE : (depth == 2 ? 0 : CALLS / 2) + below(g, CALLS / 2));
  bool implicit = one_in(g, 4);
  buffer_format(&g->places, "%s%s}\n", implicit ? ", isImplicitCode: true" : "", distinct_field(one_in(g, 16)));
}

static void put_locations(generator *g) {
  unsigned dice = below(g, 16), empty = 0;
  g->arg_count = dice < 13 ? 2 : dice < 15 ? 3 : 4;
  for (unsigned i = 0; i < g->arg_count; i++) {
    put_location(g, i);
    g->args[i] = one_in(g, 16) ? NONE : i && one_in(g, 16) ? g->args[i - 1] : i;
    empty += g->args[i] == NONE;
  }
  if (empty == g->arg_count)
    g->args[0] = 0;
}

/* Layers stand in files of their own, below f or g. */
static void put_layers(generator *g) {
  buffer_format(&g->text, "  k: {node: DIFile, filename: k.tile, directory: .}\n"
                          "  m: {node: DIFile, filename: m.tile, directory: .}\n"
                          "  l1: {node: DILexicalBlockFile, scope: f, file: k, discriminator: 0}\n"
                          "  l2: {node: DILexicalBlockFile, scope: f, file: m, discriminator: 0}\n"
                          "  l3: {node: DILexicalBlockFile, scope: g, file: k, discriminator: 0}\n");
  for (unsigned i = 0; i < LAYERS; i++) {
    unsigned line = below(g, 3), column = below(g, 3), scope = below(g, LAYER_SCOPES);
    buffer_format(&g->text, "  t%u: {node: DILocation, line: %u, column: %u, scope: l%u}\n", i + 1, line, column,
                  scope + 1);
  }
}

static void put_composites(generator *g) {
  static const char *const kinds[] = {"TileIR", "MLIR"};
  for (unsigned i = 0; i < g->arg_count; i++) {
    unsigned count = below(g, 3), kind = below(g, 2), first = below(g, LAYERS) + 1, second = below(g, LAYERS) + 1;
    g->has_layers[i] = count > 0;
    if (count)
      buffer_format(&g->text, "  y%u: {node: composite, primary: x%u, layers: [{kind: %s, location: t%u}", i + 1, i + 1,
                    kinds[kind], first);
    if (count > 1)
      buffer_format(&g->text, ", {kind: %s, location: t%u}", kinds[!kind], second);
    buffer_format(&g->text, "%s", count ? "]}\n" : "");
  }
}

/* ---- Vectors ---- */

static void put_question(generator *g, uint64_t number) {
  bool layered = false;
  buffer_format(&g->text,
                "id: merge.%s.s%" PRIu64 ".%06" PRIu64 "\nclauses: [merge.n-way]\nlevel: must\nsince: %s\n"
                "expect: {outcome: ok, value: {result: null}}\nop: merge\nargs: [",
                g->layers ? "gen-layers" : "gen", g->seed, number, g->layers ? "rfc" : "llvm-22");
  for (unsigned i = 0; i < g->arg_count; i++) {
    bool empty = g->args[i] == NONE, with = !empty && g->has_layers[g->args[i]];
    buffer_format(&g->text, empty ? "%snull" : "%s%s%u", i ? ", " : "", with ? "y" : "x", g->args[i] + 1);
    layered = layered || with;
  }
  buffer_format(&g->text, "]\nneeds: [merge%s]\n", layered ? ", layers" : "");
}

static void put_case(generator *g, uint64_t number) {
  g->text.size = g->places.size = 0;
  put_scopes(g);
  put_calls(g);
  put_locations(g);
  if (g->layers)
    put_layers(g);
  buffer_put(&g->text, buffer_text(&g->places));
  if (g->layers)
    put_composites(g);
  put_question(g, number);
}

/* Of bare locations only the release makes a difference between built-in profiles. The pick flag would change every
 * vector. */
static bool is_listed(void *user, dloc_choice choice) {
  const generator *g = user;
  if (choice == DLOC_CHOICE_MERGE_RULES)
    return true;
  return g->layers && choice != DLOC_CHOICE_MERGE_PICK && strncmp(dloc_choice_name(choice), "merge.", 6) == 0;
}

dloc_status family_merge(uint64_t seed, uint64_t count, bool layers, dloc_sink sink) {
  generator g = {.layers = layers, .seed = seed, .state = seed};
  completer completer = {.lists = is_listed, .user = &g, .traces = true};
  value_diagnostic diagnostic;
  dloc_status status = DLOC_OK;
  completer_init(&completer);
  for (uint64_t i = 1; status == DLOC_OK && i <= count; i++) {
    put_case(&g, i);
    if (i > 1 && !sink.write(sink.user, "---\n", 4))
      status = DLOC_STOPPED;
    if (status == DLOC_OK)
      status = complete_vector(&completer, buffer_text(&g.text), &diagnostic, sink);
  }
  completer_deinit(&completer);
  dloc_buffer_deinit(&g.text);
  dloc_buffer_deinit(&g.places);
  return status;
}
