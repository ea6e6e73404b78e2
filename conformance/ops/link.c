/* link.c - `link`: the lists of sources of several modules become one. spec/transformations.md 6.2 */
#include "declare.h"

static dloc_status ask(query *q, term *value) {
  const term *lists = term_list(q->args, "lists");
  size_t count = 0, kept = 0;
  for (uint32_t i = 0; i < lists->count; i++)
    count += lists->of.items[i].count;
  dloc_node *entries = value_arena_alloc(q->arena, count, sizeof *entries), *next = entries;
  dloc_node *linked = value_arena_alloc(q->arena, count, sizeof *linked);
  for (uint32_t i = 0; i < lists->count; i++)
    for (uint32_t j = 0; j < lists->of.items[i].count; j++)
      *next++ = lists->of.items[i].of.nodes[j];
  TRY(dloc_link_sources(q->context, q->profile, entries, count, linked, &kept));
  term_set_copy(q->arena, value, "sources", linked, kept);
  return DLOC_OK;
}

const operation op_link = {
    .name = "link",
    .forms = {{MAP(NULL, FIELD("lists", LIST(LIST_AS("a list of entries", NULL, NODE)))),
               MAP(NULL, FIELD("sources", LIST(NODE)), NODES)}},
    .roots = "entry",
    .ask = ask,
};
