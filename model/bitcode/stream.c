/* LLVM's bitstream container. */
#include "stream.h"

#include <stdarg.h>
#include <stdio.h>

enum { END_BLOCK = 0, ENTER_SUBBLOCK = 1, DEFINE_ABBREV = 2, UNABBREV_RECORD = 3, FIRST_ABBREVIATION = 4 };
enum { TOP_WIDTH = 2, MAX_ID_WIDTH = 32, MAX_VBR_WIDTH = 32, MAX_FIXED_WIDTH = 64 };
/* LLVM's have 10 at most. Records of literals only take no room, so reading many of them must cost little. */
enum { MAX_OPERANDS = 128 };

void stream_init(stream *s, dloc_context *context, const uint8_t *bytes, size_t size, dloc_diagnostic *diagnostic) {
  *s = (stream){.context = context, .diagnostic = diagnostic};
  s->c = (cursor){bytes, size, 0, (uint64_t)size * 8, false};
}

void stream_deinit(stream *s) {
  for (size_t i = 0; i < BLOCK_ID_LIMIT; i++)
    context_free(s->context, s->given[i].items);
  CONTEXT_FREE(s->context, s->operands.items, s->own.items, s->values.items);
}

dloc_status stream_fail(stream *s, dloc_reason reason, uint64_t bit, const char *format, ...) {
  va_list arguments;
  dloc_diagnostic *d = s->diagnostic;
  *d = (dloc_diagnostic){.reason = reason, .offset = (size_t)((s->base + bit) / 8), .bit = s->base + bit};
  va_start(arguments, format);
  vsnprintf(d->message, sizeof d->message, format, arguments);
  va_end(arguments);
  return DLOC_INVALID;
}

static bool at_top(const stream *s) { return s->c.end == (uint64_t)s->c.size * 8; }

static dloc_status fail_cursor(stream *s, uint64_t bit) {
  if (s->c.malformed) {
    s->c.malformed = false;
    return STREAM_FAIL(s, RECORD, bit, "a number has more than 64 bits");
  }
  return at_top(s) ? STREAM_FAIL(s, TRUNCATED, bit, "the input ends within what begins here")
                   : STREAM_FAIL(s, BLOCK, bit, "the block ends within what begins here");
}

/* After reading: did it stay within its block, and was every number one? */
static inline dloc_status check_cursor(stream *s, uint64_t bit) {
  return cursor_fine(&s->c) ? DLOC_OK : fail_cursor(s, bit);
}

/* ---- Abbreviations ---- */

static dloc_status read_operand(stream *s, uint64_t bit, abbreviation_operand *ret) {
  abbreviation_operand operand = {.encoding = ENCODING_LITERAL};
  if (cursor_fixed(&s->c, 1)) {
    operand.value = cursor_vbr(&s->c, 8);
    *ret = operand;
    return DLOC_OK;
  }
  operand.encoding = (uint8_t)cursor_fixed(&s->c, 3);
  if (operand.encoding == ENCODING_FIXED || operand.encoding == ENCODING_VBR) {
    uint64_t width = cursor_vbr(&s->c, 5);
    uint64_t limit = operand.encoding == ENCODING_FIXED ? MAX_FIXED_WIDTH : MAX_VBR_WIDTH;
    if (width > limit || (width == 1 && operand.encoding == ENCODING_VBR))
      return STREAM_FAIL(s, ABBREVIATION, bit, "an operand cannot be %" PRIu64 " bits wide", width);
    operand.width = (uint8_t)width;
    if (width == 0) /* as LLVM has it */
      operand.encoding = ENCODING_LITERAL;
    else
      operand.value = operand.encoding == ENCODING_VBR ? chunk_ends(operand.width) : UINT64_MAX >> (64 - width);
  } else if (operand.encoding == ENCODING_CHAR6) {
    operand.width = 6;
    operand.value = 63;
  } else if (operand.encoding != ENCODING_ARRAY && operand.encoding != ENCODING_BLOB) {
    return STREAM_FAIL(s, ABBREVIATION, bit, "there is no encoding %u", operand.encoding);
  }
  *ret = operand;
  return DLOC_OK;
}

/* How many numbers an abbreviation begins with; 0: no record can have it. The code is a number, a blob is the last
 * operand, an array the last but one, and its element a number. */
static uint32_t count_scalars(const abbreviation_operand *operands, uint32_t count) {
  uint32_t i = 0;
  while (i < count && operands[i].encoding != ENCODING_ARRAY && operands[i].encoding != ENCODING_BLOB)
    i++;
  bool is_array = i + 2 == count && operands[i].encoding == ENCODING_ARRAY && operands[i + 1].width;
  return i == count || is_array || (i + 1 == count && operands[i].encoding == ENCODING_BLOB) ? i : 0;
}

