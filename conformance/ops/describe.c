/* describe.c - values as documents, with the nodes that they reach. */
#include "operation.h"

#include <stdio.h>

/* Writes the nodes that a value reaches and the vector does not name. Each gets a name when it is first referred to and
 * is described when its turn comes, so depth costs nothing. */
typedef struct describer {
  const graph *names; /* of the vector */
  dloc_context *context;
  value_arena *arena;
  dloc_text *name_of; /* by handle; bytes NULL: none yet */
  dloc_node *queue;   /* named and not described */
  size_t queued;
  size_t described;
  unsigned next;
} describer;

/* ---- Nodes ---- */

static dloc_text new_name(describer *d) {
  char name[32];
  do
    snprintf(name, sizeof name, "n%u", d->next++);
  while (value_get(d->names->names, name));
  return value_arena_copy(d->arena, dloc_text_of(name));
}

/* A reference by name: null, or the node's name. */
static value reference(describer *d, dloc_node node) {
  if (node == DLOC_NULL)
    return value_of_word(d->arena, "null");
  if (!d->name_of[node].bytes) {
    d->name_of[node] = new_name(d);
    d->queue[d->queued++] = node;
  }
  return value_of_text(d->arena, d->name_of[node]);
}

static void add_reference(describer *d, value *map, const char *key, dloc_node node) {
  value_put_value(d->arena, map, key, reference(d, node));
}

static value explicit_form(describer *d, const char *form, dloc_text text) {
  value map = {.kind = VALUE_MAP};
  value_put_text(d->arena, &map, form, text);
  return map;
}

/* An operand of a tuple or the value of a field of that type. */
static value operand(describer *d, dloc_node node, dloc_field_content content) {
  dloc_text text = dloc_node_text(d->context, node);
  value v, map = {.kind = VALUE_MAP};
  switch (dloc_node_kind(d->context, node)) {
  case DLOC_KIND_STRING:
    if (content != DLOC_CONTENT_TEXT)
      return explicit_form(d, "string", text);
    return value_of_text(d->arena, text);
  case DLOC_KIND_CONSTANT:
    return explicit_form(d, "constant", text);
  case DLOC_KIND_TOKEN:
    if (content != DLOC_CONTENT_WORD || dloc_text_equal(text, dloc_text_of("null"))) /* which would be none */
      return explicit_form(d, "word", text);
    v = value_of_text(d->arena, text);
    v.quoted = false;
    return v;
  default:
    v = reference(d, node);
  }
  if (node == DLOC_NULL || content == DLOC_CONTENT_NODE)
    return v;
  value_put_value(d->arena, &map, "name", v);
  return map;
}

static void begin_node(describer *d, dloc_node node, const char *class_name, value *map) {
  *map = (value){.kind = VALUE_MAP};
  value_put_text(d->arena, map, "node", dloc_text_of(class_name));
  if (dloc_node_is_distinct(d->context, node))
    value_put_word(d->arena, map, "distinct", "true");
}

static void describe_text(describer *d, dloc_node node, const char *class_name, value *map) {
  begin_node(d, node, class_name, map);
  value_put_text(d->arena, map, "value", dloc_node_text(d->context, node));
}

static void describe_location(describer *d, dloc_node node, value *map) {
  dloc_location location = dloc_location_get(d->context, node);
  begin_node(d, node, "DILocation", map);
  value_put_number(d->arena, map, "line", location.line);
  if (location.column)
    value_put_number(d->arena, map, "column", location.column);
  add_reference(d, map, "scope", location.scope);
  if (location.inlined_at)
    add_reference(d, map, "inlinedAt", location.inlined_at);
  if (location.implicit)
    value_put_word(d->arena, map, "isImplicitCode", "true");
  if (location.atom_group)
    value_put_number(d->arena, map, "atomGroup", location.atom_group);
  if (location.atom_rank)
    value_put_number(d->arena, map, "atomRank", location.atom_rank);
  if (location.layers)
    add_reference(d, map, "irlayers", location.layers);
}

static void describe_composite(describer *d, dloc_node node, value *map) {
  value layers = {.kind = VALUE_LIST};
  begin_node(d, node, "composite", map);
  add_reference(d, map, "primary", dloc_primary(d->context, node));
  dloc_layer layer;
  for (size_t cursor = 0; dloc_next_layer(d->context, node, &cursor, &layer);) {
    value described = {.kind = VALUE_MAP};
    value_put_text(d->arena, &described, "kind", dloc_node_text(d->context, layer.kind));
    add_reference(d, &described, "location", layer.location);
    value_add(d->arena, &layers, described);
  }
  value_put_value(d->arena, map, "layers", layers);
}

static void describe_tuple(describer *d, dloc_node node, value *map) {
  value list = {.kind = VALUE_LIST};
  begin_node(d, node, "tuple", map);
  for (size_t i = 0; i < dloc_operand_count(d->context, node); i++) {
    value_add(d->arena, &list, operand(d, dloc_operand(d->context, node, i), DLOC_CONTENT_NODE));
  }
  value_put_value(d->arena, map, "operands", list);
}

