/* Private to model/objects: bytes as the numbers of DWARF, and what some of these numbers stand for. */
#pragma once

#include "dloc.h"

/* The content and the form of a field of a directory or file of version 5. */
enum {
  LNCT_PATH = 1,
  LNCT_DIRECTORY_INDEX,
  LNCT_TIMESTAMP,
  LNCT_SIZE,
  LNCT_MD5,
  LNCT_SUBPROGRAM_NAME,
  LNCT_LLVM_SOURCE = 0x2001
};
enum {
  FORM_BLOCK2 = 0x03,
  FORM_BLOCK4,
  FORM_DATA2,
  FORM_DATA4,
  FORM_DATA8,
  FORM_STRING,
  FORM_BLOCK,
  FORM_BLOCK1,
  FORM_DATA1,
  FORM_FLAG,
  FORM_SDATA,
  FORM_STRP,
  FORM_UDATA,
  FORM_SEC_OFFSET = 0x17,
  FORM_STRX = 0x1a,
  FORM_STRP_SUP = 0x1d,
  FORM_DATA16,
  FORM_LINE_STRP,
  FORM_STRX1 = 0x25,
  FORM_STRX2,
  FORM_STRX3,
  FORM_STRX4
};

/* `two-level.header.version` */
enum { TWO_LEVEL_PROTOTYPE = 0xf006, TWO_LEVEL_ISSUE = 6 };

/* `two-level.header.fake-opcode`: an extended opcode of 2097151 bytes, for readers of version 4. */
#define TWO_LEVEL_FAKE_OPCODE "\0\xff\xff\x7f\x7f"
enum { TWO_LEVEL_FAKE_SIZE = 5 };

/* A number of that many bytes, at most 8. `lines.header.byte-order` */
static inline uint64_t bytes_get(const uint8_t *at, size_t size, bool big_endian) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++)
    value |= (uint64_t)at[big_endian ? size - 1 - i : i] << 8 * i;
  return value;
}
static inline void bytes_put(uint8_t *at, size_t size, bool big_endian, uint64_t value) {
  for (size_t i = 0; i < size; i++)
    at[big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

/* The rest of some bytes. After a read beyond the end everything reads as 0, and short_of is true. too_large: an
 * LEB128 number had more than 64 bits. */
typedef struct byte_cursor {
  const uint8_t *at;
  const uint8_t *end;
  bool big_endian;
  bool short_of;
  bool too_large;
} byte_cursor;

static inline size_t bytes_left(const byte_cursor *c) { return (size_t)(c->end - c->at); }

static inline uint64_t bytes_stop(byte_cursor *c) {
  c->at = c->end;
  c->short_of = true;
  return 0;
}

/* `lines.header.byte-order` */
static inline uint64_t bytes_fixed(byte_cursor *c, size_t size) {
  if (bytes_left(c) < size)
    return bytes_stop(c);
  c->at += size;
  return bytes_get(c->at - size, size, c->big_endian);
}

/* `lines.leb128`: bits beyond the 64th are lost, and may only repeat the sign of a signed number, or be 0. */
static inline uint64_t bytes_leb(byte_cursor *c, bool is_signed) {
  uint64_t value = 0;
  unsigned shift = 0;
  while (c->at < c->end) {
    uint8_t byte = *c->at++, bits = byte & 0x7f;
    if (shift < 64)
      value |= (uint64_t)bits << shift;
    if (shift >= 63) {
      uint8_t filled = is_signed && value >> 63 ? 0x7f : 0;
      c->too_large |= shift == 63 ? bits >> 1 != filled >> 1 : bits != filled;
    }
    shift += shift < 64 ? 7 : 0;
    if (!(byte & 0x80))
      return is_signed && byte & 0x40 && shift < 64 ? value | UINT64_MAX << shift : value;
  }
  return bytes_stop(c);
}

static inline uint64_t bytes_unsigned(byte_cursor *c) {
  if (c->at < c->end && *c->at < 0x80)
    return *c->at++;
  return bytes_leb(c, false);
}

static inline uint64_t bytes_signed(byte_cursor *c) { return bytes_leb(c, true); }

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

static inline dloc_text bytes_block(byte_cursor *c, uint64_t size) {
  if (bytes_left(c) < size) {
    bytes_stop(c);
    return (dloc_text){NULL, 0};
  }
  c->at += size;
  return (dloc_text){(const char *)c->at - size, (size_t)size};
}
