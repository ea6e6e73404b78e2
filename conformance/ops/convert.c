/* convert.c - `convert`: locations in the other form of layers. spec/irlayers.md 5.11 */
#include "declare.h"

#include <string.h>

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  (void)args;
  if (value && !term_get(value, "sources") != !module)
    return WRONG(r, value->from, "vector.field", "sources stand in the value when there is a module");
  return DLOC_OK;
}

static dloc_status convert_all(query *q, dloc_converter *converter, term *value) {
  const term *locations = term_list(q->args, "locations");
  const dloc_node *sources = NULL;
  size_t count = 0;
  dloc_node *results = term_set_nodes(q->arena, value, "results", locations->count);
  for (uint32_t i = 0; i < locations->count; i++)
    TRY(dloc_convert(converter, locations->of.nodes[i], &q->reason, &results[i]));
  if (!q->module)
    return DLOC_OK;
  TRY(dloc_convert_sources(converter, &q->reason, &sources, &count));
  dloc_node *left = term_set_nodes(q->arena, value, "sources", count);
  if (count)
    memcpy(left, sources, count * sizeof *left);
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  dloc_converter *converter = NULL;
  dloc_form to = (dloc_form)term_word(q->args, "to");
  TRY(dloc_converter_create(q->context, q->profile, q->module, to, NULL, NULL, &converter));
  dloc_status status = convert_all(q, converter, value);
  dloc_converter_destroy(converter);
  return status;
}

const operation op_convert = {
    .name = "convert",
    .forms = {{MAP(NULL, FIELD("to", WORD("to", "tuple", "irlayers")), FIELD("locations", LIST(NODE))),
               MAP_AS(NULL, "results: #results\nsources: #sources\n",
                      {.key = "results", .of = LIST(NODE), .as_many = "locations"}, OPTIONAL("sources", LIST(NODE)),
                      NODES)}},
    .module = MODULE_NAMED_ONLY,
    .roots = "node",
    .check = check,
    .ask = ask,
    .args_cell =
        "`{to: irlayers, locations: [a, null]}`; `to`: `irlayers` or `tuple`; `module` (optional) with `llvm.intermediate_level_source`",
    .value_cell =
        "`results: [...]`: one for each location; `sources: [...]`: the entries of the list of sources afterwards, when there is a module",
};
