/* graph.c - the nodes of a vector: read them, build them. */
#include "declare.h"
#include "graph.h"
#include "nodes/text.h"

#include <string.h>

/* ---- Reading nodes ---- */

dloc_status read_required(const reading *r, const value *map, const char *key, const value **ret) {
  *ret = value_get(map, key);
  return *ret ? DLOC_OK : WRONG(r, map, "vector.field", "field '%s' is missing", key);
}

static bool find_node(const graph *g, dloc_text name, uint32_t *ret) {
  for (; g; g = g->outer) {
    const value_entry *entry = value_find_entry(g->names, name);
    if (entry) {
      *ret = g->first + (uint32_t)(entry - g->names->of.entries);
      return true;
    }
  }
  return false;
}

static dloc_status read_name(const reading *r, const graph *g, const value *v, graph_operand *ret) {
  *ret = (graph_operand){.kind = OPERAND_NODE};
  if (v->kind != VALUE_SCALAR)
    return WRONG(r, v, "vector.field", "expected the name of a node");
  if (!find_node(g, value_text(v), &ret->node))
    return WRONG(r, v, "vector.name", "no node is named '%.100s'", v->of.bytes);
  return DLOC_OK;
}

dloc_status graph_reference(const reading *r, const graph *g, const value *v, graph_operand *ret) {
  if (!value_is_null(v))
    return read_name(r, g, v, ret);
  *ret = (graph_operand){.kind = OPERAND_NULL};
  return DLOC_OK;
}

/* {string: x}, {constant: x}, {word: x} or {name: x}. */
static dloc_status read_explicit(const reading *r, const graph *g, const value *v, graph_operand *ret) {
  static const struct {
    const char *key;
    graph_operand_kind kind;
  } forms[] = {{"string", OPERAND_STRING}, {"constant", OPERAND_CONSTANT}, {"word", OPERAND_WORD}};
  if (v->kind != VALUE_MAP || v->count != 1 || v->of.entries[0].value.kind != VALUE_SCALAR)
    return WRONG(r, v, "vector.field", "expected a name, null, {string: x}, {constant: x}, {word: x} or {name: x}");
  const value_entry *entry = &v->of.entries[0];
  if (text_equals(entry->key, "name"))
    return read_name(r, g, &entry->value, ret);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (text_equals(entry->key, forms[i].key)) {
      *ret = (graph_operand){.kind = forms[i].kind, .text = value_text(&entry->value)};
      return DLOC_OK;
    }
  return WRONG(r, entry, "vector.field", "'%.100s' is no form of a value", entry->key.bytes);
}

dloc_status graph_operand_read(const reading *r, const graph *g, const value *v, dloc_field_content content,
                               graph_operand *ret) {
  if (value_is_null(v)) {
    *ret = (graph_operand){.kind = OPERAND_NULL};
    return DLOC_OK;
  }
  if (v->kind != VALUE_SCALAR)
    return read_explicit(r, g, v, ret);
  if (content == DLOC_CONTENT_NODE)
    return read_name(r, g, v, ret);
  *ret = (graph_operand){.kind = content == DLOC_CONTENT_TEXT ? OPERAND_STRING : OPERAND_WORD, .text = value_text(v)};
  return DLOC_OK;
}

static graph_field *new_fields(const reading *r, graph_node *node, uint32_t count) {
  graph_field *fields = value_arena_alloc(r->arena, count, sizeof *fields);
  node->fields = fields;
  node->field_count = count;
  return fields;
}

static const type *const tuple_type = MAP("a tuple", FIELD("node", TEXT), OPTIONAL("distinct", FLAG),
                                          OPTIONAL("self", FLAG), FIELD("operands", LIST(OPERAND)));
static const type *const composite_type =
    MAP("a composite", FIELD("node", TEXT), OPTIONAL("distinct", FLAG), FIELD("primary", OPERAND),
        FIELD("layers", LIST(MAP("a layer", FIELD("kind", TEXT), FIELD("location", OPERAND)))));
static const type *const text_type = MAP("a string or constant", FIELD("node", TEXT), FIELD("value", TEXT));

/* `self`: distinct, with itself as operand 0, as loop ids are. */
static dloc_status read_tuple(const reading *r, const graph *g, const value *v, graph_node *node) {
  term read;
  TRY(term_read_aside(r, g, tuple_type, v, &read));
  const term *operands = term_get(&read, "operands");
  bool self = term_flag(&read, "self");
  graph_field *fields = new_fields(r, node, operands->count + self);
  node->form = FORM_TUPLE;
  node->distinct = node->distinct || self;
  if (self)
    fields[0].value = (graph_operand){.kind = OPERAND_NODE, .node = g->first + (uint32_t)(node - g->nodes)};
  for (uint32_t i = 0; i < operands->count; i++)
    fields[self + i].value = operands->of.operands[i];
  return DLOC_OK;
}

