/* copy.c - `copy`: locations of copies of instructions, or of the instructions of a function that is copied twice, so
 * that it shows what copies share. spec/transformations.md 5.10 */
#include "declare.h"

enum { BY_DEBUG_LOC, BY_PRIMARY };

static dloc_status ask_functions(query *q, const term *locations, term *value) {
  static const char *const copies[] = {"first", "second"};
  for (size_t i = 0; i < 2; i++)
    TRY(dloc_copy_function(q->context, q->profile, term_node(q->args, "function"), locations->of.nodes,
                           locations->count, &q->reason, term_set_nodes(q->arena, value, copies[i], locations->count)));
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  const term *locations = term_list(q->args, "locations");
  if (term_get(q->args, "function"))
    return ask_functions(q, locations, value);
  dloc_node *results = term_set_nodes(q->arena, value, "results", locations->count);
  bool primary_alone = term_word(q->args, "by") == BY_PRIMARY;
  for (uint32_t i = 0; i < locations->count; i++)
    TRY(dloc_copy_instruction(q->context, q->profile, locations->of.nodes[i], primary_alone, &q->reason, &results[i]));
  return DLOC_OK;
}

const operation op_copy = {
    .name = "copy",
    .forms = {{MAP(NULL, FIELD("by", WORD("how it is copied", "debug-loc", "primary")), FIELD("locations", LIST(NODE))),
               MAP(NULL, FOR_EACH("results", "locations"), NODES)},
              {MAP(NULL, FIELD("function", NODE), FIELD("locations", LIST(NODE))),
               MAP(NULL, FOR_EACH("first", "locations"), FOR_EACH("second", "locations"), NODES)}},
    .roots = "result",
    .ask = ask,
};
