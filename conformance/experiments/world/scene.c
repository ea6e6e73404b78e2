/* scene.c - small modules with two locations, from numbers. */
#include "scene.h"

#include "document/buffer.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

/* ---- Tables ---- */

/* The question of an operation; clause NULL: it is about no location. */
typedef struct asking {
  const char *clause;
  const char *args;
} asking;

static const asking askings[VECTOR_OP_COUNT] = {
#define ASKS(op, clause, args) [VECTOR_##op] = {clause, args},
#include "scene.def"
};

/* Of x; NULL: nothing is wrong with the shape of a. */
static const char *const shapes[SCENE_FLAWS] = {
#define FLAW(value, nodes) [value] = nodes,
#include "scene.def"
};

/* Operations: all that are about locations, those on more than one, with an optional third one, on empty ones. */
#define OF(op) (1u << VECTOR_##op)
#define SEVERAL (OF(MERGE) | OF(INLINE) | OF(ROUNDTRIP) | OF(EMIT) | OF(STRIP) | OF(OUTLINE) | OF(ENCODE))
#define EMPTIES (SEVERAL | OF(ACCESSOR) | OF(HOIST))
#define PAIRS (SEVERAL | OF(EQUAL) | OF(VERIFY))
#define LOCATIONS (PAIRS | OF(PRINT) | OF(ACCESSOR) | OF(HOIST))

/* Values of A_LAYERS and B_LAYERS with layers at all, and of those kinds. */
enum { ANY = 0x3e, TILE = 0x3a, MLIR = 0x3c, EVER = 0x3f };
#define IF(dimension, mask) SCENE_##dimension, mask
#define ALWAYS IF(A_LAYERS, EVER)

typedef struct dimension {
  const char *id;
  const char *name;
  uint8_t values;
  uint8_t often;
  uint32_t ops;
  scene_dimension layers;
  uint8_t when;
} dimension;

static const dimension dimensions[] = {
#define DIMENSION(id, name, values, often, ops, when) {#id, name, values, often, ops, when},
#include "scene.def"
};

/* ---- Dimensions ---- */

unsigned scene_values(scene_dimension d) { return dimensions[d].values; }

const char *scene_dimension_name(scene_dimension d) { return dimensions[d].name; }

bool scene_has_op(vector_op op) { return askings[op].clause != NULL; }

bool scene_op_has(vector_op op, scene_dimension d) { return dimensions[d].ops >> op & 1; }

bool scene_is_active(const scene *s, scene_dimension d) {
  const dimension *row = &dimensions[d];
  if (d == SCENE_CALLS && (s->at[SCENE_B_DEPTH] == 0 || (s->at[SCENE_A_DEPTH] == 0 && s->op != VECTOR_INLINE)))
    return false;
  return scene_op_has(s->op, d) && row->when >> s->at[row->layers] & 1;
}

scene scene_random(vector_op op, uint64_t *state) {
  scene s = {.op = op};
  for (int d = 0; d < SCENE_DIMENSIONS; d++) {
    uint64_t dice = random_next(state);
    bool plain = dimensions[d].often > 1 && dice % dimensions[d].often != 0;
    s.at[d] = plain || !scene_op_has(op, (scene_dimension)d) ? 0 : (uint8_t)((dice >> 32) % dimensions[d].values);
  }
  return s;
}

void scene_add_layers(scene *s) { s->at[SCENE_A_ALONE] = s->at[SCENE_B_ALONE] = 0; }

/* ---- Templates ---- */

typedef struct writer {
  const scene *scene;
  dloc_buffer *out;
  char side; /* a or b: what @ stands for */
  /* The locations that the scene asks about, "null" for empty; no third one: "". */
  char a[8], b[8], third[8];
  char functions[2][8], inlined_at[2][24]; /* of the primaries */
} writer;

static unsigned of_side(const writer *w, scene_dimension a, scene_dimension b) {
  return w->scene->at[w->side == 'b' ? b : a];
}

/* The text, with the side's letter for each @, and its kinds for ^ and ~. */
static void put_text(const writer *w, dloc_text text) {
  static const char *const kinds[][2] = {{"TileIR", "MLIR"}, {"tileir", "MLIR"}, {"TileIR", "TILEIR"}};
  for (size_t i = 0; i < text.size; i++) {
    char c = text.bytes[i];
    if (c == '^' || c == '~')
      buffer_put(w->out, dloc_text_of(kinds[of_side(w, SCENE_A_CASE, SCENE_B_CASE)][c == '~']));
    else
      buffer_put(w->out, c == '@' ? (dloc_text){&w->side, 1} : (dloc_text){&text.bytes[i], 1});
  }
}

