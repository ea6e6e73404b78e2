/* dump.c - `dump`: the ops of a text of MLIR that have places of the program's source. spec/hidden.md 20 */
#include "declare.h"
#include "objects/mlir/places.h"

static dloc_status ask(query *q, term *value) {
  const term *at = term_list(q->args, "at");
  place_ops *ops = NULL;
  dloc_status status = place_ops_create(q->context, term_text(q->args, "text"), &q->diagnostic, &ops);
  term *found = term_set_list(q->arena, value, "ops", at->count);
  for (uint32_t i = 0; status == DLOC_OK && i < at->count; i++) {
    dloc_node place = DLOC_NULL;
    status = place_of(q->context, at->of.nodes[i], &place);
    place_op op = place_ops_find(ops, q->profile, place);
    term_set_number(&found[i], "line", op.line);
    term_set_flag(&found[i], "exact", op.exact);
  }
  place_ops_destroy(ops);
  return status;
}

const operation op_dump = {
    .name = "dump",
    .forms = {{MAP(NULL, FIELD("text", TEXT), FIELD("at", LIST(NODE))),
               MAP(NULL,
                   FIELD("ops", LIST(MAP("an op", FIELD_AS("line", NUMBER, "% "), FIELD_AS("exact", FLAG, "%\n")))))}},
    .ask = ask,
};
