/* runner.c - runs implementations against vectors and judges the answers. */
#include "runner.h"

#include "process.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Outcomes and answers ------------------------------------------------------------------------------------------------ */

static const char *const outcome_names[] = {"unanswered",
#define OUTCOME(id, name) name,
                                            RUN_OUTCOMES(OUTCOME)
#undef OUTCOME
};

const char *run_outcome_name(run_outcome outcome) { return outcome_names[outcome]; }

bool run_outcome_find(dloc_text name, run_outcome *ret) {
  for (int i = RUN_UNANSWERED + 1; i < RUN_OUTCOME_COUNT; i++)
    if (dloc_text_equal(name, dloc_text_of(outcome_names[i]))) {
      *ret = (run_outcome)i;
      return true;
    }
  return false;
}

void run_answer_deinit(run_answer *answer) {
  free(answer->text);
  *answer = (run_answer){.severity = RUN_SEVERITY_UNKNOWN};
}

static char *copy(const char *bytes, size_t size) {
  char *text = malloc(size + 1);
  if (text) {
    memcpy(text, bytes, size);
    text[size] = '\0';
  }
  return text;
}

void run_answer_set(run_answer *answer, run_outcome outcome, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  run_answer_deinit(answer);
  answer->outcome = outcome;
  if (text[0])
    answer->text = copy(text, strlen(text));
}

dloc_status run_answer_take(run_answer *answer, dloc_context *context, value_arena *arena, const vector_answer *given) {
  run_answer_deinit(answer);
  if (given->outcome == VECTOR_REJECT) {
    answer->outcome = RUN_REJECT;
    answer->reasons[given->reason] = true;
    answer->severity = (int)given->severity;
    return DLOC_OK;
  }
  dloc_buffer text = {0};
  dloc_status status = vector_answer_text(context, arena, given, dloc_buffer_sink(&text));
  if (status != DLOC_OK) {
    dloc_buffer_deinit(&text);
    return status;
  }
  answer->text = copy(text.size ? text.bytes : "", text.size);
  dloc_buffer_deinit(&text);
  if (!answer->text)
    return DLOC_NO_MEMORY;
  answer->outcome = RUN_OK;
  return DLOC_OK;
}

bool adapter_fail(adapter *a, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(a->error, sizeof a->error, format, arguments);
  va_end(arguments);
  return false;
}

void adapter_note(adapter *a, const char *format, ...) {
  size_t room = sizeof a->notes / sizeof *a->notes;
  if (a->note_count < room) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->notes[a->note_count], sizeof a->notes[0], format, arguments);
    va_end(arguments);
  }
  a->note_count++;
}

void adapter_report(const adapter *a, size_t done) {
  if (a->progress)
    a->progress(a->progress_user, done);
}

/* ---- Judging ------------------------------------------------------------------------------------------------------------- */

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

/* An answer for people: "reject shape.not-a-location (soft)", or the canonical text. malloc's; NULL without memory. */
static char *describe_answer(const run_answer *answer) {
  if (answer->outcome == RUN_OK)
    return copy(answer->text, strlen(answer->text));
  char reasons[400];
  describe_reasons(answer, reasons, sizeof reasons);
  char text[2048];
  snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", run_outcome_name(answer->outcome), reasons[0] ? " " : "", reasons,
           answer->severity >= 0 ? " (" : "",
           answer->severity >= 0 ? dloc_severity_name((dloc_severity)answer->severity) : "",
           answer->severity >= 0 ? ")" : "", answer->text ? ": " : "", answer->text ? answer->text : "");
  return copy(text, strlen(text));
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

