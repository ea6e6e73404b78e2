/* equal.c - `equal`: whether two locations are the same. SPEC.md 2 */
#include "declare.h"
#include "operation.h"

static dloc_status ask(query *q, term *value) {
  const dloc_node *both = q->args->of.nodes;
  term_set_flag(value, "equal", dloc_debug_loc_equal(q->context, q->profile, both[0], both[1]));
  return DLOC_OK;
}

const operation op_equal = {
    .name = "equal",
    .forms = {{LIST_OF(2, NODE), MAP(NULL, {.key = "equal", .of = FLAG, .text = "equal: %\n"})}},
    .ask = ask,
    .args_cell = "`[a, b]`",
    .value_cell = "`equal: true`",
};
