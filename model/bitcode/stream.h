/* Private to model/bitcode: LLVM's bitstream container. Blocks, abbreviations and records, of whatever meaning.
 *
 * Abbreviation ids 0 to 3 are built in; the others are those that BLOCKINFO gives blocks of that id, then the block's
 * own. */
#pragma once

#include "bits.h"
#include "dloc_formats.h"
#include "nodes/metadata.h"

#include <inttypes.h>

typedef enum encoding {
  ENCODING_LITERAL = 0,
  ENCODING_FIXED = 1,
  ENCODING_VBR = 2,
  ENCODING_ARRAY = 3,
  ENCODING_CHAR6 = 4,
  ENCODING_BLOB = 5
} encoding;

typedef struct abbreviation_operand {
  uint64_t value; /* of a literal; chunk_ends of a VBR; otherwise as many bits as a number has */
  uint8_t encoding;
  uint8_t width;
} abbreviation_operand;

/* Operand 0 is the record's code. */
typedef struct abbreviation {
  uint32_t first; /* operand, in the stream's pool */
  uint32_t count;
  uint32_t scalars; /* those before an array or a blob */
  uint32_t code;    /* UNKNOWN_CODE: the record says it */
} abbreviation;
#define UNKNOWN_CODE UINT32_MAX

typedef ARRAY(abbreviation) abbreviation_list;

typedef struct block {
  uint32_t id;
  uint32_t width; /* of abbreviation ids in it */
  uint64_t start; /* bit behind its header */
  uint64_t end;   /* bit behind it */
  size_t own;     /* where its own abbreviations start in the stream's list of them */
  size_t given;   /* how many it has from BLOCKINFO */
  const abbreviation
      *saved; /* its own abbreviations, of a block that is entered again to read single records of it; else NULL */
  size_t saved_count;
} block;

enum { BLOCKINFO_ID = 0, BLOCK_ID_LIMIT = 64, BLOCK_DEPTH_LIMIT = 32 };

typedef struct stream {
  dloc_context *context;
  dloc_diagnostic *diagnostic;
  cursor c;
  uint64_t base; /* bits of the file before the stream: a wrapper's header */
  block blocks[BLOCK_DEPTH_LIMIT];
  size_t depth; /* blocks that were entered */
  ARRAY(abbreviation_operand) operands;
  abbreviation_list own; /* of the blocks that were entered, outermost first */
  abbreviation_list given[BLOCK_ID_LIMIT];
  ARRAY(uint64_t) values; /* of the record that was read last */
  uint8_t layer_code;     /* what a layer's record has in this file, see bitcode_meaning; 0: nobody asked yet */
} stream;

typedef struct record {
  uint64_t bit; /* its start in the stream */
  uint32_t abbreviation;
  uint32_t code;
  size_t count;
  const uint64_t *raw; /* values, which belong to the stream until the next record is read: not for others than below */
  dloc_text blob;
} record;

/* The one way to a value of a record: 0 where there is none. */
static inline uint64_t value_at(const record *r, size_t i) { return i < r->count ? r->raw[i] : 0; }

/* The record with some of its values, or with all that there are from the first one on. */
static inline record record_part(const record *r, size_t first, size_t count) {
  record part = *r;
  first = first < r->count ? first : r->count;
  part.count = count < r->count - first ? count : r->count - first;
  part.raw = first ? r->raw + first : r->raw;
  return part;
}

typedef enum entry_kind { ENTRY_END, ENTRY_BLOCK, ENTRY_ABBREVIATION, ENTRY_RECORD } entry_kind;

/* The next item of a block. */
typedef struct entry {
  entry_kind kind;
  uint32_t id;               /* of the abbreviation of a record */
  const abbreviation *shape; /* the same, until the next entry; NULL: it is not abbreviated */
  uint64_t bit;
  uint32_t code; /* of a record */
  block block;   /* not entered */
} entry;

void stream_init(stream *s, dloc_context *context, const uint8_t *bytes, size_t size, dloc_diagnostic *diagnostic);
void stream_deinit(stream *s);

/* Fill in the diagnostic, at a bit of the stream, and return DLOC_INVALID. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
dloc_status
stream_fail(stream *s, dloc_reason reason, uint64_t bit, const char *format, ...);
#define STREAM_FAIL(s, reason, ...) stream_fail((s), DLOC_REASON_BITCODE_##reason, __VA_ARGS__)

/* The next entry. Of a block, its header has been read: enter it, or the next entry is the one behind it when the block
 * was passed with stream_pass. The end of the innermost block leaves it. */
dloc_status stream_next(stream *s, entry *ret);
dloc_status stream_enter(stream *s, const block *b);
static inline void stream_pass(stream *s, const block *b) { s->c.at = b->end; }
/* Fewer bits than a block's header has may stand behind the last block. */
static inline bool stream_at_end(const stream *s) { return cursor_rest(&s->c) < 64; }
/* Leave every block, to enter one at any place. */
static inline void stream_reset(stream *s) {
  s->depth = s->own.count = 0;
  s->c.end = (uint64_t)s->c.size * 8;
  s->c.malformed = false;
}
/* Leave the innermost block without reading the rest of it. */
void stream_leave(stream *s);

/* The record of an entry. Without its values, which are passed over, it takes less time. */
dloc_status stream_take(stream *s, const entry *e, bool with_values, record *ret);
static inline dloc_status stream_read(stream *s, const entry *e, record *ret) { return stream_take(s, e, true, ret); }

/* Another value in the record that was read last. */
static inline void stream_set_value(stream *s, const record *r, size_t i, uint64_t value) {
  if (i < r->count && r->raw == s->values.items)
    s->values.items[i] = value;
}
/* An abbreviation of the innermost block; NULL when it has none of that id. */
const abbreviation *stream_abbreviation(const stream *s, uint32_t id);
/* An operand of an abbreviation; a literal 0 where there is none. */
static inline abbreviation_operand stream_operand(const stream *s, const abbreviation *shape, size_t i) {
  return shape && i < shape->count ? s->operands.items[shape->first + i] : (abbreviation_operand){0};
}

/* The next entry of the innermost block that is a record, with BLOCKINFO and unknown things passed: for blocks whose
 * nested blocks do not matter. *ret_end is set, and the block left, at its end. */
dloc_status stream_next_record(stream *s, record *ret, bool *ret_end);
/* Enter a block and hand every entry in it to a function, whose status stops that; of blocks it has to enter or pass
 * each. */
dloc_status stream_each_entry(stream *s, const block *b, dloc_status (*take)(void *user, const entry *e), void *user);
/* Hand every record of a block to a function, whose status stops that. */
dloc_status stream_each_record(stream *s, const block *b, dloc_status (*take)(void *user, const record *r), void *user);
/* Read a BLOCKINFO block whose header is b. */
dloc_status stream_read_blockinfo(stream *s, const block *b);
