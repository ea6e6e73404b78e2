/* convert.c - `convert`: locations in the other form of layers. spec/irlayers.md 5.11 */
#include "declare.h"
#include "document/memory.h"

dloc_status operation_add_named(const dloc_module *from, dloc_module *module) {
  for (size_t i = 0; from && i < dloc_module_named_count(from); i++) {
    dloc_named_metadata list = dloc_module_named(from, i);
    for (size_t j = 0; j < list.operand_count; j++) {
      dloc_node operand = dloc_module_named_operand(from, &list, j);
      TRY(dloc_module_add_named(module, dloc_node_text(dloc_module_context(from), list.name), &operand, 1));
    }
  }
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_converter) dloc_converter *converter = NULL;
  OWNED(release_dloc_module) dloc_module *module = NULL;
  dloc_form to = (dloc_form)term_word(q->args, "to");
  const term *locations = term_list(q->args, "locations");
  const dloc_node *sources = NULL;
  size_t count = 0;
  TRY(dloc_converter_create(q->context, q->profile, q->module, to, NULL, NULL, &converter));
  dloc_node *results = term_set_nodes(q->arena, value, "results", locations->count);
  for (uint32_t i = 0; i < locations->count; i++)
    TRY(dloc_convert(converter, locations->of.nodes[i], &q->reason, &results[i]));
  if (!q->module)
    return DLOC_OK;
  TRY(dloc_module_create(q->context, &module));
  TRY(operation_add_named(q->module, module));
  TRY(dloc_convert_left(converter, module, &q->reason));
  TRY(dloc_convert_sources(converter, &q->reason, &sources, &count));
  term_set_copy(q->arena, value, "sources", sources, count);
  return DLOC_OK;
}

const operation op_convert = {
    .name = "convert",
    .forms = {{MAP(NULL, FIELD("to", WORD("to", "tuple", "irlayers")), FIELD("locations", LIST(NODE))),
               MAP_AS(NULL, "results: #results\nsources: #sources\n", FOR_EACH("results", "locations"),
                      OPTIONAL("sources", LIST(NODE)), NODES)}},
    .module = MODULE_NAMED_ONLY,
    .roots = "node",
    .check = term_check_sources,
    .ask = ask,
};
