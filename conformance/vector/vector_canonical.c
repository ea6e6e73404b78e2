/* vector_canonical.c - the canonical form of a vector: key order, block and flow style, digest. */
#include "vector_internal.h"

#include <md5.h>
#include <stdlib.h>
#include <string.h>

/* ---- Key order ---- */

/* The shapes of maps in a vector. A list has the shape of its items. */
typedef enum shape {
  SHAPE_ANY, /* anything else: order kept */
  SHAPE_VECTOR,
  SHAPE_NODES,
  SHAPE_NODE,
  SHAPE_LAYER,
  SHAPE_MODULE,
  SHAPE_FUNCTION,
  SHAPE_INSTRUCTION,
  SHAPE_ARGS,
  SHAPE_CALLEE,
  SHAPE_OUTCOME,
  SHAPE_VALUE,
  SHAPE_CHOICES,
  SHAPE_ALTERNATIVES, /* also `profiles` */
  SHAPE_ENTRY,
  SHAPE_CALL_VALUE,
  SHAPE_EMITTED,
  SHAPE_DIRECTIVE,
  SHAPE_PART,
  SHAPE_RECORD
} shape;

/* A key, in the order in which the rows of its shape stand here. NULL: every key of that shape, order kept. */
typedef struct shape_key {
  shape in;
  const char *key;
  shape value;
} shape_key;

