/* Writing bits, in memory. */
#include "write_bits.h"

enum { WORD_BITS = 32, END_BLOCK = 0, ENTER_SUBBLOCK = 1, DEFINE_ABBREV = 2, UNABBREV_RECORD = 3 };

/* Up to one word. */
static dloc_status write_bits(bit_writer *w, uint64_t value, unsigned width) {
  w->pending |= (value & ((UINT64_C(1) << width) - 1)) << w->pending_bits;
  w->pending_bits += width;
  if (w->pending_bits < WORD_BITS)
    return DLOC_OK;
  RESERVE(w->context, w->bytes, w->bytes.count + 4);
  for (unsigned i = 0; i < 4; i++)
    w->bytes.items[w->bytes.count++] = (uint8_t)(w->pending >> (8 * i));
  w->pending >>= WORD_BITS;
  w->pending_bits -= WORD_BITS;
  return DLOC_OK;
}

dloc_status write_fixed(bit_writer *w, uint64_t value, unsigned width) {
  if (width > WORD_BITS) {
    TRY(write_bits(w, value, WORD_BITS));
    value >>= WORD_BITS;
    width -= WORD_BITS;
  }
  return write_bits(w, value, width);
}

dloc_status write_vbr(bit_writer *w, uint64_t value, unsigned width) {
  uint64_t more = UINT64_C(1) << (width - 1);
  for (; value >= more; value >>= width - 1)
    TRY(write_bits(w, (value & (more - 1)) | more, width));
  return write_bits(w, value, width);
}

dloc_status write_align(bit_writer *w) {
  return w->pending_bits ? write_bits(w, 0, WORD_BITS - w->pending_bits) : DLOC_OK;
}

dloc_status write_copy(bit_writer *w, const stream *s, uint64_t from, uint64_t to) {
  cursor c = s->c;
  c.at = from;
  while (to - c.at >= WORD_BITS)
    TRY(write_bits(w, cursor_fixed(&c, WORD_BITS), WORD_BITS));
  unsigned rest = (unsigned)(to - c.at);
  return write_bits(w, cursor_fixed(&c, rest), rest);
}

/* None of the bits is pending: what is patched has something behind it. */
void write_patch(bit_writer *w, uint64_t at, uint32_t value) {
  uint8_t *first = w->bytes.items + at / 8;
  unsigned shift = at % 8;
  for (unsigned i = 0; i < 4 + (shift != 0); i++) {
    uint64_t mask = (UINT64_C(0xffffffff) << shift) >> (8 * i), bits = ((uint64_t)value << shift) >> (8 * i);
    first[i] = (uint8_t)((first[i] & ~mask) | (bits & mask & 0xff));
  }
}

/* ---- Blocks ---- */

enum { BLOCK_ID_WIDTH = 8, BLOCK_WIDTH_WIDTH = 4 };

dloc_status write_enter(bit_writer *w, const block *b, unsigned outer, uint64_t *ret) {
  TRY(write_fixed(w, ENTER_SUBBLOCK, outer));
  TRY(write_vbr(w, b->id, BLOCK_ID_WIDTH));
  TRY(write_vbr(w, b->width, BLOCK_WIDTH_WIDTH));
  TRY(write_align(w));
  *ret = bit_writer_at(w);
  return write_fixed(w, 0, WORD_BITS);
}

static dloc_status patch_length(bit_writer *w, uint64_t entered) {
  uint64_t words = (bit_writer_at(w) - entered) / WORD_BITS - 1;
  if (words > UINT32_MAX)
    return DLOC_LIMIT;
  write_patch(w, entered, (uint32_t)words);
  return DLOC_OK;
}

dloc_status write_leave(bit_writer *w, const block *b, uint64_t entered) {
  TRY(write_fixed(w, END_BLOCK, b->width));
  TRY(write_align(w));
  return patch_length(w, entered);
}

dloc_status write_block(bit_writer *w, const stream *s, const block *b, unsigned outer) {
  uint64_t entered = 0;
  TRY(write_enter(w, b, outer, &entered));
  TRY(write_copy(w, s, b->start, b->end));
  return patch_length(w, entered);
}

/* ---- Records ---- */

enum { RECORD_WIDTH = 6 };

dloc_status write_record(bit_writer *w, unsigned width, const record *r) {
  TRY(write_fixed(w, UNABBREV_RECORD, width));
  TRY(write_vbr(w, r->code, RECORD_WIDTH));
  TRY(write_vbr(w, r->count, RECORD_WIDTH));
  for (size_t i = 0; i < r->count; i++)
    TRY(write_vbr(w, value_at(r, i), RECORD_WIDTH));
  return DLOC_OK;
}

static dloc_status write_scalar(bit_writer *w, const abbreviation_operand *operand, uint64_t value) {
  switch (operand->encoding) {
  case ENCODING_LITERAL:
    return value == operand->value ? DLOC_OK : DLOC_INVALID;
  case ENCODING_FIXED:
    return operand->width < 64 && value >> operand->width ? DLOC_INVALID : write_fixed(w, value, operand->width);
  case ENCODING_VBR:
    return write_vbr(w, value, operand->width);
  default: /* letters and blobs are not rewritten */
    return DLOC_INVALID;
  }
}

static dloc_status write_array(bit_writer *w, const abbreviation_operand *element, const record *r) {
  TRY(write_vbr(w, r->count, RECORD_WIDTH));
  for (size_t i = 0; i < r->count; i++)
    TRY(write_scalar(w, element, value_at(r, i)));
  return DLOC_OK;
}

dloc_status write_abbreviated(bit_writer *w, unsigned width, uint32_t id, const abbreviation_operand *operands,
                              uint32_t count, const record *r) {
  TRY(write_fixed(w, id, width));
  TRY(write_scalar(w, &operands[0], r->code));
  for (uint32_t i = 1; i < count; i++) {
    const record rest = record_part(r, i - 1, SIZE_MAX);
    if (operands[i].encoding == ENCODING_ARRAY)
      return write_array(w, &operands[i + 1], &rest);
    TRY(write_scalar(w, &operands[i], value_at(r, i - 1)));
  }
  return DLOC_OK;
}

dloc_status write_same(bit_writer *w, const stream *s, const entry *e, const record *r) {
  unsigned width = s->blocks[s->depth - 1].width;
  return e->shape ? write_abbreviated(w, width, e->id, s->operands.items + e->shape->first, e->shape->count, r)
                  : write_record(w, width, r);
}

dloc_status write_abbreviation(bit_writer *w, unsigned width, const abbreviation_operand *operands, uint32_t count) {
  enum { COUNT_WIDTH = 5, LITERAL_WIDTH = 8, ENCODING_WIDTH = 3, DATA_WIDTH = 5 };
  TRY(write_fixed(w, DEFINE_ABBREV, width));
  TRY(write_vbr(w, count, COUNT_WIDTH));
  for (uint32_t i = 0; i < count; i++) {
    bool literal = operands[i].encoding == ENCODING_LITERAL;
    TRY(write_fixed(w, literal, 1));
    if (!literal)
      TRY(write_fixed(w, operands[i].encoding, ENCODING_WIDTH));
    TRY(write_vbr(w, literal ? operands[i].value : operands[i].width, literal ? LITERAL_WIDTH : DATA_WIDTH));
  }
  return DLOC_OK;
}
