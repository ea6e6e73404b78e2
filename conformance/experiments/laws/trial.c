/* trial.c - asking the model or an implementation, and comparing what it says. */
#include "answers.h"
#include "document/buffer.h"
#include "document/memory.h"
#include "vector/mutants.h"

#include <string.h>

/* ---- What the model answers ---- */

/* Remember that the model refused what is valid. */
static bool answered(trial *t, dloc_status status) {
  t->refused = t->refused || status != DLOC_OK;
  return status == DLOC_OK;
}

static void merge(trial *t, question *q) {
  answered(t, dloc_merge(t->context, q->profile, q->operands, q->count, NULL, NULL, &q->results[0]));
}

static void inline_all(trial *t, question *q) {
  OWNED(release_dloc_inliner) dloc_inliner *inliner = NULL;
  const dloc_call_site site = {.debug_loc = q->call,
                               .callee_has_subprogram = !q->mode.callee_without_subprogram,
                               .caller_no_inline_line_tables = q->mode.no_inline_line_tables};
  bool fine = answered(t, dloc_inliner_create(t->context, q->profile, &site, NULL, &inliner));
  for (size_t i = 0; fine && i < q->count; i++)
    answered(t, dloc_inline_instruction(inliner, q->mode.instruction, q->operands[i], &q->results[i]));
}

static void round_trip(trial *t, question *q) {
  answered(t, dloc_round_trip(t->context, q->profile, q->operands[0], NULL, &q->results[0]));
}

static void hoist(trial *t, question *q) {
  dloc_node subprogram = world_subprogram(t->world, q->way.function);
  dloc_hoisted class = q->way.is_call ? DLOC_HOISTED_CALL : DLOC_HOISTED_OTHER;
  answered(t, dloc_hoist(t->context, q->profile, q->operands[0], class, DLOC_MOVE_HOISTED, subprogram, NULL,
                         &q->results[0]));
}

static void compare(trial *t, question *q) {
  q->verdict = dloc_debug_loc_equal(t->context, q->profile, q->operands[0], q->operands[1]);
}

static void verify(trial *t, question *q) { q->verdict = world_valid(t->world, q->way.function, q->operands[0]); }

typedef void answer_of(trial *t, question *q);

/* The release without the feature answers as it is, whatever mistake the model makes. */
static void ask_model(trial *t, question *q) {
  static answer_of *const model[VECTOR_OP_COUNT] = {
      [VECTOR_MERGE] = merge, [VECTOR_INLINE] = inline_all, [VECTOR_ROUNDTRIP] = round_trip,
      [VECTOR_HOIST] = hoist, [VECTOR_EQUAL] = compare,     [VECTOR_VERIFY] = verify};
  mutant_selected = q->profile == t->stock ? 0 : t->mutant;
  if (model[q->op])
    model[q->op](t, q);
  mutant_selected = t->mutant;
}

/* ---- Questions ---- */

static question about(const trial *t, vector_op op, const dloc_profile *profile, const dloc_node *operands,
                      size_t count) {
  question q = {.op = op, .profile = profile, .count = count, .mode = t->mode};
  for (size_t i = 0; i < count; i++)
    q.operands[i] = operands[i];
  return q;
}

/* The release is always the model's. */
static void ask(trial *t, question *q) {
  told answer = TOLD;
  if (t->answers && (answers_has_unknown(t->answers, q) || q->profile != t->stock))
    answer = answers_to(t->answers, q);
  else
    ask_model(t, q);
  t->waits |= answer == ASKED;
  t->untold |= answer == UNTOLD;
  t->refused |= answer == REFUSED;
  if (t->wants_questions && t->question_count < TRIAL_QUESTIONS)
    t->questions[t->question_count++] = *q;
}

dloc_node trial_merge(trial *t, const dloc_profile *profile, const dloc_node *debug_locs, size_t count) {
  question q = about(t, VECTOR_MERGE, profile, debug_locs, count);
  ask(t, &q);
  return q.results[0];
}

dloc_node trial_merge_two(trial *t, dloc_node a, dloc_node b) {
  return trial_merge(t, t->profile, (dloc_node[]){a, b}, 2);
}

void trial_inline(trial *t, const dloc_profile *profile, dloc_node call, const dloc_node *debug_locs, size_t count,
                  dloc_node *ret) {
  question q = about(t, VECTOR_INLINE, profile, debug_locs, count);
  q.call = call;
  q.turn = t->inlined++;
  ask(t, &q);
  for (size_t i = 0; i < count; i++)
    ret[i] = q.results[i];
}

dloc_node trial_round_trip(trial *t, const dloc_profile *profile, dloc_node debug_loc) {
  question q = about(t, VECTOR_ROUNDTRIP, profile, &debug_loc, 1);
  ask(t, &q);
  return q.results[0];
}

dloc_node trial_hoist(trial *t, const dloc_profile *profile, dloc_node debug_loc, hoisting way) {
  question q = about(t, VECTOR_HOIST, profile, &debug_loc, 1);
  q.way = way;
  ask(t, &q);
  return q.results[0];
}

