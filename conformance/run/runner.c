/* runner.c - runs implementations against vectors, every vector twice. */
#include "runner_internal.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "ending.h"
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One window of vectors ---- */

/* The most vectors in memory, and in one adapter's hands, at a time. */
enum { WINDOW = 1 << 13 };

typedef struct window {
  value_arena arena; /* the documents */
  inquiry inquiry;
  question *questions;
  size_t *order; /* those that are run */
  const vector **batch;
  run_answer *answers;
  size_t count;
  size_t running;
} window;

static void window_init(window *w) {
  *w = (window){.questions = memory_allocate(WINDOW, sizeof *w->questions),
                .order = memory_allocate(WINDOW, sizeof *w->order),
                .batch = memory_allocate(WINDOW, sizeof *w->batch),
                .answers = memory_allocate(WINDOW, sizeof *w->answers)};
}

static void window_clear(window *w) {
  for (size_t i = 0; i < 2 * w->count; i++)
    run_answer_deinit(&w->questions[i / 2].answers[i % 2]);
  w->count = w->running = 0;
  value_arena_reset(&w->arena);
}

static void window_deinit(window *w) {
  window_clear(w);
  value_arena_deinit(&w->arena);
  inquiry_deinit(&w->inquiry);
  free(w->questions);
  free(w->order);
  free(w->batch);
  free(w->answers);
}

/* Read vectors; *ret_end at the end of the suite. */
static dloc_status window_fill(window *w, const runner *r, suite *s, run_results *results, bool *ret_end) {
  while (!*ret_end && w->count < WINDOW) {
    suite_error error;
    question *next = &w->questions[w->count];
    dloc_status status = suite_next_vector(s, &w->arena, &error, &next->path, &next->vector, ret_end);
    if (status == DLOC_INVALID) {
      results->unreadable++;
      if (r->complain)
        r->complain(r->user, &error);
    } else if (status != DLOC_OK) {
      return status;
    } else {
      w->count += !*ret_end;
    }
  }
  return DLOC_OK;
}

/* A vector with layers also runs on an implementation that rejects them: the run shows that it does. */
static bool applies(const runner *r, const vector *v) {
  const dloc_profile *profile = &r->settings->profile;
  return r->judges_nothing || vector_expectation_for(v, profile) || (needs_layers(v) && rejects_tuples(profile));
}

static run_place place_of_op(vector_op op) {
  return op == VECTOR_ROUNDTRIP || op == VECTOR_ENCODE ? RUN_IN_BITCODE
         : op == VECTOR_EMIT                           ? RUN_IN_DIRECTIVES
         : op == VECTOR_PRINT                          ? RUN_IN_PRINT
                                                       : RUN_NOWHERE;
}

/* The place where the implementation writes no layers, though the profile does, and the answer would be seen. */
static run_place lacking_place(const runner *r, const run_implementation *found, const vector *v) {
  adapter *a = r->adapter;
  bool layers = needs_layers(v) || v->needs >> VECTOR_NEED_IRLAYERS & 1;
  if (!found->lacks || !layers || r->settings->asks_anyway || r->judges_nothing)
    return RUN_NOWHERE;
  run_place place = a->place_of ? a->place_of(a, v) : place_of_op(v->op);
  bool lacks = found->lacks >> place & 1 && run_place_has_layers(place, &r->settings->profile);
  return lacks ? place : RUN_NOWHERE;
}

static void choose(window *w, const runner *r, const run_implementation *found) {
  w->running = 0;
  for (size_t i = 0; i < w->count; i++) {
    uint64_t missing = w->questions[i].vector.needs & ~found->capabilities;
    unsigned need = 0;
    run_place lacking;
    while (missing && !(missing >> need & 1))
      need++;
    if (!applies(r, &w->questions[i].vector))
      continue;
    if (missing)
      run_answer_set(&w->questions[i].answers[0], RUN_SKIPPED, "needs %s", vector_need_name(need));
    else if ((lacking = lacking_place(r, found, &w->questions[i].vector)) != RUN_NOWHERE)
      run_answer_set(&w->questions[i].answers[0], RUN_SKIPPED, "writes no layers in %s (--ask-anyway asks them)",
                     run_place_name(lacking));
    else
      w->order[w->running++] = i;
  }
}

/* Whether a vector is asked a second time. One that hung or crashed is not: it would only spoil what stands beside it once more. One
 * that has a process of its own, or was refused unread, is mostly not, as no company changes; every eighth shows whether the
 * implementation wavers. */
