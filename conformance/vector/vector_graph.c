/* vector_graph.c - the nodes of a vector: plan them, build them. */
#include "vector_internal.h"

#include <stdlib.h>
#include <string.h>

static bool text_is(dloc_text text, const char *name) { return dloc_text_equal(text, dloc_text_of(name)); }

field_type field_type_of(dloc_text class_name, dloc_text field) {
  static const field_type types[] = {TYPE_WORD, TYPE_NODE, TYPE_TEXT};
  return types[dloc_class_field_content(class_name, field)];
}

/* ---- Planning ---- */

bool graph_find(const node_graph *graph, dloc_text name, uint32_t *ret) {
  for (; graph; graph = graph->outer) {
    const value_entry *entry = value_find_entry(graph->names, name);
    if (entry) {
      *ret = graph->first + (uint32_t)(entry - graph->names->of.entries);
      return true;
    }
  }
  return false;
}

static dloc_status plan_name(const schema *s, const node_graph *graph, const value *v, operand *ret) {
  *ret = (operand){.kind = OPERAND_NODE};
  if (v->kind != VALUE_SCALAR)
    return WRONG(s, v, "vector.field", "expected the name of a node");
  if (!graph_find(graph, value_text(v), &ret->node))
    return WRONG(s, v, "vector.name", "no node is named '%.100s'", v->of.bytes);
  return DLOC_OK;
}

dloc_status plan_reference(const schema *s, const node_graph *graph, const value *v, operand *ret) {
  if (!value_is_null(v))
    return plan_name(s, graph, v, ret);
  *ret = (operand){.kind = OPERAND_NULL};
  return DLOC_OK;
}

dloc_status plan_references(const schema *s, const node_graph *graph, const value *list, const operand **ret,
                            size_t *ret_count) {
  operand *references = value_arena_alloc(s->arena, list->count, sizeof *references);
  if (!references)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_reference(s, graph, &list->of.items[i], &references[i]));
  *ret = references;
  *ret_count = list->count;
  return DLOC_OK;
}

/* {string: x}, {constant: x}, {word: x} or {name: x}. */
static dloc_status plan_explicit(const schema *s, const node_graph *graph, const value *v, operand *ret) {
  static const struct {
    const char *key;
    operand_kind kind;
  } forms[] = {{"string", OPERAND_STRING}, {"constant", OPERAND_CONSTANT}, {"word", OPERAND_WORD}};
  if (v->kind != VALUE_MAP || v->count != 1 || v->of.entries[0].value.kind != VALUE_SCALAR)
    return WRONG(s, v, "vector.field", "expected a name, null, {string: x}, {constant: x}, {word: x} or {name: x}");
  const value_entry *entry = &v->of.entries[0];
  if (text_is(entry->key, "name"))
    return plan_name(s, graph, &entry->value, ret);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (text_is(entry->key, forms[i].key)) {
      *ret = (operand){.kind = forms[i].kind, .text = value_text(&entry->value)};
      return DLOC_OK;
    }
  return WRONG(s, entry, "vector.field", "'%.100s' is no form of a value", entry->key.bytes);
}

static dloc_status plan_operand(const schema *s, const node_graph *graph, const value *v, field_type type,
                                operand *ret) {
  if (value_is_null(v)) {
    *ret = (operand){.kind = OPERAND_NULL};
    return DLOC_OK;
  }
  if (v->kind != VALUE_SCALAR)
    return plan_explicit(s, graph, v, ret);
  if (type == TYPE_NODE)
    return plan_name(s, graph, v, ret);
  *ret = (operand){.kind = type == TYPE_TEXT ? OPERAND_STRING : OPERAND_WORD, .text = value_text(v)};
  return DLOC_OK;
}

dloc_status plan_operands(const schema *s, const node_graph *graph, const value *list, const operand **ret,
                          size_t *ret_count) {
  operand *operands = value_arena_alloc(s->arena, list->count, sizeof *operands);
  if (!operands)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_operand(s, graph, &list->of.items[i], TYPE_NODE, &operands[i]));
  *ret = operands;
  *ret_count = list->count;
  return DLOC_OK;
}