/* Whether an answer is what was wanted, itself given as an answer. A degraded one is a soft rejection whose reason is known. */
static bool satisfies(const run_answer *answer, const run_answer *wanted) {
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

/* An expectation of a vector as an answer. scratch is reset. */
static dloc_status read_expectation(const vector *v, const vector_expectation *expectation, value_arena *scratch,
                                    run_answer *ret) {
  value_arena_reset(scratch);
  dloc_context *context = dloc_context_create(NULL);
  vector_answer answer;
  value_diagnostic diagnostic;
  dloc_status status = context ? DLOC_OK : DLOC_NO_MEMORY;
  if (status == DLOC_OK)
    status = vector_answer_read(v, expectation->value, context, scratch, &diagnostic, &answer);
  if (status == DLOC_OK)
    status = run_answer_take(ret, context, scratch, &answer);
  else if (status == DLOC_INVALID) {
    run_answer_set(ret, RUN_ERRORED, "the vector's expectation is malformed: %s", diagnostic.message);
    status = DLOC_OK;
  }
  dloc_context_destroy(context);
  return status;
}

/* Levels that no implementation is held to. */
static bool is_binding(const char *level) { return strcmp(level, "undefined") != 0 && strcmp(level, "record") != 0; }

static bool needs_layers(const vector *v) { return (v->needs >> VECTOR_NEED_LAYERS & 1) != 0; }

static bool rejects_tuples(const dloc_profile *profile) {
  unsigned reject;
  return dloc_alternative_find(DLOC_CHOICE_SHAPE_TUPLE, dloc_text_of("reject"), &reject) &&
         profile->alternative[DLOC_CHOICE_SHAPE_TUPLE] == reject;
}

/* Which alternatives of a choice an answer agrees with: those listed by their entries, others by `expect`. */
static dloc_status find_agreement(const vector *v, dloc_choice choice, const run_answer *answer, value_arena *scratch,
                                  bool *agrees) {
  run_answer wanted = {.severity = RUN_SEVERITY_UNKNOWN};
  dloc_status status = read_expectation(v, &v->expect, scratch, &wanted);
  bool otherwise = status == DLOC_OK && satisfies(answer, &wanted);
  for (unsigned i = 0; i < RUN_ALTERNATIVES; i++)
    agrees[i] = otherwise;
  for (size_t i = 0; status == DLOC_OK && i < v->choice_count; i++) {
    if (v->choices[i].choice != choice || v->choices[i].alternative >= RUN_ALTERNATIVES)
      continue;
    status = read_expectation(v, &v->choices[i].expect, scratch, &wanted);
    if (status == DLOC_OK)
      agrees[v->choices[i].alternative] = satisfies(answer, &wanted);
  }
  run_answer_deinit(&wanted);
  return status;
}

static dloc_status tell_choice(const vector *v, dloc_choice choice, const run_answer *answer, value_arena *scratch,
                               run_results *results) {
  bool agrees[RUN_ALTERNATIVES];
  dloc_status status = find_agreement(v, choice, answer, scratch, agrees);
  unsigned count = dloc_choice_alternatives(choice);
  unsigned agreeing = 0;
  for (unsigned i = 0; status == DLOC_OK && i < count && i < RUN_ALTERNATIVES; i++)
    agreeing += agrees[i];
  if (status != DLOC_OK || agreeing == 0 || agreeing == count)
    return status;
  results->telling[choice]++;
  for (unsigned i = 0; i < count && i < RUN_ALTERNATIVES; i++)
    results->contradicted[choice][i] |= !agrees[i];
  return DLOC_OK;
}

/* What the answer says about each choice that the vector lists. */
static dloc_status tell_choices(const vector *v, const run_answer *answer, value_arena *scratch, run_results *results) {
  dloc_status status = DLOC_OK;
  for (size_t i = 0; status == DLOC_OK && i < v->choice_count; i++) {
    bool first = true;
    for (size_t j = 0; j < i; j++)
      first &= v->choices[j].choice != v->choices[i].choice;
    if (first)
      status = tell_choice(v, v->choices[i].choice, answer, scratch, results);
  }
  return status;
}

/* ---- One window of vectors ----------------------------------------------------------------------------------------------- */

/* So many vectors are in memory, and in one adapter's hands, at a time. */
enum { WINDOW = 1 << 15 };

typedef struct window {
  value_arena arena;   /* the documents */
  value_arena scratch; /* one expectation */
  vector *vectors;
  const char **paths;
  size_t *order; /* those that are run */
  run_answer *first;
  run_answer *second;
  const vector **batch;
  run_answer *answers;
  size_t count;
  size_t running;
} window;

static dloc_status window_init(window *w) {
  *w = (window){0};
  value_arena_init(&w->arena, NULL);
  value_arena_init(&w->scratch, NULL);
  w->vectors = calloc(WINDOW, sizeof *w->vectors);
  w->paths = calloc(WINDOW, sizeof *w->paths);
  w->order = calloc(WINDOW, sizeof *w->order);
  w->first = calloc(WINDOW, sizeof *w->first);
  w->second = calloc(WINDOW, sizeof *w->second);
  w->batch = calloc(WINDOW, sizeof *w->batch);
  w->answers = calloc(WINDOW, sizeof *w->answers);
  bool complete = w->vectors && w->paths && w->order && w->first && w->second && w->batch && w->answers;
  return complete ? DLOC_OK : DLOC_NO_MEMORY;
}

static void window_clear(window *w) {
  for (size_t i = 0; i < w->count; i++) {
    run_answer_deinit(&w->first[i]);
    run_answer_deinit(&w->second[i]);
  }
  w->count = w->running = 0;
  value_arena_reset(&w->arena);
}

static void window_deinit(window *w) {
  if (w->first && w->second)
    window_clear(w);
  value_arena_deinit(&w->arena);
  value_arena_deinit(&w->scratch);
  free(w->vectors);
  free(w->paths);
  free(w->order);
  free(w->first);
  free(w->second);
  free(w->batch);
  free(w->answers);
}

/* Read vectors until the window is full; *ret_end when there are no more. */
static dloc_status window_fill(window *w, const runner *r, suite *s, run_results *results, bool *ret_end) {
  *ret_end = false;
  while (w->count < WINDOW && !*ret_end) {
    suite_error error;
    dloc_status status = suite_next_vector(s, &w->arena, &error, &w->paths[w->count], &w->vectors[w->count], ret_end);
    if (status == DLOC_INVALID) {
      results->unreadable++;
      if (r->complain)
        r->complain(r->user, &error);
      continue;
    }
    if (status != DLOC_OK)
      return status;
    w->count += !*ret_end;
  }
  return DLOC_OK;
}

/* Why a vector is not given to the adapter; *ret_missing is the need it lacks, when that is why. */
static bool is_run(const runner *r, const vector *v, uint32_t capabilities, unsigned *ret_missing) {
  uint32_t missing = v->needs & ~capabilities;
  *ret_missing = VECTOR_NEED_COUNT;
  for (unsigned i = 0; i < VECTOR_NEED_COUNT && missing; i++)
    if (missing >> i & 1) {
      *ret_missing = i;
      return false;
    }
  /* A vector with layers is run on an implementation that rejects them as well: that it does is what is to be seen. */
  return vector_expectation_for(v, &r->settings->profile) || (needs_layers(v) && rejects_tuples(&r->settings->profile));
}

static void choose(window *w, const runner *r, uint32_t capabilities) {
  w->running = 0;
  for (size_t i = 0; i < w->count; i++) {
    unsigned missing;
    if (is_run(r, &w->vectors[i], capabilities, &missing))
      w->order[w->running++] = i;
    else if (missing < VECTOR_NEED_COUNT)
      run_answer_set(&w->first[i], RUN_SKIPPED, "needs %s", vector_need_name(missing));
  }
}

/* A vector that hung is not asked again: it would only take the time limit once more. */
static void drop_hung(window *w) {
  size_t kept = 0;
  for (size_t i = 0; i < w->running; i++)
    if (w->first[w->order[i]].outcome == RUN_HANG)
      run_answer_set(&w->second[w->order[i]], RUN_HANG, "not asked again");
    else
      w->order[kept++] = w->order[i];
  w->running = kept;
}

/* Another order, so that every vector meets other neighbours: a fixed shuffle, for runs that can be repeated. */
static void shuffle(size_t *order, size_t count) {
  uint64_t state = 0x9e3779b97f4a7c15u;
  for (size_t i = count; i > 1; i--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    size_t other = (size_t)((state >> 33) % i);
    size_t swapped = order[i - 1];
    order[i - 1] = order[other];
    order[other] = swapped;
  }
}

typedef struct progress_state {
  const runner *r;
  size_t before;
  size_t total;
} progress_state;

static void show_progress(void *user, size_t done) {
  const progress_state *state = user;
  if (state->r->progress)
    state->r->progress(state->r->user, (state->before + done) / 2, state->total);
}

static bool ask(window *w, const runner *r, run_answer *answers, progress_state *progress) {
  for (size_t i = 0; i < w->running; i++) {
    w->batch[i] = &w->vectors[w->order[i]];
    w->answers[i] = (run_answer){.severity = RUN_SEVERITY_UNKNOWN};
  }
  adapter *a = r->adapter;
  a->progress = show_progress;
  a->progress_user = progress;
  bool fine = w->running == 0 || a->run(a, w->batch, w->answers, w->running);
  for (size_t i = 0; i < w->running; i++) {
    run_answer *answer = &answers[w->order[i]];
    run_answer_deinit(answer);
    *answer = w->answers[i];
    if (answer->outcome == RUN_UNANSWERED)
      run_answer_set(answer, RUN_ERRORED, "no answer");
  }
  progress->before += w->running;
  return fine;
}

/* ---- Results ------------------------------------------------------------------------------------------------------------- */

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
  *result = (run_result){.path = path,
                         .level = v->level,
                         .op = vector_op_name(v->op),
                         .clause = v->clause_count ? v->clauses[0] : (dloc_clause)0,
                         .id = copy(v->id.bytes, v->id.size)};
  if (!result->id)
    return DLOC_NO_MEMORY;
  results->count++;
  *ret = result;
  return DLOC_OK;
}

