/* laws.c - the laws themselves, a function each, in the order of laws.def. Each question is a statement of its own, or
 * a declarator: the order of arguments is not defined, and a witness shows the questions in order. */
#include "trial.h"
#include "vector/mutants.h"

#include <string.h>

/* ---- Words of the laws ---- */

static finding holds_if(bool condition) { return condition ? HOLDS : BROKEN; }

static bool is_composite(const trial *t, dloc_node debug_loc) {
  return dloc_debug_loc_shape(t->context, debug_loc) == DLOC_SHAPE_COMPOSITE;
}

static dloc_node primary_of(const trial *t, dloc_node debug_loc) { return dloc_primary(t->context, debug_loc); }

/* The first two operands have primaries of different functions, so they stand in one without a subprogram. */
static bool homes_differ(const trial *t) { return t->homes[0] != t->homes[1]; }

static dloc_text kind_text(const trial *t, dloc_node kind) { return dloc_node_text(t->context, kind); }

/* ---- Merging ---- */

static finding law_MERGE_CLOSURE(trial *t, const dloc_node *in) {
  return holds_if(trial_valid(t, WORLD_F, trial_merge_two(t, in[0], in[1])));
}

static finding law_MERGE_CLOSURE_ANY(trial *t, const dloc_node *in) {
  if (!homes_differ(t))
    return SILENT;
  return holds_if(trial_valid(t, WORLD_NO_SUBPROGRAM, trial_merge_two(t, in[0], in[1])));
}

static finding law_MERGE_IDEMPOTENT(trial *t, const dloc_node *in) {
  return holds_if(trial_merge_two(t, in[0], in[0]) == in[0]);
}

static finding law_MERGE_COMMUTATIVE(trial *t, const dloc_node *in) {
  if (in[0] == in[1])
    return SILENT;
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  return holds_if(trial_same(t, merged, trial_merge_two(t, in[1], in[0])));
}

static finding law_MERGE_COMMUTATIVE_ANY(trial *t, const dloc_node *in) {
  return homes_differ(t) ? law_MERGE_COMMUTATIVE(t, in) : SILENT;
}

static finding law_MERGE_ABSORPTION(trial *t, const dloc_node *in) {
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  return holds_if(trial_same(t, trial_merge_two(t, merged, in[1]), merged));
}

/* Laws of merging hold or not quite differently where an operand is empty, so these inputs have laws of their own. */
static bool any_empty(const dloc_node *in, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!in[i])
      return true;
  return false;
}

static finding associates(trial *t, const dloc_node *in) {
  dloc_node left = trial_merge_two(t, trial_merge_two(t, in[0], in[1]), in[2]);
  dloc_node right = trial_merge_two(t, in[0], trial_merge_two(t, in[1], in[2]));
  return holds_if(trial_same(t, left, right));
}

static finding law_MERGE_ASSOCIATIVE(trial *t, const dloc_node *in) {
  return any_empty(in, 3) ? SILENT : associates(t, in);
}

static finding law_MERGE_ASSOCIATIVE_EMPTY(trial *t, const dloc_node *in) {
  return any_empty(in, 3) ? associates(t, in) : SILENT;
}

static finding any_order(trial *t, const dloc_node *in) {
  static const unsigned char orders[][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  dloc_node merged = trial_merge(t, t->profile, in, 3);
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    const dloc_node other[3] = {in[orders[i][0]], in[orders[i][1]], in[orders[i][2]]};
    t->question_count = t->question_count ? 1 : 0; /* of a witness: the first order, and the one that differs */
    if (!trial_same(t, trial_merge(t, t->profile, other, 3), merged))
      return BROKEN;
  }
  return HOLDS;
}

static finding law_MERGE_ORDER(trial *t, const dloc_node *in) { return any_empty(in, 3) ? SILENT : any_order(t, in); }

static finding law_MERGE_ORDER_EMPTY(trial *t, const dloc_node *in) {
  return any_empty(in, 3) ? any_order(t, in) : SILENT;
}