static bool is_asked_again(adapter *a, const question *q, size_t number) {
  run_outcome outcome = q->answers[0].outcome;
  if (outcome == RUN_HANG || outcome == RUN_CRASH || outcome == RUN_SKIPPED || outcome == RUN_NOT_ASKED)
    return false;
  bool is_alone = outcome == RUN_REFUSED || (a->is_alone && a->is_alone(a, &q->vector));
  return number % 8 == 0 || !is_alone;
}

/* The first answer of the others stands for the second. */
static void drop_settled(window *w, adapter *a) {
  size_t kept = 0;
  for (size_t i = 0; i < w->running; i++)
    if (is_asked_again(a, &w->questions[w->order[i]], i))
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

/* ---- The profile ---- */

const dloc_profile *run_own_profile(const run_implementation *implementation) {
  return implementation->changed.name ? &implementation->changed
                                      : dloc_profile_find(dloc_text_of(implementation->profile));
}

/* The user's profile was applied before; the adapter's own comes below the user's choices. */
static bool settle_profile(const runner *r, const run_implementation *implementation) {
  if (r->settings->profile_name || !implementation->profile[0])
    return true;
  const dloc_profile *own = run_own_profile(implementation);
  if (!own)
    return adapter_fail(r->adapter, "the adapter asks for the unknown profile '%s'", implementation->profile);
  dloc_profile profile = *own;
  for (size_t i = 0; i < r->settings->choice_count; i++)
    run_choose(r->settings->choices[i], &profile);
  r->settings->profile = profile;
  return true;
}

/* A profile that the user named may be about layers that the implementation was found not to know. */
static void doubt_profile(const runner *r, const run_implementation *found, char ret[RUN_MESSAGE]) {
  const dloc_profile *profile = &r->settings->profile;
  bool named = r->settings->profile_name && !r->judges_nothing;
  bool tuples = named && *found->no_tuples && !rejects_tuples(profile);
  bool lists = named && *found->no_lists && DLOC_TAKES(profile, METADATA_IRLAYERS, KNOWN);
  if (tuples || lists)
    snprintf(ret, RUN_MESSAGE,
             "%s %s does not seem to follow the profile %s, which has %s layers. Asked about one, it said: %.200s",
             found->name, found->version, profile->name, tuples ? "tuples with" : "lists of",
             tuples ? found->no_tuples : found->no_lists);
}

/* ---- Window by window ---- */

typedef struct run_state {
  const runner *r;
  run_implementation *implementation;
  run_results *results;
  window window;
  bool ended;   /* the suite has no more vectors */
  size_t asked; /* answers of the passes that are done */
} run_state;

static void show_progress(void *user, size_t done) {
  const run_state *state = user;
  size_t total = state->ended ? (state->asked + 1) / 2 + state->window.running : 0; /* as if all were asked twice */
  if (state->r->progress)
    state->r->progress(state->r->user, (state->asked + done) / 2, total);
}

/* One pass: the first or the second. False: no more is asked. */
static bool ask(run_state *state, size_t pass) {
  window *w = &state->window;
  adapter *a = state->r->adapter;
  for (size_t i = 0; i < w->running; i++)
    w->batch[i] = &w->questions[w->order[i]].vector;
  a->progress = show_progress;
  a->user = state;
  bool fine = adapter_ask(a, w->batch, w->answers, w->running);
  for (size_t i = 0; i < w->running; i++) {
    run_answer *answer = &w->questions[w->order[i]].answers[pass];
    run_answer_deinit(answer);
    *answer = w->answers[i];
    if (answer->outcome == RUN_UNANSWERED && fine)
      run_answer_set(answer, RUN_ERRORED, "no answer");
  }
  state->asked += w->running;
  return fine;
}

/* An implementation that gives a tuple with layers back knows them, though the profile says that it rejects them. Verifying does
 * not count: a module may hold a tuple where nothing forbids one. */
static bool shows_layers(const window *w) {
  for (size_t i = 0; i < w->running; i++) {
    const question *q = &w->questions[w->order[i]];
    if (needs_layers(&q->vector) && q->vector.op != VECTOR_VERIFY && q->answers[0].outcome == RUN_OK &&
        strstr(q->answers[0].text, "!{!\""))
      return true;
  }
  return false;
}

/* It was taken for a stock LLVM and is none: judge it by another profile, and ask again. */
static bool ask_corrected(run_state *state) {
  const runner *r = state->r;
  run_implementation *found = state->implementation;
  if (!r->adapter->correct || !rejects_tuples(&r->settings->profile) || !shows_layers(&state->window))
    return true;
  r->adapter->correct(r->adapter, found);
  if (!settle_profile(r, found))
    return false;
  choose(&state->window, r, found);
  state->asked = 0;
  return ask(state, 0);
}

static bool ask_twice(run_state *state) {
  window *w = &state->window;
  if (!ask(state, 0) || !ask_corrected(state))
    return false;
  drop_settled(w, state->r->adapter);
  shuffle(w->order, w->running);
  return ask(state, 1);
}

static void judge_window(run_state *state) {
  window *w = &state->window;
  run_results *results = state->results;
  for (size_t i = 0; i < w->count; i++) {
    const question *q = &w->questions[i];
    bool asked_once = q->answers[1].outcome == RUN_UNANSWERED;
    if (q->answers[0].outcome != RUN_UNANSWERED)
      judge_vector(state->r, q, &q->answers[!asked_once], &w->inquiry, results);
    else if (applies(state->r, &q->vector))
      results->unasked++;
    else
      results->not_applicable++;
  }
  fingerprint_keep(&results->fingerprint, &w->arena); /* those of the first window */
}

static dloc_status run_suite(const runner *r, suite *s, run_implementation *found, run_results *results) {
  run_state state = {.r = r, .implementation = found, .results = results};
  window *w = &state.window;
  dloc_status status = DLOC_OK;
  window_init(w);
  while (status == DLOC_OK && !state.ended && !results->partial) {
    window_clear(w);
    status = window_fill(w, r, s, results, &state.ended);
    if (status != DLOC_OK)
      break;
    choose(w, r, found);
    results->partial = !ask_twice(&state);
    judge_window(&state);
  }
  window_deinit(w);
  return status;
}

/* ---- The vectors that differ, once more and alone ---- */

static void show_difference(const runner *r, const vector *v, run_results *results, run_result *result) {
  OWNED(run_exchange_deinit) run_exchange exchange = {.module = {0}};
  if (r->adapter->show)
    r->adapter->show(r->adapter, v, r->keep != NULL && !results->partial, &exchange);
  dloc_text shown = buffer_text(exchange.question.size ? &exchange.question : &exchange.module);
  if (shown.size && !memchr(shown.bytes, '\0', shown.size)) /* an object is no text */
    result->module = value_arena_copy(&results->arena, shown).bytes;
  if (r->keep)
    r->keep(r->user, result, &exchange);
}

/* Shows the questions behind the differences, and the answers of the implementation. */
static void show_differences(const runner *r, run_results *results) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  for (size_t i = 0; i < results->count; i++) {
    run_result *result = &results->items[i];
    value *document = NULL;
    value_diagnostic diagnostic;
    vector v;
    value_arena_reset(&arena);
    if (result->document && value_read_one(dloc_text_of(result->document), &arena, &diagnostic, &document) == DLOC_OK &&
        vector_read(document, &arena, &diagnostic, &v) == DLOC_OK)
      show_difference(r, &v, results, result);
  }
}

