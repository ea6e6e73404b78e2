/* protocol.c - the lines of PROTOCOL.md. */
#include "protocol.h"

#include <stdio.h>
#include <string.h>

/* ---- Writing ---- */

/* A map that is being built: the first failure sticks, so that a line reads as one sequence. */
typedef struct line_builder {
  value_arena *arena;
  value map;
  dloc_status status;
} line_builder;

static line_builder begin(value_arena *arena) {
  value_arena_reset(arena);
  line_builder line = {.arena = arena, .status = DLOC_OK};
  value_set_map(&line.map);
  return line;
}

static void add(line_builder *line, const char *key, const value *item) {
  if (line->status == DLOC_OK)
    line->status = value_map_add(line->arena, &line->map, key, item);
}

static void add_text(line_builder *line, const char *key, dloc_text text) {
  value item;
  if (line->status == DLOC_OK)
    line->status = value_set_text(line->arena, text, &item);
  add(line, key, &item);
}

static void add_number(line_builder *line, const char *key, uint64_t number) {
  value item;
  if (line->status == DLOC_OK)
    line->status = value_set_number(line->arena, number, &item);
  add(line, key, &item);
}

static void add_null(line_builder *line, const char *key) {
  value item;
  if (line->status == DLOC_OK)
    line->status = value_set_word(line->arena, "null", &item);
  add(line, key, &item);
}

static dloc_status end(line_builder *line, dloc_buffer *out) {
  dloc_sink sink = dloc_buffer_sink(out);
  if (line->status == DLOC_OK)
    line->status = value_write_json(&line->map, sink);
  if (line->status == DLOC_OK && !sink.write(sink.user, "\n", 1))
    line->status = DLOC_NO_MEMORY;
  return line->status == DLOC_STOPPED ? DLOC_NO_MEMORY : line->status;
}

/* Every choice of the profile in force: an adapter for a configurable implementation needs no table of ours. */
static void add_choices(line_builder *line, const dloc_profile *profile) {
  line_builder choices = {.arena = line->arena, .status = line->status};
  value_set_map(&choices.map);
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    add_text(&choices, dloc_choice_name((dloc_choice)i),
             dloc_text_of(dloc_alternative_name((dloc_choice)i, profile->alternative[i])));
  line->status = choices.status;
  add(line, "choices", &choices.map);
}

dloc_status protocol_write_start(const run_settings *settings, value_arena *arena, dloc_buffer *out) {
  line_builder line = begin(arena);
  add_text(&line, "command", dloc_text_of("start"));
  add_number(&line, "protocol", PROTOCOL_VERSION);
  if (settings->profile_name)
    add_text(&line, "profile", dloc_text_of(settings->profile_name));
  else
    add_null(&line, "profile");
  add_choices(&line, &settings->profile);
  return end(&line, out);
}

dloc_status protocol_write_run(const vector *v, uint64_t seq, value_arena *arena, dloc_buffer *out) {
  static const char *const sent[] = {"id", "needs", "nodes", "module", "op", "args"}; /* never what is expected */
  line_builder line = begin(arena);
  add_text(&line, "command", dloc_text_of("run"));
  add_number(&line, "seq", seq);
  line_builder copy = {.arena = arena, .status = line.status};
  value_set_map(&copy.map);
  for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
    const value *item = value_get(v->document, sent[i]);
    if (item)
      add(&copy, sent[i], item);
  }
  line.status = copy.status;
  add(&line, "vector", &copy.map);
  return end(&line, out);
}

dloc_status protocol_write_flush(uint64_t seq, value_arena *arena, dloc_buffer *out) {
  line_builder line = begin(arena);
  add_text(&line, "command", dloc_text_of("flush"));
  add_number(&line, "seq", seq);
  return end(&line, out);
}

dloc_status protocol_write_stop(value_arena *arena, dloc_buffer *out) {
  line_builder line = begin(arena);
  add_text(&line, "command", dloc_text_of("stop"));
  return end(&line, out);
}

/* ---- Reading ---- */

static dloc_status wrong(value_diagnostic *diagnostic, const char *message) {
  return value_diagnose(diagnostic, 1, 1, "protocol", "%s", message);
}

dloc_status protocol_read(dloc_text line, value_arena *arena, value_diagnostic *diagnostic, protocol_line *ret) {
  value *document;
  dloc_status status = value_read_one(line, arena, diagnostic, &document);
  if (status != DLOC_OK)
    return status;
  if (!document || document->kind != VALUE_MAP)
    return wrong(diagnostic, "a line must be a JSON object");
  *ret = (protocol_line){.value = document};
  const value *number = value_get(document, "seq");
  if (value_get(document, "started")) {
    ret->kind = PROTOCOL_STARTED;
    return DLOC_OK;
  }
  if (value_get(document, "command"))
    return wrong(diagnostic, "the line has a command, which only the runner gives");
  ret->kind = PROTOCOL_ANSWER;
  if (value_get(document, "flushed")) {
    ret->kind = PROTOCOL_FLUSHED;
    number = value_get(document, "flushed");
  }
  if (!value_unsigned(number, UINT64_MAX, &ret->seq))
    return wrong(diagnostic, "the line has no number seq");
  return DLOC_OK;
}

static void copy_text(const value *scalar, char *ret, size_t size) {
  dloc_text text = value_text(scalar);
  snprintf(ret, size, "%.*s", text.size < size ? (int)text.size : (int)size - 1, text.size ? text.bytes : "");
}

