/* hide.c - `hide`: locations as an LLVM that knows no layers carries them, and the table of them.
 * spec/hidden.md 17.1 */
#include "declare.h"
#include "hiding.h"

/* The module's names, beside those of the table. */
static void describe_carried(query *q, const dloc_module *module, const dloc_module *table, term *value) {
  dloc_named_metadata own, stand_ins;
  if (!dloc_module_find_named(module, dloc_text_of("dloc.hidden"), &own) ||
      !dloc_module_find_named(table, dloc_text_of("dloc.hidden.carried"), &stand_ins))
    return;
  dloc_node carrier = dloc_module_named_operand(module, &own, 0);
  for (size_t i = 0; i < stand_ins.operand_count; i++) {
    term *carried = term_add(q->arena, value, "carried");
    *term_set_node(q->arena, carried, "node") = dloc_operand(q->context, carrier, i + 1);
    *term_set_node(q->arena, carried, "stand-in") = dloc_module_named_operand(table, &stand_ins, i);
  }
}

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_module) dloc_module *module = NULL, *table = NULL;
  OWNED(release_dloc_hidden) dloc_hidden *hidden = NULL;
  const term *locations = term_list(q->args, "locations");
  size_t source_count;
  TRY(hiding_module(q, q->args, locations, &module));
  TRY(operation_add_named(q->module, module));
  TRY(hiding_run(q, q->args, module, &hidden));
  hiding_describe(q, q->args, locations->count, module, value);
  dloc_node *layers = term_set_nodes(q->arena, value, "layers", dloc_hidden_count(hidden));
  for (size_t i = 0; i < dloc_hidden_count(hidden); i++)
    layers[i] = dloc_hidden_at(hidden, i).layers;
  TRY(dloc_hidden_write(hidden, &table));
  describe_carried(q, module, table, value);
  const dloc_node *sources = dloc_hidden_sources(hidden, &source_count);
  if (q->module)
    term_set_copy(q->arena, value, "sources", sources, source_count);
  return DLOC_OK;
}

#define EACH(name)                                                                                                     \
  { .key = (name), .of = LIST(NODE), .optional = true, .as_many = (name) }
#define CARRIED MAP("a carried node", FIELD("node", NODE), FIELD("stand-in", NODE))

const operation op_hide = {
    .name = "hide",
    .forms = {{MAP(NULL, FIELD("locations", LIST(NODE)), OPTIONAL("records", LIST(NODE)), OPTIONAL("loops", LIST(NODE)),
                   HIDING_OPTIONS),
               MAP_AS(
                   NULL,
                   "results: #results\nrecords: #records\nloops: #loops\nlayers: #layers\ncarried: #carried\nsources: "
                   "#sources\n",
                   FOR_EACH("results", "locations"), EACH("records"), EACH("loops"), FIELD("layers", LIST(NODE)),
                   OPTIONAL("carried", LIST(CARRIED)), OPTIONAL("sources", LIST(NODE)), NODES)}},
    .module = MODULE_NAMED_ONLY,
    .roots = "node",
    .check = term_check_sources,
    .ask = ask,
};
