/* scene.c - small modules with two locations, from numbers. */
#include "document/buffer.h"
#include "scene.h"

#include <string.h>

/* ---- Dimensions ---- */

typedef struct dimension {
  const char *name;
  uint8_t values;
  uint8_t often;
} dimension;

static const dimension dimensions[] = {
#define DIMENSION(id, name, values, often) {name, values, often},
#include "scene.def"
#undef DIMENSION
};

unsigned scene_values(scene_dimension d) { return dimensions[d].values; }

const char *scene_dimension_name(scene_dimension d) { return dimensions[d].name; }

static bool is_of_b(scene_dimension d) {
  return (d >= SCENE_B_SCOPE && d <= SCENE_CALLS) || (d >= SCENE_BT_SCOPE && d <= SCENE_BM_COLUMN);
}

/* The clause that stands in a vector to which the model applies none that it tells of. An op without one has no scenes.
 */
static const char *const clauses[VECTOR_OP_COUNT] = {
    [VECTOR_MERGE] = "merge.n-way",       [VECTOR_INLINE] = "inline.primary",
    [VECTOR_EQUAL] = "equal.distinct",    [VECTOR_PRINT] = "print.location",
    [VECTOR_VERIFY] = "shape.any-number", [VECTOR_SOURCE] = "source.entry",
    [VECTOR_ACCESSOR] = "accessor.layer", [VECTOR_ROUNDTRIP] = "bitcode.round-trip",
    [VECTOR_EMIT] = "emit.primary",       [VECTOR_HOIST] = "hoist.instruction",
    [VECTOR_STRIP] = "strip.location",    [VECTOR_OUTLINE] = "outline.location",
    [VECTOR_ENCODE] = "bitcode.record",
};

bool scene_has_op(vector_op op) { return clauses[op] != NULL; }

static bool is_moving(vector_op op) { return op == VECTOR_STRIP || op == VECTOR_OUTLINE; }

/* Operations on one location. */
static bool is_unary(vector_op op) { return op == VECTOR_PRINT || op == VECTOR_ACCESSOR || op == VECTOR_HOIST; }

bool scene_op_has(vector_op op, scene_dimension d) {
  switch (d) {
  case SCENE_EMPTY:
    return op != VECTOR_VERIFY && op != VECTOR_SOURCE && op != VECTOR_PRINT && op != VECTOR_EQUAL;
  case SCENE_THIRD:
    return op == VECTOR_MERGE || op == VECTOR_ROUNDTRIP || op == VECTOR_EMIT || op == VECTOR_INLINE ||
           op == VECTOR_ENCODE || is_moving(op);
  case SCENE_INSTRUCTION:
  case SCENE_CALLEE:
  case SCENE_LINE_TABLES:
  case SCENE_LOOP:
  case SCENE_RECORDS:
    return op == VECTOR_INLINE;
  case SCENE_IS_CALL:
    return op == VECTOR_HOIST;
  case SCENE_FUNCTION:
    return op == VECTOR_HOIST || op == VECTOR_OUTLINE;
  case SCENE_TEXTS:
    return op == VECTOR_EMIT || op == VECTOR_SOURCE;
  case SCENE_FIND:
    return op == VECTOR_SOURCE;
  case SCENE_FLAW:
    return op == VECTOR_VERIFY;
  default:
    return op != VECTOR_SOURCE && (!is_unary(op) || !is_of_b(d));
  }
}

/* Which kinds the values of A_LAYERS and B_LAYERS have. */
static bool has_tile(unsigned layers) { return layers && layers != 2; }
static bool has_mlir(unsigned layers) { return layers >= 2; }

