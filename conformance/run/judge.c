/* judge.c - whether an answer is what the profile expects, and what it tells about choices. */
#include "runner_internal.h"

#include <stdio.h>
#include <stdlib.h>
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
    return runner_copy(answer->text, strlen(answer->text));
  char reasons[400];
  describe_reasons(answer, reasons, sizeof reasons);
  char text[2048];
  snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", run_outcome_name(answer->outcome), reasons[0] ? " " : "", reasons,
           answer->severity >= 0 ? " (" : "",
           answer->severity >= 0 ? dloc_severity_name((dloc_severity)answer->severity) : "",
           answer->severity >= 0 ? ")" : "", answer->text ? ": " : "", answer->text ? answer->text : "");
  return runner_copy(text, strlen(text));
}

static bool same_answer(const run_answer *a, const run_answer *b) {
  if (a->outcome != b->outcome)
    return false;
  if (a->outcome == RUN_OK)
    return strcmp(a->text, b->text) == 0;
  if (a->outcome == RUN_REJECT || a->outcome == RUN_DEGRADED)
    return memcmp(a->reasons, b->reasons, sizeof a->reasons) == 0;
  return true;
}

bool run_answer_satisfies(const run_answer *answer, const run_answer *wanted) {
  if (wanted->outcome == RUN_OK)
    return answer->outcome == RUN_OK && strcmp(answer->text, wanted->text) == 0;
  if (answer->outcome != RUN_REJECT && answer->outcome != RUN_DEGRADED)
    return false;
  if (answer->severity != RUN_SEVERITY_UNKNOWN && answer->severity != wanted->severity)
    return false;
  for (int i = 1; i < DLOC_REASON_COUNT; i++)
    if (wanted->reasons[i])
      return answer->reasons[i];
  return false;
}

void reader_deinit(reader *r) {
  value_arena_deinit(&r->arena);
  dloc_context_destroy(r->context);
}

/* Creating a context costs more than reading most expectations; one that grows too large costs as well. */
static bool reader_ready(reader *r) {
  value_arena_reset(&r->arena);
  if (r->context && r->uses++ < READER_USES)
    return true;
  dloc_context_destroy(r->context);
  r->context = dloc_context_create(NULL);
  r->uses = 0;
  return r->context != NULL;
}

/* An expectation of a vector as an answer. */
static dloc_status read_expectation(const vector *v, const vector_expectation *expectation, reader *r,
                                    run_answer *ret) {
  vector_answer answer;
  value_diagnostic diagnostic;
  dloc_status status = DLOC_NO_MEMORY;
  if (reader_ready(r))
    status = vector_answer_read(v, expectation->value, r->context, &r->arena, &diagnostic, &answer);
  if (status == DLOC_OK)
    status = run_answer_take(ret, r->context, &r->arena, &answer);
  else if (status == DLOC_INVALID) {
    run_answer_set(ret, RUN_ERRORED, "the vector's expectation is malformed: %s", diagnostic.message);
    status = DLOC_OK;
  }
  return status;
}

/* Levels that no implementation is held to. */
static bool is_binding(const char *level) { return strcmp(level, "undefined") != 0 && strcmp(level, "record") != 0; }

bool needs_layers(const vector *v) { return (v->needs >> VECTOR_NEED_LAYERS & 1) != 0; }

bool rejects_tuples(const dloc_profile *profile) {
  unsigned reject;
  return dloc_alternative_find(DLOC_CHOICE_SHAPE_TUPLE, dloc_text_of("reject"), &reject) &&
         profile->alternative[DLOC_CHOICE_SHAPE_TUPLE] == reject;
}

/* Layers on an implementation that has none. Under a profile that rejects tuples this is what is expected. */
static run_verdict verdict_without_expectation(const vector *v, const run_answer *answer) {
  if (answer->outcome == RUN_DEGRADED || answer->outcome == RUN_REJECT)
    return RUN_EXPECTED;
  /* A module may hold a tuple where nothing forbids one. */
  return v->op == VECTOR_VERIFY && answer->outcome == RUN_OK ? RUN_NEUTRAL : RUN_DIFFERENT;
}

/* ---- Evidence about choices ---- */

static dloc_status check_fit(const vector *v, const vector_expectation *expectation, const run_answer *answer,
                             reader *scratch, bool *ret) {
  run_answer wanted = {.severity = RUN_SEVERITY_UNKNOWN};
  dloc_status status = read_expectation(v, expectation, scratch, &wanted);
  *ret = status == DLOC_OK && run_answer_satisfies(answer, &wanted);
  run_answer_deinit(&wanted);
  return status;
}

