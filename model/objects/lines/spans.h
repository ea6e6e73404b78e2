/* Private to model/: addresses of code, and what each belongs to. spec/lines.md 14.2 */
#pragma once

#include "objects/dloc_lines.h"

#include "nodes/metadata.h"

#define SPAN_NOBODY UINT32_MAX

/* Addresses from low to before high; where spans overlap, the one of the greatest rank counts. */
typedef struct span {
  uint64_t low, high;
  uint64_t rank;
  uint32_t owner;
} span;

typedef ARRAY(span) span_list;

/* A place may also tell where the owners with the next numbers begin, so that a map of rows is small. */
enum { SPAN_NEXT = 12, SPAN_FAR = INT8_MAX };
typedef struct span_place {
  uint64_t start;
  uint32_t owner;          /* SPAN_NOBODY: a gap; so is the last */
  uint8_t next[SPAN_NEXT]; /* how far behind start; SPAN_FAR: it has its own place, or there is none */
} span_place;

/* Every address, by the places where the owner changes. They are found by blocks of addresses of one size, of which
 * there are about half as many as places. */
typedef struct span_map {
  span_place *places;
  size_t count;
  uint32_t *blocks; /* of each, and behind the last: the first place in it or later */
  size_t block_count;
  unsigned shift; /* a block has so many bits of an address, counted from the first start */
} span_map;

/* An address at which something begins may tell that a linker dropped the code. `stack.discarded` */
typedef enum code_place { CODE_ANYWHERE, CODE_AT_0, CODE_AT_ONES } code_place;
code_place code_at(uint64_t address, uint8_t size);
bool code_is_dropped(const dloc_profile *profile, const dloc_code *code, code_place place);
/* Sorts the list. Cost: n log n; memory: linear. */
dloc_status span_map_build(dloc_context *context, const dloc_profile *profile, span_list *spans, span_map *ret);
/* A map without blocks: room for so many places, then the places in their order, then the blocks. */
dloc_status span_map_begin(dloc_context *context, size_t most, span_map *ret);
void span_map_add(span_map *map, uint64_t start, uint32_t owner);
dloc_status span_map_finish(dloc_context *context, span_map *map);
void span_map_deinit(dloc_context *context, span_map *map);

/* The last place at or before an address; NULL: it is nobody's. */
static inline const span_place *span_map_place(const span_map *map, uint64_t address) {
  if (!map->count || address < map->places[0].start)
    return NULL;
  uint64_t block = (address - map->places[0].start) >> map->shift;
  if (block >= map->block_count)
    return NULL;
  size_t low = map->blocks[block] ? map->blocks[block] - 1 : 0;
  for (size_t count = map->blocks[block + 1] - low; count > 1;) {
    size_t half = count / 2;
    low += map->places[low + half].start <= address ? half : 0;
    count -= half;
  }
  return map->places[low].owner == SPAN_NOBODY ? NULL : &map->places[low];
}

/* The owner of an address, in a map whose places tell of one each. `stack.row.last` */
static inline uint32_t span_map_find(const span_map *map, uint64_t address) {
  const span_place *place = span_map_place(map, address);
  return place ? place->owner : SPAN_NOBODY;
}

/* The first address behind this one where the owner changes; UINT64_MAX: there is none. */
static inline uint64_t span_map_next(const span_map *map, uint64_t address) {
  BISECT(next, 0, map->count, i, map->places[i].start <= address);
  return next < map->count ? map->places[next].start : UINT64_MAX;
}

/* Whether an address is one of a unit's, also where another one counts. */
dloc_status stacks_covers(dloc_stacks *stacks, uint32_t unit, uint64_t address, bool *ret);
/* The first address behind this one, of which the unit's frames were asked, where the unit or the function changes. */
uint64_t stacks_next(const dloc_stacks *stacks, uint32_t unit, uint64_t address);