static finding law_MERGE_FOLD(trial *t, const dloc_node *in) {
  dloc_node two = trial_merge_two(t, in[0], in[1]);
  dloc_node folded = trial_merge_two(t, two, in[2]);
  return holds_if(trial_same(t, trial_merge(t, t->profile, in, 3), folded));
}

static finding law_MERGE_ZERO_COST(trial *t, const dloc_node *in) {
  if (is_composite(t, in[0]) || is_composite(t, in[1]))
    return SILENT;
  dloc_node with = trial_merge_two(t, in[0], in[1]);
  return holds_if(trial_same(t, with, trial_merge(t, t->stock, in, 2)));
}

static finding primary_is_own(trial *t, const dloc_node *in) {
  if (!is_composite(t, in[0]) && !is_composite(t, in[1]))
    return SILENT;
  dloc_node primaries = trial_merge_two(t, primary_of(t, in[0]), primary_of(t, in[1]));
  return holds_if(trial_same_location(t, primary_of(t, trial_merge_two(t, in[0], in[1])), primaries));
}

static finding law_MERGE_PRIMARY(trial *t, const dloc_node *in) {
  return any_empty(in, 2) ? SILENT : primary_is_own(t, in);
}

static finding law_MERGE_PRIMARY_EMPTY(trial *t, const dloc_node *in) {
  return any_empty(in, 2) ? primary_is_own(t, in) : SILENT;
}

/* ---- Layers ---- */

enum { MOST_LAYERS = 8 }; /* of a DebugLoc of the world, or of a merge of two */

/* The layers of one kind, in order. */
static size_t layers_of_kind(const trial *t, dloc_node debug_loc, dloc_text kind, dloc_layer *ret) {
  size_t found = 0;
  dloc_layer layer;
  for (size_t cursor = 0; found < MOST_LAYERS && dloc_next_layer(t->context, debug_loc, &cursor, &layer);)
    if (dloc_text_equal(kind_text(t, layer.kind), kind))
      ret[found++] = layer;
  return found;
}

/* The same DebugLoc with the layers of one kind alone, and with another primary, the same for all. */
static dloc_node reduced(trial *t, dloc_node debug_loc, dloc_text kind) {
  dloc_layer layers[MOST_LAYERS];
  return debug_loc ? trial_create(t, trial_plain(t), layers, layers_of_kind(t, debug_loc, kind, layers)) : DLOC_NULL;
}

static bool same_layers_of_kind(const trial *t, dloc_node a, dloc_node b, dloc_text kind) {
  dloc_layer left[MOST_LAYERS], right[MOST_LAYERS];
  size_t count = layers_of_kind(t, a, kind, left);
  bool same = count == layers_of_kind(t, b, kind, right);
  for (size_t i = 0; same && i < count; i++)
    same = trial_same_location(t, left[i].location, right[i].location);
  return same;
}

static const char *const kinds[] = {"TileIR", "MLIR"};
enum { KINDS = 2 };

static finding law_MERGE_LAYER(trial *t, const dloc_node *in) {
  if (!is_composite(t, in[0]) && !is_composite(t, in[1]))
    return SILENT;
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  for (size_t i = 0; i < KINDS; i++) {
    dloc_text kind = dloc_text_of(kinds[i]);
    t->question_count = t->question_count ? 1 : 0; /* of a witness: the whole, and the kind that differs */
    dloc_node alone = trial_merge_two(t, reduced(t, in[0], kind), reduced(t, in[1], kind));
    if (!same_layers_of_kind(t, merged, alone, kind))
      return BROKEN;
  }
  return HOLDS;
}