/* Field 0 is the primary. */
static dloc_status read_composite(const reading *r, const graph *g, const value *v, graph_node *node) {
  term read;
  TRY(term_read_aside(r, g, composite_type, v, &read));
  const term *layers = term_get(&read, "layers");
  if (layers->count == 0)
    return WRONG(r, layers->from, "vector.field", "a composite has at least one layer; write a tuple");
  graph_field *fields = new_fields(r, node, layers->count + 1);
  node->form = FORM_COMPOSITE;
  fields[0].value = *term_get(&read, "primary")->of.operands;
  for (uint32_t i = 0; i < layers->count; i++)
    fields[i + 1] = (graph_field){term_text(&layers->of.items[i], "kind"),
                                  *term_get(&layers->of.items[i], "location")->of.operands};
  return DLOC_OK;
}

static dloc_status read_text_node(const reading *r, const graph *g, const value *v, graph_form form, graph_node *node) {
  term read;
  TRY(term_read_aside(r, g, text_type, v, &read));
  node->form = form;
  node->class_name = term_text(&read, "value");
  return DLOC_OK;
}

/* Fields without a name, as a DIExpression has: words. Those of a DILayerLocList are nodes. */
static dloc_status read_positional(const reading *r, const graph *g, const value *list, graph_node *node) {
  if (list->kind != VALUE_LIST)
    return WRONG(r, list, "vector.field", "operands is a list");
  graph_field *fields = new_fields(r, node, list->count);
  dloc_field_content content = dloc_class_field_content(node->class_name, (dloc_text){"", 0});
  for (uint32_t i = 0; i < list->count; i++)
    TRY(graph_operand_read(r, g, &list->of.items[i], content, &fields[i].value));
  return DLOC_OK;
}

/* A specialised node: every key but node and distinct is a field; `operands` have no names. */
static dloc_status read_specialised(const reading *r, const graph *g, const value *v, graph_node *node) {
  const value *operands = value_get(v, "operands");
  node->form = FORM_SPECIALISED;
  if (operands)
    return read_positional(r, g, operands, node);
  graph_field *fields = new_fields(r, node, v->count);
  node->field_count = 0;
  for (uint32_t i = 0; i < v->count; i++) {
    const value_entry *entry = &v->of.entries[i];
    if (text_equals(entry->key, "node") || text_equals(entry->key, "distinct"))
      continue;
    graph_field *field = &fields[node->field_count++];
    field->key = entry->key;
    TRY(graph_operand_read(r, g, &entry->value, dloc_class_field_content(node->class_name, entry->key), &field->value));
  }
  return DLOC_OK;
}

static dloc_status read_node(const reading *r, const graph *g, const value *v, graph_node *node) {
  const value *class_name = NULL, *distinct = value_get(v, "distinct");
  if (v->kind != VALUE_MAP)
    return WRONG(r, v, "vector.field", "a node is a map {node: CLASS, field: value...}");
  TRY(read_required(r, v, "node", &class_name));
  if (class_name->kind != VALUE_SCALAR)
    return WRONG(r, class_name, "vector.field", "node is a text");
  if (distinct && !value_boolean(distinct, &node->distinct))
    return WRONG(r, distinct, "vector.field", "distinct is true or false");
  node->class_name = value_text(class_name);
  if (value_is(class_name, "tuple"))
    return read_tuple(r, g, v, node);
  if (value_is(class_name, "composite"))
    return read_composite(r, g, v, node);
  if (value_is(class_name, "string"))
    return read_text_node(r, g, v, FORM_STRING, node);
  if (value_is(class_name, "constant"))
    return read_text_node(r, g, v, FORM_CONSTANT, node);
  if (node->class_name.size < 3 || memcmp(node->class_name.bytes, "DI", 2) != 0)
    return WRONG(r, class_name, "vector.field", "'%.100s' is no class of nodes", class_name->of.bytes);
  return read_specialised(r, g, v, node);
}

static bool is_name(dloc_text name) {
  for (size_t i = 0; i < name.size; i++) {
    char c = name.bytes[i];
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
      return false;
  }
  return name.size > 0;
}