static const shape_key shape_keys[] = {
    {SHAPE_VECTOR, "id", SHAPE_ANY},
    {SHAPE_VECTOR, "digest", SHAPE_ANY},
    {SHAPE_VECTOR, "clauses", SHAPE_ANY},
    {SHAPE_VECTOR, "level", SHAPE_ANY},
    {SHAPE_VECTOR, "since", SHAPE_ANY},
    {SHAPE_VECTOR, "with", SHAPE_ANY},
    {SHAPE_VECTOR, "needs", SHAPE_ANY},
    {SHAPE_VECTOR, "kills", SHAPE_ANY},
    {SHAPE_VECTOR, "note", SHAPE_ANY},
    {SHAPE_VECTOR, "nodes", SHAPE_NODES},
    {SHAPE_VECTOR, "module", SHAPE_MODULE},
    {SHAPE_VECTOR, "op", SHAPE_ANY},
    {SHAPE_VECTOR, "args", SHAPE_ARGS},
    {SHAPE_VECTOR, "expect", SHAPE_OUTCOME},
    {SHAPE_VECTOR, "choices", SHAPE_CHOICES},
    {SHAPE_VECTOR, "profiles", SHAPE_ALTERNATIVES},
    {SHAPE_NODES, NULL, SHAPE_NODE},
    {SHAPE_NODE, "node", SHAPE_ANY},
    {SHAPE_NODE, "distinct", SHAPE_ANY},
    {SHAPE_NODE, "self", SHAPE_ANY},
    {SHAPE_NODE, "primary", SHAPE_ANY},
    {SHAPE_NODE, "layers", SHAPE_LAYER},
    {SHAPE_LAYER, "kind", SHAPE_ANY},
    {SHAPE_LAYER, "location", SHAPE_ANY},
    {SHAPE_MODULE, "functions", SHAPE_FUNCTION},
    {SHAPE_MODULE, "named", SHAPE_ANY},
    {SHAPE_MODULE, "units", SHAPE_ANY},
    {SHAPE_MODULE, "debug-info-version", SHAPE_ANY},
    {SHAPE_FUNCTION, "name", SHAPE_ANY},
    {SHAPE_FUNCTION, "subprogram", SHAPE_ANY},
    {SHAPE_FUNCTION, "definition", SHAPE_ANY},
    {SHAPE_FUNCTION, "linkage", SHAPE_ANY},
    {SHAPE_FUNCTION, "always-inline", SHAPE_ANY},
    {SHAPE_FUNCTION, "no-inline-line-tables", SHAPE_ANY},
    {SHAPE_FUNCTION, "instructions", SHAPE_INSTRUCTION},
    {SHAPE_INSTRUCTION, "call", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "alloca", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "ret", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "record", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "variable", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "label", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "location", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "dbg", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "loop", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "attach", SHAPE_ANY},
    {SHAPE_INSTRUCTION, "node", SHAPE_ANY},
    {SHAPE_ARGS, "call", SHAPE_ANY},
    {SHAPE_ARGS, "callee", SHAPE_CALLEE},
    {SHAPE_ARGS, "callee-subprogram", SHAPE_ANY},
    {SHAPE_ARGS, "no-inline-line-tables", SHAPE_ANY},
    {SHAPE_ARGS, "loop", SHAPE_ANY},
    {SHAPE_ARGS, "records", SHAPE_ANY},
    {SHAPE_ARGS, "list", SHAPE_ANY},
    {SHAPE_ARGS, "find", SHAPE_ANY},
    {SHAPE_ARGS, "kind", SHAPE_ANY},
    {SHAPE_ARGS, "kinds", SHAPE_ANY},
    {SHAPE_ARGS, "locations", SHAPE_ANY},
    {SHAPE_ARGS, "keep", SHAPE_ANY},
    {SHAPE_CALLEE, "location", SHAPE_ANY},
    {SHAPE_CALLEE, "instruction", SHAPE_ANY},
    {SHAPE_OUTCOME, "outcome", SHAPE_ANY},
    {SHAPE_OUTCOME, "reason", SHAPE_ANY},
    {SHAPE_OUTCOME, "severity", SHAPE_ANY},
    {SHAPE_OUTCOME, "value", SHAPE_VALUE},
    {SHAPE_VALUE, "result", SHAPE_ANY},
    {SHAPE_VALUE, "calls", SHAPE_CALL_VALUE},
    {SHAPE_VALUE, "results", SHAPE_ANY},
    {SHAPE_VALUE, "sources", SHAPE_ANY},
    {SHAPE_VALUE, "loop", SHAPE_ANY},
    {SHAPE_VALUE, "records", SHAPE_ANY},
    {SHAPE_VALUE, "equal", SHAPE_ANY},
    {SHAPE_VALUE, "text", SHAPE_ANY},
    {SHAPE_VALUE, "entries", SHAPE_ENTRY},
    {SHAPE_VALUE, "entry", SHAPE_ANY},
    {SHAPE_VALUE, "primary", SHAPE_ANY},
    {SHAPE_VALUE, "layers", SHAPE_LAYER},
    {SHAPE_VALUE, "instructions", SHAPE_EMITTED},
    {SHAPE_VALUE, "tables", SHAPE_ANY},
    {SHAPE_VALUE, "texts", SHAPE_ENTRY},
    {SHAPE_VALUE, "metadata", SHAPE_ANY},
    {SHAPE_VALUE, "functions", SHAPE_PART},
    {SHAPE_VALUE, "nodes", SHAPE_NODES},
    {SHAPE_CALL_VALUE, "results", SHAPE_ANY},
    {SHAPE_CALL_VALUE, "loop", SHAPE_ANY},
    {SHAPE_CALL_VALUE, "records", SHAPE_ANY},
    {SHAPE_CHOICES, NULL, SHAPE_ALTERNATIVES},
    {SHAPE_ALTERNATIVES, NULL, SHAPE_OUTCOME},
    {SHAPE_ENTRY, "kind", SHAPE_ANY},
    {SHAPE_ENTRY, "file", SHAPE_ANY},
    {SHAPE_ENTRY, "text", SHAPE_ANY},
    {SHAPE_ENTRY, "md5", SHAPE_ANY},
    {SHAPE_EMITTED, "primary", SHAPE_DIRECTIVE},
    {SHAPE_EMITTED, "layers", SHAPE_DIRECTIVE},
    {SHAPE_DIRECTIVE, "file", SHAPE_ANY},
    {SHAPE_DIRECTIVE, "line", SHAPE_ANY},
    {SHAPE_DIRECTIVE, "column", SHAPE_ANY},
    {SHAPE_PART, "metadata", SHAPE_ANY},
    {SHAPE_PART, "records", SHAPE_RECORD},
    {SHAPE_RECORD, "DEBUG_LOC", SHAPE_ANY},
    {SHAPE_RECORD, "DEBUG_LOC_AGAIN", SHAPE_ANY},
    {SHAPE_RECORD, "abbreviated", SHAPE_ANY},
};

enum { SHAPE_KEYS = sizeof shape_keys / sizeof *shape_keys, FIELD_RANK = SHAPE_KEYS, UNKNOWN_RANK = 1 << 16 };

/* LLVM's order of the fields of a class. */
static unsigned field_rank(dloc_text class_name, dloc_text key) {
  uint32_t order = dloc_class_field_order(class_name, key);
  return order == DLOC_NO_INDEX ? UNKNOWN_RANK : FIELD_RANK + order;
}

