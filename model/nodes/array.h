/* Private to model/: growing arrays, and places in sorted ones. Growing arrays stand in zeroed memory; context_free
 * releases their items. */
#pragma once

#include "try.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY(type)                                                                                                    \
  struct {                                                                                                             \
    type *items;                                                                                                       \
    size_t count, capacity;                                                                                            \
  }

/* An array of a fixed size, not zeroed, or return why there is none; of ALLOCATE as a variable. */
#define ALLOCATE_ITEMS(context, items, count)                                                                          \
  do {                                                                                                                 \
    (items) = context_realloc((context), NULL, (count) * sizeof *(items));                                             \
    if (!(items))                                                                                                      \
      return DLOC_NO_MEMORY;                                                                                           \
  } while (0)
/* Zeroed. */
#define ALLOCATE_ZEROED(context, items, count)                                                                         \
  do {                                                                                                                 \
    ALLOCATE_ITEMS((context), items, (count));                                                                         \
    memset((items), 0, (count) * sizeof *(items));                                                                     \
  } while (0)
#define ALLOCATE(context, type, name, count)                                                                           \
  type *name;                                                                                                          \
  ALLOCATE_ITEMS((context), name, (count))
/* One of a type with these fields, the others zeroed. */
#define CREATE(context, type, name, ...)                                                                               \
  ALLOCATE((context), type, name, 1);                                                                                  \
  *name = (type) { __VA_ARGS__ }

/* Make room for that number of items, or return why there is none. Mostly there is room. */
#define RESERVE_ITEMS(context, items, capacity, needed)                                                                \
  do {                                                                                                                 \
    if ((needed) > (capacity)) {                                                                                       \
      void *reserved = (items);                                                                                        \
      TRY(context_reserve((context), &reserved, &(capacity), (needed), sizeof *(items)));                              \
      (items) = reserved;                                                                                              \
    }                                                                                                                  \
  } while (0)
#define RESERVE(context, array, needed) RESERVE_ITEMS((context), (array).items, (array).capacity, (needed))

/* Add an item. */
#define PUSH(context, array, ...)                                                                                      \
  do {                                                                                                                 \
    RESERVE((context), (array), (array).count + 1);                                                                    \
    (array).items[(array).count++] = (__VA_ARGS__);                                                                    \
  } while (0)

/* BISECT(place, first, count, i, numbers[i] < wanted) makes a variable `place`: the first item of a sorted list, from
 * `first` on, of which that is not true; count: it is true of all. */
#define BISECT(place, first, count, i, is_before)                                                                      \
  size_t place = (first);                                                                                              \
  for (size_t place##_end = (count), i; i = place + (place##_end - place) / 2, place < place##_end;)                   \
    if (is_before)                                                                                                     \
      place = i + 1;                                                                                                   \
    else                                                                                                               \
      place##_end = i

/* As qsort wants it: the sign of the difference. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* qsort wants items, even if there are none. */
#define SORT(array, compare)                                                                                           \
  do {                                                                                                                 \
    if ((array).count)                                                                                                 \
      qsort((array).items, (array).count, sizeof *(array).items, (compare));                                           \
  } while (0)

static inline int number_order(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return ORDER(*x, *y);
}
/* In rising order. */
static inline void sort_numbers(uint64_t *numbers, size_t count) {
  if (count)
    qsort(numbers, count, sizeof *numbers, number_order);
}
