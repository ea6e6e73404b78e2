/* mutate_ll.h - for libFuzzer: a change of a module's metadata that a person might make. */
#ifndef DLOC_FUZZ_MUTATE_LL_H
#define DLOC_FUZZ_MUTATE_LL_H

#include <stddef.h>
#include <stdint.h>

/* Change the text of a module in place: a reference, a number, an operand or field of a node (left out, twice, moved,
 * taken from another node), `distinct`, a node (copied, a tuple with a layer, an inlinedAt), a `!dbg`. Instructions
 * stay as they are but for that. Returns the new size, at most most; the old one when nothing fits. */
size_t mutate_ll(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