static dloc_status read_capabilities(const value *list, value_diagnostic *diagnostic, uint32_t *ret) {
  if (!list || list->kind != VALUE_LIST)
    return wrong(diagnostic, "capabilities must be a list");
  uint32_t capabilities = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    unsigned need;
    if (vector_need_find(value_text(&list->of.items[i]), &need))
      capabilities |= UINT32_C(1) << need; /* others are of a later version, and of no use here */
  }
  *ret = capabilities;
  return DLOC_OK;
}

dloc_status protocol_read_started(const value *line, value_diagnostic *diagnostic, run_implementation *ret) {
  run_implementation implementation = {.capabilities = 0};
  uint64_t version;
  if (!value_unsigned(value_get(line, "started"), UINT64_MAX, &version) || version != PROTOCOL_VERSION)
    return wrong(diagnostic, "started must be the version of the protocol, 1");
  if (value_text(value_get(line, "implementation")).size == 0)
    return wrong(diagnostic, "the line names no implementation");
  copy_text(value_get(line, "implementation"), implementation.name, sizeof implementation.name);
  copy_text(value_get(line, "version"), implementation.version, sizeof implementation.version);
  if (!value_is_null(value_get(line, "profile")))
    copy_text(value_get(line, "profile"), implementation.profile, sizeof implementation.profile);
  dloc_status status = read_capabilities(value_get(line, "capabilities"), diagnostic, &implementation.capabilities);
  if (status == DLOC_OK)
    *ret = implementation;
  return status;
}

static bool find_reason(dloc_text name, dloc_reason *ret) {
  for (int i = 1; i < DLOC_REASON_COUNT; i++)
    if (dloc_text_equal(name, dloc_text_of(dloc_reason_name((dloc_reason)i)))) {
      *ret = (dloc_reason)i;
      return true;
    }
  return false;
}

static dloc_status read_reason(const value *name, value_diagnostic *diagnostic, run_answer *ret) {
  dloc_reason reason;
  dloc_text text = value_text(name);
  if (!find_reason(text, &reason))
    return value_diagnose(diagnostic, 1, 1, "protocol", "unknown reason '%.*s'", text.size < 80 ? (int)text.size : 80,
                          text.size ? text.bytes : "");
  ret->reasons[reason] = true;
  return DLOC_OK;
}

/* One reason, or a list of those that the implementation's message does not tell apart. */
static dloc_status read_reasons(const value *given, value_diagnostic *diagnostic, run_answer *ret) {
  if (!given || given->kind == VALUE_MAP || (given->kind == VALUE_LIST && given->count == 0))
    return wrong(diagnostic, "a reject needs a reason, or a list of possible ones");
  if (given->kind == VALUE_SCALAR)
    return read_reason(given, diagnostic, ret);
  dloc_status status = DLOC_OK;
  for (uint32_t i = 0; status == DLOC_OK && i < given->count; i++)
    status = read_reason(&given->of.items[i], diagnostic, ret);
  return status;
}

static dloc_status read_severity(const value *given, value_diagnostic *diagnostic, run_answer *ret) {
  ret->severity = RUN_SEVERITY_UNKNOWN;
  if (value_is_null(given))
    return DLOC_OK;
  for (int i = DLOC_SEVERITY_SOFT; i <= DLOC_SEVERITY_PARSE; i++)
    if (value_is(given, dloc_severity_name((dloc_severity)i))) {
      ret->severity = i;
      return DLOC_OK;
    }
  return wrong(diagnostic, "severity must be soft, hard or parse");
}

static dloc_status read_value(const value *line, const vector *v, value_arena *arena, value_diagnostic *diagnostic,
                              run_answer *ret) {
  dloc_context *context = dloc_context_create(NULL);
  if (!context)
    return DLOC_NO_MEMORY;
  value plain;
  value_set_map(&plain);
  value outcome;
  dloc_status status = value_set_text(arena, dloc_text_of("ok"), &outcome);
  if (status == DLOC_OK)
    status = value_map_add(arena, &plain, "outcome", &outcome);
  const value *given = value_get(line, "value");
  if (status == DLOC_OK && given)
    status = value_map_add(arena, &plain, "value", given);
  vector_answer answer;
  if (status == DLOC_OK)
    status = vector_answer_read(v, &plain, context, arena, diagnostic, &answer);
  if (status == DLOC_OK)
    status = run_answer_take(ret, context, arena, &answer);
  dloc_context_destroy(context);
  return status;
}

dloc_status protocol_read_answer(const value *line, const vector *v, value_arena *arena, value_diagnostic *diagnostic,
                                 run_answer *ret) {
  run_outcome outcome;
  if (!run_outcome_find(value_text(value_get(line, "outcome")), &outcome))
    return wrong(diagnostic, "the answer has no known outcome");
  if (outcome == RUN_OK)
    return read_value(line, v, arena, diagnostic, ret);
  if (outcome == RUN_REJECT) {
    run_answer answer = {.outcome = RUN_REJECT};
    dloc_status status = read_reasons(value_get(line, "reason"), diagnostic, &answer);
    if (status == DLOC_OK)
      status = read_severity(value_get(line, "severity"), diagnostic, &answer);
    if (status == DLOC_OK) {
      run_answer_deinit(ret);
      *ret = answer;
    }
    return status;
  }
  if (outcome != RUN_DEGRADED && outcome != RUN_SKIPPED && outcome != RUN_ERRORED && outcome != RUN_CRASH &&
      outcome != RUN_HANG)
    return wrong(diagnostic, "only the runner says nondet");
  char text[512];
  copy_text(value_get(line, "reason"), text, sizeof text);
  run_answer_set(ret, outcome, "%s", text);
  return DLOC_OK;
}