/* Whether every layer of a whose kind b does not have stands in the merged location. *seen: there is such a layer. */
static bool kept(const trial *t, dloc_node a, dloc_node b, dloc_node merged, bool *seen) {
  dloc_layer own[MOST_LAYERS], other[MOST_LAYERS], result[MOST_LAYERS];
  for (size_t i = 0; i < KINDS; i++) {
    dloc_text kind = dloc_text_of(kinds[i]);
    size_t count = layers_of_kind(t, a, kind, own);
    if (!count || layers_of_kind(t, b, kind, other))
      continue;
    *seen = true;
    if (layers_of_kind(t, merged, kind, result) != count)
      return false;
    for (size_t j = 0; j < count; j++)
      if (result[j].location != own[j].location)
        return false;
  }
  return true;
}

static finding law_MERGE_KEPT(trial *t, const dloc_node *in) {
  bool seen = false;
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  bool fine = kept(t, in[0], in[1], merged, &seen) && kept(t, in[1], in[0], merged, &seen);
  return seen ? holds_if(fine) : SILENT;
}

/* ---- Fabrication ---- */

static bool same_line(const trial *t, dloc_node a, dloc_node b) {
  dloc_location l = dloc_location_get(t->context, a), r = dloc_location_get(t->context, b);
  return l.line == r.line && dloc_scope_file(t->context, l.scope) == dloc_scope_file(t->context, r.scope);
}

/* Whether the line of a frame, in its file, is that of a frame of the chain. */
static bool stood_in(const trial *t, dloc_node frame, dloc_node chain) {
  for (; chain; chain = dloc_location_get(t->context, chain).inlined_at)
    if (same_line(t, frame, chain))
      return true;
  return false;
}

typedef bool source_of(const trial *t, dloc_node frame, dloc_node debug_loc, dloc_text kind);

static bool stood_in_primary(const trial *t, dloc_node frame, dloc_node debug_loc, dloc_text kind) {
  (void)kind;
  return stood_in(t, frame, primary_of(t, debug_loc));
}

static bool stood_in_layer(const trial *t, dloc_node frame, dloc_node debug_loc, dloc_text kind) {
  dloc_layer layers[MOST_LAYERS];
  size_t count = layers_of_kind(t, debug_loc, kind, layers);
  for (size_t i = 0; i < count; i++)
    if (stood_in(t, frame, layers[i].location))
      return true;
  return false;
}

/* Whether every line of the chain, unless 0, has its source in one of two DebugLocs. */
static bool has_sources(const trial *t, dloc_node chain, source_of *source, dloc_text kind, const dloc_node *from) {
  for (; chain; chain = dloc_location_get(t->context, chain).inlined_at)
    if (dloc_location_get(t->context, chain).line && !source(t, chain, from[0], kind) &&
        !source(t, chain, from[1], kind))
      return false;
  return true;
}

static bool layers_have_sources(const trial *t, dloc_node debug_loc, const dloc_node *from) {
  dloc_layer layer;
  for (size_t cursor = 0; dloc_next_layer(t->context, debug_loc, &cursor, &layer);)
    if (!has_sources(t, layer.location, stood_in_layer, kind_text(t, layer.kind), from))
      return false;
  return true;
}

static bool primary_has_sources(const trial *t, dloc_node debug_loc, const dloc_node *from) {
  return has_sources(t, primary_of(t, debug_loc), stood_in_primary, dloc_text_of(""), from);
}

static finding law_MERGE_NO_FABRICATION(trial *t, const dloc_node *in) {
  return holds_if(primary_has_sources(t, trial_merge_two(t, in[0], in[1]), in));
}

static finding law_MERGE_NO_FABRICATION_LAYER(trial *t, const dloc_node *in) {
  if (!is_composite(t, in[0]) && !is_composite(t, in[1]))
    return SILENT;
  return holds_if(layers_have_sources(t, trial_merge_two(t, in[0], in[1]), in));
}

/* ---- Inlining: the operands are a call and one or two instructions of the callee ---- */

static dloc_node inline_one(trial *t, const dloc_profile *profile, dloc_node call, dloc_node debug_loc) {
  dloc_node inlined = DLOC_NULL;
  trial_inline(t, profile, call, &debug_loc, 1, &inlined);
  return inlined;
}

