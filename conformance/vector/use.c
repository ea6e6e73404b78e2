/* use.c - which nodes of a vector nothing refers to. */
#include "vector.h"

typedef struct marker {
  const graph *graph;
  bool *used;      /* by index */
  uint32_t *stack; /* used and not yet followed */
  uint32_t height;
} marker;

static void mark(void *user, const graph_operand *o) {
  marker *m = user;
  if (o->kind != OPERAND_NODE || m->used[o->node])
    return;
  m->used[o->node] = true;
  m->stack[m->height++] = o->node;
}

/* The node that a term refers to, and its effect. */
static void follow(marker *m, const term *t) {
  if (t)
    term_operands(t, mark, m);
  while (m->height) {
    const graph_node *node = graph_node_at(m->graph, m->stack[--m->height]);
    for (uint32_t i = 0; i < node->field_count; i++)
      mark(m, &node->fields[i].value);
  }
}

static marker begin(const graph *g, value_arena *arena) {
  uint32_t count = g->first + g->count;
  return (marker){.graph = g,
                  .used = value_arena_alloc(arena, count, sizeof(bool)),
                  .stack = value_arena_alloc(arena, count, sizeof(uint32_t))};
}

/* A location with an atom counts without being referred to: it moves the counter of fresh groups. */
static void report_unused(const marker *m, vector_unused_report *report, void *user) {
  for (uint32_t i = 0; i < m->graph->count; i++) {
    const graph_node *node = &m->graph->nodes[i];
    if (!m->used[m->graph->first + i] && !graph_node_has_atom(node))
      report(user, node->name, node->line, node->column);
  }
}

/* The nodes of one expectation; what it uses of the vector's is added to outer. */
static void use_in(const vector_expectation *e, value_arena *arena, marker *outer, vector_unused_report *report,
                   void *user) {
  if (!e->read)
    return;
  marker m = begin(e->graph, arena);
  follow(&m, e->read);
  report_unused(&m, report, user);
  for (uint32_t i = 0; i < outer->graph->count; i++)
    outer->used[i] = outer->used[i] || m.used[i];
}

/* Every DICompileUnit is in the module, unless it lists them. */
static void mark_units(marker *m, const term *module) {
  for (uint32_t i = 0; module && !term_get(module, "units") && i < m->graph->count; i++)
    if (dloc_text_equal(m->graph->nodes[i].class_name, dloc_text_of("DICompileUnit")))
      mark(m, &(graph_operand){.kind = OPERAND_NODE, .node = i});
}

dloc_status vector_unused(const vector *v, value_arena *arena, vector_unused_report *report, void *user) {
  marker m = begin(v->graph, arena);
  mark_units(&m, v->read_module);
  follow(&m, v->read_module);
  follow(&m, v->read_args);
  use_in(&v->expect, arena, &m, report, user);
  for (size_t i = 0; i < v->choice_count; i++)
    use_in(&v->choices[i].expect, arena, &m, report, user);
  for (size_t i = 0; i < v->profile_count; i++)
    use_in(&v->profiles[i].expect, arena, &m, report, user);
  report_unused(&m, report, user);
  return DLOC_OK;
}

bool vector_has_irlayers(const vector *v) {
  return graph_has_class(v->graph, "DILayerLoc") || graph_has_class(v->graph, "DILayerLocList");
}

bool vector_has_layers(const vector *v) {
  for (uint32_t i = 0; i < v->graph->count; i++)
    if (v->graph->nodes[i].form == FORM_COMPOSITE)
      return true;
  return false;
}
