/* hoist.c - `hoist`: the location of an instruction that moved to another block. SPEC.md 5.6 */
#include "declare.h"
#include "operation.h"

static dloc_status ask(query *q, term *value) {
  return dloc_hoist(q->context, q->profile, term_node(q->args, "location"), term_flag(q->args, "call"),
                    term_node(q->args, "function"), &q->reason, term_set_node(q->arena, value, "result"));
}

const operation op_hoist = {
    .name = "hoist",
    .forms = {{MAP(NULL, OPTIONAL("call", FLAG), FIELD("location", NODE), OPTIONAL("function", NODE)),
               MAP(NULL, FIELD("result", NODE), NODES)}},
    .roots = "result",
    .ask = ask,
    .args_cell =
        "`{location: a, call: true, function: f}`; `call` (default false): the instruction is a call; `function`: the subprogram of its function, if any",
    .value_cell = "`result`: a location or `null`",
};