bool trial_equal(trial *t, dloc_node a, dloc_node b) {
  question q = about(t, VECTOR_EQUAL, t->profile, (dloc_node[]){a, b}, 2);
  ask(t, &q);
  return q.verdict;
}

bool trial_valid(trial *t, world_function function, dloc_node debug_loc) {
  question q = about(t, VECTOR_VERIFY, t->profile, &debug_loc, 1);
  q.way.function = function;
  ask(t, &q);
  return q.verdict;
}

/* Whether two answers of an implementation are the same text, from `from` on. */
static bool same_text(trial *t, question *a, question *b, const char *from) {
  ask(t, a);
  ask(t, b);
  const char *left = a->text ? strstr(a->text, from) : NULL, *right = b->text ? strstr(b->text, from) : NULL;
  return left && right && strcmp(left, right) == 0;
}

bool trial_same_print(trial *t, const dloc_node *in) {
  OWNED(dloc_buffer_deinit) dloc_buffer left = {0}, right = {0};
  question first = about(t, VECTOR_PRINT, t->profile, in, 1), second = about(t, VECTOR_PRINT, t->profile, in + 1, 1);
  if (t->answers)
    return same_text(t, &first, &second, "");
  ask(t, &first);
  ask(t, &second);
  answered(t, dloc_debug_loc_print(t->context, t->profile, in[0], buffer_sink(&left)));
  answered(t, dloc_debug_loc_print(t->context, t->profile, in[1], buffer_sink(&right)));
  return dloc_text_equal(buffer_text(&left), buffer_text(&right));
}

/* An implementation cannot be asked that. */
static bool is_untold(trial *t) {
  t->untold = true;
  return false;
}

bool trial_rereads(trial *t, const dloc_node *in) { return t->answers ? is_untold(t) : world_rereads(t->world, in[0]); }

dloc_node trial_create(trial *t, dloc_node primary, const dloc_layer *layers, size_t count) {
  dloc_node created = DLOC_NULL;
  answered(t, dloc_debug_loc_create(t->context, primary, layers, count, &created));
  return created;
}

bool trial_convert(trial *t, dloc_form to, const dloc_node *debug_locs, size_t count, dloc_node *ret) {
  OWNED(release_dloc_converter) dloc_converter *converter = NULL;
  if (t->answers)
    return is_untold(t);
  bool fine = answered(t, dloc_converter_create(t->context, t->profile, NULL, to, NULL, NULL, &converter));
  for (size_t i = 0; fine && i < count; i++)
    fine = dloc_convert(converter, debug_locs[i], NULL, &ret[i]) == DLOC_OK;
  return fine;
}

dloc_node trial_plain(trial *t) {
  const world_pool *pool = world_pool_of(t->world, 'f');
  return world_node(t->world, pool->items[pool->start[1]]);
}

