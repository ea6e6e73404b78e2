/* judge.c - whether an answer is what the profile expects, and what it tells about choices. */
#include "document/buffer.h"
#include "document/memory.h"
#include "runner_internal.h"

#include <stdio.h>
#include <string.h>

/* ---- Describing and comparing answers ---- */

/* Names of the reasons an answer allows, at most a few. */
static void describe_reasons(const run_answer *answer, char *text, size_t size) {
  size_t used = 0;
  size_t shown = 0;
  text[0] = '\0';
  for (int i = 1; i < DLOC_REASON_COUNT && used < size; i++)
    if (answer->reasons[i]) {
      int n = snprintf(text + used, size - used, "%s%s", used ? " or " : "",
                       ++shown > 4 ? "..." : dloc_reason_name((dloc_reason)i));
      used += n > 0 ? (size_t)n : 0;
      if (shown > 4)
        return;
    }
}

char *run_answer_describe(const run_answer *answer) {
  if (answer->outcome == RUN_OK)
    return memory_copy(dloc_text_of(answer->text));
  char reasons[400];
  describe_reasons(answer, reasons, sizeof reasons);
  return text_format("%s%s%s%s%s%s%s%s", run_outcome_name(answer->outcome), reasons[0] ? " " : "", reasons,
                     answer->severity >= 0 ? " (" : "",
                     answer->severity >= 0 ? dloc_severity_name((dloc_severity)answer->severity) : "",
                     answer->severity >= 0 ? ")" : "", answer->text ? ": " : "", answer->text ? answer->text : "");
}

bool run_answer_same(const run_answer *a, const run_answer *b) {
  if (a->outcome != b->outcome)
    return false;
  if (a->outcome == RUN_OK)
    return strcmp(a->text, b->text) == 0;
  if (run_is_rejection(a->outcome))
    return memcmp(a->reasons, b->reasons, sizeof a->reasons) == 0;
  return true;
}

/* An expectation of the vector, or the model's answer, as an answer that the caller releases. */
static run_answer take_wanted(inquiry *q, dloc_status status, const char *wrong, const vector_answer *answer) {
  run_answer wanted = {.severity = RUN_SEVERITY_UNKNOWN};
  if (status != DLOC_OK || run_answer_take(&wanted, q->context, answer) != DLOC_OK)
    run_answer_set(&wanted, RUN_ERRORED, "the vector's expectation is malformed: %s", wrong);
  return wanted;
}

static run_answer read_expectation(inquiry *q, const vector_expectation *expectation) {
  vector_answer answer;
  value_diagnostic diagnostic;
  dloc_status status = inquiry_state(q, expectation, &diagnostic, &answer);
  return take_wanted(q, status, status == DLOC_INVALID ? diagnostic.message : dloc_status_text(status), &answer);
}

/* The answer that the profile wants. */
static run_answer read_wanted(inquiry *q, const dloc_profile *profile, run_basis *ret_basis) {
  const vector_expectation *expectation = NULL;
  vector_answer answer;
  dloc_status status = inquiry_expectation(q, profile, &expectation);
  *ret_basis = expectation ? RUN_DERIVED : RUN_BY_MODEL;
  if (expectation)
    return read_expectation(q, expectation);
  if (status == DLOC_OK)
    status = inquiry_ask(q, profile, &answer);
  return take_wanted(q, status, dloc_status_text(status), &answer);
}

/* Levels that no implementation is held to. */
static bool is_binding(const char *level) { return strcmp(level, "undefined") != 0 && strcmp(level, "record") != 0; }

bool needs_layers(const vector *v) { return (v->needs >> VECTOR_NEED_LAYERS & 1) != 0; }

bool rejects_tuples(const dloc_profile *profile) { return !DLOC_TAKES(profile, SHAPE_TUPLE, ACCEPT); }

/* What becomes of a module with tuples where the profile rejects them: choice `shape.tuple`. */
static run_outcome lost_layers(const dloc_profile *profile) {
  return DLOC_TAKES(profile, SHAPE_TUPLE, REFUSE) ? RUN_REFUSED : RUN_DEGRADED;
}