dloc_status graph_read(const reading *r, const value *names, const graph *outer, graph *ret) {
  *ret = (graph){.outer = outer, .names = names, .first = outer ? outer->first + outer->count : 0};
  if (!names)
    return DLOC_OK;
  if (names->kind != VALUE_MAP)
    return WRONG(r, names, "vector.field", "nodes is a map of names");
  graph_node *nodes = value_arena_alloc(r->arena, names->count, sizeof *nodes);
  ret->nodes = nodes;
  ret->count = names->count;
  for (uint32_t i = 0; i < names->count; i++) {
    const value_entry *entry = &names->of.entries[i];
    if (!is_name(entry->key))
      return WRONG(r, entry, "vector.name", "the name of a node is of a-z, 0-9 and -");
    nodes[i] = (graph_node){.name = entry->key, .line = entry->line, .column = entry->column};
    TRY(read_node(r, ret, &entry->value, &nodes[i]));
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

static dloc_status build_operand(builder *b, const graph_operand *o, dloc_node *ret) {
  if (o->kind == OPERAND_NODE && b->handles[o->node] == DLOC_NULL) {
    TRY(dloc_forward(b->context, &b->handles[o->node]));
    b->has_forward = true;
  }
  return graph_operand_build(o, b->handles, b->context, ret);
}

/* In a composite, each operand behind the primary is a pair of a kind and a location. */
static dloc_status build_tuple(builder *b, const graph_node *node, dloc_node *ret) {
  dloc_node *operands = value_arena_alloc(b->arena, node->field_count, sizeof *operands);
  for (uint32_t i = 0; i < node->field_count; i++) {
    dloc_node pair[2];
    TRY(build_operand(b, &node->fields[i].value, &operands[i]));
    if (node->form == FORM_TUPLE || i == 0)
      continue;
    pair[1] = operands[i];
    TRY(dloc_string(b->context, node->fields[i].key, &pair[0]));
    TRY(dloc_tuple(b->context, false, pair, 2, &operands[i]));
  }
  return dloc_tuple(b->context, node->distinct, operands, node->field_count, ret);
}

static dloc_status build_specialised(builder *b, const graph_node *node, dloc_node *ret) {
  dloc_field *fields = value_arena_alloc(b->arena, node->field_count, sizeof *fields);
  for (uint32_t i = 0; i < node->field_count; i++) {
    if (node->fields[i].key.size)
      TRY(dloc_token(b->context, node->fields[i].key, &fields[i].key));
    TRY(build_operand(b, &node->fields[i].value, &fields[i].value));
  }
  return dloc_specialised(b->context, node->class_name, node->distinct, fields, node->field_count, b->diagnosis, ret);
}

static dloc_status build_node(builder *b, const graph_node *node, uint32_t index) {
  dloc_node built = DLOC_NULL;
  switch (node->form) {
  case FORM_SPECIALISED:
    TRY(build_specialised(b, node, &built));
    break;
  case FORM_TUPLE:
  case FORM_COMPOSITE:
    TRY(build_tuple(b, node, &built));
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

static dloc_status build_nodes(builder *b, const graph *g, const graph_node **ret_failed) {
  for (uint32_t i = 0; i < g->count; i++) {
    dloc_status status = build_node(b, &g->nodes[i], g->first + i);
    if (status == DLOC_INVALID)
      *ret_failed = &g->nodes[i];
    TRY(status);
  }
  return DLOC_OK;
}

dloc_status graph_build(const graph *g, const dloc_node *outer, dloc_context *context, value_arena *arena,
                        const graph_node **ret_failed, dloc_node_diagnosis *diagnosis, dloc_node **ret) {
  uint32_t count = g->first + g->count;
  builder b = {context, arena, diagnosis, value_arena_alloc(arena, count, sizeof(dloc_node)), false};
  if (outer && g->first)
    memcpy(b.handles, outer, g->first * sizeof *outer);
  else if (g->outer)
    TRY(build_nodes(&b, g->outer, ret_failed));
  TRY(build_nodes(&b, g, ret_failed));
  if (b.has_forward) {
    TRY(dloc_resolve(context, NULL));
    for (uint32_t i = 0; i < count; i++)
      b.handles[i] = dloc_canonical(context, b.handles[i]);
  }
  *ret = b.handles;
  return DLOC_OK;
}

dloc_status graph_operand_build(const graph_operand *o, const dloc_node *handles, dloc_context *context,
                                dloc_node *ret) {
  switch (o->kind) {
  case OPERAND_STRING:
    return dloc_string(context, o->text, ret);
  case OPERAND_CONSTANT:
    return dloc_constant(context, o->text, ret);
  case OPERAND_WORD:
    return dloc_token(context, o->text, ret);
  default:
    *ret = o->kind == OPERAND_NODE ? handles[o->node] : DLOC_NULL;
    return DLOC_OK;
  }
}

/* ---- Asking ---- */

const graph_node *graph_node_at(const graph *g, uint32_t index) {
  while (index < g->first)
    g = g->outer;
  return &g->nodes[index - g->first];
}

bool graph_has_class(const graph *g, const char *class_name) {
  const dloc_text wanted = dloc_text_of(class_name);
  for (uint32_t i = 0; i < g->count; i++)
    if (g->nodes[i].class_name.size == wanted.size && dloc_text_equal(g->nodes[i].class_name, wanted))
      return true;
  return false;
}

bool graph_node_has_atom(const graph_node *node) {
  for (uint32_t i = 0; i < node->field_count; i++)
    if (text_equals(node->fields[i].key, "atomGroup"))
      return true;
  return false;
}