static planned_field *new_fields(const schema *s, planned_node *node, uint32_t count) {
  planned_field *fields = value_arena_alloc(s->arena, count, sizeof *fields);
  node->fields = fields;
  node->field_count = fields ? count : 0;
  return fields;
}

/* The operands of a tuple or the positional fields of a node; with self, the node is the first. */
static dloc_status plan_operand_list(const schema *s, const node_graph *graph, const value *list, field_type type,
                                     bool self, planned_node *node) {
  TRY(expect_list(s, list, "operands"));
  planned_field *fields = new_fields(s, node, list->count + self);
  if (!fields)
    return DLOC_NO_MEMORY;
  if (self)
    fields[0].value = (operand){.kind = OPERAND_NODE, .node = graph->first + (uint32_t)(node - graph->nodes)};
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_operand(s, graph, &list->of.items[i], type, &fields[self + i].value));
  return DLOC_OK;
}

/* `self`: distinct, with itself as operand 0, as loop ids are. */
static dloc_status plan_tuple(const schema *s, const node_graph *graph, const value *v, planned_node *node) {
  static const char *const keys[] = {"node", "distinct", "self", "operands", NULL};
  const value *operands = NULL;
  bool self = false;
  TRY(expect_map(s, v, "a tuple", keys));
  TRY(require(s, v, "operands", &operands));
  TRY(read_flag(s, v, "self", false, &self));
  node->form = FORM_TUPLE;
  node->distinct = node->distinct || self;
  return plan_operand_list(s, graph, operands, TYPE_NODE, self, node);
}

static dloc_status plan_layer(const schema *s, const node_graph *graph, const value *v, planned_field *ret) {
  static const char *const keys[] = {"kind", "location", NULL};
  const value *kind = NULL, *location = NULL;
  TRY(expect_map(s, v, "a layer", keys));
  TRY(require(s, v, "kind", &kind));
  TRY(require(s, v, "location", &location));
  TRY(read_text(s, kind, "kind", &ret->key));
  return plan_operand(s, graph, location, TYPE_NODE, &ret->value);
}

/* Field 0 is the primary. */
static dloc_status plan_composite(const schema *s, const node_graph *graph, const value *v, planned_node *node) {
  static const char *const keys[] = {"node", "distinct", "primary", "layers", NULL};
  const value *primary = NULL, *layers = NULL;
  TRY(expect_map(s, v, "a composite", keys));
  TRY(require(s, v, "primary", &primary));
  TRY(require(s, v, "layers", &layers));
  TRY(expect_list(s, layers, "layers"));
  if (layers->count == 0)
    return WRONG(s, layers, "vector.field", "a composite has at least one layer; write a tuple");
  planned_field *fields = new_fields(s, node, layers->count + 1);
  if (!fields)
    return DLOC_NO_MEMORY;
  node->form = FORM_COMPOSITE;
  TRY(plan_operand(s, graph, primary, TYPE_NODE, &fields[0].value));
  for (uint32_t i = 0; i < layers->count; i++)
    TRY(plan_layer(s, graph, &layers->of.items[i], &fields[i + 1]));
  return DLOC_OK;
}

static dloc_status plan_text_node(const schema *s, const value *v, node_form form, planned_node *node) {
  static const char *const keys[] = {"node", "value", NULL};
  const value *text = NULL;
  TRY(expect_map(s, v, "a string or constant", keys));
  TRY(require(s, v, "value", &text));
  node->form = form;
  return read_text(s, text, "value", &node->class_name);
}

/* A specialised node: every key but node and distinct is a field; `operands` are positional words (DIExpression). */
static dloc_status plan_specialised(const schema *s, const node_graph *graph, const value *v, planned_node *node) {
  const value *operands = value_get(v, "operands");
  node->form = FORM_SPECIALISED;
  if (operands)
    return plan_operand_list(s, graph, operands, TYPE_WORD, false, node);
  planned_field *fields = new_fields(s, node, v->count);
  if (!fields)
    return DLOC_NO_MEMORY;
  node->field_count = 0;
  for (uint32_t i = 0; i < v->count; i++) {
    const value_entry *entry = &v->of.entries[i];
    if (text_is(entry->key, "node") || text_is(entry->key, "distinct"))
      continue;
    planned_field *field = &fields[node->field_count++];
    field->key = entry->key;
    TRY(plan_operand(s, graph, &entry->value, field_type_of(node->class_name, entry->key), &field->value));
  }
  return DLOC_OK;
}