/* Layers on an implementation that has none. A profile that rejects tuples expects this; what else it does not know in the vector, it
 * may refuse. */
static run_verdict verdict_without_expectation(const vector *v, const dloc_profile *profile, const run_answer *answer) {
  bool unknown = answer->outcome == RUN_REFUSED && answer->reasons[DLOC_REASON_UNKNOWN_CLASS];
  if (answer->outcome == lost_layers(profile) || answer->outcome == RUN_REJECT || unknown)
    return RUN_EXPECTED;
  /* A module may hold a tuple where nothing forbids one. */
  return v->op == VECTOR_VERIFY && answer->outcome == RUN_OK ? RUN_NEUTRAL : RUN_DIFFERENT;
}

/* ---- Results ---- */

const char *run_basis_name(run_basis basis) { return basis == RUN_DERIVED ? "derived" : "model"; }

static run_result *add_result(run_results *results, const vector *v, const char *path) {
  value_arena *arena = &results->arena;
  const char **clauses = value_arena_alloc(arena, v->clause_count, sizeof *clauses);
  for (size_t i = 0; i < v->clause_count; i++)
    clauses[i] = dloc_clause_anchor(v->clauses[i]);
  run_result *result = MEMORY_ADD(results->items, results->count);
  *result = (run_result){.id = value_arena_copy(arena, v->id).bytes,
                         .path = path,
                         .line = v->document->line,
                         .digest = value_arena_copy(arena, v->digest).bytes,
                         .level = v->level,
                         .op = vector_op_name(v->op),
                         .clauses = clauses,
                         .clause_count = v->clause_count};
  return result;
}

/* The data of one vector, and its place. */
typedef struct judgement {
  const runner *r;
  const vector *vector;
  inquiry *inquiry;
  value_arena *arena; /* of the result's texts */
  run_result *result;
} judgement;

static const char *keep_text(value_arena *arena, const char *text) {
  return text ? value_arena_copy(arena, dloc_text_of(text)).bytes : NULL;
}

static const char *describe(const judgement *j, const run_answer *answer) {
  OWNED(memory_release) char *text = run_answer_describe(answer);
  return keep_text(j->arena, text);
}

static void judge_without_expectation(const judgement *j, const run_answer *answer) {
  run_result *result = j->result;
  const dloc_profile *profile = &j->r->settings->profile;
  result->verdict = verdict_without_expectation(j->vector, profile, answer);
  if (result->verdict == RUN_DIFFERENT)
    result->expected = lost_layers(profile) == RUN_REFUSED ? "refused: the profile reads no tuples"
                                                           : "degraded: the profile rejects tuples";
  if (result->verdict == RUN_DIFFERENT || j->r->keep_answers)
    result->actual = describe(j, answer);
}

static void judge_with_expectation(const judgement *j, const run_answer *answer) {
  run_result *result = j->result;
  const vector *v = j->vector;
  OWNED(run_answer_deinit) run_answer wanted = read_wanted(j->inquiry, &j->r->settings->profile, &result->basis);
  bool lost = (answer->outcome == RUN_DEGRADED || answer->outcome == RUN_REFUSED) && needs_layers(v);
  bool unjudged = result->basis == RUN_BY_MODEL && j->r->derived_only;
  result->verdict = unjudged                                ? RUN_NEUTRAL
                    : run_answer_satisfies(answer, &wanted) ? RUN_EXPECTED
                    : !is_binding(v->level)                 ? RUN_NEUTRAL
                    : lost                                  ? RUN_DEGRADED_LAYERS
                                                            : RUN_DIFFERENT;
  if (!unjudged && (result->verdict != RUN_EXPECTED || j->r->keep_answers))
    result->expected = describe(j, &wanted);
  if (result->verdict != RUN_EXPECTED || j->r->keep_answers)
    result->actual = describe(j, answer);
}

