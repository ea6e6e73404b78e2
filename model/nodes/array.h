/* Private to model/: growing arrays, and places in sorted ones. Growing arrays stand in zeroed memory; context_free
 * releases their items. */
#pragma once

#include "try.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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
#define ALLOCATE(context, type, name, count)                                                                           \
  type *name;                                                                                                          \
  ALLOCATE_ITEMS((context), name, (count))

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

/* Where something belongs in a sorted list: between low and high. At the end both are how many items are before it. */
typedef struct bisection {
  size_t low, high;
} bisection;
static inline size_t bisect_middle(const bisection *b) { return b->low + (b->high - b->low) / 2; }
/* Tell where the item in the middle is. */
static inline void bisect(bisection *b, bool is_before) {
  if (is_before)
    b->low = bisect_middle(b) + 1;
  else
    b->high = bisect_middle(b);
}

/* How many items of a sorted list come before something: BISECT(i, count, numbers[i] < wanted). */
#define BISECT(middle, count, is_before)                                                                               \
  __extension__({                                                                                                      \
    bisection bisected = {0, (count)};                                                                                 \
    while (bisected.low < bisected.high) {                                                                             \
      const size_t middle = bisect_middle(&bisected);                                                                  \
      bisect(&bisected, (is_before));                                                                                  \
    }                                                                                                                  \
    bisected.low;                                                                                                      \
  })

static inline int number_order(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}
/* In rising order. */
static inline void sort_numbers(uint64_t *numbers, size_t count) {
  if (count)
    qsort(numbers, count, sizeof *numbers, number_order);
}
