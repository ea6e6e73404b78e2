/* roundtrip.c - `roundtrip`: locations after bitcode was written and read. SPEC.md 7 */
#include "declare.h"

static dloc_status ask(query *q, term *value) {
  dloc_node *results = term_set_nodes(q->arena, value, "results", q->args->count);
  for (uint32_t i = 0; i < q->args->count; i++)
    TRY(dloc_round_trip(q->context, q->profile, q->args->of.nodes[i], &q->reason, &results[i]));
  return DLOC_OK;
}

const operation op_roundtrip = {
    .name = "roundtrip",
    .forms = {{LIST(NODE), MAP(NULL, FOR_EACH("results", "args"), NODES)}},
    .roots = "result",
    .ask = ask,
};