bool scene_is_active(const scene *s, scene_dimension d) {
  if (!scene_op_has(s->op, d))
    return false;
  if (d == SCENE_A_COMPOSITE)
    return s->at[SCENE_A_LAYERS] != 0;
  if (d == SCENE_B_COMPOSITE)
    return s->at[SCENE_B_LAYERS] != 0;
  if (d >= SCENE_AT_SCOPE && d <= SCENE_AT_COLUMN)
    return has_tile(s->at[SCENE_A_LAYERS]);
  if (d == SCENE_AM_LINE || d == SCENE_AM_COLUMN)
    return has_mlir(s->at[SCENE_A_LAYERS]);
  if (d >= SCENE_BT_SCOPE && d <= SCENE_BT_COLUMN)
    return has_tile(s->at[SCENE_B_LAYERS]);
  if (d == SCENE_BM_LINE || d == SCENE_BM_COLUMN)
    return has_mlir(s->at[SCENE_B_LAYERS]);
  if (d == SCENE_CALLS)
    return s->op == VECTOR_INLINE ? s->at[SCENE_B_DEPTH] > 0 : s->at[SCENE_A_DEPTH] > 0 && s->at[SCENE_B_DEPTH] > 0;
  return true;
}

scene scene_random(vector_op op, uint64_t *state) {
  scene s = {.op = op};
  for (int d = 0; d < SCENE_DIMENSIONS; d++) {
    uint64_t dice = vector_random(state);
    bool plain = dimensions[d].often > 1 && dice % dimensions[d].often != 0;
    s.at[d] = plain || !scene_op_has(op, (scene_dimension)d) ? 0 : (uint8_t)((dice >> 32) % dimensions[d].values);
  }
  return s;
}

/* ---- Nodes ---- */

#define PUT(...) buffer_format(&maker->text, __VA_ARGS__)

enum { FUNCTIONS = 4 };

static void put_function(const scene *s, unsigned k, vector_maker *maker) {
  const char *file = k && s->at[SCENE_G_FILE] ? "b" : "a";
  PUT("  f%u: {node: DISubprogram, distinct: true, name: f%u, scope: %s, file: %s, line: 1, spFlags: "
      "DISPFlagDefinition, "
      "unit: u}\n",
      k, k, file, file);
  PUT("  f%u-1: {node: DILexicalBlock, distinct: true, scope: f%u, file: %s, line: 1, column: 1}\n", k, k, file);
  PUT("  f%u-2: {node: DILexicalBlockFile, scope: f%u, file: c, discriminator: 2}\n", k, k);
  PUT("  f%u-3: {node: DILexicalBlock, distinct: true, scope: f%u-2, file: c, line: 2}\n", k, k);
}

static void put_scopes(const scene *s, vector_maker *maker) {
  PUT("  a: {node: DIFile, filename: a.c, directory: src}\n  b: {node: DIFile, filename: b.c, directory: src}\n"
      "  c: {node: DIFile, filename: c.h, directory: src}\n  k: {node: DIFile, filename: k.tile, directory: .}\n"
      "  m: {node: DIFile, filename: k.mlir, directory: .}\n");
  PUT("  u: {node: DICompileUnit, distinct: true, language: DW_LANG_C99, file: a%s}\n",
      s->op == VECTOR_EMIT ? ", emissionKind: DebugDirectivesOnly" : "");
  for (unsigned k = 0; k < FUNCTIONS; k++)
    put_function(s, k, maker);
  PUT("  s0: {node: DILexicalBlockFile, scope: f0, file: k, discriminator: 0}\n"
      "  s1: {node: DILexicalBlockFile, scope: f0, file: m, discriminator: 0}\n"
      "  s2: {node: DILexicalBlockFile, scope: f1, file: k, discriminator: 0}\n");
}

/* The call sites of b or a, from the outermost in; named ca1, ca2, ca3 and cb1, ... relation: value of CALLS, for b. */
static void put_calls(char name, unsigned base, unsigned depth, unsigned relation, vector_maker *maker) {
  for (unsigned i = 1; i <= depth; i++) {
    PUT("  c%c%u: {node: DILocation%s, line: %u, column: %u, scope: f%u", name, i,
        relation == 4 ? "" : ", distinct: true", relation == 1 ? 9u : 5u, relation == 2 ? 4u : 3u, base + i - 1);
    if (i > 1)
      PUT(", inlinedAt: c%c%u", name, i - 1);
    PUT("}\n");
  }
}