static dloc_status plan_node(const schema *s, const node_graph *graph, const value *v, planned_node *node) {
  const value *class_name = NULL;
  if (v->kind != VALUE_MAP)
    return WRONG(s, v, "vector.field", "a node is a map {node: CLASS, field: value...}");
  TRY(require(s, v, "node", &class_name));
  TRY(read_text(s, class_name, "node", &node->class_name));
  TRY(read_flag(s, v, "distinct", false, &node->distinct));
  if (value_is(class_name, "tuple"))
    return plan_tuple(s, graph, v, node);
  if (value_is(class_name, "composite"))
    return plan_composite(s, graph, v, node);
  if (value_is(class_name, "string"))
    return plan_text_node(s, v, FORM_STRING, node);
  if (value_is(class_name, "constant"))
    return plan_text_node(s, v, FORM_CONSTANT, node);
  if (node->class_name.size < 3 || memcmp(node->class_name.bytes, "DI", 2) != 0)
    return WRONG(s, class_name, "vector.field", "'%.100s' is no class of nodes", class_name->of.bytes);
  return plan_specialised(s, graph, v, node);
}

static bool is_name(dloc_text name) {
  for (size_t i = 0; i < name.size; i++) {
    char c = name.bytes[i];
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
      return false;
  }
  return name.size > 0;
}

dloc_status plan_graph(const schema *s, const value *names, const node_graph *outer, node_graph *ret) {
  *ret = (node_graph){.outer = outer, .names = names, .first = outer ? outer->first + outer->count : 0};
  if (!names)
    return DLOC_OK;
  if (names->kind != VALUE_MAP)
    return WRONG(s, names, "vector.field", "nodes is a map of names");
  planned_node *nodes = value_arena_alloc(s->arena, names->count, sizeof *nodes);
  if (!nodes)
    return DLOC_NO_MEMORY;
  ret->nodes = nodes;
  ret->count = names->count;
  for (uint32_t i = 0; i < names->count; i++) {
    const value_entry *entry = &names->of.entries[i];
    if (!is_name(entry->key))
      return WRONG(s, entry, "vector.name", "the name of a node is of a-z, 0-9 and -");
    nodes[i] = (planned_node){.name = entry->key, .line = entry->line, .column = entry->column};
    TRY(plan_node(s, ret, &entry->value, &nodes[i]));
  }
  return DLOC_OK;
}

/* ---- Building ---- */

/* A graph being built. A node that is referred to before it is built gets a forward node as its handle. */
typedef struct builder {
  dloc_context *context;
  value_arena *arena;
  dloc_node_diagnosis *diagnosis;
  dloc_node *handles;
  bool has_forward;
} builder;

static dloc_status build_operand(builder *b, const operand *o, dloc_node *ret) {
  switch (o->kind) {
  case OPERAND_NULL:
    *ret = DLOC_NULL;
    return DLOC_OK;
  case OPERAND_STRING:
    return dloc_string(b->context, o->text, ret);
  case OPERAND_CONSTANT:
    return dloc_constant(b->context, o->text, ret);
  case OPERAND_WORD:
    return dloc_token(b->context, o->text, ret);
  case OPERAND_NODE:
    break;
  }
  if (b->handles[o->node] == DLOC_NULL) {
    TRY(dloc_forward(b->context, &b->handles[o->node]));
    b->has_forward = true;
  }
  *ret = b->handles[o->node];
  return DLOC_OK;
}

static dloc_status build_tuple(builder *b, const planned_node *node, dloc_node *ret) {
  dloc_node *operands = value_arena_alloc(b->arena, node->field_count, sizeof *operands);
  if (!operands)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < node->field_count; i++)
    TRY(build_operand(b, &node->fields[i].value, &operands[i]));
  return dloc_tuple(b->context, node->distinct, operands, node->field_count, ret);
}