/* A call without a location is valid only when the callee has no subprogram (`verify.call`). */
static bool call_is_valid(const trial *t, dloc_node call) { return call || t->mode.callee_without_subprogram; }

static finding law_INLINE_CLOSURE(trial *t, const dloc_node *in) {
  if (!call_is_valid(t, in[0]))
    return SILENT;
  return holds_if(trial_valid(t, WORLD_F, inline_one(t, t->profile, in[0], in[1])));
}

static finding law_INLINE_ZERO_COST(trial *t, const dloc_node *in) {
  if (is_composite(t, in[0]) || is_composite(t, in[1]))
    return SILENT;
  dloc_node with = inline_one(t, t->profile, in[0], in[1]);
  return holds_if(trial_same(t, with, inline_one(t, t->stock, in[0], in[1])));
}

static finding law_INLINE_PRIMARY(trial *t, const dloc_node *in) {
  if (!is_composite(t, in[0]) && !is_composite(t, in[1]))
    return SILENT;
  dloc_node whole = primary_of(t, inline_one(t, t->profile, in[0], in[1]));
  dloc_node alone = inline_one(t, t->profile, primary_of(t, in[0]), primary_of(t, in[1]));
  return holds_if(trial_same_location(t, whole, alone));
}

static finding law_INLINE_LAYER(trial *t, const dloc_node *in) {
  if (!is_composite(t, in[0]) && !is_composite(t, in[1]))
    return SILENT;
  dloc_node inlined = inline_one(t, t->profile, in[0], in[1]);
  for (size_t i = 0; i < KINDS; i++) {
    dloc_text kind = dloc_text_of(kinds[i]);
    t->question_count = t->question_count ? 1 : 0;
    dloc_node alone = inline_one(t, t->profile, reduced(t, in[0], kind), reduced(t, in[1], kind));
    if (!same_layers_of_kind(t, inlined, alone, kind))
      return BROKEN;
  }
  return HOLDS;
}

static finding law_INLINE_NO_FABRICATION(trial *t, const dloc_node *in) {
  dloc_node inlined = inline_one(t, t->profile, in[0], in[1]);
  return holds_if(primary_has_sources(t, inlined, in) && layers_have_sources(t, inlined, in));
}

static finding commutes_with_merging(trial *t, const dloc_node *in) {
  dloc_node body[3] = {in[1], in[2], trial_merge_two(t, in[1], in[2])}, inlined[3];
  trial_inline(t, t->profile, in[0], body, 3, inlined);
  return holds_if(trial_same(t, trial_merge_two(t, inlined[0], inlined[1]), inlined[2]));
}

static finding law_INLINE_MERGE(trial *t, const dloc_node *in) {
  return any_empty(in + 1, 2) ? SILENT : commutes_with_merging(t, in);
}

static finding law_INLINE_MERGE_EMPTY(trial *t, const dloc_node *in) {
  return any_empty(in + 1, 2) ? commutes_with_merging(t, in) : SILENT;
}

static finding law_INLINE_MERGE_CALLS(trial *t, const dloc_node *in) {
  if (any_empty(in, 2))
    return SILENT;
  dloc_node first = inline_one(t, t->profile, in[0], in[2]), second = inline_one(t, t->profile, in[1], in[2]);
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  dloc_node inlined = inline_one(t, t->profile, merged, in[2]);
  return holds_if(trial_alike(t, inlined, trial_merge_two(t, first, second)));
}

/* ---- Hoisting ---- */

/* An instruction that is hoisted: whether it is a call, and in which function. */
typedef struct hoisting {
  world_function function;
  bool is_call;
} hoisting;

typedef bool hoisting_law(trial *t, const dloc_node *in, hoisting way);

