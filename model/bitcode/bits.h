/* Private to model/bitcode: reading bits. Fields are up to 64 bits wide and stand at any bit; numbers are
 * little-endian.
 *
 * A cursor never reads outside of its bytes: behind their end there are zeros. After each record the reader checks that
 * the cursor has not passed `end` and that no number was malformed: cursor_fine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct cursor {
  const uint8_t *bytes;
  size_t size;  /* of bytes */
  uint64_t at;  /* the next bit */
  uint64_t end; /* behind the last bit of the innermost block */
  bool malformed;
} cursor;

enum { WINDOW_BITS = 57 }; /* how many bits cursor_window gives at least */

/* The last 8 bytes, and zeros behind them. */
uint64_t cursor_tail(const cursor *c, uint64_t byte);

static inline uint64_t cursor_window(const cursor *c) {
  uint64_t byte = c->at >> 3, word;
  if (byte + sizeof word <= c->size) {
    memcpy(&word, c->bytes + byte, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
  } else {
    word = cursor_tail(c, byte);
  }
  return word >> (c->at & 7);
}

static inline bool cursor_fine(const cursor *c) { return c->at <= c->end && !c->malformed; }
static inline uint64_t cursor_rest(const cursor *c) { return c->at < c->end ? c->end - c->at : 0; }

static inline uint64_t cursor_fixed(cursor *c, unsigned width) {
  if (width > WINDOW_BITS) {
    uint64_t low = cursor_fixed(c, 32);
    return low | cursor_fixed(c, width - 32) << 32;
  }
  uint64_t value = cursor_window(c) & ((UINT64_C(1) << width) - 1);
  c->at += width;
  return value;
}

uint64_t cursor_long_vbr(cursor *c, unsigned width);

/* A number of chunks, width (2 to 32) bits each, whose highest bit says that another one follows. Most have one or two. */
static inline uint64_t cursor_vbr(cursor *c, unsigned width) {
  uint64_t more = UINT64_C(1) << (width - 1), window = cursor_window(c), next = window >> width;
  bool two = window & more;
  if (two && (next & more || 2 * width > WINDOW_BITS))
    return cursor_long_vbr(c, width);
  c->at += two ? 2 * width : width;
  return (window & (more - 1)) | (two ? (next & (more - 1)) << (width - 1) : 0);
}

/* The bits at a cursor, loaded once for many numbers, so that none waits until the one before has moved the cursor.
 * Those that were not loaded are 0. */
typedef struct view {
  uint64_t bits;
  unsigned used;
} view;
static inline view view_at(const cursor *c) { return (view){cursor_window(c) & (UINT64_MAX >> (64 - WINDOW_BITS)), 0}; }

/* The highest bit of each chunk in a view, and those that were not loaded. */
static inline uint64_t chunk_ends(unsigned width) {
  uint64_t ends = UINT64_MAX << WINDOW_BITS;
  for (unsigned end = width; end <= WINDOW_BITS; end += width)
    ends |= UINT64_C(1) << (end - 1);
  return ends;
}

/* How many bits the number at the start of a view has; more than there are when it does not end there. */
static inline unsigned chunks_size(uint64_t bits, uint64_t ends) {
  uint64_t last = ~bits & ends;
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(last) + 1;
#else
  unsigned size = 1;
  for (; !(last & 1); last >>= 1)
    size++;
  return size;
#endif
}

/* That number. Its chunks are put together. */
static inline uint64_t chunks_value(uint64_t bits, unsigned size, unsigned width) {
  uint64_t chunks = bits & ((UINT64_C(2) << (size - 1)) - 1);
  if (size == width)
    return chunks;
  uint64_t low = (UINT64_C(1) << (width - 1)) - 1, value = chunks & low;
  for (unsigned shift = width - 1; chunks > low; shift += width - 1) {
    chunks >>= width;
    value |= (chunks & low) << shift;
  }
  return value;
}

static inline void cursor_align(cursor *c) { c->at = (c->at + 31) & ~UINT64_C(31); }

/* A signed number has its sign in the lowest bit. */
static inline int64_t signed_vbr(uint64_t value) {
  if (value & 1)
    return value == 1 ? INT64_MIN : -(int64_t)(value >> 1);
  return (int64_t)(value >> 1);
}
