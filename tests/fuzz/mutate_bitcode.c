/* mutate_bitcode.c - changes of records, as LLVM's bitstream writes them: the file is written again, with one entry
 * changed. All that stands behind it moves; lengths of blocks are those of the new file. */
#include "bitcode/reader.h"
#include "bitcode/write_bits.h"
#include "mutate.h"

#include <string.h>

enum { TOP_WIDTH = 2, WORD = 32, MOST_VALUES = 1024, WRAPPER_SIZE_AT = 12 };

typedef struct mutation {
  stream s;
  bit_writer w;
  uint64_t random;
  bool anywhere;       /* entries of all blocks count, not only those with locations and metadata */
  size_t next, target; /* entries */
  bool changed;
  uint32_t given_code; /* of the record before in such a block, and its values */
  size_t given_count, count;
  uint64_t given[MOST_VALUES], made[MOST_VALUES + 1];
} mutation;

static const block *inner(const mutation *m) { return &m->s.blocks[m->s.depth - 1]; }

static bool counts(const mutation *m) {
  switch (inner(m)->id) {
  case BLOCK_METADATA:
  case BLOCK_METADATA_ATTACHMENT:
  case BLOCK_METADATA_KIND:
  case BLOCK_FUNCTION:
    return true;
  default:
    return m->anywhere;
  }
}

/* ---- Writing ---- */

/* With its abbreviation if it fits, else without one. write_same stops at a blob, behind all other values. */
static dloc_status put_record(mutation *m, const entry *e, const record *r) {
  const size_t bytes = m->w.bytes.count;
  const uint64_t pending = m->w.pending;
  const unsigned pending_bits = m->w.pending_bits;
  dloc_status status = write_same(&m->w, &m->s, e, r);
  if (status != DLOC_INVALID)
    return status;
  if (!r->blob.bytes) {
    m->w.bytes.count = bytes;
    m->w.pending = pending;
    m->w.pending_bits = pending_bits;
    return write_record(&m->w, inner(m)->width, r);
  }
  TRY(write_vbr(&m->w, r->blob.size, 6));
  TRY(write_align(&m->w));
  for (size_t i = 0; i < r->blob.size; i++)
    TRY(write_fixed(&m->w, (unsigned char)r->blob.bytes[i], 8));
  return write_align(&m->w);
}

/* Bit for bit, but for the padding of a blob. */
static dloc_status put_same(mutation *m, const entry *e, const record *r) {
  bool moved = (bit_writer_at(&m->w) - e->bit) % WORD != 0;
  return r->blob.bytes && moved ? put_record(m, e, r) : write_copy(&m->w, &m->s, e->bit, m->s.c.at);
}

/* ---- Edits ---- */

static void change_value(mutation *m) {
  uint64_t *value = m->count ? &m->made[pick_below(&m->random, m->count)] : &m->made[m->count++];
  switch (pick_below(&m->random, 4)) {
  case 0:
    *value = pick_number(&m->random);
    break;
  case 1:
    *value += pick_below(&m->random, 2) ? 1 : UINT64_MAX;
    break;
  case 2:
    *value = pick_below(&m->random, 64);
    break;
  default:
    *value ^= UINT64_C(1) << pick_below(&m->random, 40);
  }
}

static void change_count(mutation *m) {
  if (pick_below(&m->random, 2) && m->count)
    m->count--;
  else
    m->made[m->count++] = pick_number(&m->random);
}

static void take_given(mutation *m) {
  size_t first = pick_below(&m->random, m->given_count + 1);
  for (size_t i = first; i < m->given_count && i < m->count; i++)
    m->made[i] = m->given[i];
}

static dloc_status change_record(mutation *m, const entry *e, const record *r) {
  record made = *r;
  size_t kind = pick_below(&m->random, 10);
  m->changed = true;
  if (kind == 0)
    return DLOC_OK;
  if (kind == 1 || r->count > MOST_VALUES) {
    TRY(put_same(m, e, r));
    return put_record(m, e, r);
  }
  m->count = r->count;
  for (size_t i = 0; i < r->count; i++)
    m->made[i] = value_at(r, i);
  switch (kind) {
  case 2:
    made.code = pick_below(&m->random, 2) ? m->given_code : (uint32_t)pick_below(&m->random, 64);
    break;
  case 3:
    take_given(m);
    break;
  case 4:
    change_count(m);
    break;
  default:
    change_value(m);
  }
  made.raw = m->made;
  made.count = m->count;
  return put_record(m, e, &made);
}

