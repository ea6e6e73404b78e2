/* vector_use.c - which nodes of a vector nothing refers to. */
#include "vector_internal.h"

#include <string.h>

typedef struct marker {
  const node_graph *graph;
  bool *used;      /* by index */
  uint32_t *stack; /* used and not yet followed */
  uint32_t height;
} marker;

static const planned_node *node_of(const node_graph *graph, uint32_t index) {
  while (index < graph->first)
    graph = graph->outer;
  return &graph->nodes[index - graph->first];
}

static void mark(marker *m, const operand *o) {
  if (o->kind != OPERAND_NODE || m->used[o->node])
    return;
  m->used[o->node] = true;
  m->stack[m->height++] = o->node;
}

static void mark_all(marker *m, const operand *operands, size_t count) {
  for (size_t i = 0; i < count; i++)
    mark(m, &operands[i]);
}

static void follow(marker *m) {
  while (m->height) {
    const planned_node *node = node_of(m->graph, m->stack[--m->height]);
    for (uint32_t i = 0; i < node->field_count; i++)
      mark(m, &node->fields[i].value);
  }
}

static dloc_status marker_init(marker *m, const node_graph *graph, value_arena *arena) {
  uint32_t count = graph->first + graph->count;
  *m = (marker){.graph = graph};
  m->used = value_arena_alloc(arena, count, sizeof *m->used);
  m->stack = value_arena_alloc(arena, count, sizeof *m->stack);
  return m->used && m->stack ? DLOC_OK : DLOC_NO_MEMORY;
}

static void mark_module(marker *m, const planned_module *module) {
  for (size_t i = 0; i < module->function_count; i++) {
    const planned_function *function = &module->functions[i];
    mark_all(m, function->subprograms, function->subprogram_count);
    for (size_t j = 0; j < function->instruction_count; j++) {
      mark(m, &function->instructions[j].location);
      mark(m, &function->instructions[j].variable);
      mark(m, &function->instructions[j].loop);
      mark(m, &function->instructions[j].attached);
    }
  }
  for (size_t i = 0; i < module->named_count; i++)
    mark_all(m, module->named[i].operands, module->named[i].operand_count);
  mark_all(m, module->units, module->unit_count);
}

static void mark_args(marker *m, const struct vector_plan *plan) {
  mark_all(m, plan->locations, plan->location_count);
  mark(m, &plan->function);
  mark(m, &plan->source_file);
  for (size_t i = 0; i < plan->list_count; i++)
    mark_all(m, plan->lists[i].entries, plan->lists[i].count);
  for (size_t i = 0; i < plan->call_count; i++) {
    const planned_call *call = &plan->calls[i];
    mark(m, &call->location);
    mark(m, &call->loop);
    mark_all(m, call->records, call->record_count);
    for (size_t j = 0; j < call->callee_count; j++)
      mark(m, &call->callee[j].location);
  }
}

static void mark_answer(marker *m, const struct vector_answer_plan *plan) {
  mark(m, &plan->result);
  for (size_t i = 0; i < plan->layer_count; i++)
    mark(m, &plan->layers[i].location);
  for (size_t i = 0; i < plan->call_count; i++) {
    mark_all(m, plan->calls[i].results, plan->calls[i].result_count);
    mark(m, &plan->calls[i].loop);
    mark_all(m, plan->calls[i].records, plan->calls[i].record_count);
  }
  for (size_t i = 0; i < plan->entry_count; i++)
    mark(m, &plan->entries[i].file);
  mark_all(m, plan->results, plan->result_count);
  mark_all(m, plan->sources, plan->source_count);
  for (size_t i = 0; i < plan->part_count; i++)
    mark_all(m, plan->parts[i].metadata, plan->parts[i].metadata_count);
}

/* A location with an atom counts without being referred to: it moves the counter of fresh groups. */
static bool has_atom(const planned_node *node) {
  for (uint32_t i = 0; i < node->field_count; i++)
    if (dloc_text_equal(node->fields[i].key, dloc_text_of("atomGroup")))
      return true;
  return false;
}

static void report_unused(const marker *m, vector_unused_report *report, void *user) {
  for (uint32_t i = 0; i < m->graph->count; i++)
    if (!m->used[m->graph->first + i] && !has_atom(&m->graph->nodes[i]))
      report(user, m->graph->nodes[i].name, m->graph->nodes[i].line, m->graph->nodes[i].column);
}

/* The nodes of one expectation; what it uses of the vector's is added to outer. */
static dloc_status use_in(const vector_expectation *expectation, value_arena *arena, marker *outer,
                          vector_unused_report *report, void *user) {
  marker m;
  if (!expectation->plan->graph.outer)
    return DLOC_OK; /* a rejection, or verify: no nodes */
  TRY(marker_init(&m, &expectation->plan->graph, arena));
  mark_answer(&m, expectation->plan);
  follow(&m);
  report_unused(&m, report, user);
  for (uint32_t i = 0; i < outer->graph->count; i++)
    outer->used[i] = outer->used[i] || m.used[i];
  return DLOC_OK;
}

dloc_status vector_unused(const vector *v, value_arena *arena, vector_unused_report *report, void *user) {
  marker m;
  TRY(marker_init(&m, &v->plan->graph, arena));
  mark_args(&m, v->plan);
  mark_module(&m, &v->plan->module);
  follow(&m);
  TRY(use_in(&v->expect, arena, &m, report, user));
  for (size_t i = 0; i < v->choice_count; i++)
    TRY(use_in(&v->choices[i].expect, arena, &m, report, user));
  for (size_t i = 0; i < v->profile_count; i++)
    TRY(use_in(&v->profiles[i].expect, arena, &m, report, user));
  report_unused(&m, report, user);
  return DLOC_OK;
}

bool vector_has_layers(const vector *v) {
  const node_graph *graph = &v->plan->graph;
  for (uint32_t i = 0; i < graph->count; i++)
    if (graph->nodes[i].form == FORM_COMPOSITE)
      return true;
  return false;
}
