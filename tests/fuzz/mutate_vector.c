/* mutate_vector.c - changes of a document: it is read, one place of it is changed, and it is written again. */
#include "mutate.h"

#include "vector/vector.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PLACES = 2048 };

/* A value of the document, and where it stands. */
typedef struct place {
  value *at, *parent; /* the document has no parent */
  uint32_t index;     /* in the parent */
  size_t end;         /* behind the last place within it */
} place;

typedef struct mutation {
  value_arena arena;
  uint64_t random;
  size_t count;
  place places[MOST_PLACES]; /* each before those within it */
} mutation;

static size_t pick(mutation *m, size_t count) { return pick_below(&m->random, count); }

static const place *pick_place(mutation *m) { return &m->places[pick(m, m->count)]; }

/* One that stands in a list, or in a map. */
static const place *pick_child(mutation *m) { return m->count > 1 ? &m->places[1 + pick(m, m->count - 1)] : NULL; }

static value *child(const value *v, uint32_t i) {
  value_entry *entries = v->of.entries;
  return v->kind == VALUE_LIST ? &v->of.items[i] : &entries[i].value;
}

/* As deep as a document can be. */
static void list_places(mutation *m, value *v, value *parent, uint32_t index) {
  size_t own = m->count;
  if (own == MOST_PLACES)
    return;
  m->places[m->count++] = (place){v, parent, index, own + 1};
  for (uint32_t i = 0; v->kind != VALUE_SCALAR && i < v->count; i++)
    list_places(m, child(v, i), v, i);
  m->places[own].end = m->count;
}

static dloc_text text_of(mutation *m, const char *text) { return value_arena_copy(&m->arena, dloc_text_of(text)); }

static const value_entry *pick_entry(mutation *m, const value *map) {
  value_entry *entries = map && map->kind == VALUE_MAP && map->count ? map->of.entries : NULL;
  return entries ? &entries[pick(m, map->count)] : NULL;
}

/* ---- Edits ---- */

static bool change_scalar(mutation *m) {
  static const char *const words[] = {"null", "true", "false", "", "f", "DILocation", "tuple", "x y", "-1", "\xc3\xa9"};
  const place *p = pick_place(m), *other = pick_place(m);
  if (p->at->kind != VALUE_SCALAR)
    return false;
  switch (pick(m, 3)) {
  case 0:
    *p->at = value_of_number(&m->arena, pick_number(&m->random));
    return true;
  case 1:
    *p->at = value_of_text(&m->arena, text_of(m, words[pick(m, sizeof words / sizeof *words)]));
    p->at->quoted = pick(m, 2);
    return true;
  default:
    if (other->at->kind == VALUE_SCALAR)
      *p->at = *other->at;
    return other->at->kind == VALUE_SCALAR;
  }
}

/* A scalar becomes the name of a node. */
static bool change_reference(mutation *m) {
  const place *p = pick_place(m);
  const value_entry *node = pick_entry(m, value_get(m->places[0].at, "nodes"));
  if (p->at->kind != VALUE_SCALAR || !node)
    return false;
  *p->at = value_of_text(&m->arena, node->key);
  p->at->quoted = false;
  return true;
}

/* A value takes the place of another one that is not within it. */
static bool graft(mutation *m) {
  const place *from = pick_place(m), *to = pick_child(m);
  if (!to || (from <= to && to < &m->places[from->end]))
    return false;
  value taken = *from->at;
  *to->at = taken;
  return true;
}

static bool exchange(mutation *m) {
  const place *p = pick_child(m);
  if (!p)
    return false;
  value *other = child(p->parent, (uint32_t)pick(m, p->parent->count)), taken = *other;
  *other = *p->at;
  *p->at = taken;
  return true;
}

static bool drop(mutation *m) {
  const place *p = pick_child(m);
  if (!p)
    return false;
  value *v = p->parent;
  uint32_t rest = --v->count - p->index;
  value_entry *entries = v->of.entries;
  if (v->kind == VALUE_LIST)
    memmove(v->of.items + p->index, v->of.items + p->index + 1, rest * sizeof *v->of.items);
  else
    memmove(entries + p->index, entries + p->index + 1, rest * sizeof *entries);
  v->index = NULL;
  return true;
}

static bool add(mutation *m) {
  char name[32];
  const place *p = pick_child(m), *other = pick_place(m);
  if (!p || (other <= p && p < &m->places[other->end] && other->at != p->at))
    return false;
  value taken = *other->at;
  if (p->parent->kind == VALUE_LIST) {
    value_add(&m->arena, p->parent, taken);
    return true;
  }
  snprintf(name, sizeof name, "made-%zu", pick(m, 1000));
  p->parent->index = NULL;
  if (value_get(p->parent, name))
    return false;
  value_put_value(&m->arena, p->parent, name, taken);
  return true;
}

static bool rename_key(mutation *m) {
  const place *p = pick_child(m), *other = pick_child(m);
  if (!p || p->parent->kind != VALUE_MAP)
    return false;
  const value_entry *taken = pick_entry(m, other->parent);
  if (!taken || value_find(p->parent, taken->key))
    return false;
  value_entry *entries = p->parent->of.entries;
  entries[p->index].key = taken->key;
  p->parent->index = NULL;
  return true;
}

static size_t put(const mutation *m, bool json, uint8_t *data, size_t most) {
  dloc_buffer buffer = {0};
  const value *document = m->places[0].at;
  dloc_sink sink = dloc_buffer_sink(&buffer);
  dloc_status status = json ? value_write_json(document, sink) : vector_write(document, sink);
  size_t size = status == DLOC_OK && buffer.size <= most ? buffer.size : 0;
  if (size)
    memcpy(data, buffer.bytes, size);
  dloc_buffer_deinit(&buffer);
  return size;
}

size_t mutate_vector(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static bool (*const edits[])(mutation * m) = {
      change_scalar, change_scalar, change_reference, change_reference, graft, exchange, drop, add, rename_key};
  static mutation m; /* large; a fuzzer has one thread */
  value *document = NULL;
  bool changed = false;
  m = (mutation){.random = seed};
  if (value_read_one((dloc_text){(const char *)data, size}, &m.arena, NULL, &document) == DLOC_OK) {
    list_places(&m, document, NULL, 0);
    for (int tries = 0; tries < 8 && !changed; tries++)
      changed = edits[pick(&m, sizeof edits / sizeof *edits)](&m);
  }
  size_t made = changed ? put(&m, pick(&m, 4) == 0, data, most) : 0;
  value_arena_deinit(&m.arena);
  return made;
}
