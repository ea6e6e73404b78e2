/* protocol.c - the lines of PROTOCOL.md. */
#include "protocol.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"
#include "nodes/try.h"

#include <stdio.h>

/* ---- Writing ---- */

static void write_line(value_arena *arena, const value *map, dloc_buffer *out) {
  value_write_json(map, buffer_sink(out));
  buffer_put(out, dloc_text_of("\n"));
  value_arena_reset(arena);
}

static value command(value_arena *arena, const char *name) {
  value line = {.kind = VALUE_MAP};
  value_put_text(arena, &line, "command", dloc_text_of(name));
  return line;
}

/* Every choice of the profile in force: an adapter for a configurable implementation needs no table of ours. */
static value choices_of(value_arena *arena, const dloc_profile *profile) {
  value choices = {.kind = VALUE_MAP};
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    value_put_text(arena, &choices, dloc_choice_name((dloc_choice)i),
                   dloc_text_of(dloc_alternative_name((dloc_choice)i, profile->alternative[i])));
  return choices;
}

void protocol_write_start(const run_settings *settings, value_arena *arena, dloc_buffer *out) {
  value line = command(arena, "start");
  value_put_number(arena, &line, "protocol", PROTOCOL_VERSION);
  if (settings->profile_name)
    value_put_text(arena, &line, "profile", dloc_text_of(settings->profile_name));
  else
    value_put_word(arena, &line, "profile", "null");
  value_put_value(arena, &line, "choices", choices_of(arena, &settings->profile));
  write_line(arena, &line, out);
}

void protocol_write_run(const vector *v, uint64_t seq, value_arena *arena, dloc_buffer *out) {
  static const char *const sent[] = {"id", "needs", "nodes", "module", "op", "args"}; /* never what is expected */
  value line = command(arena, "run"), copy = {.kind = VALUE_MAP};
  value_put_number(arena, &line, "seq", seq);
  for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
    const value *item = value_get(v->document, sent[i]);
    if (item)
      value_put_value(arena, &copy, sent[i], *item);
  }
  value_put_value(arena, &line, "vector", copy);
  write_line(arena, &line, out);
}

void protocol_write_flush(uint64_t seq, value_arena *arena, dloc_buffer *out) {
  value line = command(arena, "flush");
  value_put_number(arena, &line, "seq", seq);
  write_line(arena, &line, out);
}

void protocol_write_stop(value_arena *arena, dloc_buffer *out) {
  value line = command(arena, "stop");
  write_line(arena, &line, out);
}

/* ---- Reading ---- */

static dloc_status wrong(value_diagnostic *diagnostic, const char *message) {
  return value_diagnose(diagnostic, 1, 1, "protocol", "%s", message);
}

dloc_status protocol_read(dloc_text line, value_arena *arena, value_diagnostic *diagnostic, protocol_line *ret) {
  value *document;
  TRY(value_read_json(line, arena, diagnostic, &document));
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
  text_make_printable(ret, "");
}

static dloc_status read_capabilities(const value *list, value_diagnostic *diagnostic, uint64_t *ret) {
  if (!list || list->kind != VALUE_LIST)
    return wrong(diagnostic, "capabilities must be a list");
  uint64_t capabilities = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    unsigned need;
    if (vector_need_find(value_text(&list->of.items[i]), &need))
      capabilities |= VECTOR_NEED_BIT(need); /* others are of a later version, and of no use here */
  }
  *ret = capabilities;
  return DLOC_OK;
}

static dloc_status read_lacks(const value *list, value_diagnostic *diagnostic, unsigned *ret) {
  run_place place;
  if (value_is_null(list))
    return DLOC_OK;
  for (uint32_t i = 0; list->kind == VALUE_LIST && i < list->count; i++) {
    if (!run_place_find(value_text(&list->of.items[i]), &place))
      return wrong(diagnostic, "lacks must be a list of bitcode, directives and print");
    *ret |= 1u << place;
  }
  return list->kind == VALUE_LIST ? DLOC_OK
                                  : wrong(diagnostic, "lacks must be a list of bitcode, directives and print");
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
  if (!value_is_null(value_get(line, "revision")))
    copy_text(value_get(line, "revision"), implementation.revision, sizeof implementation.revision);
  if (!value_is_null(value_get(line, "profile")))
    copy_text(value_get(line, "profile"), implementation.profile, sizeof implementation.profile);
  TRY(read_capabilities(value_get(line, "capabilities"), diagnostic, &implementation.capabilities));
  TRY(read_lacks(value_get(line, "lacks"), diagnostic, &implementation.lacks));
  *ret = implementation;
  return DLOC_OK;
}

static dloc_status read_reason(const value *name, value_diagnostic *diagnostic, run_answer *ret) {
  dloc_reason reason;
  dloc_text text = value_text(name);
  if (!vector_reason_find(text, &reason))
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
  for (uint32_t i = 0; i < given->count; i++)
    TRY(read_reason(&given->of.items[i], diagnostic, ret));
  return DLOC_OK;
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
  value plain = {.kind = VALUE_MAP};
  value_put_text(arena, &plain, "outcome", dloc_text_of("ok"));
  const value *given = value_get(line, "value");
  if (given)
    value_put_value(arena, &plain, "value", *given);
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  vector_answer answer;
  TRY(vector_answer_read(v, &plain, context, arena, diagnostic, &answer));
  return run_answer_take(ret, context, &answer);
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
    TRY(read_reasons(value_get(line, "reason"), diagnostic, &answer));
    TRY(read_severity(value_get(line, "severity"), diagnostic, &answer));
    run_answer_deinit(ret);
    *ret = answer;
    return DLOC_OK;
  }
  if (outcome != RUN_DEGRADED && outcome != RUN_REFUSED && outcome != RUN_SKIPPED && outcome != RUN_ERRORED &&
      outcome != RUN_CRASH && outcome != RUN_HANG)
    return wrong(diagnostic, "only the runner says nondet and not-asked");
  char text[512];
  copy_text(value_get(line, "reason"), text, sizeof text);
  run_answer_set(ret, outcome, "%s", text);
  return DLOC_OK;
}