/* Where a key stands, and the shape of its value. */
static unsigned key_rank(shape in, const value *map, dloc_text key, shape *ret_value) {
  *ret_value = SHAPE_ANY;
  for (unsigned i = 0; i < SHAPE_KEYS; i++) {
    if (shape_keys[i].in != in || (shape_keys[i].key && !dloc_text_equal(key, dloc_text_of(shape_keys[i].key))))
      continue;
    *ret_value = shape_keys[i].value;
    return shape_keys[i].key ? i : 0;
  }
  return in == SHAPE_NODE ? field_rank(value_text(value_get(map, "node")), key) : UNKNOWN_RANK;
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
static dloc_status canonical(const value *v, shape in, value_arena *arena, value *ret);

static dloc_status canonical_list(const value *v, shape in, value_arena *arena, value *ret) {
  value *items = value_arena_alloc(arena, v->count, sizeof *items);
  if (!items)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < v->count; i++)
    TRY(canonical(&v->of.items[i], in, arena, &items[i]));
  *ret = *v;
  ret->of.items = items;
  return DLOC_OK;
}

static dloc_status canonical_map(const value *v, shape in, value_arena *arena, value *ret) {
  ranked *order = value_arena_alloc(arena, v->count, sizeof *order);
  value_entry *entries = value_arena_alloc(arena, v->count, sizeof *entries);
  shape inner = SHAPE_ANY;
  if (!order || !entries)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < v->count; i++)
    order[i] = (ranked){key_rank(in, v, v->of.entries[i].key, &inner), i};
  if (v->count)
    qsort(order, v->count, sizeof *order, compare_ranked);
  for (uint32_t i = 0; i < v->count; i++) {
    const value_entry *entry = &v->of.entries[order[i].index];
    entries[i] = *entry;
    key_rank(in, v, entry->key, &inner);
    TRY(canonical(&entry->value, inner, arena, &entries[i].value));
  }
  *ret = *v;
  ret->of.entries = entries;
  ret->index = NULL;
  return DLOC_OK;
}

static dloc_status canonical(const value *v, shape in, value_arena *arena, value *ret) {
  if (v->kind == VALUE_LIST)
    return canonical_list(v, in, arena, ret);
  if (v->kind == VALUE_MAP)
    return canonical_map(v, in, arena, ret);
  *ret = *v;
  return DLOC_OK;
}

/* A canonical document with the digest, behind the id. */
static dloc_status set_digest(value_arena *arena, value *document) {
  value with;
  char md5[33];
  value_set_map(&with);
  TRY(vector_digest(document, arena, md5));
  value digest;
  TRY(value_set_text(arena, dloc_text_of(md5), &digest));
  for (uint32_t i = 0; i < document->count; i++) {
    const value_entry *entry = &document->of.entries[i];
    if (!dloc_text_equal(entry->key, dloc_text_of("digest")))
      TRY(value_map_add_text(arena, &with, entry->key, &entry->value));
    if (dloc_text_equal(entry->key, dloc_text_of("id")))
      TRY(value_map_add(arena, &with, "digest", &digest));
  }
  with.line = document->line;
  with.column = document->column;
  *document = with;
  return DLOC_OK;
}

dloc_status vector_canonical(const value *document, value_arena *arena, value *ret) {
  value ordered;
  TRY(canonical(document, SHAPE_VECTOR, arena, &ordered));
  if (ordered.kind == VALUE_MAP)
    TRY(set_digest(arena, &ordered));
  *ret = ordered;
  return DLOC_OK;
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

static bool hash_bytes(void *user, const char *bytes, size_t size) {
  MD5Update(user, (const uint8_t *)bytes, size);
  return true;
}

/* What a vector asks and expects: not why it is there, nor what it shows about the model's mutants. */
static bool is_content(dloc_text key) {
  return !dloc_text_equal(key, dloc_text_of("digest")) && !dloc_text_equal(key, dloc_text_of("kills")) &&
         !dloc_text_equal(key, dloc_text_of("note"));
}

dloc_status vector_digest(const value *canonical_document, value_arena *arena, char ret[33]) {
  value content;
  TRY(canonical_map(canonical_document, SHAPE_ANY, arena, &content));
  uint32_t kept = 0;
  for (uint32_t i = 0; i < content.count; i++) {
    if (is_content(content.of.entries[i].key))
      content.of.entries[kept++] = content.of.entries[i];
  }
  content.count = kept;
  MD5_CTX md5;
  MD5Init(&md5);
  TRY(value_write_json(&content, (dloc_sink){hash_bytes, &md5}));
  MD5End(&md5, ret);
  return DLOC_OK;
}
