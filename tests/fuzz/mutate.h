/* mutate.h - for libFuzzer: changes that know what an input is made of. Each changes data in place, to at most `most`
 * bytes, and returns the new size; 0 when nothing was changed. */
#ifndef DLOC_FUZZ_MUTATE_H
#define DLOC_FUZZ_MUTATE_H

#include "experiments/world/random.h"

#include <stddef.h>
#include <stdint.h>

typedef size_t mutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* The text of a module: a reference, a number, an operand or field of a node (left out, twice, moved, taken from
 * another node), `distinct`, a node (copied, a tuple with a layer, an inlinedAt), a `!dbg`. Instructions stay as they
 * are but for that. */
mutator mutate_ll;
/* Bitcode: a record (left out, twice, its code, a value, how many values, the values of another record) or an
 * abbreviation (left out, twice, a bit). Blocks stay well-formed. */
mutator mutate_bitcode;
/* A document, such as a vector: a scalar, a reference to a node, a key, an entry or item (left out, twice, moved, taken
 * from elsewhere), written as YAML or as JSON. */
mutator mutate_vector;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Three changes of four know what the input is; the others change bytes. */
static inline size_t mutate_mostly(mutator *mutate, uint8_t *data, size_t size, size_t most, unsigned seed) {
  size_t changed = seed % 4 ? mutate(data, size, most, seed) : 0;
  return changed ? changed : LLVMFuzzerMutate(data, size, most);
}

static inline size_t pick_below(uint64_t *random, size_t count) { return (size_t)(random_next(random) % count); }

/* A number at which something might end. */
static inline uint64_t pick_number(uint64_t *random) {
  static const uint64_t numbers[] = {0, 1, 2, 3, 7, 8, 255, 256, 65535, 65536, 4294967295, 4294967296, UINT64_MAX};
  return numbers[pick_below(random, sizeof numbers / sizeof *numbers)];
}

#endif
