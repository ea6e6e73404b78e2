/* strip.c - `strip`: what stripping leaves of locations and of the list of sources. spec/transformations.md 5.7 */
#include "declare.h"
#include "document/memory.h"

static dloc_status strip_sources(query *q, dloc_stripper *stripper, term *value) {
  size_t count = dloc_source_count(q->module), kept = 0;
  dloc_source *sources = value_arena_alloc(q->arena, count, sizeof *sources);
  dloc_node *stripped = value_arena_alloc(q->arena, count, sizeof *stripped);
  dloc_source_list(q->module, count, sources);
  for (size_t i = 0; i < count; i++) {
    TRY(dloc_strip_source(stripper, sources[i].entry, &stripped[kept]));
    kept += stripped[kept] != DLOC_NULL;
  }
  term_set_copy(q->arena, value, "sources", stripped, kept);
  return DLOC_OK;
}

OWNER(dloc_stripper)

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_stripper) dloc_stripper *stripper = NULL;
  const term *locations = term_list(q->args, "locations");
  dloc_node *results = term_set_nodes(q->arena, value, "results", locations->count);
  TRY(dloc_stripper_create(q->context, q->profile, (dloc_strip_keep)term_word(q->args, "keep"), &stripper));
  for (uint32_t i = 0; i < locations->count; i++)
    TRY(dloc_strip_instruction(stripper, locations->of.nodes[i], &q->reason, &results[i]));
  return q->module ? strip_sources(q, stripper, value) : DLOC_OK;
}

const operation op_strip = {
    .name = "strip",
    .forms = {{MAP(NULL, FIELD("locations", LIST(NODE)), FIELD("keep", WORD("keep", "nothing", "line-tables"))),
               MAP_AS(NULL, "results: #results\nsources: #sources\n", FOR_EACH("results", "locations"),
                      OPTIONAL("sources", LIST(NODE)), NODES)}},
    .module = MODULE_NAMED_ONLY,
    .roots = "node",
    .check = term_check_sources,
    .ask = ask,
};