/* Behind DEFINE_ABBREV. */
static dloc_status read_abbreviation(stream *s, uint64_t bit, abbreviation *ret) {
  uint64_t count = cursor_vbr(&s->c, 5);
  if (count > MAX_OPERANDS || count > cursor_rest(&s->c) / 4 || s->operands.count + count >= UINT32_MAX)
    return STREAM_FAIL(s, ABBREVIATION, bit, "an abbreviation cannot have %" PRIu64 " operands here", count);
  RESERVE(s->context, s->operands, s->operands.count + (size_t)count + 1);
  abbreviation_operand *operands = s->operands.items + s->operands.count;
  for (uint64_t i = 0; i < count; i++)
    TRY(read_operand(s, bit, &operands[i]));
  TRY(check_cursor(s, bit));
  abbreviation a = {(uint32_t)s->operands.count, (uint32_t)count, count_scalars(operands, (uint32_t)count),
                    UNKNOWN_CODE};
  if (a.scalars == 0)
    return STREAM_FAIL(s, ABBREVIATION, bit, "no record can have this abbreviation");
  if (operands[0].encoding == ENCODING_LITERAL && operands[0].value <= UINT32_MAX)
    a.code = (uint32_t)operands[0].value;
  RESERVE(s->context, s->values, a.scalars);
  s->operands.count += (size_t)count;
  *ret = a;
  return DLOC_OK;
}

const abbreviation *stream_abbreviation(const stream *s, uint32_t id) {
  const block *b = &s->blocks[s->depth - 1];
  size_t index = id - FIRST_ABBREVIATION;
  if (index < b->given)
    return &s->given[b->id].items[index];
  index -= b->given;
  if (index >= (b->saved ? b->saved_count : s->own.count - b->own))
    return NULL;
  return b->saved ? &b->saved[index] : &s->own.items[b->own + index];
}

/* ---- Blocks ---- */

static dloc_status read_header(stream *s, uint64_t bit, block *ret) {
  block b = {0};
  uint64_t id = cursor_vbr(&s->c, 8), width = cursor_vbr(&s->c, 4);
  cursor_align(&s->c);
  uint64_t words = cursor_fixed(&s->c, 32);
  TRY(check_cursor(s, bit));
  if (id > UINT32_MAX || width < 2 || width > MAX_ID_WIDTH)
    return STREAM_FAIL(s, BLOCK, bit, "a block cannot have id %" PRIu64 " and abbreviation ids of %" PRIu64 " bits", id,
                       width);
  if (words * 32 > cursor_rest(&s->c))
    return stream_fail(s, s->depth ? DLOC_REASON_BITCODE_BLOCK : DLOC_REASON_BITCODE_TRUNCATED, bit,
                       "block %" PRIu64 " is to be %" PRIu64 " bytes long, and there are %" PRIu64, id, words * 4,
                       cursor_rest(&s->c) / 8);
  b = (block){.id = (uint32_t)id, .width = (uint32_t)width, .start = s->c.at, .end = s->c.at + words * 32};
  *ret = b;
  return DLOC_OK;
}

dloc_status stream_enter(stream *s, const block *b) {
  if (s->depth == BLOCK_DEPTH_LIMIT)
    return STREAM_FAIL(s, BLOCK, b->start, "blocks are nested more than %d deep", BLOCK_DEPTH_LIMIT);
  block *entered = &s->blocks[s->depth++];
  *entered = *b;
  entered->own = s->own.count;
  entered->given = b->id < BLOCK_ID_LIMIT ? s->given[b->id].count : 0;
  s->c.at = b->start;
  s->c.end = b->end;
  return DLOC_OK;
}

void stream_leave(stream *s) {
  const block *b = &s->blocks[--s->depth];
  s->own.count = b->own;
  s->c.at = b->end;
  s->c.end = s->depth ? s->blocks[s->depth - 1].end : (uint64_t)s->c.size * 8;
}

static dloc_status end_block(stream *s, uint64_t bit) {
  if (s->depth == 0)
    return STREAM_FAIL(s, BLOCK, bit, "no block ends here");
  cursor_align(&s->c);
  if (s->c.at != s->c.end)
    return STREAM_FAIL(s, BLOCK, bit, "the block ends before the length that it says it has");
  stream_leave(s);
  return DLOC_OK;
}

/* As records without an abbreviation have: its value is chunk_ends(6). */
static const abbreviation_operand vbr6 = {0xfe20820820820820, ENCODING_VBR, 6};
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

static inline unsigned size_in(const view *v, const abbreviation_operand *operand) {
  return operand->encoding == ENCODING_VBR ? chunks_size(v->bits, operand->value) : operand->width;
}

static inline uint64_t value_in(const view *v, unsigned size, const abbreviation_operand *operand) {
  if (operand->encoding == ENCODING_VBR)
    return chunks_value(v->bits, size, operand->width);
  uint64_t value = operand->value & (size ? v->bits : UINT64_MAX);
  return operand->encoding == ENCODING_CHAR6 ? (unsigned char)letters[value] : value;
}

