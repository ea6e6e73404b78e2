/* vector_moved.c - the ops strip and outline: what becomes of locations, one for each. */
#include "vector_internal.h"

#include <stdio.h>

/* ---- Planning ---- */

static dloc_status plan_arg_locations(const schema *s, const value *args, struct vector_plan *plan) {
  const value *locations = NULL;
  TRY(require(s, args, "locations", &locations));
  TRY(expect_list(s, locations, "locations"));
  return plan_references(s, &plan->graph, locations, &plan->locations, &plan->location_count);
}

dloc_status plan_strip_args(const schema *s, const value *args, struct vector_plan *plan) {
  static const char *const keys[] = {"locations", "keep", NULL};
  const value *keep = NULL;
  TRY(expect_map(s, args, "args of strip", keys));
  TRY(plan_arg_locations(s, args, plan));
  TRY(require(s, args, "keep", &keep));
  plan->keep = value_is(keep, "nothing") ? DLOC_STRIP_KEEP_NOTHING : DLOC_STRIP_KEEP_LINE_TABLES;
  bool known = value_is(keep, "nothing") || value_is(keep, "line-tables");
  return known ? DLOC_OK : WRONG(s, keep, "vector.field", "keep is nothing or line-tables");
}

dloc_status plan_outline_args(const schema *s, const value *args, struct vector_plan *plan) {
  static const char *const keys[] = {"locations", "function", NULL};
  TRY(expect_map(s, args, "args of outline", keys));
  TRY(plan_arg_locations(s, args, plan));
  return plan_reference(s, &plan->graph, value_get(args, "function"), &plan->function);
}

static dloc_status plan_results(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  const value *results = NULL;
  TRY(require(s, map, "results", &results));
  TRY(expect_list(s, results, "results"));
  if (results->count != v->plan->location_count)
    return WRONG(s, results, "vector.field", "results are as many as locations");
  return plan_references(s, &plan->graph, results, &plan->results, &plan->result_count);
}

dloc_status plan_strip(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"results", "sources", "nodes", NULL};
  const value *sources = value_get(map, "sources");
  TRY(expect_map(s, map, "the value of strip", keys));
  TRY(plan_results(s, v, map, plan));
  if ((sources != NULL) != v->plan->has_module)
    return WRONG(s, map, "vector.field", "sources stand in the value when there is a module");
  if (!sources)
    return DLOC_OK;
  TRY(expect_list(s, sources, "sources"));
  return plan_references(s, &plan->graph, sources, &plan->sources, &plan->source_count);
}

dloc_status plan_outline(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"results", "nodes", NULL};
  TRY(expect_map(s, map, "the value of outline", keys));
  return plan_results(s, v, map, plan);
}

/* ---- Canonical text ---- */

dloc_status print_strip(dloc_context *context, value_arena *arena, const vector_answer *answer, dloc_sink sink) {
  size_t count = answer->result_count + answer->source_count;
  dloc_node *roots = value_arena_alloc(arena, count, sizeof *roots);
  char line[64];
  if (!roots)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    roots[i] = i < answer->result_count ? answer->results[i] : answer->sources[i - answer->result_count];
  snprintf(line, sizeof line, "results: %zu\nsources: %zu\n", answer->result_count, answer->source_count);
  TRY(print_text(sink, line));
  return dloc_print_graph(context, "node", roots, count, sink);
}

/* ---- The model's answer ---- */

static dloc_status strip_sources(dloc_stripper *stripper, const dloc_module *module, value_arena *arena,
                                 vector_answer *answer) {
  size_t count = module ? dloc_source_count(module) : 0, kept = 0;
  dloc_source *sources = value_arena_alloc(arena, count, sizeof *sources);
  dloc_node *stripped = value_arena_alloc(arena, count, sizeof *stripped);
  if (!sources || !stripped)
    return DLOC_NO_MEMORY;
  if (module)
    dloc_source_list(module, count, sources);
  for (size_t i = 0; i < count; i++) {
    TRY(dloc_strip_source(stripper, sources[i].entry, &stripped[kept]));
    kept += stripped[kept] != DLOC_NULL;
  }
  answer->sources = stripped;
  answer->source_count = kept;
  return DLOC_OK;
}

static dloc_status strip_all(dloc_stripper *stripper, const vector_case *built, value_arena *arena,
                             dloc_reason *ret_reason, vector_answer *answer) {
  dloc_node *results = value_arena_alloc(arena, built->location_count, sizeof *results);
  if (!results)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < built->location_count; i++)
    TRY(dloc_strip_instruction(stripper, built->locations[i], ret_reason, &results[i]));
  answer->results = results;
  answer->result_count = built->location_count;
  return strip_sources(stripper, built->module, arena, answer);
}

dloc_status evaluate_strip(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                           vector_answer *answer) {
  dloc_stripper *stripper = NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  TRY(dloc_stripper_create(built->context, profile, built->keep, &stripper));
  dloc_status status = strip_all(stripper, built, arena, &reason, answer);
  dloc_stripper_destroy(stripper);
  return settle(status, reason, answer);
}

dloc_status evaluate_outline(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                             vector_answer *answer) {
  dloc_node *results = value_arena_alloc(arena, built->location_count, sizeof *results);
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_status status = results ? DLOC_OK : DLOC_NO_MEMORY;
  for (size_t i = 0; status == DLOC_OK && i < built->location_count; i++)
    status = dloc_outline(built->context, profile, built->locations[i], built->function, &reason, &results[i]);
  answer->results = results;
  answer->result_count = built->location_count;
  return settle(status, reason, answer);
}