static bool same_directive(dloc_directive a, dloc_directive b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

static bool same_emitted(const dloc_emitted *a, const dloc_emitted *b) {
  if (a->has_primary != b->has_primary || a->layer_count != b->layer_count)
    return false;
  if (a->has_primary && !same_directive(a->primary, b->primary))
    return false;
  for (size_t i = 0; i < a->layer_count; i++)
    if (!same_directive(a->layers[i], b->layers[i]))
      return false;
  return true;
}

/* The text for the last of some instructions. The result belongs to the emitter. */
static void emit_last(trial *t, const dloc_node *debug_locs, size_t count, dloc_emitter **emitter, dloc_emitted *ret) {
  question q = about(t, VECTOR_EMIT, t->profile, debug_locs, count);
  ask(t, &q);
  bool emitted = answered(t, dloc_emitter_create(t->context, t->profile, NULL, NULL, emitter));
  for (size_t i = 0; emitted && i < count; i++)
    emitted = answered(t, dloc_emit_instruction(*emitter, debug_locs[i], NULL, ret));
}

bool trial_same_directives(trial *t, const dloc_node *in) {
  const dloc_node one[] = {in[2], in[0]}, other[] = {in[2], in[1]};
  OWNED(release_dloc_emitter) dloc_emitter *left_emitter = NULL, *right_emitter = NULL;
  dloc_emitted left = {.has_primary = false}, right = {.has_primary = false};
  question first = about(t, VECTOR_EMIT, t->profile, one, 2), second = about(t, VECTOR_EMIT, t->profile, other, 2);
  if (t->answers)
    return same_text(t, &first, &second, "instruction 1\n");
  emit_last(t, one, 2, &left_emitter, &left);
  emit_last(t, other, 2, &right_emitter, &right);
  return same_emitted(&left, &right);
}

/* ---- How far directives reach ---- */

/* The last directive of a kind, or of the primary; line 0 when there is none. */
static dloc_directive last_directive(const dloc_emitted *emitted, dloc_node kind, bool *ret_found) {
  dloc_directive last = emitted->primary;
  *ret_found = kind == DLOC_NULL && emitted->has_primary;
  for (size_t i = 0; i < emitted->layer_count; i++)
    if (emitted->layers[i].kind == kind) {
      last = emitted->layers[i];
      *ret_found = true;
    }
  return *ret_found ? last : (dloc_directive){.line = 0};
}

/* Where a reader sees the second of two instructions: by its own directive, or else by that of the first. */
static dloc_directive shown(const trial *t, const dloc_emitted *first, const dloc_emitted *second, dloc_node kind) {
  bool found, lasts = t->profile->alternative[DLOC_CHOICE_EMIT_LAYER_REACH] == DLOC_EMIT_LAYER_REACH_UNTIL_NEXT;
  dloc_directive own = last_directive(second, kind, &found);
  return found || (kind && !lasts) ? own : last_directive(first, kind, &found);
}

/* One line 0 is as good as another. */
static bool same_shown(dloc_directive a, dloc_directive b) {
  return a.line == 0 && b.line == 0 ? true : same_directive(a, b);
}

/* Whether the second instruction is seen at the same places behind the first as alone, for the kinds of some
 * directives. */
static bool shown_as_alone(const trial *t, const dloc_emitted *kinds, const dloc_emitted *first,
                           const dloc_emitted *second, const dloc_emitted *alone) {
  static const dloc_emitted nothing = {.has_primary = false};
  bool same = same_shown(shown(t, first, second, DLOC_NULL), shown(t, &nothing, alone, DLOC_NULL));
  for (size_t i = 0; i < kinds->layer_count; i++)
    same = same &&
           same_shown(shown(t, first, second, kinds->layers[i].kind), shown(t, &nothing, alone, kinds->layers[i].kind));
  return same;
}

bool trial_shown_as_alone(trial *t, const dloc_node *in) {
  dloc_emitter *emitters[3] = {NULL};
  dloc_emitted first = {.has_primary = false}, second = first, alone = first;
  if (t->answers)
    return is_untold(t); /* its answers do not name the kinds */
  emit_last(t, in, 1, &emitters[0], &first);
  emit_last(t, in, 2, &emitters[1], &second);
  emit_last(t, in + 1, 1, &emitters[2], &alone);
  bool same = shown_as_alone(t, &first, &first, &second, &alone) && shown_as_alone(t, &alone, &first, &second, &alone);
  for (size_t i = 0; i < 3; i++)
    dloc_emitter_destroy(emitters[i]);
  return same;
}

/* ---- Comparison ---- */

/* Atom groups that were allocated are as good as any other that was. */
static bool same_group(uint64_t a, uint64_t b) { return a == b || (a >= WORLD_FRESH_GROUP && b >= WORLD_FRESH_GROUP); }

/* By content, frame by frame; loosely: whether they are distinct or not. */
static bool same_chain(const trial *t, dloc_node a, dloc_node b, bool loosely) {
  while (a != b) {
    bool identity = dloc_node_is_distinct(t->context, a) || dloc_node_is_distinct(t->context, b);
    bool both_new = dloc_node_is_distinct(t->context, a) && dloc_node_is_distinct(t->context, b) && a >= t->first_new &&
                    b >= t->first_new;
    if (!a || !b || (identity && !both_new && !loosely))
      return false;
    dloc_location l = dloc_location_get(t->context, a), r = dloc_location_get(t->context, b);
    if (l.line != r.line || l.column != r.column || l.scope != r.scope || l.implicit != r.implicit ||
        l.atom_rank != r.atom_rank || !same_group(l.atom_group, r.atom_group))
      return false;
    a = l.inlined_at;
    b = r.inlined_at;
  }
  return true;
}

bool trial_same_location(const trial *t, dloc_node a, dloc_node b) { return same_chain(t, a, b, false); }

static bool same_layers_of(const trial *t, dloc_node a, dloc_node b, bool loosely) {
  size_t count = dloc_layer_count(t->context, a);
  if (count != dloc_layer_count(t->context, b))
    return false;
  for (size_t i = 0; i < count; i++) {
    dloc_layer l = dloc_layer_at(t->context, a, i), r = dloc_layer_at(t->context, b, i);
    if (l.kind != r.kind || !same_chain(t, l.location, r.location, loosely))
      return false;
  }
  return true;
}

bool trial_alike(const trial *t, dloc_node a, dloc_node b) {
  return a == b || (same_chain(t, dloc_primary(t->context, a), dloc_primary(t->context, b), true) &&
                    same_layers_of(t, a, b, true));
}

bool trial_same(const trial *t, dloc_node a, dloc_node b) {
  if (a == b)
    return true;
  if (dloc_debug_loc_shape(t->context, a) != dloc_debug_loc_shape(t->context, b) ||
      dloc_node_is_distinct(t->context, a) != dloc_node_is_distinct(t->context, b) ||
      dloc_operand_count(t->context, a) != dloc_operand_count(t->context, b))
    return false;
  if (dloc_debug_loc_shape(t->context, a) == DLOC_SHAPE_BARE)
    return same_chain(t, a, b, false);
  /* Two distinct tuples are two, and operands that are no layer can only be the same ones. */
  if (dloc_node_is_distinct(t->context, a) || dloc_layer_count(t->context, a) + 1 != dloc_operand_count(t->context, a))
    return false;
  return same_chain(t, dloc_primary(t->context, a), dloc_primary(t->context, b), false) &&
         same_layers_of(t, a, b, false);
}