/* Numbers: each of an operand of its own, or with step 0 all of one. values NULL: pass over them. */
static void read_scalars(cursor *c, const abbreviation_operand *operand, size_t step, size_t count, uint64_t *values) {
  view v = view_at(c);
  for (; count; count--, operand += step) {
    unsigned size = size_in(&v, operand);
    if (v.used + size > WINDOW_BITS) {
      c->at += v.used;
      v = view_at(c);
      size = size_in(&v, operand);
      if (size > WINDOW_BITS) {
        uint64_t value = operand->encoding == ENCODING_VBR ? cursor_long_vbr(c, operand->width) : cursor_fixed(c, size);
        v = view_at(c);
        if (values)
          *values++ = value;
        continue;
      }
    }
    if (values)
      *values++ = value_in(&v, size, operand);
    v.bits >>= size;
    v.used += size;
  }
  c->at += v.used;
}

static dloc_status read_code(stream *s, entry *e) {
  uint64_t code = e->shape ? 0 : cursor_vbr(&s->c, 6);
  if (e->shape)
    read_scalars(&s->c, s->operands.items + e->shape->first, 0, 1, &code);
  e->code = (uint32_t)code;
  return code <= UINT32_MAX ? DLOC_OK : STREAM_FAIL(s, RECORD, e->bit, "a record cannot have code %" PRIu64, code);
}

/* Behind its id. */
static inline dloc_status next_record(stream *s, entry *e) {
  e->kind = ENTRY_RECORD;
  e->code = e->shape ? e->shape->code : UNKNOWN_CODE;
  return e->code != UNKNOWN_CODE ? DLOC_OK : read_code(s, e);
}

/* What is no record. */
static dloc_status next_other(stream *s, entry *ret) {
  switch (ret->id) {
  case END_BLOCK:
    ret->kind = ENTRY_END;
    return end_block(s, ret->bit);
  case ENTER_SUBBLOCK:
    ret->kind = ENTRY_BLOCK;
    return read_header(s, ret->bit, &ret->block);
  default:
    ret->kind = ENTRY_ABBREVIATION;
    if (s->depth == 0)
      return STREAM_FAIL(s, BLOCK, ret->bit, "an abbreviation stands outside of any block");
    abbreviation defined;
    TRY(read_abbreviation(s, ret->bit, &defined));
    /* In BLOCKINFO it is for another block: stream_read_blockinfo moves it there. */
    PUSH(s->context, s->own, defined);
    return DLOC_OK;
  }
}

dloc_status stream_next(stream *s, entry *ret) {
  ret->bit = s->c.at;
  ret->id = (uint32_t)cursor_fixed(&s->c, s->depth ? s->blocks[s->depth - 1].width : TOP_WIDTH);
  if (s->c.at > s->c.end)
    return stream_fail(s, s->depth ? DLOC_REASON_BITCODE_BLOCK : DLOC_REASON_BITCODE_TRUNCATED, ret->bit,
                       "the block is not ended");
  if (ret->id < UNABBREV_RECORD)
    return next_other(s, ret);
  ret->shape = NULL;
  if (s->depth == 0)
    return STREAM_FAIL(s, BLOCK, ret->bit, "a record stands outside of any block");
  if (ret->id >= FIRST_ABBREVIATION && !(ret->shape = stream_abbreviation(s, ret->id)))
    return STREAM_FAIL(s, ABBREVIATION, ret->bit, "there is no abbreviation %" PRIu32 " here", ret->id);
  return next_record(s, ret);
}

/* Like stream_next, within a block: it is fast for records as functions have them. */
static inline dloc_status next_within(stream *s, entry *ret) {
  const block *b = &s->blocks[s->depth - 1];
  uint32_t id = (uint32_t)(cursor_window(&s->c) & ((UINT64_C(1) << b->width) - 1)), index = id - FIRST_ABBREVIATION;
  if ((index >= b->given && id != UNABBREV_RECORD) || s->c.at + b->width > s->c.end)
    return stream_next(s, ret);
  ret->bit = s->c.at;
  s->c.at += b->width;
  ret->id = id;
  ret->shape = id == UNABBREV_RECORD ? NULL : &s->given[b->id].items[index];
  return next_record(s, ret);
}

/* ---- Records ---- */

static dloc_status check_room(stream *s, uint64_t bit, uint64_t count, unsigned width) {
  uint64_t rest = cursor_rest(&s->c);
  if (!s->c.malformed && (count <= rest / MAX_FIXED_WIDTH || count <= rest / width)) /* mostly without a division */
    return DLOC_OK;
  return stream_fail(s, at_top(s) ? DLOC_REASON_BITCODE_TRUNCATED : DLOC_REASON_BITCODE_BLOCK, bit,
                     "the block has no room for the record's %" PRIu64 " values", count);
}