static dloc_status build_composite(builder *b, const planned_node *node, dloc_node *ret) {
  dloc_node *operands = value_arena_alloc(b->arena, node->field_count, sizeof *operands);
  if (!operands)
    return DLOC_NO_MEMORY;
  TRY(build_operand(b, &node->fields[0].value, &operands[0]));
  for (uint32_t i = 1; i < node->field_count; i++) {
    dloc_node pair[2];
    TRY(dloc_string(b->context, node->fields[i].key, &pair[0]));
    TRY(build_operand(b, &node->fields[i].value, &pair[1]));
    TRY(dloc_tuple(b->context, false, pair, 2, &operands[i]));
  }
  return dloc_tuple(b->context, node->distinct, operands, node->field_count, ret);
}

static dloc_status build_specialised(builder *b, const planned_node *node, dloc_node *ret) {
  dloc_field *fields = value_arena_alloc(b->arena, node->field_count, sizeof *fields);
  if (!fields)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < node->field_count; i++) {
    if (node->fields[i].key.size)
      TRY(dloc_token(b->context, node->fields[i].key, &fields[i].key));
    TRY(build_operand(b, &node->fields[i].value, &fields[i].value));
  }
  return dloc_specialised(b->context, node->class_name, node->distinct, fields, node->field_count, b->diagnosis, ret);
}

static dloc_status build_node(builder *b, const planned_node *node, uint32_t index) {
  dloc_node built = DLOC_NULL;
  switch (node->form) {
  case FORM_SPECIALISED:
    TRY(build_specialised(b, node, &built));
    break;
  case FORM_TUPLE:
    TRY(build_tuple(b, node, &built));
    break;
  case FORM_COMPOSITE:
    TRY(build_composite(b, node, &built));
    break;
  case FORM_STRING:
    TRY(dloc_string(b->context, node->class_name, &built));
    break;
  case FORM_CONSTANT:
    TRY(dloc_constant(b->context, node->class_name, &built));
    break;
  }
  if (b->handles[index] != DLOC_NULL)
    return dloc_define(b->context, b->handles[index], built);
  b->handles[index] = built;
  return DLOC_OK;
}

static dloc_status build_nodes(builder *b, const node_graph *graph, const planned_node **ret_failed) {
  for (uint32_t i = 0; i < graph->count; i++) {
    dloc_status status = build_node(b, &graph->nodes[i], graph->first + i);
    if (status == DLOC_INVALID)
      *ret_failed = &graph->nodes[i];
    TRY(status);
  }
  return DLOC_OK;
}

dloc_status build_graph(const node_graph *graph, const dloc_node *outer, dloc_context *context, value_arena *arena,
                        const planned_node **ret_failed, dloc_node_diagnosis *diagnosis, dloc_node **ret) {
  uint32_t count = graph->first + graph->count;
  builder b = {context, arena, diagnosis, value_arena_alloc(arena, count, sizeof(dloc_node)), false};
  if (!b.handles)
    return DLOC_NO_MEMORY;
  if (outer && graph->first)
    memcpy(b.handles, outer, graph->first * sizeof *outer);
  else if (graph->outer)
    TRY(build_nodes(&b, graph->outer, ret_failed));
  TRY(build_nodes(&b, graph, ret_failed));
  if (b.has_forward) {
    TRY(dloc_resolve(context, NULL));
    for (uint32_t i = 0; i < count; i++)
      b.handles[i] = dloc_canonical(context, b.handles[i]);
  }
  *ret = b.handles;
  return DLOC_OK;
}

dloc_node built_reference(const operand *reference, const dloc_node *handles) {
  return reference->kind == OPERAND_NODE ? handles[reference->node] : DLOC_NULL;
}

dloc_status build_value(dloc_context *context, const operand *planned, const dloc_node *handles, dloc_node *ret) {
  *ret = built_reference(planned, handles);
  if (planned->kind == OPERAND_STRING)
    return dloc_string(context, planned->text, ret);
  return planned->kind == OPERAND_CONSTANT ? dloc_constant(context, planned->text, ret) : DLOC_OK;
}

dloc_node *built_references(const operand *references, size_t count, const dloc_node *handles, value_arena *arena) {
  dloc_node *nodes = value_arena_alloc(arena, count, sizeof *nodes);
  for (size_t i = 0; nodes && i < count; i++)
    nodes[i] = built_reference(&references[i], handles);
  return nodes;
}
