/* vector.c - vectors in the playground: what the model answers, and the module of one as text. */
#include "document/buffer.h"
#include "playground.h"
#include "shell/tools.h"
#include "vector/inquiry.h"

#include <stdio.h>
#include <string.h>

typedef struct desk {
  value_arena arena;
  vector vector;
  inquiry inquiry;
  value shown;   /* what is printed */
  value answers; /* texts, each once */
  dloc_buffer text;
} desk;

static int refuse(dloc_status status, const value_diagnostic *diagnostic) {
  if (status == DLOC_INVALID)
    tool_error("%s [%s]", diagnostic->message, diagnostic->code);
  else
    tool_failure(status, NULL);
  return TOOL_VIOLATION;
}

static dloc_status read_next(desk *d, value_lines *lines, value_diagnostic *diagnostic, bool *ret_end) {
  value *document;
  dloc_status status = value_lines_next(lines, &d->arena, diagnostic, &document);
  *ret_end = status == DLOC_OK && !document;
  return status == DLOC_OK && document ? vector_read(document, &d->arena, diagnostic, &d->vector) : status;
}

/* The vector that standard input is. */
static dloc_status read_vector(desk *d, const tool_input *input, value_diagnostic *diagnostic) {
  value_lines lines = {input->text, 0};
  bool end = false;
  dloc_status status = read_next(d, &lines, diagnostic, &end);
  return end ? value_diagnose(diagnostic, 0, 0, "vector.field", "there is no vector") : status;
}

/* ---- What is answered ---- */

/* The number of the answer's text among the answers. */
static value number_of(desk *d, const vector_answer *answer) {
  d->text.size = 0;
  vector_answer_text(d->inquiry.context, answer, buffer_sink(&d->text));
  uint32_t i = 0;
  while (i < d->answers.count && !dloc_text_equal(value_text(&d->answers.of.items[i]), buffer_text(&d->text)))
    i++;
  if (i == d->answers.count)
    value_add(&d->arena, &d->answers, value_of_text(&d->arena, buffer_text(&d->text)));
  return value_of_number(&d->arena, i);
}

static value ask(desk *d, const dloc_profile *profile) {
  vector_answer answer;
  return inquiry_ask(&d->inquiry, profile, &answer) == DLOC_OK ? number_of(d, &answer)
                                                               : value_of_word(&d->arena, "null");
}

static void put_named(desk *d, value *list, const char *name, value answer) {
  value item = {.kind = VALUE_MAP};
  value_put_text(&d->arena, &item, "name", dloc_text_of(name));
  value_put_value(&d->arena, &item, "answer", answer);
  value_add(&d->arena, list, item);
}

static void put_expected(desk *d, const dloc_profile *profile) {
  const vector_expectation *expectation = NULL;
  vector_answer answer;
  value_diagnostic diagnostic;
  if (vector_expectation_for(&d->vector, profile) &&
      inquiry_expectation(&d->inquiry, profile, &expectation) == DLOC_OK && expectation &&
      inquiry_state(&d->inquiry, expectation, &diagnostic, &answer) == DLOC_OK)
    value_put_value(&d->arena, &d->shown, "expected", number_of(d, &answer));
}

static void put_profiles(desk *d) {
  value list = {.kind = VALUE_LIST};
  for (size_t i = 0; i < dloc_profile_count(); i++)
    put_named(d, &list, dloc_profile_at(i)->name, ask(d, dloc_profile_at(i)));
  value_put_value(&d->arena, &d->shown, "profiles", list);
}

/* Each choice that makes a difference here, with what is answered under its alternatives. */
static void put_choices(desk *d, const dloc_profile *profile) {
  value choices = {.kind = VALUE_LIST};
  for (int c = 0; c < DLOC_CHOICE_COUNT; c++) {
    value list = {.kind = VALUE_LIST}, choice = {.kind = VALUE_MAP};
    bool differs = false;
    for (unsigned a = 0; a < dloc_choice_alternatives((dloc_choice)c); a++) {
      dloc_profile changed = *profile;
      changed.alternative[c] = (uint8_t)a;
      value answer = ask(d, &changed);
      differs |= a && !dloc_text_equal(value_text(&answer), value_text(value_get(&list.of.items[0], "answer")));
      put_named(d, &list, dloc_alternative_name((dloc_choice)c, a), answer);
    }
    if (!differs)
      continue;
    value_put_text(&d->arena, &choice, "name", dloc_text_of(dloc_choice_name((dloc_choice)c)));
    value_put_value(&d->arena, &choice, "alternatives", list);
    value_add(&d->arena, &choices, choice);
  }
  value_put_value(&d->arena, &d->shown, "choices", choices);
}

