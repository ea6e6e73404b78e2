/* value.c - arenas, diagnostics, and access to and building of values. */
#include "memory.h"
#include "value.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arena ---- */

enum { CHUNK_SIZE = 64 << 10 };

struct value_chunk {
  value_chunk *older;
  size_t size; /* of bytes */
  alignas(max_align_t) unsigned char bytes[];
};

void value_arena_deinit(value_arena *arena) {
  while (arena->chunks) {
    value_chunk *older = arena->chunks->older;
    free(arena->chunks);
    arena->chunks = older;
  }
  arena->used = 0;
}

void value_arena_reset(value_arena *arena) {
  value_chunk *kept = arena->chunks;
  while (kept && kept->older) {
    value_chunk *older = kept->older;
    free(kept);
    kept = older;
  }
  /* One that a single huge document needed is not worth keeping, nor worth clearing. */
  if (kept && kept->size > 16 * CHUNK_SIZE) {
    free(kept);
    kept = NULL;
  }
  arena->chunks = kept;
  arena->used = 0;
}

static void add_chunk(value_arena *arena, size_t least) {
  size_t size = least > CHUNK_SIZE ? least : CHUNK_SIZE;
  value_chunk *chunk = memory_resize(NULL, sizeof *chunk + size, 1);
  *chunk = (value_chunk){.older = arena->chunks, .size = size};
  arena->chunks = chunk;
  arena->used = 0;
}

void *value_arena_alloc(value_arena *arena, size_t count, size_t size) {
  size_t align = alignof(max_align_t);
  if (size && count > (SIZE_MAX - sizeof(value_chunk) - align) / size)
    memory_exhausted();
  size_t bytes = (count * size + align - 1) / align * align;
  if (!arena->chunks || arena->chunks->size - arena->used < bytes)
    add_chunk(arena, bytes);
  void *memory = arena->chunks->bytes + arena->used;
  arena->used += bytes;
  return memset(memory, 0, bytes);
}

dloc_text value_arena_copy(value_arena *arena, dloc_text text) {
  char *copy = value_arena_alloc(arena, text.size + 1, 1);
  if (text.size)
    memcpy(copy, text.bytes, text.size);
  return (dloc_text){copy, text.size};
}

/* ---- Diagnostics ---- */

dloc_status value_diagnose(value_diagnostic *diagnostic, uint32_t line, uint32_t column, const char *code,
                           const char *format, ...) {
  if (!diagnostic)
    return DLOC_INVALID;
  *diagnostic = (value_diagnostic){.line = line, .column = column, .code = code};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(diagnostic->message, sizeof diagnostic->message, format, arguments);
  va_end(arguments);
  return DLOC_INVALID;
}

/* ---- Access ---- */

/* Maps with more entries than this have an index. */
enum { SMALL_MAP = 8 };

dloc_text value_text(const value *scalar) {
  if (!scalar || scalar->kind != VALUE_SCALAR)
    return (dloc_text){"", 0};
  return (dloc_text){scalar->of.bytes, scalar->count};
}

bool value_is(const value *v, const char *text) {
  return v && v->kind == VALUE_SCALAR && v->count == strlen(text) && memcmp(v->of.bytes, text, v->count) == 0;
}

bool value_is_null(const value *v) { return !v || (!v->quoted && value_is(v, "null")); }

/* Slots in the index of a map; a power of two. */
static uint32_t slots_for(uint32_t entries) {
  uint32_t size = 16;
  while (size < entries * 2)
    size *= 2;
  return size;
}

static bool same_key(const value_entry *entry, dloc_text key) {
  return entry->key.size == key.size && memcmp(entry->key.bytes, key.bytes, key.size) == 0;
}

/* The slot of the entry with that key, or the empty one where it belongs. */
static uint32_t *find_slot(const value *map, dloc_text key) {
  value_slots *slots = map->index;
  uint32_t mask = slots_for(map->count) - 1;
  uint32_t at = (uint32_t)hash_bytes(&slots->key, slots->key.start, key) & mask;
  while (slots->numbers[at] && !same_key(&map->of.entries[slots->numbers[at] - 1], key))
    at = (at + 1) & mask;
  return &slots->numbers[at];
}

