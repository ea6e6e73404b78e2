/* merge.c - merges over a small scope at random: two functions in two files, nested blocks with and without file,
 * blocks of other files, chains of inlinedAt up to depth 3, lines and columns from 0 to 2, implicit code, 2 to 4
 * locations, some empty. Every case is one that LLVM's hoisting can be asked about. */
#include "families.h"

#include "document/buffer.h"
#include "experiments/world/random.h"
#include "vector/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- A case: small tables of scopes, call sites and locations ---- */

enum { SCOPES = 8, CALLS = 4, LOCATIONS = 4, LAYERS = 4, LAYER_SCOPES = 3, NONE = 255 };

typedef enum scope_class { SUBPROGRAM, BLOCK, BLOCK_FILE } scope_class;

typedef struct scope {
  scope_class class;
  uint8_t function; /* 0: f, the one that the case stands in; 1: g */
  uint8_t parent;
  uint8_t file; /* 0, 1 or NONE */
  uint8_t line;
  uint8_t column;
  uint8_t discriminator;
  bool distinct;
} scope;

typedef struct place {
  uint8_t line;
  uint8_t column;
  uint8_t scope;
  uint8_t call; /* inlinedAt, or NONE */
  bool implicit;
  bool distinct;
} place;

typedef struct layered {
  uint8_t count;
  uint8_t kind[2];
  uint8_t layer[2];
} layered;

typedef struct small_case {
  scope scopes[SCOPES];
  unsigned scope_count;
  place calls[CALLS]; /* the first half stand in f, the others are inlined at one of these */
  place locations[LOCATIONS];
  layered layers[LOCATIONS]; /* of each location */
  place layer_places[LAYERS];
  uint8_t args[LOCATIONS]; /* index of a location, or NONE: empty */
  unsigned arg_count;
} small_case;

static uint8_t below(uint64_t *state, unsigned limit) { return (uint8_t)(random_next(state) % limit); }

static bool one_in(uint64_t *state, unsigned chances) { return below(state, chances) == 0; }

static scope make_block(uint64_t *state, const small_case *c) {
  scope s = {.class = one_in(state, 3) ? BLOCK_FILE : BLOCK, .parent = below(state, c->scope_count)};
  s.function = c->scopes[s.parent].function;
  s.file = one_in(state, 4) ? 1 : 0;
  if (s.class == BLOCK_FILE) {
    s.discriminator = (uint8_t)(2 * below(state, 3));
    s.distinct = one_in(state, 6);
    return s;
  }
  if (one_in(state, 8))
    s.file = NONE;
  s.line = below(state, 3);
  s.column = s.line ? below(state, 3) : 0; /* line 0 with a column is a violation */
  s.distinct = !one_in(state, 4);
  return s;
}

static void make_scopes(uint64_t *state, small_case *c) {
  for (uint8_t i = 0; i < 2; i++)
    c->scopes[i] = (scope){.class = SUBPROGRAM,
                           .function = i,
                           .parent = NONE,
                           .distinct = true,
                           .line = (uint8_t)(1 + below(state, 2)),
                           .file = i && one_in(state, 3)};
  c->scope_count = 2;
  for (unsigned count = 2u + below(state, SCOPES - 1); c->scope_count < count; c->scope_count++)
    c->scopes[c->scope_count] = make_block(state, c);
}

/* A scope of f, or of either function. */
static uint8_t pick_scope(uint64_t *state, const small_case *c, bool any) {
  for (;;) {
    uint8_t index = below(state, c->scope_count);
    if (any || c->scopes[index].function == 0)
      return index;
  }
}

static place make_place(uint64_t *state, const small_case *c, uint8_t call) {
  place p = {.line = below(state, 3), .column = below(state, 3), .call = call};
  p.scope = pick_scope(state, c, call != NONE);
  return p;
}

static void make_calls(uint64_t *state, small_case *c) {
  for (unsigned i = 0; i < CALLS; i++) {
    uint8_t outer = i < CALLS / 2 ? NONE : below(state, CALLS / 2);
    c->calls[i] = make_place(state, c, outer);
    c->calls[i].distinct = !one_in(state, 4);
  }
}

static void make_location(uint64_t *state, small_case *c, unsigned index) {
  uint8_t depth = below(state, 4);
  uint8_t call = depth < 2    ? NONE
                 : depth == 2 ? below(state, CALLS / 2)
                              : (uint8_t)(CALLS / 2 + below(state, CALLS / 2));
  place *p = &c->locations[index];
  *p = make_place(state, c, call);
  p->implicit = one_in(state, 4);
  p->distinct = one_in(state, 16);
}