typedef struct side {
  char name;
  char calls; /* whose call sites */
  unsigned base;
  unsigned depth;
  const uint8_t *at;     /* SCENE_A_SCOPE or SCENE_B_SCOPE and what follows */
  const uint8_t *layers; /* SCENE_AT_SCOPE or SCENE_BT_SCOPE and what follows */
} side;

enum {
  SCOPE,
  DEPTH,
  LINE,
  COLUMN,
  IMPLICIT,
  DISTINCT,
  LAYERS,
  COMPOSITE,
  TILE_SCOPE = 0,
  TILE_LINE,
  TILE_COLUMN,
  MLIR_LINE,
  MLIR_COLUMN
};

/* What calls that are inlined into each other can be: one less from g on. */
static side side_of(const scene *s, bool b) {
  unsigned base = b && s->op == VECTOR_INLINE ? 1 : 0;
  const uint8_t *at = &s->at[b ? SCENE_B_SCOPE : SCENE_A_SCOPE];
  return (side){b ? 'b' : 'a',
                b && (base || s->at[SCENE_CALLS]) ? 'b' : 'a',
                base,
                at[DEPTH] % (FUNCTIONS - base),
                at,
                &s->at[b ? SCENE_BT_SCOPE : SCENE_AT_SCOPE]};
}

static void put_primary(const side *l, vector_maker *maker) {
  PUT("  p%c: {node: DILocation%s, line: %u, column: %u, scope: f%u", l->name,
      l->at[DISTINCT] ? ", distinct: true" : "", l->at[LINE], l->at[COLUMN], l->base + l->depth);
  if (l->at[SCOPE])
    PUT("-%u", l->at[SCOPE]);
  if (l->depth)
    PUT(", inlinedAt: c%c%u", l->calls, l->depth);
  PUT("%s}\n", l->at[IMPLICIT] ? ", isImplicitCode: true" : "");
}

static void put_layers(const side *l, vector_maker *maker) {
  PUT("  t%c: {node: DILocation, line: %u, column: %u, scope: s%u}\n", l->name, l->layers[TILE_LINE],
      l->layers[TILE_COLUMN], l->layers[TILE_SCOPE]);
  PUT("  m%c: {node: DILocation, line: %u, column: %u, scope: s1}\n", l->name, l->layers[MLIR_LINE],
      l->layers[MLIR_COLUMN]);
  PUT("  o%c: {node: DILocation, line: 7, column: 7, scope: s1}\n", l->name);
}

/* A composite of a primary and the layers of a side. */
static void put_composite(const char *name, char primary, const side *l, vector_maker *maker) {
  static const char *const orders[] = {"", "t", "m", "tm", "mt", "tom"};
  PUT("  %s: {node: composite%s, primary: p%c, layers: [", name, l->at[COMPOSITE] ? ", distinct: true" : "", primary);
  for (const char *c = orders[l->at[LAYERS]]; *c; c++)
    PUT("%s{kind: %s, location: %c%c}", c == orders[l->at[LAYERS]] ? "" : ", ",
        *c == 't'   ? "TileIR"
        : *c == 'm' ? "MLIR"
                    : "Other",
        *c, l->name);
  PUT("]}\n");
}

static void put_side(const scene *s, const side *l, vector_maker *maker) {
  if (l->calls == l->name)
    put_calls(l->name, l->base, FUNCTIONS - 1 - l->base, l->name == 'b' ? s->at[SCENE_CALLS] : 0, maker);
  put_primary(l, maker);
  put_layers(l, maker);
  const char name[] = {'x', l->name, '\0'};
  if (l->at[LAYERS])
    put_composite(name, l->name, l, maker);
}

/* ---- Args ---- */

/* The names of the locations that a scene asks about; "null" for empty. */
typedef struct asked {
  char a[8], b[8], third[8];
  bool has_third;
  bool has_layers;
} asked;

