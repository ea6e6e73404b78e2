/* canonical.c - the canonical form of a vector: key order, block and flow style, digest. */
#include "format.h"

#include <md5.h>
#include <stdlib.h>

/* ---- Key order ---- */

static const type nodes_type = {.kind = TYPE_NAMED, .of = &node_type};

enum { FIELD_RANK = 64, UNKNOWN_RANK = 1 << 16 };

/* LLVM's order of the fields of a class. */
static unsigned field_rank(dloc_text class_name, dloc_text key) {
  uint32_t order = dloc_class_field_order(class_name, key);
  return order == DLOC_NO_INDEX ? UNKNOWN_RANK : FIELD_RANK + order;
}

/* The document that is put in order. */
typedef struct ordering {
  value_arena *arena;
  const operation_form *form; /* of its op and args; NULL: it has none */
} ordering;

/* Where a key stands, and the type of its value; NULL: the order of what is in it is kept. */
static unsigned key_rank(const type *map, const value *v, dloc_text key, const type **ret) {
  const field *found = map ? type_field(map, key) : NULL;
  *ret = found ? found->of : map && map->kind == TYPE_NAMED ? map->of : NULL;
  if (found)
    return (unsigned)(found - map->fields);
  if (map == &node_type)
    return field_rank(value_text(value_get(v, "node")), key);
  return map && map->kind == TYPE_NAMED ? 0 : UNKNOWN_RANK;
}

/* The type that stands for one of documents only. */
static const type *resolve(const ordering *o, const type *t) {
  if (!t || t->kind == TYPE_ANY)
    return NULL;
  if (t->kind == TYPE_NODES)
    return &nodes_type;
  if (t->kind == TYPE_MODULE)
    return module_type;
  if (t->kind == TYPE_ARGS || t->kind == TYPE_VALUE)
    return !o->form ? NULL : t->kind == TYPE_ARGS ? o->form->args : o->form->value;
  return t;
}

/* ---- Canonical copies ---- */

typedef struct ranked {
  unsigned rank;
  uint32_t index; /* keeps the sort stable */
} ranked;

static int compare_ranked(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

/* Recursion is bounded by VALUE_DEPTH. */
static void order(const ordering *o, const type *t, const value *v, value *ret);

static void order_list(const ordering *o, const type *t, const value *v, value *ret) {
  const type *item = t && t->kind == TYPE_LIST ? t->of : NULL;
  value *items = value_arena_alloc(o->arena, v->count, sizeof *items);
  for (uint32_t i = 0; i < v->count; i++)
    order(o, item, &v->of.items[i], &items[i]);
  *ret = *v;
  ret->of.items = items;
}

static void order_map(const ordering *o, const type *t, const value *v, value *ret) {
  ranked *ranks = value_arena_alloc(o->arena, v->count, sizeof *ranks);
  value_entry *entries = value_arena_alloc(o->arena, v->count, sizeof *entries);
  const type *inner;
  for (uint32_t i = 0; i < v->count; i++)
    ranks[i] = (ranked){key_rank(t, v, v->of.entries[i].key, &inner), i};
  if (v->count)
    qsort(ranks, v->count, sizeof *ranks, compare_ranked);
  for (uint32_t i = 0; i < v->count; i++) {
    const value_entry *entry = &v->of.entries[ranks[i].index];
    entries[i] = *entry;
    key_rank(t, v, entry->key, &inner);
    order(o, inner, &entry->value, &entries[i].value);
  }
  *ret = *v;
  ret->of.entries = entries;
  ret->index = NULL;
}

static void order(const ordering *o, const type *t, const value *v, value *ret) {
  t = resolve(o, t);
  if (v->kind == VALUE_LIST)
    order_list(o, t, v, ret);
  else if (v->kind == VALUE_MAP)
    order_map(o, t, v, ret);
  else
    *ret = *v;
}

/* A canonical document with the digest, before the clauses. */
static void set_digest(value_arena *arena, value *document) {
  value with = {.kind = VALUE_MAP};
  char md5[33];
  vector_digest(document, arena, md5);
  for (uint32_t i = 0; i < document->count; i++) {
    const value_entry *entry = &document->of.entries[i];
    if (dloc_text_equal(entry->key, dloc_text_of("clauses")))
      value_put_text(arena, &with, "digest", dloc_text_of(md5));
    if (!dloc_text_equal(entry->key, dloc_text_of("digest")))
      value_put(arena, &with, entry->key, entry->value);
  }
  with.line = document->line;
  with.column = document->column;
  *document = with;
}

void vector_canonical(const value *document, value_arena *arena, value *ret) {
  value ordered;
  vector_op op;
  bool known = operation_find(value_text(value_get(document, "op")), &op);
  const ordering o = {arena, known ? operation_form_of(operations[op], value_get(document, "args")) : NULL};
  order(&o, vector_type, document, &ordered);
  if (ordered.kind == VALUE_MAP)
    set_digest(arena, &ordered);
  *ret = ordered;
}

/* ---- Writing ---- */

static bool wants_block(dloc_text key) {
  static const char *const keys[] = {"nodes", "module", "functions", "instructions", "named", "choices", "profiles"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (dloc_text_equal(key, dloc_text_of(keys[i])))
      return true;
  return false;
}

dloc_status vector_write(const value *canonical_document, dloc_sink sink) {
  return value_write_yaml(canonical_document, wants_block, sink);
}

static bool digest_bytes(void *user, const char *bytes, size_t size) {
  MD5Update(user, (const uint8_t *)bytes, size);
  return true;
}

/* The digest is of the question and of what the vector expects, in an order of its own: the order of keys may change, a
 * digest may not. It leaves out why the vector is there, and what it shows about the model's mutants. */
void vector_digest(const value *canonical_document, value_arena *arena, char ret[33]) {
  static const char *const keys[] = {"id",     "clauses", "level", "since",  "with",    "needs",   "nodes",
                                     "module", "op",      "args",  "expect", "choices", "profiles"};
  value content = {.kind = VALUE_MAP};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const value *v = value_get(canonical_document, keys[i]);
    if (v)
      value_put_value(arena, &content, keys[i], *v);
  }
  MD5_CTX md5;
  MD5Init(&md5);
  value_write_json(&content, (dloc_sink){digest_bytes, &md5});
  MD5End(&md5, ret);
}

void text_digest(dloc_text text, char ret[33]) { MD5Data((const uint8_t *)text.bytes, text.size, ret); }
