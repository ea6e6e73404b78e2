/* Reading bits, where it takes more than a look at one window of them. */
#include "bits.h"

uint64_t cursor_tail(const cursor *c, uint64_t byte) {
  uint64_t word = 0;
  for (unsigned i = 0; i < sizeof word && byte + i < c->size; i++)
    word |= (uint64_t)c->bytes[byte + i] << (8 * i);
  return word;
}

uint64_t cursor_long_vbr(cursor *c, unsigned width) {
  uint64_t more = UINT64_C(1) << (width - 1), window = cursor_window(c), value = 0;
  unsigned used = 0;
  for (unsigned shift = 0;; shift += width - 1) {
    if (used + width > WINDOW_BITS) {
      c->at += used;
      window = cursor_window(c);
      used = 0;
    }
    uint64_t chunk = window >> used & (2 * more - 1), bits = chunk & (more - 1);
    used += width;
    if (shift >= 64 || (shift && bits >> (64 - shift))) {
      c->malformed = true; /* more than 64 bits */
      break;
    }
    value |= bits << shift;
    if (!(chunk & more))
      break;
  }
  c->at += used;
  return value;
}
