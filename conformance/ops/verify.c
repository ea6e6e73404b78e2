/* verify.c - `verify`: whether a module breaks a rule, and which. SPEC.md 3 */
#include "declare.h"

static bool take_first(void *user, const dloc_violation *violation) {
  *(dloc_violation *)user = *violation;
  return false;
}

static dloc_status ask(query *q, term *value) {
  dloc_violation first = {.reason = DLOC_REASON_NONE};
  dloc_verdict verdict = {0};
  (void)value;
  dloc_status status = dloc_verify(q->module, q->profile, take_first, &first, &verdict);
  if (status != DLOC_OK && status != DLOC_STOPPED)
    return status;
  q->reason = first.reason;
  q->severity = (int)first.severity;
  return first.reason == DLOC_REASON_NONE ? DLOC_OK : DLOC_INVALID;
}

const operation op_verify = {
    .name = "verify",
    .module = MODULE_WHOLE,
    .takes_any_node = true,
    .ask = ask,
};
