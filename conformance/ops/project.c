/* project.c - `project`: one channel of a module as its only location. spec/transformations.md 5.12 */
#include "declare.h"
#include "hiding.h"

static dloc_status ask(query *q, term *value) {
  const term *locations = term_list(q->args, "locations");
  const dloc_projection projection = {.kind =
                                          term_get(q->args, "kind") ? term_text(q->args, "kind") : (dloc_text){NULL, 0},
                                      .like_primary = term_flag(q->args, "like-primary")};
  OWNED(release_dloc_module) dloc_module *module = NULL;
  TRY(hiding_module(q, q->args, locations, &module));
  TRY(dloc_project(module, &projection));
  hiding_describe(q, q->args, locations->count, module, value);
  return DLOC_OK;
}

const operation op_project = {
    .name = "project",
    .forms = {{MAP(NULL, ONTO_LISTS, OPTIONAL("subprogram", NODE), OPTIONAL("calls", FLAG), OPTIONAL("kind", TEXT),
                   OPTIONAL("like-primary", FLAG)),
               MAP_AS(NULL, "results: #results\nrecords: #records\nloops: #loops\n", HIDING_RESULTS, NODES)}},
    .roots = "node",
    .ask = ask,
};
