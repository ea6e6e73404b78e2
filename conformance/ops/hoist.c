/* hoist.c - `hoist`: the location of an instruction that moved to another block. SPEC.md 5.6 */
#include "declare.h"
#include "operation.h"
#include "reading.h"

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  (void)module, (void)value;
  if (term_flag(args, "intrinsic") && !term_flag(args, "call"))
    return WRONG(r, args->from, "vector.field", "an intrinsic is a call");
  if (term_get(args, "branch") && (term_get(args, "call") || term_get(args, "function")))
    return WRONG(r, args->from, "vector.field", "branch stands without call and function");
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  if (term_get(q->args, "branch"))
    return dloc_hoist_before_branch(q->context, q->profile, term_node(q->args, "location"),
                                    term_node(q->args, "branch"), &q->reason, term_set_node(q->arena, value, "result"));
  dloc_hoisted call = term_flag(q->args, "intrinsic") ? DLOC_HOISTED_INTRINSIC : DLOC_HOISTED_CALL;
  return dloc_hoist(q->context, q->profile, term_node(q->args, "location"),
                    term_flag(q->args, "call") ? call : DLOC_HOISTED_OTHER, term_node(q->args, "function"), &q->reason,
                    term_set_node(q->arena, value, "result"));
}

const operation op_hoist = {
    .name = "hoist",
    .forms = {{MAP(NULL, OPTIONAL("call", FLAG), OPTIONAL("intrinsic", FLAG), FIELD("location", NODE),
                   OPTIONAL("function", NODE), OPTIONAL("branch", NODE)),
               MAP(NULL, FIELD("result", NODE), NODES)}},
    .roots = "result",
    .check = check,
    .ask = ask,
    .args_cell =
        "`{location: a, call: true, function: f}`; `call` (default false): the instruction is a call, and with `intrinsic: true` one of an intrinsic; `function`: the subprogram of its function, if any / `{location: a, branch: b}`: it moved before a branch with this location",
    .value_cell = "`result`: a location or `null`",
};