static void describe_fields(describer *d, dloc_node node, value *map) {
  dloc_text class_name = value_arena_copy(d->arena, dloc_node_class(d->context, node));
  value list = {.kind = VALUE_LIST};
  bool layer = dloc_node_kind(d->context, node) == DLOC_KIND_LAYER;
  begin_node(d, node, class_name.bytes, map);
  for (size_t i = 0; i < dloc_field_count(d->context, node); i++) {
    dloc_field field = dloc_field_at(d->context, node, i);
    dloc_text key = dloc_node_text(d->context, field.key);
    dloc_field_content content = dloc_class_field_content(class_name, key);
    bool no_kind = field.value == DLOC_NULL && content == DLOC_CONTENT_TEXT && layer;
    value v = no_kind ? value_of_text(d->arena, (dloc_text){"", 0}) : operand(d, field.value, content);
    if (field.key)
      value_put(d->arena, map, key, v);
    else
      value_add(d->arena, &list, v);
  }
  if (list.count)
    value_put_value(d->arena, map, "operands", list);
}

static void describe_node(describer *d, dloc_node node, value *map) {
  switch (dloc_node_kind(d->context, node)) {
  case DLOC_KIND_STRING:
    describe_text(d, node, "string", map);
    break;
  case DLOC_KIND_CONSTANT:
    describe_text(d, node, "constant", map);
    break;
  case DLOC_KIND_TUPLE:
    (dloc_debug_loc_is_plain(d->context, node) ? describe_composite : describe_tuple)(d, node, map);
    break;
  case DLOC_KIND_LOCATION:
    describe_location(d, node, map);
    break;
  default:
    describe_fields(d, node, map);
  }
}

static void describe_queue(describer *d, value *map) {
  value nodes = {.kind = VALUE_MAP}, node;
  while (d->described < d->queued) {
    dloc_node next = d->queue[d->described++];
    describe_node(d, next, &node);
    value_put(d->arena, &nodes, d->name_of[next], node);
  }
  if (nodes.count)
    value_put_value(d->arena, map, "nodes", nodes);
}

/* ---- Terms ---- */

typedef struct term_describer {
  value_arena *arena;
  describe_operand *operand;
  void *user;
} term_describer;

static value describe(const term_describer *d, const term *t);

static value describe_map(const term_describer *d, const term *t) {
  value map = {.kind = VALUE_MAP};
  for (uint32_t i = 0; i < t->count; i++)
    if (t->of.items[i].type && t->of.items[i].type->kind != TYPE_NODES)
      value_put_value(d->arena, &map, t->type->fields[i].key, describe(d, &t->of.items[i]));
  return map;
}

static value describe_list(const term_describer *d, const term *t) {
  value list = {.kind = VALUE_LIST};
  bool of_nodes = t->type->of->kind <= TYPE_OPERAND;
  for (uint32_t i = 0; i < t->count; i++)
    value_add(d->arena, &list, of_nodes ? d->operand(d->user, t->of.nodes[i]) : describe(d, &t->of.items[i]));
  return list;
}

static value describe(const term_describer *d, const term *t) {
  switch (t->type->kind) {
  case TYPE_NODE:
  case TYPE_OPERAND:
    return d->operand(d->user, t->of.nodes[0]);
  case TYPE_LIST:
    return describe_list(d, t);
  case TYPE_MAP:
    return describe_map(d, t);
  case TYPE_NUMBER:
    return t->count ? value_of_number(d->arena, t->of.number) : value_of_word(d->arena, "null");
  case TYPE_FLAG:
    return value_of_word(d->arena, t->of.number ? "true" : "false");
  case TYPE_WORD:
    return value_of_word(d->arena, t->type->words[t->of.number]);
  default:
    return value_of_text(d->arena, t->of.text);
  }
}

value term_describe(const term *t, value_arena *arena, describe_operand *operand, void *user) {
  return describe(&(term_describer){arena, operand, user}, t);
}

static value operand_of_term(void *user, dloc_node node) { return operand(user, node, DLOC_CONTENT_NODE); }

static describer start(dloc_context *context, const graph *names, const dloc_node *handles, value_arena *arena) {
  uint32_t limit = dloc_node_limit(context);
  describer d = {.names = names, .context = context, .arena = arena};
  d.name_of = value_arena_alloc(arena, limit, sizeof *d.name_of);
  d.queue = value_arena_alloc(arena, limit, sizeof *d.queue);
  for (uint32_t i = 0; handles && i < names->count; i++)
    if (handles[i] != DLOC_NULL && !d.name_of[handles[i]].bytes)
      d.name_of[handles[i]] = names->nodes[i].name;
  return d;
}

void operation_describe(dloc_context *context, const term *t, const graph *names, const dloc_node *handles,
                        value_arena *arena, value *ret) {
  describer d = start(context, names, handles, arena);
  *ret = term_describe(t, arena, operand_of_term, &d);
  describe_queue(&d, ret);
}

void operation_describe_nodes(dloc_context *context, const dloc_node *roots, const char **root_names, size_t count,
                              const graph *names, const dloc_node *handles, value_arena *arena, value *ret) {
  describer d = start(context, names, handles, arena);
  for (size_t i = 0; i < count; i++) {
    dloc_text *name = &d.name_of[roots[i]];
    if (!name->bytes) {
      *name = dloc_text_of(root_names[i]);
      d.queue[d.queued++] = roots[i];
    }
    root_names[i] = name->bytes;
  }
  *ret = (value){.kind = VALUE_MAP};
  describe_queue(&d, ret);
}
