/* The memory of a context's data: growing arrays, scratch, and maps that are cleared in constant time. */
#include "metadata.h"

#include <string.h>

void *context_realloc(dloc_context *context, void *old, size_t size) {
  return context->allocator.realloc(context->allocator.user, old, size);
}

void context_free(dloc_context *context, void *old) { context->allocator.free(context->allocator.user, old); }

void context_free_all(dloc_context *context, void *const *old, size_t count) {
  for (size_t i = 0; i < count; i++)
    context_free(context, old[i]);
}

void context_release(const owned_memory *memory) {
  for (size_t i = 0; i < memory->count; i++) {
    void *held;
    memcpy(&held, memory->pointers[i], sizeof held);
    context_free(memory->context, held);
  }
}

dloc_status context_reserve(dloc_context *context, void **array, size_t *capacity, size_t needed, size_t element_size) {
  if (needed <= *capacity)
    return DLOC_OK;
  size_t grown = *capacity < 32 ? 32 : *capacity * 2;
  if (grown < needed)
    grown = needed;
  if (grown > SIZE_MAX / element_size)
    return DLOC_LIMIT;
  void *moved = context_realloc(context, *array, grown * element_size);
  if (!moved)
    return DLOC_NO_MEMORY;
  *array = moved;
  *capacity = grown;
  return DLOC_OK;
}

dloc_status note_set(dloc_context *context, node_notes *notes, uint32_t salt, dloc_node node, uint32_t word) {
  size_t old = notes->capacity;
  if (node >= old) {
    RESERVE_ITEMS(context, notes->items, notes->capacity, context->node_count);
    memset(notes->items + old, 0, (notes->capacity - old) * sizeof *notes->items);
  }
  notes->items[node] = (node_note){salt, word};
  return DLOC_OK;
}

/* ---- Maps ---- */

void map_clear(map *m) {
  m->count = 0;
  m->generation++;
  if (m->generation == 0) { /* wrapped: entries of generation 0 would come back to life */
    for (size_t i = 0; i < m->capacity; i++)
      m->entries[i].generation = 0;
    m->generation = 1;
  }
}

void map_deinit(dloc_context *context, map *m) {
  context_free(context, m->entries);
  *m = (map){0};
}

/* The entry that holds the key, or the empty one where it belongs. */
static map_entry *map_probe(const map *m, uint64_t high, uint32_t low) {
  size_t i = (size_t)hash_word(&m->key, hash_word(&m->key, m->key.start, high), low) & (m->capacity - 1);
  while (m->entries[i].generation == m->generation && (m->entries[i].key_high != high || m->entries[i].key_low != low))
    i = (i + 1) & (m->capacity - 1);
  return &m->entries[i];
}

bool map_get(const map *m, uint64_t high, uint32_t low, uint32_t *ret) {
  if (m->count == 0)
    return false;
  const map_entry *entry = map_probe(m, high, low);
  if (entry->generation != m->generation)
    return false;
  *ret = entry->value;
  return true;
}

static dloc_status map_grow(dloc_context *context, map *m) {
  map grown = {
      .capacity = m->capacity ? m->capacity * 2 : 16, .count = m->count, .key = context->hash_key, .generation = 1};
  if (grown.capacity > SIZE_MAX / sizeof *grown.entries)
    return DLOC_LIMIT;
  ALLOCATE_ZEROED(context, grown.entries, grown.capacity);
  for (size_t i = 0; i < m->capacity; i++) {
    const map_entry *old = &m->entries[i];
    if (old->generation != m->generation)
      continue;
    map_entry *entry = map_probe(&grown, old->key_high, old->key_low);
    *entry = *old;
    entry->generation = grown.generation;
  }
  context_free(context, m->entries);
  *m = grown;
  return DLOC_OK;
}

dloc_status map_add(dloc_context *context, map *m, uint64_t high, uint32_t low, uint32_t value, uint32_t *ret) {
  if (m->generation == 0)
    map_clear(m);
  if ((m->count + 1) * 4 > m->capacity * 3)
    TRY(map_grow(context, m));
  map_entry *entry = map_probe(m, high, low);
  if (entry->generation != m->generation) {
    *entry = (map_entry){.key_high = high, .key_low = low, .value = value, .generation = m->generation};
    m->count++;
  }
  if (ret)
    *ret = entry->value;
  return DLOC_OK;
}

dloc_status map_meet(dloc_context *context, map *m, uint64_t high, uint32_t low, bool *ret_new) {
  size_t before = m->count;
  TRY(map_add(context, m, high, low, 0, NULL));
  *ret_new = m->count > before;
  return DLOC_OK;
}