static dloc_node hoist_one(trial *t, const dloc_profile *profile, dloc_node debug_loc, hoisting way) {
  return trial_hoist(t, profile, debug_loc, way.function, way.is_call);
}

static finding whatever_is_hoisted(trial *t, const dloc_node *in, hoisting_law *holds) {
  static const hoisting ways[] = {
      {WORLD_F, false}, {WORLD_F, true}, {WORLD_NO_SUBPROGRAM, false}, {WORLD_NO_SUBPROGRAM, true}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    t->question_count = 0; /* of a witness: the way that breaks the law */
    if (!holds(t, in, ways[i]))
      return BROKEN;
  }
  return HOLDS;
}

/* `verify.call`: of a call in a function with a subprogram. */
static bool stays_valid(trial *t, const dloc_node *in, hoisting way) {
  dloc_node hoisted = hoist_one(t, t->profile, in[0], way);
  bool is_lost = in[0] && !hoisted && way.is_call && way.function == WORLD_F;
  return trial_valid(t, way.function, hoisted) && !is_lost;
}

static finding law_HOIST_CLOSURE(trial *t, const dloc_node *in) { return whatever_is_hoisted(t, in, stays_valid); }

static bool stays_hoisted(trial *t, const dloc_node *in, hoisting way) {
  dloc_node once = hoist_one(t, t->profile, in[0], way);
  return trial_same(t, hoist_one(t, t->profile, once, way), once);
}

static finding law_HOIST_IDEMPOTENT(trial *t, const dloc_node *in) { return whatever_is_hoisted(t, in, stays_hoisted); }

static bool hoists_as_stock(trial *t, const dloc_node *in, hoisting way) {
  dloc_node with = hoist_one(t, t->profile, in[0], way);
  return trial_same(t, with, hoist_one(t, t->stock, in[0], way));
}

static finding law_HOIST_ZERO_COST(trial *t, const dloc_node *in) {
  return is_composite(t, in[0]) ? SILENT : whatever_is_hoisted(t, in, hoists_as_stock);
}

static bool hoists_primary_alone(trial *t, const dloc_node *in, hoisting way) {
  dloc_node whole = primary_of(t, hoist_one(t, t->profile, in[0], way));
  return trial_same_location(t, whole, hoist_one(t, t->profile, primary_of(t, in[0]), way));
}

static finding law_HOIST_PRIMARY(trial *t, const dloc_node *in) {
  return is_composite(t, in[0]) ? whatever_is_hoisted(t, in, hoists_primary_alone) : SILENT;
}

static bool hoists_layers_alone(trial *t, const dloc_node *in, hoisting way) {
  dloc_node hoisted = hoist_one(t, t->profile, in[0], way);
  for (size_t i = 0; i < KINDS; i++) {
    dloc_text kind = dloc_text_of(kinds[i]);
    t->question_count = t->question_count ? 1 : 0;
    if (!same_layers_of_kind(t, hoisted, hoist_one(t, t->profile, reduced(t, in[0], kind), way), kind))
      return false;
  }
  return true;
}

static finding law_HOIST_LAYER(trial *t, const dloc_node *in) {
  return is_composite(t, in[0]) ? whatever_is_hoisted(t, in, hoists_layers_alone) : SILENT;
}

static bool hoists_from_input(trial *t, const dloc_node *in, hoisting way) {
  const dloc_node from[2] = {in[0], in[0]};
  dloc_node hoisted = hoist_one(t, t->profile, in[0], way);
  return primary_has_sources(t, hoisted, from) && layers_have_sources(t, hoisted, from);
}

static finding law_HOIST_NO_FABRICATION(trial *t, const dloc_node *in) {
  return whatever_is_hoisted(t, in, hoists_from_input);
}

static bool hoisting_commutes_with_merging(trial *t, const dloc_node *in, hoisting way) {
  dloc_node first = hoist_one(t, t->profile, in[0], way), second = hoist_one(t, t->profile, in[1], way);
  dloc_node after = trial_merge_two(t, first, second), merged = trial_merge_two(t, in[0], in[1]);
  return trial_same(t, hoist_one(t, t->profile, merged, way), after);
}

