/* Private to model/bitcode: writing bits, in memory. */
#pragma once

#include "stream.h"

typedef struct bit_writer {
  dloc_context *context; /* whose memory the bytes are */
  ARRAY(uint8_t) bytes;
  uint64_t pending; /* bits that do not make a word yet */
  unsigned pending_bits;
} bit_writer;

/* Where the next bit is written. */
static inline uint64_t bit_writer_at(const bit_writer *w) { return (uint64_t)w->bytes.count * 8 + w->pending_bits; }

/* A number of up to 64 bits; one in chunks, as cursor_vbr reads it. */
dloc_status write_fixed(bit_writer *w, uint64_t value, unsigned width);
dloc_status write_vbr(bit_writer *w, uint64_t value, unsigned width);
/* Zeros up to the next word. */
dloc_status write_align(bit_writer *w);
/* The bits of a stream from one to another. */
dloc_status write_copy(bit_writer *w, const stream *s, uint64_t from, uint64_t to);
/* Replace 32 bits that were written, wherever they are. */
void write_patch(bit_writer *w, uint64_t at, uint32_t value);

/* The header of a block whose size is not known yet; *ret is for write_leave, behind the block's content. outer is the
 * width of abbreviation ids around it. */
dloc_status write_enter(bit_writer *w, const block *b, unsigned outer, uint64_t *ret);
dloc_status write_leave(bit_writer *w, const block *b, uint64_t entered);
/* A block as it is, its header included. */
dloc_status write_block(bit_writer *w, const stream *s, const block *b, unsigned outer);

/* A record without abbreviation; width is that of abbreviation ids in its block. */
dloc_status write_record(bit_writer *w, unsigned width, const record *r);
/* An abbreviation of numbers of so many operands, the code's among them; and a record by one, whatever it has: its values
 * fit, or DLOC_INVALID. */
dloc_status write_abbreviation(bit_writer *w, unsigned width, const abbreviation_operand *operands, uint32_t count);
dloc_status write_abbreviated(bit_writer *w, unsigned width, uint32_t id, const abbreviation_operand *operands,
                              uint32_t count, const record *r);
/* A record of the stream with its own abbreviation, and other values, as many; DLOC_INVALID when they do not fit it. */
dloc_status write_same(bit_writer *w, const stream *s, const entry *e, const record *r);
