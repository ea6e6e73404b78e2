/* outline.c - `outline`: locations of instructions that became a function of their own. spec/transformations.md 5.8 */
#include "declare.h"

static dloc_status ask(query *q, term *value) {
  const term *locations = term_list(q->args, "locations");
  dloc_node *results = term_set_nodes(q->arena, value, "results", locations->count);
  for (uint32_t i = 0; i < locations->count; i++)
    TRY(dloc_outline(q->context, q->profile, locations->of.nodes[i], term_node(q->args, "function"), &q->reason,
                     &results[i]));
  return DLOC_OK;
}

const operation op_outline = {
    .name = "outline",
    .forms = {{MAP(NULL, FIELD("locations", LIST(NODE)), OPTIONAL("function", NODE)),
               MAP(NULL, FOR_EACH("results", "locations"), NODES)}},
    .roots = "result",
    .ask = ask,
};