static void add_step(void *user, dloc_clause clause, const char *decision) {
  desk *d = user;
  buffer_format(&d->text, "%s: %s\n", dloc_clause_anchor(clause), decision);
}

static void put_trace(desk *d, const dloc_profile *profile) {
  const dloc_trace trace = {add_step, d};
  dloc_context *context = dloc_context_create(NULL);
  value_arena arena = {0};
  vector_answer answer;
  d->text.size = 0;
  if (context && vector_evaluate(&d->vector, profile, context, &arena, &trace, &answer) == DLOC_OK)
    value_put_text(&d->arena, &d->shown, "trace", buffer_text(&d->text));
}

int playground_vector(int argc, char **argv) {
  static const tool_usage usage = {"dloc vector [OPTION...] -", "", "", 1, 1};
  dloc_profile profile = {0};
  const tool_option options[] = {TOOL_PROFILE_OPTIONS(&profile), {0}};
  desk d = {.shown.kind = VALUE_MAP, .answers.kind = VALUE_LIST};
  value_diagnostic diagnostic;
  tool_parse(argc, argv, &usage, options);
  tool_input input = tool_input_required(argv[0]);
  dloc_status status = read_vector(&d, &input, &diagnostic);
  if (status != DLOC_OK)
    return refuse(status, &diagnostic);
  inquiry_begin(&d.inquiry, &d.vector);
  value_put_value(&d.arena, &d.shown, "answer", ask(&d, &profile));
  put_expected(&d, &profile);
  put_profiles(&d);
  put_choices(&d, &profile);
  put_trace(&d, &profile);
  value_put_value(&d.arena, &d.shown, "answers", d.answers);
  tool_print_json(&d.shown);
  return TOOL_FINE;
}

/* ---- As an adapter ---- */

static dloc_status answer_one(desk *d, const dloc_profile *profile) {
  dloc_context *context = dloc_context_create(NULL);
  value_arena arena = {0};
  vector_answer answer;
  value shown;
  if (!context)
    return DLOC_NO_MEMORY;
  dloc_status status = vector_evaluate(&d->vector, profile, context, &arena, NULL, &answer);
  if (status == DLOC_OK)
    status = vector_answer_value(&d->vector, NULL, context, &arena, &answer, &shown);
  if (status == DLOC_OK)
    tool_print_json(&shown);
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
  return status;
}

int playground_answer(int argc, char **argv) {
  static const tool_usage usage = {"dloc answer [OPTION...] -", "", "", 1, 1};
  dloc_profile profile = {0};
  const tool_option options[] = {TOOL_PROFILE_OPTIONS(&profile), {0}};
  desk d = {.shown.kind = VALUE_MAP};
  value_diagnostic diagnostic;
  tool_parse(argc, argv, &usage, options);
  tool_input input = tool_input_required(argv[0]);
  value_lines lines = {input.text, 0};
  for (bool end = false;;) {
    value_arena_reset(&d.arena);
    dloc_status status = read_next(&d, &lines, &diagnostic, &end);
    if (end)
      return TOOL_FINE;
    if (status == DLOC_OK)
      status = answer_one(&d, &profile);
    if (status != DLOC_OK)
      return refuse(status, &diagnostic);
  }
}

/* ---- As a module ---- */

int playground_module(int argc, char **argv) {
  static const tool_usage usage = {"dloc module -", "", "", 1, 1};
  const tool_option options[] = {{0}};
  desk d = {0};
  value_diagnostic diagnostic;
  vector_case built;
  tool_parse(argc, argv, &usage, options);
  tool_input input = tool_input_required(argv[0]);
  dloc_context *context = dloc_context_create(NULL);
  dloc_status status = context ? read_vector(&d, &input, &diagnostic) : DLOC_NO_MEMORY;
  if (status == DLOC_OK)
    status = vector_build(&d.vector, context, &d.arena, &built);
  if (status == DLOC_OK && !built.module) {
    tool_error("%s", built.rejected ? dloc_reason_text(built.rejected) : "the vector has no module");
    return TOOL_VIOLATION;
  }
  if (status == DLOC_OK)
    status = dloc_write_ll(built.module, tool_file_sink(stdout));
  return status == DLOC_OK ? TOOL_FINE : refuse(status, &diagnostic);
}