/* ---- A run ---- */

bool run_choose(const char *given, dloc_profile *profile) {
  const char *equals = strchr(given, '=');
  dloc_choice choice;
  unsigned alternative;
  if (!equals || !dloc_choice_find((dloc_text){given, (size_t)(equals - given)}, &choice) ||
      !dloc_alternative_find(choice, dloc_text_of(equals + 1), &alternative))
    return false;
  profile->alternative[choice] = (uint8_t)alternative;
  return true;
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
  else {
    if (r->recognised)
      r->recognised(r->user, &implementation);
    status = run_suite(r, s, &implementation, &results);
  }
  doubt_profile(r, &implementation, results.doubt);
  if (results.partial && ending_signal())
    adapter_fail(a, "stopped by signal %d", ending_signal());
  if (status == DLOC_OK && !r->judges_nothing)
    show_differences(r, &results);
  if (a->stop)
    a->stop(a);
  if (results.partial)
    adapter_note(a, "%s; %zu vectors or more were not asked", a->error, results.unasked);
  if (status != DLOC_OK) {
    run_results_deinit(&results);
    return status;
  }
  fingerprint_settle(&results.fingerprint);
  results.seconds = process_now() - start;
  *ret_implementation = implementation;
  *ret = results;
  return DLOC_OK;
}

void run_results_deinit(run_results *results) {
  free(results->items);
  value_arena_deinit(&results->arena);
  fingerprint_deinit(&results->fingerprint);
  *results = (run_results){0};
}
