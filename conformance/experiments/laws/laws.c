/* laws.c - the laws themselves, a function each, in the order of laws.def. Each question is a statement of its own, or
 * a declarator: the order of arguments is not defined, and a witness shows the questions in order. */
#include "trial.h"
#include "vector/mutants.h"

#include <string.h>

/* ---- Words of the laws ---- */

static bool is_composite(const trial *t, dloc_node debug_loc) {
  return dloc_debug_loc_shape(t->context, debug_loc) == DLOC_SHAPE_COMPOSITE;
}

static dloc_node primary_of(const trial *t, dloc_node debug_loc) { return dloc_primary(t->context, debug_loc); }

static dloc_node next_frame(const trial *t, dloc_node frame) { return dloc_location_get(t->context, frame).inlined_at; }

/* A witness has two questions: about the whole, and about the part that differs. */
static void forget_parts(trial *t) { t->question_count = t->question_count ? 1 : 0; }

/* ---- Operations ---- */

static dloc_node merge_pair(trial *t, const dloc_profile *profile, const dloc_node *in) {
  return trial_merge(t, profile, in, 2);
}

static dloc_node inline_one(trial *t, const dloc_profile *profile, const dloc_node *in) {
  dloc_node inlined = DLOC_NULL;
  trial_inline(t, profile, in[0], &in[1], 1, &inlined);
  return inlined;
}

static dloc_node hoist_first(trial *t, const dloc_profile *profile, const dloc_node *in) {
  return trial_hoist(t, profile, in[0], t->way);
}

static dloc_node round_trip_first(trial *t, const dloc_profile *profile, const dloc_node *in) {
  return trial_round_trip(t, profile, in[0]);
}

static dloc_node come_back(trial *t, dloc_node debug_loc) { return trial_round_trip(t, t->profile, debug_loc); }

static dloc_node hoist(trial *t, dloc_node debug_loc) { return hoist_first(t, t->profile, &debug_loc); }

static bool is_as_stock(trial *t, const dloc_node *in) {
  dloc_node with = t->ask(t, t->profile, in);
  return trial_same(t, with, t->ask(t, t->stock, in));
}

static dloc_node of_primaries(trial *t, const dloc_node *in) {
  dloc_node primaries[TRIAL_OPERANDS];
  for (size_t i = 0; i < t->count; i++)
    primaries[i] = primary_of(t, in[i]);
  return t->ask(t, t->profile, primaries);
}

static bool keeps_primary_apart(trial *t, const dloc_node *in) {
  dloc_node whole = primary_of(t, t->ask(t, t->profile, in));
  return trial_same_location(t, whole, of_primaries(t, in));
}

/* ---- Layers ---- */

enum { MOST_LAYERS = 8 }; /* of a DebugLoc of the world, or of a merge of two */

static const char *const kinds[] = {"TileIR", "MLIR"};
enum { KINDS = 2 };

/* The layers of one kind, in order; NULL: the primary instead. */
static size_t channel(const trial *t, dloc_node debug_loc, const char *kind, dloc_layer *ret) {
  size_t found = 0;
  dloc_layer layer;
  if (!kind)
    ret[found++] = (dloc_layer){DLOC_NULL, primary_of(t, debug_loc)};
  for (size_t cursor = 0; kind && found < MOST_LAYERS && dloc_next_layer(t->context, debug_loc, &cursor, &layer);)
    if (dloc_text_equal(dloc_node_text(t->context, layer.kind), dloc_text_of(kind)))
      ret[found++] = layer;
  return found;
}

static bool same_channel(const trial *t, dloc_node a, dloc_node b, const char *kind) {
  dloc_layer left[MOST_LAYERS], right[MOST_LAYERS];
  size_t count = channel(t, a, kind, left);
  bool same = count == channel(t, b, kind, right);
  for (size_t i = 0; same && i < count; i++)
    same = trial_same_location(t, left[i].location, right[i].location);
  return same;
}