static void judge(const judgement *j, const run_answer *first, const run_answer *second) {
  run_result *result = j->result;
  result->outcome = first->outcome;
  bool was_left = first->outcome == RUN_SKIPPED || first->outcome == RUN_NOT_ASKED;
  if (was_left && (second->outcome == first->outcome || second->outcome == RUN_UNANSWERED)) {
    result->verdict = RUN_NEUTRAL;
    result->actual = keep_text(j->arena, first->text);
    return;
  }
  /* A lost answer is none: two different ones are needed to tell that an implementation wavers. */
  const run_answer *answer = second->outcome == RUN_ERRORED ? second : first;
  result->outcome = answer->outcome;
  if (answer->outcome != RUN_ERRORED && second->outcome != RUN_NOT_ASKED && !run_answer_same(first, second)) {
    result->outcome = RUN_NONDET;
    result->verdict = RUN_DIFFERENT;
    result->expected = describe(j, first);
    result->actual = describe(j, second);
  } else if (vector_expectation_for(j->vector, &j->r->settings->profile)) {
    judge_with_expectation(j, answer);
  } else {
    judge_without_expectation(j, answer);
  }
}

/* "hang", or "ok" and the digest of the text; of a rejection that of its reasons: words differ between releases. */
static const char *pin(const judgement *j, const run_answer *answer) {
  char reasons[400], digest[33] = "", text[80];
  describe_reasons(answer, reasons, sizeof reasons);
  run_outcome outcome = j->result->outcome;
  if (outcome == RUN_OK || outcome == RUN_REJECT)
    text_digest(dloc_text_of(outcome == RUN_OK ? answer->text : reasons), digest);
  snprintf(text, sizeof text, "%s%s%.16s", run_outcome_name(outcome), *digest ? " " : "", digest);
  return keep_text(j->arena, text);
}

/* An expected failure counts as known only if it fails; the list keeps what it saw for the stale entries. */
static void consult_list(const judgement *j, const run_answer *answer) {
  run_result *result = j->result;
  if (result->verdict == RUN_DIFFERENT || result->verdict == RUN_DEGRADED_LAYERS)
    result->answer = pin(j, answer);
  expected_entry *entry = expected_find(j->r->expected, &j->r->settings->profile, j->vector->id);
  if (!entry)
    return;
  entry->seen = true;
  if (result->verdict != RUN_DIFFERENT && result->verdict != RUN_DEGRADED_LAYERS)
    return;
  entry->failed = true;
  if (!expected_answers(entry, result->answer)) {
    result->listed = value_arena_copy(j->arena, entry->answers).bytes;
    return;
  }
  result->verdict = RUN_KNOWN;
  result->known = value_arena_copy(j->arena, entry->reason).bytes;
}

/* The details for a person who looks into a difference; the vector goes with its window. */
static void keep_difference(const judgement *j, const run_answer *answer) {
  run_result *result = j->result;
  OWNED(dloc_buffer_deinit) dloc_buffer document = {0};
  (void)!value_write_json(j->vector->document, buffer_sink(&document));
  result->document = value_arena_copy(j->arena, buffer_text(&document)).bytes;
  result->note = j->vector->note.size ? value_arena_copy(j->arena, j->vector->note).bytes : NULL;
  result->asked = keep_text(j->arena, answer->asked);
  result->through = keep_text(j->arena, answer->through);
  result->errors = keep_text(j->arena, answer->errors);
}

void judge_vector(const runner *r, const question *given, const run_answer *second, inquiry *q, run_results *results) {
  const run_answer *first = &given->answers[0], *answer = second->outcome == RUN_ERRORED ? second : first;
  size_t item = results->count;
  run_result *result = add_result(results, &given->vector, given->path);
  const judgement j = {r, &given->vector, q, &results->arena, result};
  inquiry_begin(q, &given->vector);
  judge(&j, first, second);
  consult_list(&j, answer);
  if (result->verdict == RUN_DIFFERENT)
    keep_difference(&j, answer);
  results->layers_lost_as_expected += needs_layers(&given->vector) && result->verdict == RUN_EXPECTED &&
                                      (result->outcome == RUN_DEGRADED || result->outcome == RUN_REFUSED);
  if (!r->tells_no_choices && (result->outcome == RUN_OK || result->outcome == RUN_REJECT))
    fingerprint_add(&results->fingerprint, item, &given->vector, first);
}
