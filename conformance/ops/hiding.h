/* hiding.h - what `hide` and `reveal` share: a module of locations that is hidden. spec/hidden.md 17 */
#pragma once

#include "document/memory.h"
#include "objects/dloc_hidden.h"
#include "operation.h"

/* The args of what is hidden. */
#define HIDING_IN WORD("where numbers stand", "discriminator", "column")
#define HIDING_OPTIONS OPTIONAL("in", HIDING_IN), OPTIONAL("first", NUMBER), OPTIONAL("step", NUMBER)

/* A module with one function: instructions with these locations, debug records behind them, and instructions with
 * loops: `records` and `loops` of the given map, if it has any. The function has its `subprogram`, and with `calls` the
 * instructions call it. */
dloc_status hiding_module(query *q, const term *given, const term *locations, dloc_module **ret);
/* Its location of an instruction, by the order above. */
dloc_node hiding_location(const dloc_module *module, size_t index);
/* All of its locations, as `results`, `records` and `loops`. */
void hiding_describe(query *q, const term *given, size_t locations, const dloc_module *module, term *value);
/* Its list of sources as `sources`, unless it is empty. */
void hiding_describe_sources(query *q, const dloc_module *module, term *value);
#define HIDING_RESULTS FIELD("results", LIST(NODE)), OPTIONAL("records", LIST(NODE)), OPTIONAL("loops", LIST(NODE))
OWNER(dloc_hidden)
/* The table of hidden layers that the vector's module is; without a module it has no numbers. */
dloc_status hidden_table(query *q, dloc_hidden **ret);
/* A dloc_hidden_problem whose user is a dloc_reason: the last one. */
dloc_status hiding_note_reason(void *user, dloc_reason reason, uint32_t instruction, dloc_node node);
/* Hide it by the options of a map of args. */
dloc_status hiding_run(query *q, const term *options, dloc_module *module, dloc_hidden **ret);

/* ---- onto.c ---- */

typedef struct onto {
  query *q;
  const dloc_hidden *hidden;
  const dloc_module *made; /* what a pass made of what was hidden */
  dloc_hidden_problem *on_problem;
  void *user;
} onto;

/* The args of layers for a module that has none, and what it becomes. */
#define ONTO_LISTS FIELD("locations", LIST(NODE)), OPTIONAL("records", LIST(NODE)), OPTIONAL("loops", LIST(NODE))
#define ONTO                                                                                                           \
  MAP("the module without layers", ONTO_LISTS, OPTIONAL("subprogram", NODE), OPTIONAL("differs", FLAG),                \
      OPTIONAL("strict", FLAG), OPTIONAL("line-0", FLAG))
#define ONTO_KIND MAP("a kind", FIELD("kind", TEXT), ONTO_LISTS, OPTIONAL("differs", FLAG))
dloc_status onto_reveal(const onto *o, term *value);