static unsigned make_count(uint64_t *state) {
  uint8_t dice = below(state, 16);
  return dice < 13 ? 2 : dice < 15 ? 3 : 4;
}

static void make_args(uint64_t *state, small_case *c) {
  bool empty = true;
  c->arg_count = make_count(state);
  for (unsigned i = 0; i < c->arg_count; i++) {
    make_location(state, c, i);
    c->args[i] = (uint8_t)i;
    if (one_in(state, 16))
      c->args[i] = NONE;
    else if (i && one_in(state, 16))
      c->args[i] = c->args[i - 1];
    empty = empty && c->args[i] == NONE;
  }
  if (empty)
    c->args[0] = 0;
}

static void make_layers(uint64_t *state, small_case *c) {
  for (unsigned i = 0; i < LAYERS; i++)
    c->layer_places[i] =
        (place){.line = below(state, 3), .column = below(state, 3), .scope = below(state, LAYER_SCOPES)};
  for (unsigned i = 0; i < c->arg_count; i++) {
    layered *l = &c->layers[i];
    l->count = below(state, 3);
    l->kind[0] = below(state, 2);
    l->kind[1] = !l->kind[0];
    for (unsigned j = 0; j < 2; j++)
      l->layer[j] = below(state, LAYERS);
  }
}

/* ---- As YAML ---- */

typedef struct generator {
  bool layers;
  uint64_t seed;
  uint64_t state;
  dloc_buffer text;
} generator;

static const char *scope_name(const small_case *c, uint8_t index, char name[8]) {
  if (c->scopes[index].class == SUBPROGRAM)
    return index ? "g" : "f";
  snprintf(name, 8, "s%u", index - 1u);
  return name;
}

static const char *file_name(uint8_t file) { return file ? "b" : "a"; }

static const char *distinct_field(bool distinct) { return distinct ? ", distinct: true" : ""; }

static void put_subprogram(generator *g, const small_case *c, uint8_t index) {
  const scope *s = &c->scopes[index];
  const char *name = index ? "g" : "f", *file = file_name(s->file);
  buffer_format(&g->text,
                "  %s: {node: DISubprogram, distinct: true, name: %s, scope: %s, file: %s, line: %u, spFlags: "
                "DISPFlagDefinition, unit: u}\n",
                name, name, file, file, s->line);
}

static void put_block(generator *g, const small_case *c, uint8_t index) {
  const scope *s = &c->scopes[index];
  char own[8], parent[8];
  buffer_format(&g->text, "  %s: {node: %s%s, scope: %s", scope_name(c, index, own),
                s->class == BLOCK ? "DILexicalBlock" : "DILexicalBlockFile", distinct_field(s->distinct),
                scope_name(c, s->parent, parent));
  if (s->file != NONE)
    buffer_format(&g->text, ", file: %s", file_name(s->file));
  if (s->class == BLOCK_FILE)
    buffer_format(&g->text, ", discriminator: %u}\n", s->discriminator);
  else
    buffer_format(&g->text, ", line: %u, column: %u}\n", s->line, s->column);
}

static void put_place(generator *g, const small_case *c, const place *p, const char *prefix, unsigned number) {
  char scope_text[8];
  buffer_format(&g->text, "  %s%u: {node: DILocation%s, line: %u, column: %u, scope: %s", prefix, number,
                distinct_field(p->distinct), p->line, p->column, scope_name(c, p->scope, scope_text));
  if (p->call != NONE)
    buffer_format(&g->text, ", inlinedAt: c%u", p->call + 1u);
  buffer_format(&g->text, "%s}\n", p->implicit ? ", isImplicitCode: true" : "");
}

/* What nothing refers to is left out by complete_vector. */
static void put_scopes(generator *g, const small_case *c) {
  buffer_format(&g->text, "nodes:\n"
                          "  a: {node: DIFile, filename: a.c, directory: src}\n"
                          "  b: {node: DIFile, filename: b.c, directory: src}\n"
                          "  u: {node: DICompileUnit, distinct: true, language: DW_LANG_C99, file: a}\n");
  for (uint8_t i = 0; i < c->scope_count; i++)
    (c->scopes[i].class == SUBPROGRAM ? put_subprogram : put_block)(g, c, i);
}

static void put_places(generator *g, const small_case *c) {
  for (unsigned i = 0; i < CALLS; i++)
    put_place(g, c, &c->calls[i], "c", i + 1);
  for (unsigned i = 0; i < c->arg_count; i++)
    put_place(g, c, &c->locations[i], "x", i + 1);
}