static finding law_HOIST_MERGE(trial *t, const dloc_node *in) {
  return any_empty(in, 2) ? SILENT : whatever_is_hoisted(t, in, hoisting_commutes_with_merging);
}

static finding law_INLINE_HOIST(trial *t, const dloc_node *in) {
  bool is_call = t->mode.instruction == DLOC_INSTRUCTION_PLAIN; /* the others are no calls that a pass hoists */
  world_function callee = t->mode.callee_without_subprogram ? WORLD_NO_SUBPROGRAM : WORLD_G;
  if (!call_is_valid(t, in[0]))
    return SILENT;
  dloc_node before = inline_one(t, t->profile, in[0], trial_hoist(t, t->profile, in[1], callee, is_call));
  dloc_node after = trial_hoist(t, t->profile, inline_one(t, t->profile, in[0], in[1]), WORLD_F, is_call);
  return holds_if(trial_same(t, before, after));
}

/* ---- Equality ---- */

/* Whether a law about two equal DebugLocs has something to say of them. */
static bool are_equal_pair(trial *t, dloc_node a, dloc_node b) { return a != b && trial_equal(t, a, b); }

/* Equal, but for what this trial made. */
static bool as_equal(trial *t, dloc_node a, dloc_node b) { return trial_same(t, a, b) || trial_equal(t, a, b); }

static finding law_EQUAL_EQUIVALENCE(trial *t, const dloc_node *in) {
  bool first = trial_equal(t, in[0], in[1]), second = trial_equal(t, in[1], in[2]);
  return holds_if(trial_equal(t, in[0], in[0]) && trial_equal(t, in[1], in[0]) == first &&
                  (!first || !second || trial_equal(t, in[0], in[2])));
}

static finding law_EQUAL_MERGE(trial *t, const dloc_node *in) {
  if (!are_equal_pair(t, in[0], in[1]))
    return SILENT;
  dloc_node first = trial_merge_two(t, in[0], in[2]), second = trial_merge_two(t, in[1], in[2]);
  if (!as_equal(t, first, second))
    return BROKEN;
  first = trial_merge_two(t, in[2], in[0]);
  second = trial_merge_two(t, in[2], in[1]);
  return holds_if(as_equal(t, first, second));
}

static finding law_EQUAL_INLINE(trial *t, const dloc_node *in) {
  dloc_node inlined[2];
  if (!are_equal_pair(t, in[1], in[2]))
    return SILENT;
  trial_inline(t, t->profile, in[0], &in[1], 2, inlined);
  return holds_if(as_equal(t, inlined[0], inlined[1]));
}

static bool hoists_as_equal(trial *t, const dloc_node *in, hoisting way) {
  dloc_node first = hoist_one(t, t->profile, in[0], way);
  return as_equal(t, first, hoist_one(t, t->profile, in[1], way));
}

static finding law_EQUAL_HOIST(trial *t, const dloc_node *in) {
  return are_equal_pair(t, in[0], in[1]) ? whatever_is_hoisted(t, in, hoists_as_equal) : SILENT;
}

static finding law_EQUAL_PRINT(trial *t, const dloc_node *in) {
  return are_equal_pair(t, in[0], in[1]) ? holds_if(trial_same_print(t, in[0], in[1])) : SILENT;
}

static finding law_EQUAL_BITCODE(trial *t, const dloc_node *in) {
  if (!are_equal_pair(t, in[0], in[1]))
    return SILENT;
  dloc_node first = trial_round_trip(t, in[0]);
  return holds_if(as_equal(t, first, trial_round_trip(t, in[1])));
}

static finding law_EQUAL_EMIT(trial *t, const dloc_node *in) {
  return are_equal_pair(t, in[0], in[1]) ? holds_if(trial_same_directives(t, in[2], in[0], in[1])) : SILENT;
}