/* At a blob's length; afterwards behind its padding. */
static dloc_status read_blob(stream *s, uint64_t bit, dloc_text *ret) {
  uint64_t size = cursor_vbr(&s->c, 6);
  cursor_align(&s->c);
  TRY(check_room(s, bit, size, 8));
  *ret = (dloc_text){(const char *)s->c.bytes + s->c.at / 8, (size_t)size};
  s->c.at += size * 8;
  cursor_align(&s->c);
  return DLOC_OK;
}

static dloc_status read_array(stream *s, const abbreviation_operand *element, bool with_values, record *ret) {
  uint64_t count = cursor_vbr(&s->c, 6);
  TRY(check_room(s, ret->bit, count, element->width));
  if (count == 0)
    return DLOC_OK;
  if (with_values)
    RESERVE(s->context, s->values, ret->count + (size_t)count);
  read_scalars(&s->c, element, 0, (size_t)count, with_values ? s->values.items + ret->count : NULL);
  ret->count += (size_t)count;
  return DLOC_OK;
}

static dloc_status read_abbreviated(stream *s, const abbreviation *a, bool with_values, record *ret) {
  const abbreviation_operand *operands = s->operands.items + a->first, *next = operands + a->scalars;
  ret->count = a->scalars - 1;
  read_scalars(&s->c, operands + 1, 1, ret->count, with_values ? s->values.items : NULL);
  if (a->scalars == a->count)
    return DLOC_OK;
  return next->encoding == ENCODING_ARRAY ? read_array(s, next + 1, with_values, ret)
                                          : read_blob(s, ret->bit, &ret->blob);
}

dloc_status stream_take(stream *s, const entry *e, bool with_values, record *ret) {
  *ret = (record){.bit = e->bit, .abbreviation = e->id, .code = e->code};
  TRY(e->shape ? read_abbreviated(s, e->shape, with_values, ret) : read_array(s, &vbr6, with_values, ret));
  if (with_values)
    ret->raw = s->values.items;
  else
    ret->count = 0;
  return check_cursor(s, e->bit);
}

dloc_status stream_next_record(stream *s, record *ret, bool *ret_end) {
  entry e;
  do {
    TRY(next_within(s, &e));
    if (e.kind == ENTRY_BLOCK)
      stream_pass(s, &e.block);
  } while (e.kind == ENTRY_BLOCK || e.kind == ENTRY_ABBREVIATION);
  *ret_end = e.kind == ENTRY_END;
  return *ret_end ? DLOC_OK : stream_read(s, &e, ret);
}

dloc_status stream_each_entry(stream *s, const block *b, dloc_status (*take)(void *user, const entry *e), void *user) {
  entry e;
  TRY(stream_enter(s, b));
  for (;;) {
    TRY(next_within(s, &e));
    if (e.kind == ENTRY_END)
      return DLOC_OK;
    TRY(take(user, &e));
  }
}

dloc_status stream_each_record(stream *s, const block *b, dloc_status (*take)(void *user, const record *r),
                               void *user) {
  bool end = false;
  record r;
  TRY(stream_enter(s, b));
  for (;;) {
    TRY(stream_next_record(s, &r, &end));
    if (end)
      return DLOC_OK;
    TRY(take(user, &r));
  }
}

/* ---- BLOCKINFO ---- */

enum { SETBID = 1 };

typedef struct blockinfo {
  stream *s;
  uint64_t subject; /* id of the blocks that the next abbreviations are for */
} blockinfo;

static dloc_status take_blockinfo(void *user, const entry *e) {
  blockinfo *info = user;
  stream *s = info->s;
  record r;
  if (e->kind == ENTRY_BLOCK) {
    stream_pass(s, &e->block);
    return DLOC_OK;
  }
  if (e->kind == ENTRY_ABBREVIATION) {
    if (info->subject >= BLOCK_ID_LIMIT)
      return STREAM_FAIL(s, ABBREVIATION, e->bit, "an abbreviation is for no block");
    PUSH(s->context, s->given[info->subject], s->own.items[--s->own.count]);
    return DLOC_OK;
  }
  TRY(stream_read(s, e, &r));
  if (r.code != SETBID)
    return DLOC_OK;
  if (r.count < 1 || value_at(&r, 0) >= BLOCK_ID_LIMIT)
    return STREAM_FAIL(s, BLOCK, e->bit, "block ids end at %d", BLOCK_ID_LIMIT - 1);
  info->subject = value_at(&r, 0);
  return DLOC_OK;
}

dloc_status stream_read_blockinfo(stream *s, const block *b) {
  return stream_each_entry(s, b, take_blockinfo, &(blockinfo){s, BLOCK_ID_LIMIT});
}