/* The same DebugLoc with the layers of one kind alone, and with another primary, the same for all. */
static dloc_node reduced(trial *t, dloc_node debug_loc, const char *kind) {
  dloc_layer layers[MOST_LAYERS];
  return debug_loc ? trial_create(t, trial_plain(t), layers, channel(t, debug_loc, kind, layers)) : DLOC_NULL;
}

/* Whether what becomes of the layers of a kind is what becomes of them alone. */
static bool keeps_kinds_apart(trial *t, const dloc_node *in) {
  dloc_node whole = t->ask(t, t->profile, in), alone[TRIAL_OPERANDS];
  for (size_t i = 0; i < KINDS; i++) {
    forget_parts(t);
    for (size_t j = 0; j < t->count; j++)
      alone[j] = reduced(t, in[j], kinds[i]);
    if (!same_channel(t, whole, t->ask(t, t->profile, alone), kinds[i]))
      return false;
  }
  return true;
}

/* ---- Fabrication ---- */

static bool same_line(const trial *t, dloc_node a, dloc_node b) {
  dloc_location l = dloc_location_get(t->context, a), r = dloc_location_get(t->context, b);
  return l.line == r.line && dloc_scope_file(t->context, l.scope) == dloc_scope_file(t->context, r.scope);
}

/* Whether a frame of that channel of an operand has the line of this frame, in the same file. */
static bool has_source(const trial *t, dloc_node frame, const char *kind) {
  dloc_layer layers[MOST_LAYERS];
  for (size_t i = 0; i < t->count; i++)
    for (size_t j = channel(t, t->in[i], kind, layers); j-- > 0;)
      for (dloc_node from = layers[j].location; from; from = next_frame(t, from))
        if (same_line(t, frame, from))
          return true;
  return false;
}

/* Whether every line of that channel, unless 0, has its source in the same channel of an operand. */
static bool has_sources(const trial *t, dloc_node debug_loc, const char *kind) {
  dloc_layer layers[MOST_LAYERS];
  for (size_t i = channel(t, debug_loc, kind, layers); i-- > 0;)
    for (dloc_node frame = layers[i].location; frame; frame = next_frame(t, frame))
      if (dloc_location_get(t->context, frame).line && !has_source(t, frame, kind))
        return false;
  return true;
}

static bool primary_has_sources(trial *t, const dloc_node *in) {
  return has_sources(t, t->ask(t, t->profile, in), NULL);
}

static bool layers_have_sources(trial *t, const dloc_node *in) {
  dloc_node result = t->ask(t, t->profile, in);
  return has_sources(t, result, kinds[0]) && has_sources(t, result, kinds[1]);
}

static bool all_have_sources(trial *t, const dloc_node *in) {
  dloc_node result = t->ask(t, t->profile, in);
  return has_sources(t, result, NULL) && has_sources(t, result, kinds[0]) && has_sources(t, result, kinds[1]);
}

/* ---- Merging ---- */

static bool merges_validly(trial *t, const dloc_node *in) {
  world_function function = t->homes[0] == t->homes[1] ? WORLD_F : WORLD_NO_SUBPROGRAM;
  return trial_valid(t, function, trial_merge_two(t, in[0], in[1]));
}

static bool merges_to_itself(trial *t, const dloc_node *in) { return trial_merge_two(t, in[0], in[0]) == in[0]; }

static bool merging_commutes(trial *t, const dloc_node *in) {
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  return trial_same(t, merged, trial_merge_two(t, in[1], in[0]));
}

static bool merging_absorbs(trial *t, const dloc_node *in) {
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  return trial_same(t, trial_merge_two(t, merged, in[1]), merged);
}

static bool merging_associates(trial *t, const dloc_node *in) {
  dloc_node left = trial_merge_two(t, trial_merge_two(t, in[0], in[1]), in[2]);
  dloc_node right = trial_merge_two(t, in[0], trial_merge_two(t, in[1], in[2]));
  return trial_same(t, left, right);
}