static void name_side(const scene *s, bool b, char name[8], bool *has_layers) {
  bool layered = s->at[b ? SCENE_B_LAYERS : SCENE_A_LAYERS] != 0;
  if (scene_op_has(s->op, SCENE_EMPTY) && s->at[SCENE_EMPTY] == (b ? 2 : 1)) {
    strcpy(name, "null");
    return;
  }
  *has_layers |= layered && (!b || !is_unary(s->op));
  snprintf(name, 8, "%c%c", layered ? 'x' : 'p', b ? 'b' : 'a');
}

static asked name_locations(const scene *s) {
  asked n = {.has_third = scene_op_has(s->op, SCENE_THIRD) && s->at[SCENE_THIRD] && s->op != VECTOR_INLINE};
  name_side(s, false, n.a, &n.has_layers);
  name_side(s, true, n.b, &n.has_layers);
  static const char *const thirds[] = {"", "", "xc", "null", "pb"};
  strcpy(n.third, s->at[SCENE_THIRD] == 1 ? n.a : thirds[s->at[SCENE_THIRD]]);
  if (strcmp(n.third, "xc") == 0 && !s->at[SCENE_B_LAYERS])
    strcpy(n.third, "pa");
  if (n.has_third && strcmp(n.third, "xc") == 0)
    n.has_layers = true;
  return n;
}

static void put_call(const scene *s, const asked *n, vector_maker *maker) {
  static const char *const classes[] = {"plain", "static-alloca", "pseudo-probe"};
  PUT("args:\n  call: %s\n  callee: [{location: %s, instruction: %s}, %s%s]\n", n->a, n->b,
      classes[s->at[SCENE_INSTRUCTION]], s->at[SCENE_THIRD] ? "null, " : "", "pb");
  PUT("  callee-subprogram: %s\n  no-inline-line-tables: %s\n", s->at[SCENE_CALLEE] ? "false" : "true",
      s->at[SCENE_LINE_TABLES] ? "true" : "false");
  if (s->at[SCENE_LOOP])
    PUT("  loop: loop\n");
  if (s->at[SCENE_RECORDS])
    PUT("  records: [pb]\n");
}

/* ---- What is wrong with a module ---- */

/* FLAW(text of nodes): x is what the instruction has; TA and TB are two locations for layers, `sound` a sound layer. */
static const char *const shapes[SCENE_FLAWS] = {
    [1] = "  l: {node: tuple, operands: [{string: \"\"}, ta]}\n  x: {node: tuple, operands: [pa, l]}\n",
    [2] = "  x: {node: composite, primary: pa, layers: [{kind: TileIR, location: ta}, {kind: TileIR, location: ma}]}\n",
    [3] = "  x: {node: composite, primary: pa, layers: [{kind: TileIR, location: ta}, {kind: tileir, location: ma}]}\n",
    [4] = "  q: {node: DILocation, distinct: true, line: 5, scope: f0}\n"
          "  t: {node: DILocation, line: 1, scope: s0, inlinedAt: q}\n"
          "  x: {node: composite, primary: pa, layers: [{kind: TileIR, location: t}]}\n",
    [5] = "  t: {node: DILocation, line: 1, scope: f0}\n"
          "  x: {node: composite, primary: pa, layers: [{kind: TileIR, location: t}]}\n",
    [6] = "  t: {node: DILocation, line: 1, scope: f1-2}\n"
          "  x: {node: composite, primary: pa, layers: [{kind: TileIR, location: t}]}\n",
    [7] = "  l: {node: tuple, operands: [{string: TileIR}]}\n  x: {node: tuple, operands: [pa, l]}\n",
    [8] = "  l: {node: tuple, operands: [{string: TileIR}, ta, ma]}\n  x: {node: tuple, operands: [pa, l]}\n",
    [9] = "  l: {node: tuple, operands: [{constant: i32 1}, ta]}\n  x: {node: tuple, operands: [pa, l]}\n",
    [10] = "  l: {node: tuple, operands: [{string: TileIR}, s0]}\n  x: {node: tuple, operands: [pa, l]}\n",
    [11] = "  l: {node: tuple, operands: [{string: TileIR}, null]}\n  x: {node: tuple, operands: [pa, l]}\n",
    [12] = "  l: {node: tuple, operands: [{string: TileIR}, ta]}\n  x: {node: tuple, operands: [null, l]}\n",
    [13] = "  l: {node: tuple, operands: [{string: TileIR}, ta]}\n  x: {node: tuple, operands: [l, l]}\n",
    [14] = "  x: {node: tuple, operands: [pa]}\n",
    [15] = "  x: {node: tuple, operands: []}\n",
    [16] = "  x: {node: tuple, operands: [pa, ta]}\n",
    [17] = "  x: {node: tuple, operands: [pa, {string: TileIR}, ta]}\n",
    [18] = "  x: {node: composite, primary: pa, layers: [{kind: TileIR, location: pa}]}\n",
    [19] = "  x: {node: composite, distinct: true, primary: pa, layers: [{kind: TileIR, location: ta}]}\n",
    [20] = "  q: {node: DILocation, line: 1, scope: f1}\n"
           "  x: {node: composite, primary: q, layers: [{kind: TileIR, location: ta}]}\n",
    [21] = "  l: {node: tuple, operands: [{string: TileIR}, ta]}\n  x: {node: tuple, operands: [pa, l, null]}\n",
    [22] = "  l: {node: tuple, operands: [{string: TileIR}, ta]}\n  x: {node: tuple, operands: [s0, l]}\n",
};