static dloc_status set_nondet(run_result *result, const run_answer *first, const run_answer *second) {
  result->outcome = RUN_NONDET;
  result->verdict = RUN_DIFFERENT;
  result->expected = describe_answer(first);
  result->actual = describe_answer(second);
  return result->expected && result->actual ? DLOC_OK : DLOC_NO_MEMORY;
}

/* Layers on an implementation that has none. Under a profile that rejects tuples this is what is expected. */
static dloc_status judge_without_expectation(run_result *result, const vector *v, const run_answer *answer) {
  if (answer->outcome == RUN_DEGRADED || answer->outcome == RUN_REJECT) {
    result->verdict = RUN_EXPECTED;
    return DLOC_OK;
  }
  if (v->op == VECTOR_VERIFY && answer->outcome == RUN_OK) {
    result->verdict = RUN_NEUTRAL; /* a module may hold a tuple where nothing forbids one */
    return DLOC_OK;
  }
  result->verdict = RUN_DIFFERENT;
  static const char wanted[] = "degraded: the profile rejects tuples";
  result->expected = copy(wanted, sizeof wanted - 1);
  result->actual = describe_answer(answer);
  return result->expected && result->actual ? DLOC_OK : DLOC_NO_MEMORY;
}

static dloc_status judge_with_expectation(run_result *result, const vector *v, const vector_expectation *expectation,
                                          const run_answer *answer, value_arena *scratch) {
  run_answer wanted = {.severity = RUN_SEVERITY_UNKNOWN};
  dloc_status status = read_expectation(v, expectation, scratch, &wanted);
  if (status != DLOC_OK)
    return status;
  if (satisfies(answer, &wanted)) {
    result->verdict = RUN_EXPECTED;
  } else {
    bool lost = answer->outcome == RUN_DEGRADED && needs_layers(v);
    result->verdict = !is_binding(v->level) ? RUN_NEUTRAL : lost ? RUN_DEGRADED_LAYERS : RUN_DIFFERENT;
    result->expected = describe_answer(&wanted);
    result->actual = describe_answer(answer);
    if (!result->expected || !result->actual)
      status = DLOC_NO_MEMORY;
  }
  run_answer_deinit(&wanted);
  return status;
}