/* Layers stand in files of their own, below f or g. */
static void put_layer_nodes(generator *g, const small_case *c) {
  static const char *const scopes[LAYER_SCOPES] = {"f, file: k", "f, file: m", "g, file: k"};
  buffer_format(
      &g->text,
      "  k: {node: DIFile, filename: k.tile, directory: .}\n  m: {node: DIFile, filename: m.tile, directory: .}\n");
  for (unsigned i = 0; i < LAYER_SCOPES; i++)
    buffer_format(&g->text, "  l%u: {node: DILexicalBlockFile, scope: %s, discriminator: 0}\n", i + 1, scopes[i]);
  for (unsigned i = 0; i < LAYERS; i++)
    buffer_format(&g->text, "  t%u: {node: DILocation, line: %u, column: %u, scope: l%u}\n", i + 1,
                  c->layer_places[i].line, c->layer_places[i].column, c->layer_places[i].scope + 1u);
}

static void put_composites(generator *g, const small_case *c) {
  static const char *const kinds[] = {"TileIR", "MLIR"};
  for (unsigned i = 0; i < c->arg_count; i++) {
    const layered *l = &c->layers[i];
    if (!l->count)
      continue;
    buffer_format(&g->text, "  y%u: {node: composite, primary: x%u, layers: [", i + 1, i + 1);
    for (unsigned j = 0; j < l->count; j++)
      buffer_format(&g->text, "%s{kind: %s, location: t%u}", j ? ", " : "", kinds[l->kind[j]], l->layer[j] + 1u);
    buffer_format(&g->text, "]}\n");
  }
}

static void put_args(generator *g, const small_case *c) {
  buffer_format(&g->text, "op: merge\nargs: [");
  for (unsigned i = 0; i < c->arg_count; i++) {
    const char *comma = i ? ", " : "";
    if (c->args[i] == NONE)
      buffer_format(&g->text, "%snull", comma);
    else
      buffer_format(&g->text, "%s%s%u", comma, g->layers && c->layers[c->args[i]].count ? "y" : "x", c->args[i] + 1u);
  }
  buffer_format(&g->text, "]\n");
}

static bool has_composite(const small_case *c) {
  for (unsigned i = 0; i < c->arg_count; i++)
    if (c->args[i] != NONE && c->layers[c->args[i]].count)
      return true;
  return false;
}

/* The vector without its clauses and with a stand-in for what is expected. */
static void put_case(generator *g, const small_case *c, uint64_t number) {
  g->text.size = 0;
  buffer_format(&g->text, "id: merge.%s.s%" PRIu64 ".%06" PRIu64 "\n", g->layers ? "gen-layers" : "gen", g->seed,
                number);
  buffer_format(&g->text, "clauses: [merge.n-way]\nlevel: must\nsince: %s\n", g->layers ? "rfc" : "llvm-22");
  buffer_format(&g->text, "needs: [merge%s]\n", g->layers && has_composite(c) ? ", layers" : "");
  put_scopes(g, c);
  if (g->layers)
    put_layer_nodes(g, c);
  put_places(g, c);
  if (g->layers)
    put_composites(g, c);
  put_args(g, c);
  buffer_format(&g->text, "expect: {outcome: ok, value: {result: null}}\n");
}

/* ---- What is expected ---- */

/* Of bare locations only the release makes a difference between built-in profiles. The pick flag would change every
 * vector. */
static bool is_listed(void *user, dloc_choice choice) {
  const generator *g = user;
  if (choice == DLOC_CHOICE_MERGE_RULES)
    return true;
  return g->layers && choice != DLOC_CHOICE_MERGE_PICK && strncmp(dloc_choice_name(choice), "merge.", 6) == 0;
}

static small_case make_case(generator *g) {
  small_case c = {.scope_count = 0};
  make_scopes(&g->state, &c);
  make_calls(&g->state, &c);
  make_args(&g->state, &c);
  if (g->layers)
    make_layers(&g->state, &c);
  return c;
}

dloc_status family_merge(uint64_t seed, uint64_t count, bool layers, dloc_sink sink) {
  generator g = {.layers = layers, .seed = seed, .state = seed};
  completer completer = {.lists = is_listed, .user = &g, .traces = true};
  value_diagnostic diagnostic;
  dloc_status status = DLOC_OK;
  completer_init(&completer);
  for (uint64_t i = 1; status == DLOC_OK && i <= count; i++) {
    const small_case c = make_case(&g);
    put_case(&g, &c, i);
    if (i > 1 && !sink.write(sink.user, "---\n", 4))
      status = DLOC_STOPPED;
    if (status == DLOC_OK)
      status = complete_vector(&completer, buffer_text(&g.text), &diagnostic, sink);
  }
  completer_deinit(&completer);
  dloc_buffer_deinit(&g.text);
  return status;
}