static dloc_status change_abbreviation(mutation *m, const entry *e) {
  uint64_t end = m->s.c.at, behind_id = e->bit + inner(m)->width;
  uint64_t bit = behind_id + pick_below(&m->random, (size_t)(end - behind_id));
  size_t kind = pick_below(&m->random, 4);
  m->changed = true;
  if (kind == 0)
    return DLOC_OK;
  if (kind == 1)
    TRY(write_copy(&m->w, &m->s, e->bit, end));
  if (kind <= 1)
    return write_copy(&m->w, &m->s, e->bit, end);
  cursor at = m->s.c;
  at.at = bit;
  TRY(write_copy(&m->w, &m->s, e->bit, bit));
  TRY(write_fixed(&m->w, !cursor_fixed(&at, 1), 1));
  return write_copy(&m->w, &m->s, bit + 1, end);
}

/* ---- The file ---- */

static dloc_status walk_block(mutation *m, const block *b);

static dloc_status walk_entry(void *user, const entry *e) {
  mutation *m = user;
  record r;
  if (e->kind == ENTRY_BLOCK)
    return walk_block(
        m, &(block){.id = e->block.id, .width = e->block.width, .start = e->block.start, .end = e->block.end});
  bool is_target = counts(m) && m->next++ == m->target;
  if (e->kind == ENTRY_ABBREVIATION)
    return is_target ? change_abbreviation(m, e) : write_copy(&m->w, &m->s, e->bit, m->s.c.at);
  TRY(stream_read(&m->s, e, &r));
  TRY(is_target ? change_record(m, e, &r) : put_same(m, e, &r));
  if (counts(m) && r.count <= MOST_VALUES) {
    m->given_code = r.code;
    m->given_count = r.count;
    for (size_t i = 0; i < r.count; i++)
      m->given[i] = value_at(&r, i);
  }
  return DLOC_OK;
}

/* Nested as deep as stream_enter admits. What follows BLOCKINFO is read by what stands there, not by the change. */
static dloc_status walk_block(mutation *m, const block *b) {
  uint64_t entered = 0;
  TRY(write_enter(&m->w, b, m->s.depth ? inner(m)->width : TOP_WIDTH, &entered));
  TRY(stream_each_entry(&m->s, b, walk_entry, m));
  TRY(write_leave(&m->w, b, entered));
  return b->id == BLOCKINFO_ID ? stream_read_blockinfo(&m->s, b) : DLOC_OK;
}

static dloc_status walk(mutation *m, dloc_context *context, dloc_text bytes) {
  dloc_diagnostic diagnostic;
  entry e;
  m->w.bytes.count = m->next = 0;
  dloc_status status = stream_open(&m->s, context, bytes, &diagnostic);
  if (status == DLOC_OK)
    status = write_copy(&m->w, &m->s, 0, WORD);
  while (status == DLOC_OK && !stream_at_end(&m->s)) {
    status = stream_next(&m->s, &e);
    if (status == DLOC_OK)
      status = e.kind == ENTRY_BLOCK ? walk_entry(m, &e) : DLOC_INVALID;
  }
  return status;
}

/* What was written, behind the header of a wrapper that was there before, with the new size in it. */
static size_t put_file(const mutation *m, uint8_t *data, size_t most) {
  size_t header = (size_t)(m->s.base / 8), size = m->w.bytes.count;
  if (header > most || size > most - header)
    return 0;
  for (unsigned i = 0; header && i < 4; i++)
    data[WRAPPER_SIZE_AT + i] = (uint8_t)(size >> (8 * i));
  memcpy(data + header, m->w.bytes.items, size);
  return header + size;
}

/* Written once to count entries, and once with a change. */
size_t mutate_bitcode(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static mutation m; /* large; a fuzzer has one thread */
  dloc_context *context = dloc_context_create(NULL);
  dloc_text bytes = {(const char *)data, size};
  m = (mutation){.w = {.context = context}, .random = seed, .anywhere = seed % 8 == 1, .target = SIZE_MAX};
  if (!context)
    return 0;
  dloc_status status = walk(&m, context, bytes);
  stream_deinit(&m.s);
  if (status == DLOC_OK && m.next) {
    m.target = pick_below(&m.random, m.next);
    status = walk(&m, context, bytes);
    stream_deinit(&m.s);
  }
  size_t made = status == DLOC_OK && m.changed ? put_file(&m, data, most) : 0;
  context_free(context, m.w.bytes.items);
  dloc_context_destroy(context);
  return made;
}