static dloc_status judge(const runner *r, const vector *v, const run_answer *first, const run_answer *second,
                         value_arena *scratch, run_result *result) {
  result->outcome = first->outcome;
  if (first->outcome == RUN_SKIPPED && (second->outcome == RUN_SKIPPED || second->outcome == RUN_UNANSWERED)) {
    result->verdict = RUN_NEUTRAL;
    result->actual = first->text ? copy(first->text, strlen(first->text)) : NULL;
    return DLOC_OK;
  }
  /* A lost answer is none: two different ones are needed to tell that an implementation wavers. */
  const run_answer *answer = second->outcome == RUN_ERRORED ? second : first;
  result->outcome = answer->outcome;
  if (answer->outcome != RUN_ERRORED && !same_answer(first, second))
    return set_nondet(result, first, second);
  const vector_expectation *expectation = vector_expectation_for(v, &r->settings->profile);
  return expectation ? judge_with_expectation(result, v, expectation, answer, scratch)
                     : judge_without_expectation(result, v, answer);
}

/* An expected failure counts as known only if it fails; the list keeps what it saw for the stale entries. */
static void consult_list(const runner *r, const vector *v, run_result *result) {
  expected_entry *entry = expected_find(r->expected, v->id);
  if (!entry)
    return;
  entry->seen = true;
  if (result->verdict == RUN_DIFFERENT || result->verdict == RUN_DEGRADED_LAYERS) {
    entry->failed = true;
    result->verdict = RUN_KNOWN;
  }
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

static dloc_status record(window *w, const runner *r, size_t i, run_results *results) {
  const vector *v = &w->vectors[i];
  if (w->first[i].outcome == RUN_UNANSWERED) {
    results->not_applicable++;
    return DLOC_OK;
  }
  run_result *result;
  dloc_status status = add_result(results, v, w->paths[i], &result);
  if (status == DLOC_OK)
    status = judge(r, v, &w->first[i], &w->second[i], &w->scratch, result);
  if (status != DLOC_OK)
    return status;
  consult_list(r, v, result);
  count_result(results, v, result);
  return result->outcome == RUN_OK || result->outcome == RUN_REJECT
             ? tell_choices(v, &w->first[i], &w->scratch, results)
             : DLOC_OK;
}

static dloc_status run_window(window *w, const runner *r, uint32_t capabilities, run_results *results, bool last) {
  choose(w, r, capabilities);
  progress_state progress = {r, 2 * results->count, last ? results->count + w->running : 0};
  double start = process_now();
  bool fine = ask(w, r, w->first, &progress);
  drop_hung(w);
  shuffle(w->order, w->running);
  fine = fine && ask(w, r, w->second, &progress);
  results->seconds += process_now() - start;
  if (!fine)
    return DLOC_INVALID;
  dloc_status status = DLOC_OK;
  for (size_t i = 0; status == DLOC_OK && i < w->count; i++)
    status = record(w, r, i, results);
  return status;
}

static dloc_status run_suite(const runner *r, suite *s, uint32_t capabilities, run_results *results) {
  window w;
  dloc_status status = window_init(&w);
  bool end = false;
  while (status == DLOC_OK && !end) {
    status = window_fill(&w, r, s, results, &end);
    if (status == DLOC_OK)
      status = run_window(&w, r, capabilities, results, end);
    window_clear(&w);
  }
  window_deinit(&w);
  return status;
}

/* The user's profile was applied before; the adapter's own comes below the user's choices. */
static bool settle_profile(const runner *r, const run_implementation *implementation) {
  if (r->settings->profile_name || !implementation->profile[0])
    return true;
  const dloc_profile *own = dloc_profile_find(dloc_text_of(implementation->profile));
  if (!own)
    return adapter_fail(r->adapter, "the adapter asks for the unknown profile '%s'", implementation->profile);
  dloc_profile profile = *own;
  for (size_t i = 0; i < r->settings->choice_count; i++) {
    const char *given = r->settings->choices[i];
    const char *equals = strchr(given, '=');
    dloc_choice choice;
    unsigned alternative;
    if (equals && dloc_choice_find((dloc_text){given, (size_t)(equals - given)}, &choice) &&
        dloc_alternative_find(choice, dloc_text_of(equals + 1), &alternative))
      profile.alternative[choice] = (uint8_t)alternative;
  }
  r->settings->profile = profile;
  return true;
}

static void find_stale(expected_list *list, run_results *results) {
  for (size_t i = 0; list && i < list->count; i++)
    results->stale += !list->entries[i].failed;
}

dloc_status runner_run(const runner *r, suite *s, run_implementation *ret_implementation, run_results *ret) {
  adapter *a = r->adapter;
  run_implementation implementation = {.name = ""};
  run_results results = {0};
  double start = process_now();
  a->settings = r->settings;
  dloc_status status = DLOC_OK;
  if (!a->start(a, &implementation) || !settle_profile(r, &implementation))
    status = DLOC_INVALID;
  else
    status = run_suite(r, s, implementation.capabilities, &results);
  a->stop(a);
  if (status != DLOC_OK) {
    run_results_deinit(&results);
    return status;
  }
  find_stale(r->expected, &results);
  results.all_seconds = process_now() - start;
  *ret_implementation = implementation;
  *ret = results;
  return DLOC_OK;
}

bool run_results_good(const run_results *results, const adapter *a) {
  return results->different == 0 && results->degraded_layers == 0 && results->stale == 0 && results->unreadable == 0 &&
         a->note_count == 0;
}

void run_results_deinit(run_results *results) {
  for (size_t i = 0; i < results->count; i++) {
    free(results->items[i].id);
    free(results->items[i].expected);
    free(results->items[i].actual);
  }
  free(results->items);
  *results = (run_results){0};
}
