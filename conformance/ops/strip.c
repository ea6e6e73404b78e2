/* strip.c - `strip`: what stripping leaves of locations and of the list of sources. spec/transformations.md 5.7 */
#include "declare.h"

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  (void)args;
  if (value && !term_get(value, "sources") != !module)
    return WRONG(r, value->from, "vector.field", "sources stand in the value when there is a module");
  return DLOC_OK;
}

static dloc_status strip_sources(query *q, dloc_stripper *stripper, term *value) {
  size_t count = dloc_source_count(q->module), kept = 0;
  dloc_source *sources = value_arena_alloc(q->arena, count, sizeof *sources);
  dloc_node *stripped = value_arena_alloc(q->arena, count, sizeof *stripped);
  dloc_source_list(q->module, count, sources);
  for (size_t i = 0; i < count; i++) {
    TRY(dloc_strip_source(stripper, sources[i].entry, &stripped[kept]));
    kept += stripped[kept] != DLOC_NULL;
  }
  dloc_node *left = term_set_nodes(q->arena, value, "sources", kept);
  for (size_t i = 0; i < kept; i++)
    left[i] = stripped[i];
  return DLOC_OK;
}

static dloc_status strip_all(query *q, dloc_stripper *stripper, term *value) {
  const term *locations = term_list(q->args, "locations");
  dloc_node *results = term_set_nodes(q->arena, value, "results", locations->count);
  for (uint32_t i = 0; i < locations->count; i++)
    TRY(dloc_strip_instruction(stripper, locations->of.nodes[i], &q->reason, &results[i]));
  return q->module ? strip_sources(q, stripper, value) : DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  dloc_stripper *stripper = NULL;
  TRY(dloc_stripper_create(q->context, q->profile, (dloc_strip_keep)term_word(q->args, "keep"), &stripper));
  dloc_status status = strip_all(q, stripper, value);
  dloc_stripper_destroy(stripper);
  return status;
}

const operation op_strip = {
    .name = "strip",
    .forms = {{MAP(NULL, FIELD("locations", LIST(NODE)), FIELD("keep", WORD("keep", "nothing", "line-tables"))),
               MAP_AS(NULL, "results: #results\nsources: #sources\n",
                      {.key = "results", .of = LIST(NODE), .as_many = "locations"}, OPTIONAL("sources", LIST(NODE)),
                      NODES)}},
    .module = MODULE_NAMED_ONLY,
    .roots = "node",
    .check = check,
    .ask = ask,
    .args_cell =
        "`{locations: [a, null], keep: line-tables}`; `keep`: `line-tables` or `nothing`; `module` (optional) with `llvm.intermediate_level_source`",
    .value_cell =
        "`results: [...]`: one for each location; `sources: [...]`: the entries that are left, when there is a module",
};
