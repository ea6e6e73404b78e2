/* Private to model/formats/dwarf: bytes as the numbers of DWARF. */
#ifndef DLOC_DWARF_BYTES_H
#define DLOC_DWARF_BYTES_H

#include "dloc.h"

/* What is left of some bytes. After a read beyond the end everything reads as 0, and short_of is true. */
typedef struct byte_cursor {
  const uint8_t *at;
  const uint8_t *end;
  bool big_endian;
  bool short_of;
} byte_cursor;

static inline size_t bytes_left(const byte_cursor *c) { return (size_t)(c->end - c->at); }

static inline uint64_t bytes_stop(byte_cursor *c) {
  c->at = c->end;
  c->short_of = true;
  return 0;
}

/* A number of that many bytes, at most 8. */
static inline uint64_t bytes_fixed(byte_cursor *c, size_t size) {
  uint64_t value = 0;
  if (bytes_left(c) < size)
    return bytes_stop(c);
  for (size_t i = 0; i < size; i++)
    value |= (uint64_t)c->at[c->big_endian ? size - 1 - i : i] << 8 * i;
  c->at += size;
  return value;
}

/* An LEB128 number; bits beyond the 64th are lost. *ret_bits: how many bits it was written with. */
static inline uint64_t bytes_leb(byte_cursor *c, unsigned *ret_bits) {
  uint64_t value = 0;
  unsigned shift = 0;
  while (c->at < c->end) {
    uint8_t byte = *c->at++;
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += shift < 64 ? 7 : 0;
    if (!(byte & 0x80)) {
      *ret_bits = shift;
      return value;
    }
  }
  *ret_bits = 0;
  return bytes_stop(c);
}

static inline uint64_t bytes_unsigned(byte_cursor *c) {
  unsigned bits;
  if (c->at < c->end && *c->at < 0x80)
    return *c->at++;
  return bytes_leb(c, &bits);
}

static inline uint64_t bytes_signed(byte_cursor *c) {
  unsigned bits;
  uint64_t value = bytes_leb(c, &bits);
  return bits && bits < 64 && value >> (bits - 1) & 1 ? value | UINT64_MAX << bits : value;
}

/* Bytes up to the next 0, which is left behind. */
static inline dloc_text bytes_string(byte_cursor *c) {
  const uint8_t *start = c->at;
  while (c->at < c->end && *c->at)
    c->at++;
  dloc_text text = {(const char *)start, (size_t)(c->at - start)};
  if (c->at < c->end)
    c->at++;
  else
    bytes_stop(c);
  return text;
}

static inline dloc_text bytes_block(byte_cursor *c, size_t size) {
  if (bytes_left(c) < size) {
    bytes_stop(c);
    return (dloc_text){NULL, 0};
  }
  c->at += size;
  return (dloc_text){(const char *)c->at - size, size};
}

#endif
