/* vector_link.c - the op link: lists of sources, one for each module, become one. */
#include "vector_internal.h"

/* ---- Planning ---- */

dloc_status plan_link_args(const schema *s, const value *args, struct vector_plan *plan) {
  static const char *const keys[] = {"lists", NULL};
  const value *lists = NULL;
  TRY(expect_map(s, args, "args of link", keys));
  TRY(require(s, args, "lists", &lists));
  TRY(expect_list(s, lists, "lists"));
  planned_list *planned = value_arena_alloc(s->arena, lists->count, sizeof *planned);
  if (!planned)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < lists->count; i++) {
    TRY(expect_list(s, &lists->of.items[i], "a list of entries"));
    TRY(plan_references(s, &plan->graph, &lists->of.items[i], &planned[i].entries, &planned[i].count));
  }
  plan->lists = planned;
  plan->list_count = lists->count;
  return DLOC_OK;
}

dloc_status plan_link(const schema *s, const value *map, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"sources", "nodes", NULL};
  const value *sources = NULL;
  TRY(expect_map(s, map, "the value of link", keys));
  TRY(require(s, map, "sources", &sources));
  TRY(expect_list(s, sources, "sources"));
  return plan_references(s, &plan->graph, sources, &plan->sources, &plan->source_count);
}

/* ---- Building ---- */

dloc_status build_lists(const struct vector_plan *plan, const dloc_node *handles, value_arena *arena,
                        vector_case *ret) {
  vector_list *lists = value_arena_alloc(arena, plan->list_count, sizeof *lists);
  if (!lists)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < plan->list_count; i++) {
    lists[i] = (vector_list){built_references(plan->lists[i].entries, plan->lists[i].count, handles, arena),
                             plan->lists[i].count};
    if (!lists[i].entries)
      return DLOC_NO_MEMORY;
  }
  ret->lists = lists;
  ret->list_count = plan->list_count;
  return DLOC_OK;
}

/* ---- The model's answer ---- */

dloc_status evaluate_link(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                          vector_answer *answer) {
  size_t count = 0, at = 0;
  dloc_reason reason = DLOC_REASON_NONE;
  for (size_t i = 0; i < built->list_count; i++)
    count += built->lists[i].count;
  dloc_node *entries = value_arena_alloc(arena, count, sizeof *entries);
  dloc_node *sources = value_arena_alloc(arena, count, sizeof *sources);
  if (!entries || !sources)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < built->list_count; i++)
    for (size_t j = 0; j < built->lists[i].count; j++)
      entries[at++] = built->lists[i].entries[j];
  answer->sources = sources;
  dloc_status status =
      dloc_link_sources(built->context, profile, entries, count, &reason, sources, &answer->source_count);
  return settle(status, reason, answer);
}
