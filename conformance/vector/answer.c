/* answer.c - answers: from a value, as canonical text, and as a value. */
#include "format.h"

#include <string.h>

/* ---- Reading ---- */

bool vector_reason_find(dloc_text name, dloc_reason *ret) {
  for (int reason = DLOC_REASON_NONE + 1; reason < DLOC_REASON_COUNT; reason++)
    if (dloc_text_equal(dloc_text_of(dloc_reason_name((dloc_reason)reason)), name)) {
      *ret = (dloc_reason)reason;
      return true;
    }
  return false;
}

static dloc_status read_rejection(const reading *r, const term *given, vector_expectation *ret) {
  const value *answer = given->from, *reason = value_get(answer, "reason"), *v = value_get(answer, "value");
  ret->outcome = VECTOR_REJECT;
  if (v)
    return WRONG(r, v, "vector.field", "a rejection has no value");
  if (!reason)
    return WRONG(r, answer, "vector.field", "field 'reason' is missing");
  if (!vector_reason_find(value_text(reason), &ret->reason))
    return WRONG(r, reason, "vector.reason", "no reason is named '%.100s'", value_text(reason).bytes);
  ret->severity = term_get(given, "severity") ? (dloc_severity)(DLOC_SEVERITY_SOFT + term_word(given, "severity"))
                                              : dloc_reason_severity(ret->reason);
  return DLOC_OK;
}

static dloc_status read_value(const reading *r, const vector *v, const value *answer, vector_expectation *ret) {
  const operation *op = operations[v->op];
  const value *map = value_get(answer, "value");
  if (!v->form->value)
    return map ? WRONG(r, map, "vector.field", "%s has no value", op->name) : DLOC_OK;
  TRY(read_required(r, answer, "value", &map));
  graph *nodes = value_arena_alloc(r->arena, 1, sizeof *nodes);
  term *read = value_arena_alloc(r->arena, 1, sizeof *read);
  ret->graph = nodes;
  ret->read = read;
  TRY(graph_read(r, value_get(map, "nodes"), v->graph, nodes));
  return operation_read_value(r, nodes, op, v->form, map, v->read_args, v->read_module, read);
}

dloc_status expectation_read(const reading *r, const vector *v, const value *answer, vector_expectation *ret) {
  enum { REJECT = 1 }; /* the word */
  term given;
  *ret = (vector_expectation){.value = answer, .outcome = VECTOR_OK};
  TRY(term_read_aside(r, v->graph, &outcome_type, answer, &given));
  if (term_word(&given, "outcome") == REJECT)
    return read_rejection(r, &given, ret);
  if (term_get(&given, "reason") || term_get(&given, "severity"))
    return WRONG(r, answer, "vector.field", "only a rejection has a reason and a severity");
  return read_value(r, v, answer, ret);
}

/* ---- Building ---- */

dloc_status vector_expectation_answer(const vector *v, const vector_expectation *e, const vector_case *built,
                                      value_arena *arena, value_diagnostic *diagnostic, vector_answer *ret) {
  vector_answer answer = {.op = v->op, .outcome = e->outcome, .reason = e->reason, .severity = e->severity};
  if (e->read) {
    const graph_node *failed = NULL;
    dloc_node_diagnosis diagnosis = {.reason = DLOC_REASON_NONE};
    dloc_node *handles = NULL;
    dloc_status status = graph_build(e->graph, built->nodes, built->context, arena, &failed, &diagnosis, &handles);
    if (status == DLOC_INVALID)
      return value_diagnose(diagnostic, failed ? failed->line : 0, failed ? failed->column : 0,
                            dloc_reason_name(diagnosis.reason), "node '%.100s' cannot exist: %s",
                            failed ? failed->name.bytes : "", dloc_reason_text(diagnosis.reason));
    TRY(status);
    answer.value = value_arena_alloc(arena, 1, sizeof *answer.value);
    TRY(term_build(e->read, handles, built->context, arena, answer.value));
  }
  *ret = answer;
  return DLOC_OK;
}

dloc_status vector_answer_read(const vector *v, const value *answer, dloc_context *context, value_arena *arena,
                               value_diagnostic *diagnostic, vector_answer *ret) {
  const reading r = {arena, diagnostic, arena};
  vector_expectation read;
  TRY(expectation_read(&r, v, answer, &read));
  return vector_expectation_answer(v, &read, &(vector_case){.context = context}, arena, diagnostic, ret);
}

vector_answer vector_rejection(vector_op op, dloc_reason reason) {
  return (vector_answer){
      .op = op, .outcome = VECTOR_REJECT, .reason = reason, .severity = dloc_reason_severity(reason)};
}

bool vector_answer_equal(const vector_answer *a, const vector_answer *b) {
  if (a->outcome != b->outcome || !a->value != !b->value)
    return false;
  if (a->outcome == VECTOR_REJECT)
    return a->reason == b->reason && a->severity == b->severity;
  return !a->value || term_equal(a->value, b->value);
}

/* ---- Writing ---- */

static dloc_status print_text(dloc_sink sink, const char *text) {
  return sink.write(sink.user, text, strlen(text)) ? DLOC_OK : DLOC_STOPPED;
}

static dloc_status print_rejection(const vector_answer *answer, dloc_sink sink) {
  TRY(print_text(sink, "outcome: reject\nreason: "));
  TRY(print_text(sink, dloc_reason_name(answer->reason)));
  TRY(print_text(sink, "\nseverity: "));
  TRY(print_text(sink, dloc_severity_name(answer->severity)));
  return print_text(sink, "\n");
}

dloc_status vector_answer_text(dloc_context *context, const vector_answer *answer, dloc_sink sink) {
  if (answer->outcome == VECTOR_REJECT)
    return print_rejection(answer, sink);
  TRY(print_text(sink, "outcome: ok\n"));
  return answer->value ? operation_print(operations[answer->op], context, answer->value, sink) : DLOC_OK;
}

dloc_status vector_answer_value(const vector *v, const vector_case *built, dloc_context *context, value_arena *arena,
                                const vector_answer *answer, value *ret) {
  value map;
  *ret = (value){.kind = VALUE_MAP};
  value_put_text(arena, ret, "outcome", dloc_text_of(answer->outcome == VECTOR_OK ? "ok" : "reject"));
  if (answer->outcome == VECTOR_REJECT) {
    value_put_text(arena, ret, "reason", dloc_text_of(dloc_reason_name(answer->reason)));
    if (answer->severity != dloc_reason_severity(answer->reason))
      value_put_text(arena, ret, "severity", dloc_text_of(dloc_severity_name(answer->severity)));
  } else if (answer->value) {
    operation_describe(context, answer->value, v->graph, built ? built->nodes : NULL, arena, &map);
    value_put_value(arena, ret, "value", map);
  }
  return DLOC_OK;
}
