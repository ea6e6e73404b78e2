/* equal.c - `equal`: whether two locations are the same. SPEC.md 2 */
#include "declare.h"

static dloc_status ask(query *q, term *value) {
  enum { POSITION, LAYERS };
  bool by_source = q->args->type->kind == TYPE_MAP;
  unsigned by = by_source ? term_word(q->args, "by") : POSITION;
  const dloc_node *both = by_source ? term_get(q->args, "locations")->of.nodes : q->args->of.nodes;
  bool equal = by_source ? dloc_same_source(q->context, q->profile, both[0], both[1], by == LAYERS)
                         : dloc_debug_loc_equal(q->context, q->profile, both[0], both[1]);
  term_set_flag(value, "equal", equal);
  return DLOC_OK;
}

#define EQUAL MAP(NULL, FIELD_AS("equal", FLAG, "equal: %\n"))

const operation op_equal = {
    .name = "equal",
    .forms = {{LIST_OF(2, NODE), EQUAL},
              {MAP(NULL, FIELD("by", WORD("what is compared", "position", "layers")),
                   FIELD("locations", LIST_OF(2, NODE))),
               EQUAL}},
    .ask = ask,
};
