/* answer.c - outcomes and answers, and what every adapter needs to give them. */
#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"
#include "runner_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Outcomes and answers ---- */

static const char *const outcome_names[] = {
    [RUN_UNANSWERED] = "unanswered", [RUN_OK] = "ok",           [RUN_REJECT] = "reject",
    [RUN_DEGRADED] = "degraded",     [RUN_REFUSED] = "refused", [RUN_SKIPPED] = "skipped",
    [RUN_ERRORED] = "errored",       [RUN_CRASH] = "crash",     [RUN_HANG] = "hang",
    [RUN_NOT_ASKED] = "not-asked",   [RUN_NONDET] = "nondet"};

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
  free(answer->errors);
  *answer = (run_answer){.severity = RUN_SEVERITY_UNKNOWN};
}

void run_answer_set(run_answer *answer, run_outcome outcome, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  text_make_printable(text, "\n\t");
  run_answer_deinit(answer);
  answer->outcome = outcome;
  answer->text = text[0] ? memory_copy(dloc_text_of(text)) : NULL;
}

void run_answer_keep_errors(run_answer *answer, dloc_text errors) {
  enum { MOST = 1 << 16 };
  free(answer->errors);
  answer->errors = errors.size ? memory_copy((dloc_text){errors.bytes, errors.size < MOST ? errors.size : MOST}) : NULL;
  if (answer->errors)
    text_make_printable(answer->errors, "\n\t");
}

dloc_status run_answer_take(run_answer *answer, dloc_context *context, const vector_answer *given) {
  run_answer_deinit(answer);
  if (given->outcome == VECTOR_REJECT) {
    answer->outcome = RUN_REJECT;
    answer->reasons[given->reason] = true;
    answer->severity = (int)given->severity;
    return DLOC_OK;
  }
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  dloc_status status = vector_answer_text(context, given, buffer_sink(&text));
  if (status == DLOC_OK) {
    answer->outcome = RUN_OK;
    answer->text = memory_copy(buffer_text(&text)); /* the buffer has room to spare, and many answers are kept */
  }
  return status;
}

void run_exchange_deinit(run_exchange *exchange) {
  dloc_buffer *const buffers[] = {&exchange->module, &exchange->lines,  &exchange->command, &exchange->question,
                                  &exchange->behind, &exchange->output, &exchange->errors};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    dloc_buffer_deinit(buffers[i]);
  for (size_t i = 0; i < RUN_MODULES; i++)
    dloc_buffer_deinit(&exchange->others[i]);
  *exchange = (run_exchange){.module = {0}};
}

/* ---- Places ---- */

/* none: the choice's alternative with which none are written there. */
static const struct {
  const char *name;
  dloc_choice choice;
  unsigned none;
} places[] = {[RUN_NOWHERE] = {"", 0, 0},
              [RUN_IN_BITCODE] = {"bitcode", DLOC_CHOICE_BITCODE_LAYERS, DLOC_BITCODE_LAYERS_NONE},
              [RUN_IN_DIRECTIVES] = {"directives", DLOC_CHOICE_EMIT_LAYERS, DLOC_EMIT_LAYERS_NONE},
              [RUN_IN_PRINT] = {"print", DLOC_CHOICE_PRINT_LAYER, DLOC_PRINT_LAYER_NONE}};

const char *run_place_name(run_place place) { return places[place].name; }

dloc_choice run_place_choice(run_place place) { return places[place].choice; }

bool run_place_has_layers(run_place place, const dloc_profile *profile) {
  return profile->alternative[places[place].choice] != places[place].none;
}

bool run_place_find(dloc_text name, run_place *ret) {
  for (int i = RUN_NOWHERE + 1; i < RUN_PLACE_COUNT; i++)
    if (dloc_text_equal(name, dloc_text_of(places[i].name))) {
      *ret = (run_place)i;
      return true;
    }
  return false;
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
    text_make_printable(a->notes[a->note_count], "");
  }
  a->note_count++;
}

void adapter_report(const adapter *a, size_t done) {
  if (a->progress)
    a->progress(a->user, done);
}

bool adapter_ask(adapter *a, const vector *const *vectors, run_answer *answers, size_t count) {
  for (size_t i = 0; i < count; i++)
    answers[i] = (run_answer){.severity = RUN_SEVERITY_UNKNOWN};
  return count == 0 || a->run(a, vectors, answers, count);
}

bool run_answer_satisfies(const run_answer *answer, const run_answer *wanted) {
  if (wanted->outcome == RUN_OK)
    return answer->outcome == RUN_OK && strcmp(answer->text, wanted->text) == 0;
  if (!run_is_rejection(answer->outcome))
    return false;
  if (answer->severity != RUN_SEVERITY_UNKNOWN && answer->severity != wanted->severity)
    return false;
  for (int i = 1; i < DLOC_REASON_COUNT; i++)
    if (wanted->reasons[i])
      return answer->reasons[i];
  return false;
}