static bool merges_in_any_order(trial *t, const dloc_node *in) {
  static const unsigned char orders[][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  dloc_node merged = trial_merge(t, t->profile, in, 3);
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    const dloc_node other[3] = {in[orders[i][0]], in[orders[i][1]], in[orders[i][2]]};
    forget_parts(t);
    if (!trial_same(t, trial_merge(t, t->profile, other, 3), merged))
      return false;
  }
  return true;
}

static bool merging_folds(trial *t, const dloc_node *in) {
  dloc_node two = trial_merge_two(t, in[0], in[1]);
  dloc_node folded = trial_merge_two(t, two, in[2]);
  return trial_same(t, trial_merge(t, t->profile, in, 3), folded);
}

static bool merges_primaries_apart(trial *t, const dloc_node *in) {
  dloc_node primaries = of_primaries(t, in);
  return trial_same_location(t, primary_of(t, trial_merge_two(t, in[0], in[1])), primaries);
}

/* Whether the kind has layers in one of the two alone: in that one, or else DLOC_NULL. */
static dloc_node only_one_with(const trial *t, const char *kind) {
  dloc_layer layers[MOST_LAYERS];
  bool first = channel(t, t->in[0], kind, layers) > 0, second = channel(t, t->in[1], kind, layers) > 0;
  return first && !second ? t->in[0] : second && !first ? t->in[1] : DLOC_NULL;
}

/* The nodes themselves, not only what they say. */
static bool merging_keeps(trial *t, const dloc_node *in) {
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  for (size_t i = 0; i < KINDS; i++) {
    dloc_layer own[MOST_LAYERS], result[MOST_LAYERS];
    dloc_node from = only_one_with(t, kinds[i]);
    size_t count = channel(t, from, kinds[i], own);
    if (from && channel(t, merged, kinds[i], result) != count)
      return false;
    for (size_t j = 0; j < count; j++)
      if (result[j].location != own[j].location)
        return false;
  }
  return true;
}

/* With an operation on one DebugLoc. */
static bool merging_commutes_with(trial *t, const dloc_node *in) {
  dloc_node merged = trial_merge_two(t, in[0], in[1]), after = t->ask(t, t->profile, &merged);
  dloc_node first = t->ask(t, t->profile, in), second = t->ask(t, t->profile, in + 1);
  return trial_same(t, after, trial_merge_two(t, first, second));
}

/* ---- Inlining: the operands are a call and one or two instructions of the callee ---- */

static dloc_node inline_at(trial *t, dloc_node call, dloc_node debug_loc) {
  return inline_one(t, t->profile, (const dloc_node[]){call, debug_loc});
}

static bool inlines_validly(trial *t, const dloc_node *in) {
  return trial_valid(t, WORLD_F, inline_at(t, in[0], in[1]));
}

static bool inlining_commutes_with_merging(trial *t, const dloc_node *in) {
  dloc_node body[3] = {in[1], in[2], trial_merge_two(t, in[1], in[2])}, inlined[3];
  trial_inline(t, t->profile, in[0], body, 3, inlined);
  return trial_same(t, trial_merge_two(t, inlined[0], inlined[1]), inlined[2]);
}

static bool inlines_at_merged_call(trial *t, const dloc_node *in) {
  dloc_node first = inline_at(t, in[0], in[2]), second = inline_at(t, in[1], in[2]);
  dloc_node merged = trial_merge_two(t, in[0], in[1]);
  dloc_node inlined = inline_at(t, merged, in[2]);
  return trial_alike(t, inlined, trial_merge_two(t, first, second));
}

/* ---- Hoisting: t->way ---- */

