/* SPEC.md, chapter 3: what verification says, and how severe it is. */
#include "verify.h"

#include "nodes/text.h"

/* ---- Names ---- */

bool text_is(const verifier *v, dloc_node token, const char *word) {
  return dloc_text_equal(dloc_node_text(v->context, token), dloc_text_of(word));
}

bool text_starts(const verifier *v, dloc_node token, const char *word) {
  return text_begins(dloc_node_text(v->context, token), word);
}

/* ---- Reports ---- */

static dloc_status emit(verifier *v, const dloc_violation *violation) {
  if (violation->severity == DLOC_SEVERITY_SOFT)
    v->verdict.soft++;
  else
    v->verdict.hard++;
  v->other = DLOC_NULL;
  v->other_operand = DLOC_NO_INDEX;
  return !v->report || v->report(v->user, violation) ? DLOC_OK : DLOC_STOPPED;
}

/* A violation where the walk stands. */
static dloc_violation violation_here(const verifier *v, dloc_reason reason, dloc_clause clause, dloc_node node) {
  return (dloc_violation){reason,      clause,         dloc_reason_severity(reason),
                          v->function, v->instruction, node,
                          v->operand,  v->other,       v->other_operand,
                          v->function, v->instruction, v->named};
}

dloc_status violated(verifier *v, dloc_reason reason, dloc_clause clause, dloc_node node) {
  dloc_violation violation = violation_here(v, reason, clause, node);
  return emit(v, &violation);
}

/* `verify.severity` */
static dloc_status severity_of(verifier *v, dloc_node node, dloc_severity *ret) {
  if (!v->survivors_known && !v->stripped) {
    v->survivors_known = true;
    TRY(v->mark_survivors(v));
  }
  bool survives = v->marks[node] & MARK_SURVIVES;
  *ret = v->stripped || survives ? DLOC_SEVERITY_HARD : DLOC_SEVERITY_SOFT;
  return DLOC_OK;
}

/* Of a node that stands where only a location may: `verify.attachments`. */
dloc_status attachment_violated(verifier *v, dloc_reason reason, dloc_clause clause, dloc_node node) {
  dloc_violation violation = violation_here(v, reason, clause, node);
  bool unread = reason == DLOC_REASON_SHAPE_TUPLE_REJECTED ? DLOC_TAKES(v->profile, SHAPE_TUPLE, REFUSE)
                                                           : DLOC_TAKES(v->profile, VERIFY_ATTACHMENTS, READER);
  if (unread)
    violation.severity = DLOC_SEVERITY_PARSE;
  return emit(v, &violation);
}

/* A node that has a number stands in a place of its own; any other is shown where it was met. */
dloc_status node_violated(verifier *v, dloc_reason reason, dloc_clause clause, dloc_node node) {
  dloc_violation violation = violation_here(v, reason, clause, node);
  uint64_t number;
  if (dloc_module_number_of(v->module, node, &number))
    violation.function = violation.instruction = DLOC_NO_INDEX;
  if (reason == DLOC_REASON_IRLAYERS_CHECKSUM) /* `verify.layer.checksum` */
    violation.severity = DLOC_SEVERITY_HARD;
  else
    TRY(severity_of(v, node, &violation.severity));
  return emit(v, &violation);
}

dloc_status violated_at(verifier *v, violated_node *violates, dloc_reason reason, dloc_clause clause, dloc_node node,
                        size_t operand) {
  v->operand = (uint32_t)operand;
  dloc_status status = violates(v, reason, clause, node);
  v->operand = DLOC_NO_INDEX;
  return status;
}