static bool is_layered_flaw(unsigned flaw) { return flaw > 0 && shapes[flaw] != NULL; }

static void put_module(const scene *s, const asked *n, vector_maker *maker) {
  unsigned flaw = s->at[SCENE_FLAW];
  const char *a = shapes[flaw] ? "x" : n->a;
  PUT("module:\n  functions:\n    - name: f\n%s      instructions:\n", flaw == 23 ? "" : "      subprogram: f0\n");
  PUT("        - {dbg: %s}\n        - {call: g, dbg: %s}\n        - {ret: true%s}\n", a, n->b,
      flaw == 24 ? ", dbg: f0" : "");
  if (flaw == 25)
    PUT("        - {dbg: %s, loop: loop}\n", n->a);
  PUT("    - {name: g, definition: false}\n");
  if (flaw == 26)
    PUT("  units: []\n");
  if (flaw == 27)
    PUT("  debug-info-version: null\n");
}

static void put_flaw(const scene *s, const asked *n, vector_maker *maker) {
  unsigned flaw = s->at[SCENE_FLAW];
  if (shapes[flaw])
    PUT("%s", shapes[flaw]);
  if (flaw == 25)
    PUT("  loop: {node: tuple, self: true, distinct: true, operands: [%s, {string: llvm.loop.mustprogress}]}\n", n->a);
}

/* ---- Embedded texts ---- */

static void put_texts(const scene *s, vector_maker *maker) {
  if (s->at[SCENE_TEXTS])
    PUT("  e1: {node: tuple, operands: [{string: TileIR}, k, {string: \"entry @k() {}\"}]}\n"
        "  e2: {node: tuple, operands: [{string: MLIR}, m, {string: \"module {}\"}]}\n"
        "  e3: {node: tuple, operands: [{string: Other}, c, {string: x}]}\n");
}

/* A function with an instruction for each location. */
static void put_instructions(const asked *n, vector_maker *maker) {
  PUT("module:\n  functions:\n    - name: f\n      instructions: [{dbg: %s}, {dbg: %s}%s%s%s, {ret: true, dbg: %s}]\n",
      n->a, n->b, n->has_third ? ", {dbg: " : "", n->has_third ? n->third : "", n->has_third ? "}" : "", n->b);
}