/* The n-th of some words, each behind a `|`, which end at `>`; the last one for all beyond. */
static dloc_text nth_word(const char *words, unsigned n) {
  for (; n && words[1 + strcspn(words + 1, "|>")] == '|'; n--)
    words += 1 + strcspn(words + 1, "|>");
  return (dloc_text){words + 1, strcspn(words + 1, "|>")};
}

static void put_named(const writer *w, dloc_text name, const char *words) {
  const bool b = w->side == 'b';
  const struct {
    const char *name, *before, *text;
  } texts[] = {{"a", "", w->a},
               {"b", "", w->b},
               {"third", w->third[0] ? ", " : "", w->third},
               {"function", "", w->functions[b]},
               {"inlined-at", "", w->inlined_at[b]}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (dloc_text_equal(name, dloc_text_of(texts[i].name)))
      buffer_format(w->out, "%s%s", texts[i].before, texts[i].text);
  for (size_t d = 0; d < SCENE_DIMENSIONS; d++) {
    dloc_text id = dloc_text_of(dimensions[d].id);
    if (name.bytes[0] == '@' ? id.bytes[0] != (b ? 'B' : 'A') : id.bytes[0] != name.bytes[0])
      continue;
    if (id.size != name.size || memcmp(id.bytes + 1, name.bytes + 1, name.size - 1) != 0)
      continue;
    if (*words == '|')
      put_text(w, nth_word(words, w->scene->at[d]));
    else
      buffer_format(w->out, "%u", w->scene->at[d]);
  }
}

/* Append a template: <ID> is the number of that dimension, <ID|word|word> the word for it, <name> a text of put_named;
 * in an ID, @ is the A or B of the side. */
static void put(const writer *w, const char *template) {
  while (*template) {
    size_t plain = strcspn(template, "<");
    put_text(w, (dloc_text){template, plain});
    template += plain;
    if (!*template)
      return;
    dloc_text name = {template + 1, strcspn(template + 1, "|>")};
    put_named(w, name, name.bytes + name.size);
    template += strcspn(template, ">") + 1;
  }
}

/* ---- Nodes: those that nothing refers to are left out afterwards ---- */

static const char files[] = "nodes:\n"
                            "  a: {node: DIFile, filename: a.c, directory: src}\n"
                            "  b: {node: DIFile, filename: b.c, directory: src}\n"
                            "  c: {node: DIFile, filename: c.h, directory: src}\n"
                            "  k: {node: DIFile, filename: k.tile, directory: .}\n"
                            "  m: {node: DIFile, filename: k.mlir, directory: .}\n";

static const char layer_scopes[] = "  s0: {node: DILexicalBlockFile, scope: f0, file: k, discriminator: 0}\n"
                                   "  s1: {node: DILexicalBlockFile, scope: f0, file: m, discriminator: 0}\n"
                                   "  s2: {node: DILexicalBlockFile, scope: f1, file: k, discriminator: 0}\n"
                                   "  c1: {node: DILocation, distinct: true, line: 8, column: 2, scope: f0}\n";

static const char locations[] =
    "  p@: {node: DILocation<@_DISTINCT||, distinct: true>, line: <@_LINE>, column: <@_COLUMN>, "
    "scope: <function><@_SCOPE||-1|-2|-3><inlined-at><@_IMPLICIT||, isImplicitCode: true>}\n"
    "  t@: {node: DILocation<@T_DISTINCT||, distinct: true>, line: <@T_LINE>, column: <@T_COLUMN>, scope: s<@T_SCOPE>"
    "<@T_CALL||, inlinedAt: c@1|, inlinedAt: c1><@T_IMPLICIT||, isImplicitCode: true>}\n"
    "  m@: {node: DILocation, line: <@M_LINE>, column: <@M_COLUMN>, scope: s1}\n"
    "  o@: {node: DILocation, line: 7, column: 7, scope: s1}\n";

#define TILE_LAYER "{kind: ^, location: t@}"
#define MLIR_LAYER "{kind: ~, location: m@}"
#define COMPOSITE(name, primary)                                                                                       \
  "  " name ": {node: composite<@_COMPOSITE||, distinct: true>, primary: " primary ", layers: [<@_LAYERS||" TILE_LAYER \
  "|" MLIR_LAYER "|" TILE_LAYER ", " MLIR_LAYER "|" MLIR_LAYER ", " TILE_LAYER "|" TILE_LAYER                          \
  ", {kind: Other, location: o@}, " MLIR_LAYER "><@_MORE||, {kind: GPU, location: o@}, {kind: ISA, location: t@}>]}\n"
#define NO_LAYERS(name, primary) "  " name ": {node: tuple<@_COMPOSITE||, distinct: true>, operands: [" primary "]}\n"

static const char embedded_texts[] =
    "  e1: {node: tuple, operands: [{string: TileIR}, k, {string: \"entry @k() {}\"}]}\n"
    "  e2: {node: tuple, operands: [{string: MLIR}, m, {string: \"module {}\"}]}\n"
    "  e3: {node: tuple, operands: [{string: Other}, c, {string: x}]}\n";

#define LOOP(operands) "  loop: {node: tuple, self: true, distinct: true, operands: [" operands "]}\n"

enum { FUNCTIONS = 4 };

static void put_functions(const writer *w) {
  for (unsigned k = 0; k < FUNCTIONS; k++) {
    const char *file = k && w->scene->at[SCENE_G_FILE] ? "b" : "a";
    buffer_format(
        w->out,
        "  f%u: {node: DISubprogram, distinct: true, name: f%u, scope: %s, file: %s, line: 1, type: type, spFlags: "
        "DISPFlagDefinition, unit: u}\n"
        "  f%u-1: {node: DILexicalBlock, distinct: true, scope: f%u, file: %s, line: 1, column: 1}\n"
        "  f%u-2: {node: DILexicalBlockFile, scope: f%u, file: c, discriminator: 2}\n"
        "  f%u-3: {node: DILexicalBlock, distinct: true, scope: f%u-2, file: c, line: 2}\n",
        k, k, file, file, k, k, file, k, k, k, k);
  }
}

/* The outermost function in b of calls that are inlined into each other: f, or when it is inlined itself, g. */
static unsigned base_of(const scene *s, bool b) { return b && s->op == VECTOR_INLINE; }

/* The call sites of b or a, from the outermost in; named ca1, ca2, ca3 and cb1, ... */
static void put_calls(const writer *w) {
  const bool b = w->side == 'b';
  const unsigned base = base_of(w->scene, b), calls = b ? w->scene->at[SCENE_CALLS] : 0;
  for (unsigned i = 1; i < FUNCTIONS - base; i++) {
    buffer_format(w->out, "  c%c%u: {node: DILocation%s, line: %u, column: %u, scope: f%u", w->side, i,
                  calls == 4 ? "" : ", distinct: true", calls == 1 ? 9u : 5u, calls == 2 ? 4u : 3u, base + i - 1);
    if (i > 1)
      buffer_format(w->out, ", inlinedAt: c%c%u", w->side, i - 1);
    buffer_format(w->out, "}\n");
  }
}

static void put_composite(const writer *w, const char *composite, const char *without_layers) {
  put(w, of_side(w, SCENE_A_ALONE, SCENE_B_ALONE) ? without_layers : composite);
}

static void put_side(writer *w, char side) {
  w->side = side;
  put_calls(w);
  put(w, locations);
  if (of_side(w, SCENE_A_LAYERS, SCENE_B_LAYERS))
    put_composite(w, COMPOSITE("x@", "p@"), NO_LAYERS("x@", "p@"));
}

static void put_nodes(writer *w) {
  const scene *s = w->scene;
  buffer_format(
      w->out,
      "%s  type: {node: DISubroutineType, types: null}\n  u: {node: DICompileUnit, distinct: true, language: DW_LANG_C99, file: a%s}\n",
      files, s->op == VECTOR_EMIT ? ", emissionKind: DebugDirectivesOnly" : "");
  put_functions(w);
  buffer_format(w->out, "%s", layer_scopes);
  put_side(w, 'a');
  put_side(w, 'b');
  if (s->at[SCENE_B_LAYERS])
    put_composite(w, COMPOSITE("xc", "pa"), NO_LAYERS("xc", "pa"));
  if (s->at[SCENE_LOOP])
    put(w, s->at[SCENE_LOOP] == 1 ? LOOP("<b>") : LOOP("pb"));
  if (shapes[s->at[SCENE_FLAW]])
    put(w, shapes[s->at[SCENE_FLAW]]);
  if (s->at[SCENE_FLAW] == 25)
    put(w, LOOP("<a>, {string: llvm.loop.mustprogress}"));
  if (s->at[SCENE_TEXTS])
    buffer_format(w->out, "%s", embedded_texts);
}

/* ---- What is asked ---- */

static void name_side(const scene *s, bool b, char name[8]) {
  bool layered = s->at[b ? SCENE_B_LAYERS : SCENE_A_LAYERS] != 0;
  if (s->at[SCENE_EMPTY] == (b ? 2 : 1))
    strcpy(name, "null");
  else
    snprintf(name, 8, "%c%c", layered ? 'x' : 'p', b ? 'b' : 'a');
}

static void name_primary(writer *w, bool b) {
  const scene *s = w->scene;
  unsigned base = base_of(s, b), depth = s->at[b ? SCENE_B_DEPTH : SCENE_A_DEPTH] % (FUNCTIONS - base);
  snprintf(w->functions[b], sizeof w->functions[b], "f%u", base + depth);
  if (depth)
    snprintf(w->inlined_at[b], sizeof w->inlined_at[b], ", inlinedAt: c%c%u",
             b && (base || s->at[SCENE_CALLS]) ? 'b' : 'a', depth);
}

static writer start(const scene *s, dloc_buffer *out) {
  writer w = {.scene = s, .out = out};
  name_side(s, false, w.a);
  name_side(s, true, w.b);
  name_primary(&w, false);
  name_primary(&w, true);
  const char *const thirds[] = {"", w.a, s->at[SCENE_B_LAYERS] ? "xc" : "pa", "null", "pb"};
  if (s->op != VECTOR_INLINE)
    strcpy(w.third, thirds[s->at[SCENE_THIRD]]);
  return w;
}

/* Composites have names that begin with x. */
static bool has_layers(const writer *w) {
  return w->a[0] == 'x' || (scene_op_has(w->scene->op, SCENE_B_LAYERS) && w->b[0] == 'x') || w->third[0] == 'x' ||
         shapes[w->scene->at[SCENE_FLAW]];
}

static void put_head(const writer *w, const char *id) {
  const scene *s = w->scene;
  const char *anchor = askings[s->op].clause;
  dloc_clause clause = 0;
  dloc_clause_find(dloc_text_of(anchor), &clause);
  buffer_format(w->out, "id: %s\nclauses: [%s]\nlevel: %s\nsince: rfc\nneeds: [%s%s%s]\n", id, anchor,
                dloc_clause_level(clause), vector_op_name(s->op), has_layers(w) ? ", layers" : "",
                s->at[SCENE_RECORDS] ? ", records" : "");
}

/* The module of `verify`, with the flaws that are not in nodes. */
static void put_flawed_module(const writer *w) {
  unsigned flaw = w->scene->at[SCENE_FLAW];
  const char *a = shapes[flaw] ? "x" : w->a;
  buffer_format(w->out, "module:\n  functions:\n    - name: f\n%s      instructions:\n",
                flaw == 23 ? "" : "      subprogram: f0\n");
  buffer_format(w->out, "        - {dbg: %s}\n        - {call: g, dbg: %s}\n        - {ret: true%s}\n", a, w->b,
                flaw == 24 ? ", dbg: f0" : "");
  if (flaw == 25)
    buffer_format(w->out, "        - {dbg: %s, loop: loop}\n", w->a);
  buffer_format(w->out, "    - {name: g, definition: false}\n%s",
                flaw == 26   ? "  units: []\n"
                : flaw == 27 ? "  debug-info-version: null\n"
                             : "");
}

static void put_module(const writer *w) {
  const scene *s = w->scene;
  if (s->op == VECTOR_VERIFY)
    put_flawed_module(w);
  else if (s->op == VECTOR_ENCODE)
    buffer_format(w->out,
                  "module:\n  functions:\n    - name: f\n"
                  "      instructions: [{dbg: %s}, {dbg: %s}%s%s%s, {ret: true, dbg: %s}]\n",
                  w->a, w->b, w->third[0] ? ", {dbg: " : "", w->third, w->third[0] ? "}" : "", w->b);
  else if (s->op == VECTOR_SOURCE || s->at[SCENE_TEXTS])
    buffer_format(w->out, "module:\n%s", s->op == VECTOR_SOURCE ? "  functions: []\n" : "");
  if (s->at[SCENE_TEXTS])
    put(w, "  named:\n    " DLOC_SOURCE_LIST ": [<TEXTS||e1|e1, e2|e3, e1>]\n");
}

void scene_put(const scene *s, const char *id, dloc_buffer *out) {
  writer w = start(s, out);
  put_head(&w, id);
  put_nodes(&w);
  put_module(&w);
  buffer_format(out, "op: %s\n", vector_op_name(s->op));
  put(&w, askings[s->op].args);
  buffer_format(out, "expect: {outcome: reject, reason: shape.no-layers}\n");
}