/* `verify.call`: of a call in a function with a subprogram. */
static bool hoists_validly(trial *t, const dloc_node *in) {
  dloc_node hoisted = hoist(t, in[0]);
  bool is_lost = in[0] && !hoisted && t->way.is_call && t->way.function == WORLD_F;
  return trial_valid(t, t->way.function, hoisted) && !is_lost;
}

static bool stays_hoisted(trial *t, const dloc_node *in) {
  dloc_node once = hoist(t, in[0]);
  return trial_same(t, hoist(t, once), once);
}

static bool inlining_commutes_with_hoisting(trial *t, const dloc_node *in) {
  bool is_call = t->mode.instruction == DLOC_INSTRUCTION_PLAIN; /* the others are no calls that a pass hoists */
  hoisting of_callee = {t->mode.callee_without_subprogram ? WORLD_NO_SUBPROGRAM : WORLD_G, is_call};
  dloc_node before = inline_at(t, in[0], trial_hoist(t, t->profile, in[1], of_callee));
  dloc_node after = trial_hoist(t, t->profile, inline_at(t, in[0], in[1]), (hoisting){WORLD_F, is_call});
  return trial_same(t, before, after);
}

/* ---- Equality ---- */

/* Equal, but for what this trial made. */
static bool as_equal(trial *t, dloc_node a, dloc_node b) { return trial_same(t, a, b) || trial_equal(t, a, b); }

static bool equality_is_an_equivalence(trial *t, const dloc_node *in) {
  bool first = trial_equal(t, in[0], in[1]), second = trial_equal(t, in[1], in[2]);
  return trial_equal(t, in[0], in[0]) && trial_equal(t, in[1], in[0]) == first &&
         (!first || !second || trial_equal(t, in[0], in[2]));
}

static bool merge_to_equal(trial *t, const dloc_node *in) {
  dloc_node first = trial_merge_two(t, in[0], in[2]), second = trial_merge_two(t, in[1], in[2]);
  if (!as_equal(t, first, second))
    return false;
  first = trial_merge_two(t, in[2], in[0]);
  second = trial_merge_two(t, in[2], in[1]);
  return as_equal(t, first, second);
}

static bool are_inlined_to_equal(trial *t, const dloc_node *in) {
  dloc_node inlined[2];
  trial_inline(t, t->profile, in[0], &in[1], 2, inlined);
  return as_equal(t, inlined[0], inlined[1]);
}

/* Each of the two by itself. */
static bool become_equal(trial *t, const dloc_node *in) {
  dloc_node first = t->ask(t, t->profile, in);
  return as_equal(t, first, t->ask(t, t->profile, in + 1));
}

/* ---- Round trips ---- */

static bool comes_back_valid(trial *t, const dloc_node *in) { return trial_valid(t, WORLD_F, come_back(t, in[0])); }

static bool comes_back_alike(trial *t, const dloc_node *in) { return trial_alike(t, come_back(t, in[0]), in[0]); }

static bool comes_back_once(trial *t, const dloc_node *in) {
  dloc_node once = come_back(t, in[0]);
  return come_back(t, once) == once;
}

static bool bitcode_commutes_with_hoisting(trial *t, const dloc_node *in) {
  dloc_node before = come_back(t, hoist(t, in[0]));
  return trial_same(t, before, hoist(t, come_back(t, in[0])));
}

static bool is_put_together(trial *t, const dloc_node *in) {
  dloc_layer layers[MOST_LAYERS];
  size_t count = 0;
  for (size_t cursor = 0; count < MOST_LAYERS && dloc_next_layer(t->context, in[0], &cursor, &layers[count]);)
    count++;
  return trial_equal(t, trial_create(t, primary_of(t, in[0]), layers, count), in[0]);
}

/* ---- The other form ---- */