static bool add_choice(run_evidence *evidence, dloc_choice choice) {
  for (size_t i = 0; i < evidence->choice_count; i++)
    if (evidence->choices[i] == (uint8_t)choice)
      return true;
  if (evidence->choice_count == RUN_EVIDENCE_CHOICES)
    return false;
  evidence->choices[evidence->choice_count++] = (uint8_t)choice;
  return true;
}

/* Whether one who rejects tuples may have given the answer for that reason; every other rejection has nothing to do
 * with them. */
static bool may_be_for_tuples(const run_answer *answer) {
  bool known = false;
  for (int i = 1; i < DLOC_REASON_COUNT; i++)
    known = known || answer->reasons[i];
  return answer->outcome == RUN_OK || answer->reasons[DLOC_REASON_SHAPE_TUPLE_REJECTED] ||
         (!known && answer->severity != DLOC_SEVERITY_PARSE);
}

/* The choices on which the expectation depends; false when there are more than anybody follows. */
static bool gather_choices(const vector *v, const run_answer *answer, run_evidence *evidence) {
  bool fine = true;
  for (size_t i = 0; i < v->choice_count; i++)
    fine = fine && add_choice(evidence, v->choices[i].choice);
  evidence->listed = evidence->choice_count;
  evidence->loses_layers = needs_layers(v) && !rejects_tuples(v->since) && may_be_for_tuples(answer);
  return fine && (!evidence->loses_layers || add_choice(evidence, DLOC_CHOICE_SHAPE_TUPLE));
}

static dloc_status gather_fits(const vector *v, const run_answer *answer, reader *scratch, run_evidence *evidence) {
  dloc_status status = check_fit(v, &v->expect, answer, scratch, &evidence->fits_expect);
  for (size_t i = 0; status == DLOC_OK && i < v->choice_count; i++) {
    run_evidence_entry *entry = &evidence->entries[evidence->entry_count++];
    *entry = (run_evidence_entry){(uint8_t)v->choices[i].choice, (uint8_t)v->choices[i].alternative, false};
    status = check_fit(v, &v->choices[i].expect, answer, scratch, &entry->fits);
  }
  for (size_t i = 0; status == DLOC_OK && i < v->profile_count && !evidence->own; i++) {
    bool fits;
    status = check_fit(v, &v->profiles[i].expect, answer, scratch, &fits);
    evidence->own = fits ? v->profiles[i].profile : NULL;
  }
  evidence->fits_without = verdict_without_expectation(v, answer) != RUN_DIFFERENT;
  return status;
}

/* Keep what the answer to result number `item` says about the choices that the vector lists. */
static dloc_status keep_evidence(const vector *v, size_t item, const run_answer *answer, reader *scratch,
                                 run_results *results) {
  run_evidence evidence = {.item = item};
  /* What a vector with `with` says depends on alternatives of which nothing is known yet. */
  if (v->choice_count == 0 || v->with_count > 0 || !gather_choices(v, answer, &evidence))
    return DLOC_OK;
  evidence.entries = calloc(v->choice_count, sizeof *evidence.entries);
  if (!evidence.entries)
    return DLOC_NO_MEMORY;
  dloc_status status = gather_fits(v, answer, scratch, &evidence);
  if (status != DLOC_OK)
    free(evidence.entries);
  return status == DLOC_OK ? fingerprint_add(&results->fingerprint, &evidence) : status;
}

/* ---- Results ---- */

static dloc_status describe_vector(const vector *v, run_result *result) {
  result->level = v->level;
  result->op = vector_op_name(v->op);
  result->id = runner_copy(v->id.bytes, v->id.size);
  result->clauses = calloc(v->clause_count, sizeof *result->clauses);
  if (!result->id || !result->clauses)
    return DLOC_NO_MEMORY;
  memcpy(result->clauses, v->clauses, v->clause_count * sizeof *result->clauses);
  result->clause_count = v->clause_count;
  if (v->digest.size && v->digest.size < sizeof result->digest)
    memcpy(result->digest, v->digest.bytes, v->digest.size);
  return DLOC_OK;
}

static dloc_status add_result(run_results *results, const vector *v, const char *path, run_result **ret) {
  if (results->count == results->capacity) {
    size_t capacity = results->capacity ? 2 * results->capacity : 256;
    run_result *items = realloc(results->items, capacity * sizeof *items);
    if (!items)
      return DLOC_NO_MEMORY;
    results->items = items;
    results->capacity = capacity;
  }
  run_result *result = &results->items[results->count];
  *result = (run_result){.path = path};
  results->count++;
  *ret = result;
  return describe_vector(v, result);
}

/* Describe what was wanted (may be NULL) and what was answered, for the reports. */
static dloc_status keep_texts(run_result *result, const run_answer *wanted, const run_answer *answer) {
  if (wanted)
    result->expected = run_answer_describe(wanted);
  result->actual = run_answer_describe(answer);
  return (wanted && !result->expected) || !result->actual ? DLOC_NO_MEMORY : DLOC_OK;
}

