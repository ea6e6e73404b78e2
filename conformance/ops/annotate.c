/* annotate.c - `annotate`: a layer for each instruction. spec/transformations.md 5.13 */
#include "declare.h"
#include "hiding.h"

static dloc_place place_of(void *user, uint32_t function, uint32_t instruction) {
  const term *args = user, *lines = term_list(args, "lines");
  (void)function;
  if (instruction == DLOC_NO_INDEX)
    return (dloc_place){.line = (uint32_t)term_number(args, "origin"), .column = 1};
  return (dloc_place){.line = instruction < lines->count ? (uint32_t)lines->of.items[instruction].of.number : 0,
                      .column = 3};
}

static dloc_status ask(query *q, term *value) {
  const dloc_annotation annotation = {.kind = term_text(q->args, "kind"),
                                      .file = dloc_text_of("m.ll"),
                                      .text = term_text(q->args, "text"),
                                      .all = term_flag(q->args, "all"),
                                      .loops = term_get(q->args, "loops") != NULL,
                                      .origin = term_get(q->args, "origin") != NULL,
                                      .replace = term_flag(q->args, "replace"),
                                      .place = place_of,
                                      .user = (void *)q->args};
  OWNED(release_dloc_module) dloc_module *module = NULL;
  const term *locations = term_list(q->args, "locations"), *sources = term_get(q->args, "sources");
  uint32_t instruction;
  TRY(hiding_module(q, q->args, locations, &module));
  if (sources)
    TRY(dloc_module_add_named(module, dloc_text_of(DLOC_SOURCE_LIST), sources->of.nodes, sources->count));
  TRY(dloc_annotate(module, &annotation, &q->reason, &instruction));
  hiding_describe(q, q->args, locations->count, module, value);
  term_set_nodes(q->arena, value, "sources", 0);
  hiding_describe_sources(q, module, value);
  return DLOC_OK;
}

const operation op_annotate = {
    .name = "annotate",
    .forms = {{MAP(NULL, ONTO_LISTS, FIELD("subprogram", NODE), FIELD("kind", TEXT), OPTIONAL("text", TEXT),
                   OPTIONAL("lines", LIST(NUMBER)), OPTIONAL("origin", NUMBER), OPTIONAL("sources", LIST(NODE)),
                   OPTIONAL("all", FLAG), OPTIONAL("replace", FLAG)),
               MAP_AS(NULL, "results: #results\nrecords: #records\nloops: #loops\nsources: #sources\n", HIDING_RESULTS,
                      FIELD("sources", LIST(NODE)), NODES)}},
    .roots = "node",
    .ask = ask,
};