static bool comes_back_in_its_form(trial *t, const dloc_node *in) {
  dloc_node listed = DLOC_NULL, back = DLOC_NULL, again = DLOC_NULL;
  return trial_convert(t, DLOC_FORM_IRLAYERS, in, 1, &listed) && trial_convert(t, DLOC_FORM_TUPLE, &listed, 1, &back) &&
         trial_convert(t, DLOC_FORM_IRLAYERS, &back, 1, &again) && (back == in[0] || trial_alike(t, back, in[0])) &&
         (again == listed || trial_alike(t, again, listed));
}

/* The operation on converted operands gives the converted result. */
static bool commutes_with_converting(trial *t, const dloc_node *in) {
  dloc_node listed[TRIAL_OPERANDS], after = DLOC_NULL, before = t->ask(t, t->profile, in);
  return trial_convert(t, DLOC_FORM_IRLAYERS, in, t->count, listed) &&
         trial_convert(t, DLOC_FORM_IRLAYERS, &before, 1, &after) && trial_alike(t, after, t->ask(t, t->other, listed));
}

static bool equals_as_converted(trial *t, const dloc_node *in) {
  dloc_node listed[2];
  return trial_convert(t, DLOC_FORM_IRLAYERS, in, 2, listed) &&
         dloc_debug_loc_equal(t->context, t->other, listed[0], listed[1]) == trial_equal(t, in[0], in[1]);
}

static bool is_convertible(trial *t) {
  dloc_node listed[TRIAL_OPERANDS];
  return t->other && trial_convert(t, DLOC_FORM_IRLAYERS, t->in, t->count, listed);
}

/* Where the forms agree about merging: in one frame of one function, of the same layers, none at line 0. */
static bool has_same_layers(const trial *t) {
  dloc_layer a, b;
  dloc_location first = dloc_location_get(t->context, primary_of(t, t->in[0]));
  dloc_location second = dloc_location_get(t->context, primary_of(t, t->in[1]));
  bool more_a, more_b;
  for (size_t i = 0, j = 0;;) {
    more_a = dloc_next_layer(t->context, t->in[0], &i, &a);
    more_b = dloc_next_layer(t->context, t->in[1], &j, &b);
    if (!more_a || !more_b)
      break;
    if (a.kind != b.kind || a.location != b.location || dloc_location_get(t->context, a.location).line == 0)
      return false;
  }
  return more_a == more_b && first.inlined_at == second.inlined_at &&
         dloc_scope_subprogram(t->context, first.scope) == dloc_scope_subprogram(t->context, second.scope);
}

/* ---- The inputs that a law says something about ---- */

typedef enum inputs {
  ALL = 0,
  COMPOSITE = 1 << 0, /* one is a composite */
  BARE = 1 << 1,      /* none is */
  /* Of the alike: those whose letter stands twice. Laws of merging hold or not quite differently where one of them is
   * empty, so these inputs have laws of their own. */
  NONE_EMPTY = 1 << 2,
  SOME_EMPTY = 1 << 3,
  EQUAL = 1 << 4,        /* The first two are equal, and not one node. */
  UNLIKE = 1 << 5,       /* The alike are not one node. */
  DIVERGENT = 1 << 6,    /* Their primaries are of different functions, so they stand in one without a subprogram. */
  ONE_SIDED = 1 << 7,    /* One has layers of a kind that the other lacks. */
  VALID_CALL = 1 << 8,   /* `verify.call`: the call has a location, or the callee has no subprogram. */
  HOISTED = 1 << 9,      /* The law is about every way in which the instruction may be hoisted. */
  CONVERTIBLE = 1 << 10, /* The other form can say all of them. */
  BARE_CALL = 1 << 11,   /* The call has no layers. */
  SAME_LAYERS = 1 << 12  /* has_same_layers */
} inputs;

typedef struct law_row {
  const char *name;
  const char *inputs;
  unsigned only;
  bool (*holds)(trial *t, const dloc_node *in);
  operation_of *ask;
  const char *statement;
  const char *clauses;
} law_row;