static dloc_status set_nondet(run_result *result, const run_answer *first, const run_answer *second) {
  result->outcome = RUN_NONDET;
  result->verdict = RUN_DIFFERENT;
  return keep_texts(result, first, second);
}

static dloc_status judge_without_expectation(const runner *r, run_result *result, const vector *v,
                                             const run_answer *answer) {
  result->verdict = verdict_without_expectation(v, answer);
  if (result->verdict != RUN_DIFFERENT)
    return r->keep_answers ? keep_texts(result, NULL, answer) : DLOC_OK;
  static const char wanted[] = "degraded: the profile rejects tuples";
  result->expected = runner_copy(wanted, sizeof wanted - 1);
  return result->expected ? keep_texts(result, NULL, answer) : DLOC_NO_MEMORY;
}

static dloc_status judge_with_expectation(const runner *r, run_result *result, const vector *v,
                                          const vector_expectation *expectation, const run_answer *answer,
                                          reader *scratch) {
  run_answer wanted = {.severity = RUN_SEVERITY_UNKNOWN};
  dloc_status status = read_expectation(v, expectation, scratch, &wanted);
  if (status != DLOC_OK)
    return status;
  bool lost = answer->outcome == RUN_DEGRADED && needs_layers(v);
  result->verdict = run_answer_satisfies(answer, &wanted) ? RUN_EXPECTED
                    : !is_binding(v->level)               ? RUN_NEUTRAL
                    : lost                                ? RUN_DEGRADED_LAYERS
                                                          : RUN_DIFFERENT;
  if (result->verdict != RUN_EXPECTED || r->keep_answers)
    status = keep_texts(result, &wanted, answer);
  run_answer_deinit(&wanted);
  return status;
}

static dloc_status judge(const runner *r, const vector *v, const run_answer *first, const run_answer *second,
                         reader *scratch, run_result *result) {
  result->outcome = first->outcome;
  if (first->outcome == RUN_SKIPPED && (second->outcome == RUN_SKIPPED || second->outcome == RUN_UNANSWERED)) {
    result->verdict = RUN_NEUTRAL;
    result->actual = first->text ? runner_copy(first->text, strlen(first->text)) : NULL;
    return DLOC_OK;
  }
  /* A lost answer is none: two different ones are needed to tell that an implementation wavers. */
  const run_answer *answer = second->outcome == RUN_ERRORED ? second : first;
  result->outcome = answer->outcome;
  if (answer->outcome != RUN_ERRORED && !same_answer(first, second))
    return set_nondet(result, first, second);
  const vector_expectation *expectation = vector_expectation_for(v, &r->settings->profile);
  return expectation ? judge_with_expectation(r, result, v, expectation, answer, scratch)
                     : judge_without_expectation(r, result, v, answer);
}

/* An expected failure counts as known only if it fails; the list keeps what it saw for the stale entries. */
static dloc_status consult_list(const runner *r, const vector *v, run_result *result) {
  expected_entry *entry = expected_find(r->expected, &r->settings->profile, v->id);
  if (!entry)
    return DLOC_OK;
  entry->seen = true;
  if (result->verdict != RUN_DIFFERENT && result->verdict != RUN_DEGRADED_LAYERS)
    return DLOC_OK;
  entry->failed = true;
  result->verdict = RUN_KNOWN;
  result->known = runner_copy(entry->reason.bytes, entry->reason.size);
  return result->known ? DLOC_OK : DLOC_NO_MEMORY;
}

static void count_result(run_results *results, const vector *v, const run_result *result) {
  results->by_outcome[result->outcome]++;
  results->different += result->verdict == RUN_DIFFERENT;
  results->known += result->verdict == RUN_KNOWN;
  results->neutral += result->verdict == RUN_NEUTRAL && result->expected;
  results->degraded_layers += result->verdict == RUN_DEGRADED_LAYERS;
  if (needs_layers(v)) {
    results->degraded_expected += result->verdict == RUN_EXPECTED && result->outcome == RUN_DEGRADED;
    results->skipped_layers += result->outcome == RUN_SKIPPED;
  }
}

dloc_status judge_vector(const runner *r, const judged *given, reader *scratch, run_results *results) {
  run_result *result;
  dloc_status status = add_result(results, given->vector, given->path, &result);
  if (status == DLOC_OK)
    status = judge(r, given->vector, given->first, given->second, scratch, result);
  if (status == DLOC_OK)
    status = consult_list(r, given->vector, result);
  if (status != DLOC_OK)
    return status;
  count_result(results, given->vector, result);
  bool telling = result->outcome == RUN_OK || result->outcome == RUN_REJECT;
  size_t item = results->count - 1;
  return telling ? keep_evidence(given->vector, item, given->first, scratch, results) : DLOC_OK;
}
