/* merge.c - `merge`: the location of an instruction that takes the place of several. SPEC.md 4 */
#include "declare.h"

static dloc_status ask(query *q, term *value) {
  return dloc_merge(q->context, q->profile, q->args->of.nodes, q->args->count, q->trace, &q->reason,
                    term_set_node(q->arena, value, "result"));
}

const operation op_merge = {
    .name = "merge",
    .forms = {{LIST(NODE), MAP(NULL, FIELD("result", NODE), NODES)}},
    .roots = "result",
    .ask = ask,
};
