/* Reading bits, where it takes more than a look at one window of them. */
#include "bits.h"

uint64_t cursor_tail(const cursor *c, uint64_t byte) {
  uint64_t word = 0;
  for (unsigned i = 0; i < sizeof word && byte + i < c->size; i++)
    word |= (uint64_t)c->bytes[byte + i] << (8 * i);
  return word;
}

uint64_t cursor_long_vbr(cursor *c, unsigned width) {
  uint64_t more = UINT64_C(1) << (width - 1), value = 0;
  for (unsigned shift = 0;; shift += width - 1) {
    uint64_t chunk = cursor_fixed(c, width), bits = chunk & (more - 1);
    c->malformed |= shift >= 64 || (shift && bits >> (64 - shift)); /* more than 64 bits */
    if (c->malformed)
      return value;
    value |= bits << shift;
    if (!(chunk & more))
      return value;
  }
}