const value_entry *value_find_entry(const value *map, dloc_text key) {
  if (!map || map->kind != VALUE_MAP)
    return NULL;
  const value_entry *entries = map->of.entries;
  if (!map->index) {
    for (uint32_t i = 0; i < map->count; i++)
      if (same_key(&entries[i], key))
        return &entries[i];
    return NULL;
  }
  uint32_t slot = *find_slot(map, key);
  return slot ? &entries[slot - 1] : NULL;
}

const value_entry *value_index(value_arena *arena, value *map) {
  const value_entry *entries = map->of.entries;
  if (map->count <= SMALL_MAP) {
    for (uint32_t i = 1; i < map->count; i++)
      for (uint32_t j = 0; j < i; j++)
        if (same_key(&entries[j], entries[i].key))
          return &entries[i];
    return NULL;
  }
  if (!arena->key.factor)
    arena->key = hash_key_choose(arena);
  map->index = value_arena_alloc(arena, 1, sizeof *map->index + slots_for(map->count) * sizeof *map->index->numbers);
  map->index->key = arena->key;
  for (uint32_t i = 0; i < map->count; i++) {
    uint32_t *slot = find_slot(map, entries[i].key);
    if (*slot)
      return &entries[i];
    *slot = i + 1;
  }
  return NULL;
}

const value *value_find(const value *map, dloc_text key) {
  const value_entry *entry = value_find_entry(map, key);
  return entry ? &entry->value : NULL;
}

const value *value_get(const value *map, const char *key) { return value_find(map, dloc_text_of(key)); }

bool value_unsigned(const value *v, uint64_t limit, uint64_t *ret) {
  dloc_text text = value_text(v);
  if (text.size == 0 || text.size > 20 || (text.size > 1 && text.bytes[0] == '0'))
    return false;
  uint64_t number = 0;
  for (size_t i = 0; i < text.size; i++) {
    unsigned digit = (unsigned)(unsigned char)text.bytes[i] - '0';
    if (digit > 9 || number > (limit - (digit > limit ? limit : digit)) / 10 || digit > limit)
      return false;
    number = number * 10 + digit;
  }
  *ret = number;
  return true;
}

bool value_boolean(const value *v, bool *ret) {
  if (!v || v->quoted || (!value_is(v, "true") && !value_is(v, "false")))
    return false;
  *ret = value_is(v, "true");
  return true;
}

/* ---- Building ---- */

static value scalar_of(value_arena *arena, dloc_text text, bool quoted) {
  if (text.size > UINT32_MAX)
    memory_exhausted();
  dloc_text copy = value_arena_copy(arena, text);
  return (value){.kind = VALUE_SCALAR, .quoted = quoted, .count = (uint32_t)copy.size, .of.bytes = copy.bytes};
}

value value_of_text(value_arena *arena, dloc_text text) { return scalar_of(arena, text, true); }

value value_of_word(value_arena *arena, const char *word) { return scalar_of(arena, dloc_text_of(word), false); }

value value_of_number(value_arena *arena, uint64_t number) {
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  return value_of_word(arena, digits);
}

/* Room for one more element; elements are copied when there is none, so that adding is linear altogether. */
static void *room_for_one(value_arena *arena, const void *old, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room)
    return (void *)old;
  uint32_t larger = count < 2 ? 4 : count * 2;
  if (larger <= count)
    memory_exhausted();
  void *moved = value_arena_alloc(arena, larger, size);
  if (count)
    memcpy(moved, old, count * size);
  *room = larger;
  return moved;
}

void value_add(value_arena *arena, value *list, value item) {
  list->of.items = room_for_one(arena, list->of.items, list->count, &list->room, sizeof item);
  list->of.items[list->count++] = item;
}

void value_put(value_arena *arena, value *map, dloc_text key, value item) {
  map->of.entries = room_for_one(arena, map->of.entries, map->count, &map->room, sizeof *map->of.entries);
  map->index = NULL;
  map->of.entries[map->count++] = (value_entry){value_arena_copy(arena, key), item.line, item.column, item};
}

void value_put_value(value_arena *arena, value *map, const char *key, value item) {
  value_put(arena, map, dloc_text_of(key), item);
}

void value_put_text(value_arena *arena, value *map, const char *key, dloc_text text) {
  value_put_value(arena, map, key, value_of_text(arena, text));
}

void value_put_word(value_arena *arena, value *map, const char *key, const char *word) {
  value_put_value(arena, map, key, value_of_word(arena, word));
}

void value_put_number(value_arena *arena, value *map, const char *key, uint64_t number) {
  value_put_value(arena, map, key, value_of_number(arena, number));
}