static const law_row laws[LAW_COUNT] = {
#define LAW(id, name, inputs, only, holds, ask, statement, clauses)                                                    \
  {name, inputs, only, holds, ask, statement, clauses},
#include "laws.def"
};

static bool any_composite(const trial *t) {
  for (size_t i = 0; i < t->count; i++)
    if (is_composite(t, t->in[i]))
      return true;
  return false;
}

static bool any_empty(const dloc_node *alike, size_t count) {
  return count && (!alike[0] || any_empty(alike + 1, count - 1));
}

/* Whether the law has something to say of the input. */
static bool concerns(trial *t, const law_row *row) {
  size_t calls = row->inputs[0] == 'c' && row->inputs[1] != 'c'; /* before the alike */
  size_t alike = row->inputs[0] == 'c' && row->inputs[1] == 'c' ? 2 : t->count - calls;
  const dloc_node *in = t->in + calls;
  unsigned only = row->only;
  return !(only & COMPOSITE && !any_composite(t)) && !(only & BARE && any_composite(t)) &&
         !(only & NONE_EMPTY && any_empty(in, alike)) && !(only & SOME_EMPTY && !any_empty(in, alike)) &&
         !(only & (EQUAL | UNLIKE) && in[0] == in[1]) && !(only & EQUAL && !trial_equal(t, in[0], in[1])) &&
         !(only & DIVERGENT && t->homes[0] == t->homes[1]) &&
         !(only & ONE_SIDED && !only_one_with(t, kinds[0]) && !only_one_with(t, kinds[1])) &&
         !(only & VALID_CALL && !t->in[0] && !t->mode.callee_without_subprogram) &&
         !(only & BARE_CALL && is_composite(t, t->in[0])) && !(only & SAME_LAYERS && !has_same_layers(t)) &&
         !(only & CONVERTIBLE && !is_convertible(t));
}

static bool holds(trial *t, const law_row *row) {
  static const hoisting ways[] = {
      {WORLD_F, false}, {WORLD_F, true}, {WORLD_NO_SUBPROGRAM, false}, {WORLD_NO_SUBPROGRAM, true}};
  if (!(row->only & HOISTED))
    return row->holds(t, t->in);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    t->way = ways[i];
    t->question_count = 0; /* of a witness: the way that breaks the law */
    if (!row->holds(t, t->in))
      return false;
  }
  return true;
}

finding trial_run(trial *t, law l) {
  const law_row *row = &laws[l];
  mutant_selected = t->mutant;
  t->ask = row->ask;
  finding found = !concerns(t, row) ? SILENT : holds(t, row) ? HOLDS : BROKEN;
  mutant_selected = 0;
  if (t->waits)
    return WAITS;
  if (t->untold)
    return SILENT;
  if (t->refused)
    return t->mutant ? SILENT : BROKEN; /* that a mutant refuses what is valid tells nothing of a law */
  return found;
}

/* ---- The table ---- */

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

/* ---- What is expected ---- */

/* A law that holds has scope 0. */
static const law_expectation expectations[] = {
#define HOLDS_LAW(law, profile) {LAW_##law, profile, 0, NULL},
#define BROKEN_LAW(law, profile, scope, why) {LAW_##law, profile, scope, why},
#include "expected.def"
#undef BROKEN_LAW
#undef HOLDS_LAW
};

static const law_expectation *row_of(law l, const char *profile) {
  for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
    if (expectations[i].law == l && strcmp(expectations[i].profile, profile) == 0)
      return &expectations[i];
  return NULL;
}

const law_expectation *law_expected(law l, const char *profile, unsigned scope) {
  const dloc_profile *p = dloc_profile_find(dloc_text_of(profile));
  const law_expectation *row = NULL;
  for (; p && !row; p = dloc_profile_find(dloc_text_of(p->base)))
    row = row_of(l, p->name);
  return row && row->scope && row->scope <= scope ? row : NULL;
}