static void put_named(const scene *s, vector_maker *maker) {
  static const char *const lists[] = {"", "e1", "e1, e2", "e3, e1"};
  if (s->op == VECTOR_SOURCE || s->at[SCENE_TEXTS])
    PUT("module:\n%s", s->op == VECTOR_SOURCE ? "  functions: []\n" : "");
  if (s->at[SCENE_TEXTS])
    PUT("  named:\n    " DLOC_SOURCE_LIST ": [%s]\n", lists[s->at[SCENE_TEXTS]]);
}

/* ---- A vector ---- */

static void put_head(const scene *s, const asked *n, const char *id, vector_maker *maker) {
  dloc_clause clause = 0;
  dloc_clause_find(dloc_text_of(clauses[s->op]), &clause);
  bool layers =
      s->op != VECTOR_SOURCE && (n->has_layers || (s->op == VECTOR_VERIFY && is_layered_flaw(s->at[SCENE_FLAW])));
  PUT("id: %s\nclauses: [%s]\nlevel: %s\nsince: rfc\nneeds: [%s%s%s]\n", id, clauses[s->op], dloc_clause_level(clause),
      vector_op_name(s->op), layers ? ", layers" : "",
      s->op == VECTOR_INLINE && s->at[SCENE_RECORDS] ? ", records" : "");
}

static void put_locations(const asked *n, vector_maker *maker) {
  PUT("[%s, %s%s%s]", n->a, n->b, n->has_third ? ", " : "", n->has_third ? n->third : "");
}

static void put_args(const scene *s, const asked *n, vector_maker *maker) {
  static const char *const asks[] = {"list: true", "find: k, kind: TileIR", "find: k", "find: b"};
  switch (s->op) {
  case VECTOR_INLINE:
    put_call(s, n, maker);
    break;
  case VECTOR_EQUAL:
    PUT("args: [%s, %s]\n", n->a, n->b);
    break;
  case VECTOR_PRINT:
  case VECTOR_ACCESSOR:
    PUT("args: [%s]\n", n->a);
    break;
  case VECTOR_HOIST:
    PUT("args: {location: %s, call: %s%s}\n", n->a, s->at[SCENE_IS_CALL] ? "true" : "false",
        s->at[SCENE_FUNCTION] ? "" : ", function: f0");
    break;
  case VECTOR_SOURCE:
    PUT("args: {%s}\n", asks[s->at[SCENE_FIND]]);
    break;
  case VECTOR_VERIFY:
    break;
  case VECTOR_STRIP:
    PUT("args: {keep: line-tables, locations: ");
    put_locations(n, maker);
    PUT("}\n");
    break;
  case VECTOR_OUTLINE:
    PUT("args: {%slocations: ", s->at[SCENE_FUNCTION] ? "" : "function: f3, ");
    put_locations(n, maker);
    PUT("}\n");
    break;
  case VECTOR_ENCODE:
    PUT("args: [metadata, records]\n");
    break;
  default:
    PUT("args: ");
    put_locations(n, maker);
    PUT("\n");
    break;
  }
}

void scene_put(const scene *s, const char *id, vector_maker *maker) {
  const asked n = name_locations(s);
  const side a = side_of(s, false), b = side_of(s, true);
  put_head(s, &n, id, maker);
  PUT("nodes:\n");
  put_scopes(s, maker);
  put_side(s, &a, maker);
  put_side(s, &b, maker);
  if (s->at[SCENE_B_LAYERS])
    put_composite("xc", 'a', &b, maker);
  if (s->op == VECTOR_INLINE && s->at[SCENE_LOOP])
    PUT("  loop: {node: tuple, self: true, distinct: true, operands: [%s]}\n", s->at[SCENE_LOOP] == 1 ? n.b : "pb");
  put_flaw(s, &n, maker);
  put_texts(s, maker);
  if (s->op == VECTOR_VERIFY)
    put_module(s, &n, maker);
  else if (s->op == VECTOR_ENCODE)
    put_instructions(&n, maker);
  else
    put_named(s, maker);
  PUT("op: %s\n", vector_op_name(s->op));
  put_args(s, &n, maker);
  PUT("expect: {outcome: reject, reason: shape.no-layers}\n");
}
