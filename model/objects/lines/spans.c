/* spec/lines.md 14.2: which of several spans an address belongs to. */
#include "spans.h"

#include <stdlib.h>
#include <string.h>

/* Those that have begun, the first to count on top. */
typedef struct span_heap {
  const span **items;
  size_t count;
  bool narrowest;
} span_heap;

/* `stack.discarded` */
code_place code_at(uint64_t address, uint8_t size) {
  uint64_t beyond = size && size < 8 ? UINT64_MAX << 8 * size : 0; /* bits that an address does not have */
  return (address | beyond) >= UINT64_MAX - 1 ? CODE_AT_ONES : address == 0 ? CODE_AT_0 : CODE_ANYWHERE;
}

/* `stack.discarded` */
bool code_is_dropped(const dloc_profile *profile, const dloc_code *code, code_place place) {
  return place == CODE_AT_ONES ||
         (place == CODE_AT_0 && !code->begins_at_0 && DLOC_TAKES(profile, STACK_DISCARDED, ZERO));
}

/* `stack.overlap`: whether a counts rather than b. */
static bool counts_before(const span_heap *heap, const span *a, const span *b) {
  uint64_t width_a = heap->narrowest ? a->high - a->low : 0, width_b = heap->narrowest ? b->high - b->low : 0;
  return width_a != width_b ? width_a < width_b : a->rank > b->rank;
}

static void push(span_heap *heap, const span *s) {
  size_t at = heap->count++;
  for (; at > 0 && counts_before(heap, s, heap->items[(at - 1) / 2]); at = (at - 1) / 2)
    heap->items[at] = heap->items[(at - 1) / 2];
  heap->items[at] = s;
}

static void pop(span_heap *heap) {
  const span *last = heap->items[--heap->count];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
    if (child + 1 < heap->count && counts_before(heap, heap->items[child + 1], heap->items[child]))
      child++;
    if (!counts_before(heap, heap->items[child], last))
      break;
    heap->items[at] = heap->items[child];
  }
  heap->items[at] = last;
}

void span_map_add(span_map *map, uint64_t start, uint32_t owner) {
  if (map->count && map->places[map->count - 1].owner == owner)
    return;
  span_place *place = &map->places[map->count++];
  *place = (span_place){.start = start, .owner = owner};
  memset(place->next, SPAN_FAR, sizeof place->next);
}

/* From each place where a span begins or the one that counts ends to the next such place. */
static void sweep(const span_list *spans, span_heap *heap, span_map *map) {
  uint64_t at = 0;
  for (size_t next = 0; next < spans->count || heap->count;) {
    if (!heap->count)
      at = spans->items[next].low;
    while (next < spans->count && spans->items[next].low <= at)
      push(heap, &spans->items[next++]);
    while (heap->count && heap->items[0]->high <= at)
      pop(heap);
    span_map_add(map, at, heap->count ? heap->items[0]->owner : SPAN_NOBODY);
    if (heap->count)
      at = heap->items[0]->high;
    if (next < spans->count && spans->items[next].low < at)
      at = spans->items[next].low;
  }
}

static int by_low(const void *a, const void *b) {
  const span *left = a, *right = b;
  return ORDER(left->low, right->low);
}

dloc_status span_map_begin(dloc_context *context, size_t most, span_map *ret) {
  *ret = (span_map){.count = 0};
  ALLOCATE_ITEMS(context, ret->places, most + 1);
  return DLOC_OK;
}

dloc_status span_map_finish(dloc_context *context, span_map *map) {
  if (!map->count)
    return DLOC_OK;
  if (map->count >= UINT32_MAX)
    return DLOC_LIMIT;
  uint64_t reach = map->places[map->count - 1].start - map->places[0].start;
  while (reach >> map->shift > map->count / 2)
    map->shift++;
  map->block_count = (size_t)(reach >> map->shift) + 1;
  ALLOCATE_ITEMS(context, map->blocks, map->block_count + 1);
  for (size_t block = 0, at = 0; block <= map->block_count; block++) {
    while (at < map->count && (map->places[at].start - map->places[0].start) >> map->shift < block)
      at++;
    map->blocks[block] = (uint32_t)at;
  }
  return DLOC_OK;
}

dloc_status span_map_build(dloc_context *context, const dloc_profile *profile, span_list *spans, span_map *ret) {
  span_map map;
  span_heap heap = {.narrowest = DLOC_TAKES(profile, STACK_OVERLAP, NARROWEST)};
  OWNED_MEMORY(context, &heap.items);
  ALLOCATE_ITEMS(context, heap.items, spans->count + 1);
  TRY(span_map_begin(context, 2 * spans->count, &map));
  SORT(*spans, by_low);
  sweep(spans, &heap, &map);
  dloc_status status = span_map_finish(context, &map);
  if (status != DLOC_OK)
    span_map_deinit(context, &map);
  else
    *ret = map;
  return status;
}

void span_map_deinit(dloc_context *context, span_map *map) { CONTEXT_FREE(context, map->places, map->blocks); }
