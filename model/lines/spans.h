/* Private to model/: addresses of code, and what each belongs to. SPEC.md 14.2 */
#ifndef DLOC_LINES_SPANS_H
#define DLOC_LINES_SPANS_H

#include "lines/dloc_lines.h"

#include "metadata.h"

#define SPAN_NOBODY UINT32_MAX

/* Addresses from low to before high; where spans overlap, the one of the greatest rank counts. */
typedef struct span {
  uint64_t low, high;
  uint64_t rank;
  uint32_t owner;
} span;

typedef ARRAY(span) span_list;

/* Every address, by the places where the owner changes. */
typedef struct span_map {
  uint64_t *starts;
  uint32_t *owners; /* SPAN_NOBODY: a gap */
  size_t count;
} span_map;

/* `stack.discarded`: whether code that begins there was dropped by the linker. */
bool span_discarded(const dloc_profile *profile, const dloc_code *code, uint64_t low);
/* Add a span, unless it has no addresses (`stack.range.empty`) or was dropped. */
dloc_status span_add(dloc_context *context, const dloc_profile *profile, const dloc_code *code, span_list *spans,
                     span s);
/* Sorts the list. Cost: n log n; memory: linear. */
dloc_status span_map_build(dloc_context *context, const dloc_profile *profile, span_list *spans, span_map *ret);
void span_map_deinit(dloc_context *context, span_map *map);

/* The owner of an address. */
static inline uint32_t span_map_find(const span_map *map, uint64_t address) {
  size_t low = 0, count = map->count;
  while (count > 1) {
    size_t half = count / 2;
    low += map->starts[low + half] <= address ? half : 0;
    count -= half;
  }
  return map->count && map->starts[low] <= address ? map->owners[low] : SPAN_NOBODY;
}

#endif