/* ---- Round trips ---- */

static finding law_BITCODE_CLOSURE(trial *t, const dloc_node *in) {
  return holds_if(trial_valid(t, WORLD_F, trial_round_trip(t, in[0])));
}

static finding law_BITCODE_ROUND_TRIP(trial *t, const dloc_node *in) {
  return holds_if(trial_alike(t, trial_round_trip(t, in[0]), in[0]));
}

static finding law_BITCODE_IDEMPOTENT(trial *t, const dloc_node *in) {
  dloc_node once = trial_round_trip(t, in[0]);
  return holds_if(trial_round_trip(t, once) == once);
}

static finding law_BITCODE_MERGE(trial *t, const dloc_node *in) {
  dloc_node before = trial_round_trip(t, trial_merge_two(t, in[0], in[1]));
  dloc_node first = trial_round_trip(t, in[0]), second = trial_round_trip(t, in[1]);
  return holds_if(trial_same(t, before, trial_merge_two(t, first, second)));
}

static bool hoisting_commutes_with_bitcode(trial *t, const dloc_node *in, hoisting way) {
  dloc_node before = trial_round_trip(t, hoist_one(t, t->profile, in[0], way));
  return trial_same(t, before, hoist_one(t, t->profile, trial_round_trip(t, in[0]), way));
}

static finding law_BITCODE_HOIST(trial *t, const dloc_node *in) {
  return whatever_is_hoisted(t, in, hoisting_commutes_with_bitcode);
}

static finding law_TEXT_ROUND_TRIP(trial *t, const dloc_node *in) { return holds_if(world_rereads(t->world, in[0])); }

static finding law_ACCESSOR_ROUND_TRIP(trial *t, const dloc_node *in) {
  dloc_layer layers[MOST_LAYERS];
  size_t count = dloc_layer_count(t->context, in[0]);
  for (size_t i = 0; i < count && i < MOST_LAYERS; i++)
    layers[i] = dloc_layer_at(t->context, in[0], i);
  return holds_if(trial_equal(t, trial_create(t, primary_of(t, in[0]), layers, count), in[0]));
}

/* ---- The table ---- */

typedef struct law_row {
  const char *name;
  const char *inputs;
  const char *statement;
  const char *clauses;
  finding (*function)(trial *t, const dloc_node *in);
} law_row;

static const law_row laws[LAW_COUNT] = {
#define LAW(id, name, inputs, statement, clauses) {name, inputs, statement, clauses, law_##id},
#include "laws.def"
#undef LAW
};

const char *law_name(law l) { return laws[l].name; }
const char *law_inputs(law l) { return laws[l].inputs; }
const char *law_statement(law l) { return laws[l].statement; }
const char *law_clauses(law l) { return laws[l].clauses; }

bool law_find(dloc_text name, law *ret) {
  for (unsigned i = 0; i < LAW_COUNT; i++)
    if (dloc_text_equal(name, dloc_text_of(laws[i].name))) {
      *ret = (law)i;
      return true;
    }
  return false;
}

finding trial_run(trial *t, law l) {
  t->first_new = dloc_node_limit(t->context);
  mutant_selected = t->mutant;
  finding found = laws[l].function(t, t->in);
  mutant_selected = 0;
  if (t->refused)
    return t->mutant ? SILENT : BROKEN; /* that a mutant refuses what is valid tells nothing of a law */
  return found;
}

/* ---- What is expected ---- */

static const law_expectation expectations[] = {
#define BROKEN_LAW(law, profile, scope, why) {LAW_##law, profile, scope, why},
#include "expected.def"
#undef BROKEN_LAW
};

const law_expectation *law_expected(law l, const char *profile, unsigned scope) {
  for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
    const law_expectation *e = &expectations[i];
    if (e->law == l && e->scope <= scope && strcmp(e->profile, profile) == 0)
      return e;
  }
  return NULL;
}
