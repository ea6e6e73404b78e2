/* A file of bitcode with a few records changed. */
#include "reader.h"
#include "write_bits.h"

#include <stdlib.h>

enum { TOP_WIDTH = 2, WORD = 32, SYMTAB_FNENTRY = 3, FIRST_ABBREVIATION = 4 };

/* Where a block was, and is now: words of the stream; of a record of metadata, bits. */
typedef struct place {
  uint64_t before;
  uint64_t after;
} place;

/* LLVM's abbreviation of a LOCATION with a list, behind the code. Without the list it is shorter by that, and by the atom
 * in a release that has none; a DEBUG_LOC has no distinct bit in front. `bitcode.list.abbreviation` */
static const abbreviation_operand location_values[] = {
    {0, ENCODING_FIXED, 1}, {0, ENCODING_VBR, 6}, {0, ENCODING_VBR, 8},   {0, ENCODING_VBR, 6}, {0, ENCODING_VBR, 6},
    {0, ENCODING_FIXED, 1}, {0, ENCODING_VBR, 6}, {0, ENCODING_FIXED, 3}, {0, ENCODING_VBR, 6}};
enum { LOCATION_OPERANDS = 1 + sizeof location_values / sizeof *location_values };

/* The abbreviations of a block. New ones stand in front of those of its own that follow, whose ids move. */
typedef struct shapes {
  uint32_t ids[LOCATION_OPERANDS]; /* by the number of values: of those that edits use, in the output; 0: none */
  uint32_t next;                   /* in the stream: of the next that is met */
  uint32_t first, added;           /* the ids from the first on move by so many; 0: no edit was met yet */
} shapes;

typedef struct rewriter {
  dloc_bitcode *b;
  stream *s;
  bit_writer w;
  const edit_list *edits;
  size_t next;       /* edit */
  size_t next_value; /* of the records that edits add */
  shapes shapes;     /* of the block at hand, when it has edits */
  uint64_t location; /* the last DEBUG_LOC: where it is, and where it ends */
  uint64_t location_end;
  ARRAY(place) functions; /* In the order of the file. */
  uint64_t offset_at;     /* The place of the symbol table's offset in the output; 0: there is none. */
  uint64_t offset;        /* Its value before. */
  bool has_symbols;       /* The table was met. */
  ARRAY(place) records;   /* Of the module's metadata, if it has an index of them. */
  place indexed;          /* The end of the index's offset: the index counts from there. */
} rewriter;

static unsigned inner_width(const rewriter *r) { return r->s->blocks[r->s->depth - 1].width; }

/* ---- Abbreviations ---- */

/* How many operands there are in ret. */
static uint32_t abbreviate(uint32_t code, uint64_t values, abbreviation_operand ret[LOCATION_OPERANDS]) {
  ret[0] = (abbreviation_operand){code, ENCODING_LITERAL, 0};
  for (uint32_t i = 0; i < values; i++)
    ret[i + 1] = location_values[i + (code == FUNC_DEBUG_LOC)];
  return (uint32_t)values + 1;
}

/* One that the block has, or a new one. No DEBUG_LOC is abbreviated by a release that has no abbreviation for it. */
static dloc_status add_shape(rewriter *r, uint32_t code, uint64_t values) {
  abbreviation_operand operands[LOCATION_OPERANDS];
  uint32_t *id = &r->shapes.ids[values];
  bool known = code == METADATA_LOCATION;
  for (uint32_t i = FIRST_ABBREVIATION; i < r->shapes.first; i++) {
    const abbreviation *a = stream_abbreviation(r->s, i);
    bool same = a->code == code;
    known = known || same;
    *id = same && a->count == values + 1 ? i : *id;
  }
  if (!known || *id)
    return DLOC_OK;
  *id = r->shapes.first + r->shapes.added++;
  return write_abbreviation(&r->w, inner_width(r), operands, abbreviate(code, values, operands));
}

/* Those of the records that edits add to the block: before the first edit, and before the index of metadata, which
 * readers follow once they have met every abbreviation. Blobs stand in front of both. */
static dloc_status add_shapes(rewriter *r) {
  uint64_t end = r->s->blocks[r->s->depth - 1].end;
  size_t at = r->next_value;
  if (r->shapes.first)
    return DLOC_OK;
  r->shapes.first = r->shapes.next;
  for (size_t i = r->next; i < r->edits->edits.count && r->edits->edits.items[i].bit < end; i++) {
    for (size_t j = 0; j < r->edits->edits.items[i].added; j++) {
      const uint64_t *values = r->edits->values.items + at;
      if (values[EDIT_ABBREVIATED])
        TRY(add_shape(r, (uint32_t)values[EDIT_CODE], values[EDIT_COUNT]));
      at += EDIT_VALUES + values[EDIT_COUNT];
    }
  }
  return DLOC_OK;
}

/* The id in the output of an abbreviation of the stream. */
static uint32_t moved_id(const rewriter *r, uint32_t id) {
  return r->shapes.added && id >= r->shapes.first ? id + r->shapes.added : id;
}

static dloc_status copy_abbreviation(rewriter *r, const entry *e) {
  uint32_t id = r->shapes.next++;
  if (r->shapes.added && moved_id(r, id) >> inner_width(r))
    return STREAM_FAIL(r->s, UNKNOWN, e->bit, "the block has no room for an abbreviation more");
  return write_copy(&r->w, r->s, e->bit, r->s->c.at);
}

/* ---- Records ---- */

/* The entry that was just passed. A blob stands at a word's start. */
static dloc_status copy_entry(rewriter *r, const entry *e) {
  bool has_blob = e->shape && stream_operand(r->s, e->shape, e->shape->count - 1).encoding == ENCODING_BLOB;
  if ((bit_writer_at(&r->w) - e->bit) % WORD && has_blob)
    return STREAM_FAIL(r->s, UNKNOWN, e->bit, "a blob behind what was changed");
  TRY(write_fixed(&r->w, moved_id(r, e->id), inner_width(r)));
  return write_copy(&r->w, r->s, e->bit + inner_width(r), r->s->c.at);
}

static dloc_status write_added(rewriter *r, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t *values = r->edits->values.items + r->next_value;
    const record added = {
        .code = (uint32_t)values[EDIT_CODE], .count = (size_t)values[EDIT_COUNT], .raw = values + EDIT_VALUES};
    uint32_t id = values[EDIT_ABBREVIATED] ? r->shapes.ids[added.count] : 0;
    abbreviation_operand own[LOCATION_OPERANDS];
    if (id && id < r->shapes.first)
      TRY(write_same(&r->w, r->s, &(entry){.id = id, .shape = stream_abbreviation(r->s, id)}, &added));
    else if (id && !(id >> inner_width(r)))
      TRY(write_abbreviated(&r->w, inner_width(r), id, own, abbreviate(added.code, added.count, own), &added));
    else
      TRY(write_record(&r->w, inner_width(r), &added));
    r->next_value += EDIT_VALUES + added.count;
  }
  return DLOC_OK;
}

static dloc_status apply_edit(rewriter *r, const entry *e, const edit *edit) {
  switch (edit->action) {
  case EDIT_KEEP:
    TRY(copy_entry(r, e));
    break;
  case EDIT_REPEAT:
    TRY(write_copy(&r->w, r->s, r->location, r->location_end));
    break;
  case EDIT_DROP:
    break;
  }
  return write_added(r, edit->added);
}

/* ---- The index of metadata ---- */

/* INDEX_OFFSET: how far behind this record INDEX stands, in two words that are written before that is known. */
static dloc_status copy_index_offset(rewriter *r, const entry *e) {
  abbreviation_operand last = stream_operand(r->s, e->shape, 2);
  if (!e->shape || e->shape->count != 3 || last.encoding != ENCODING_FIXED || last.width != WORD)
    return STREAM_FAIL(r->s, UNKNOWN, e->bit, "the offset of the index of metadata has no fixed width");
  TRY(copy_entry(r, e));
  r->indexed = (place){r->s->c.at, bit_writer_at(&r->w)};
  return DLOC_OK;
}

/* INDEX: how far each record of a node stands behind the one before. */
static dloc_status rewrite_index(rewriter *r, const entry *e, record *found) {
  place last = r->indexed;
  size_t next = 0;
  for (size_t i = 0; i < found->count; i++) {
    uint64_t before = last.before + value_at(found, i);
    while (next < r->records.count && r->records.items[next].before < before)
      next++;
    if (next == r->records.count || r->records.items[next].before != before)
      return STREAM_FAIL(r->s, ID, e->bit, "no record of metadata begins at bit %" PRIu64, before);
    stream_set_value(r->s, found, i, r->records.items[next].after - last.after);
    last = r->records.items[next];
  }
  uint64_t distance = bit_writer_at(&r->w) - r->indexed.after;
  write_patch(&r->w, r->indexed.after - 2 * WORD, (uint32_t)distance);
  write_patch(&r->w, r->indexed.after - WORD, (uint32_t)(distance >> WORD));
  entry moved = *e;
  moved.id = moved_id(r, e->id);
  return write_same(&r->w, r->s, &moved, found);
}

static dloc_status rewrite_metadata(rewriter *r, const entry *e, record *found) {
  if (found->code == METADATA_INDEX_OFFSET)
    return copy_index_offset(r, e);
  return found->code == METADATA_INDEX && r->indexed.before ? rewrite_index(r, e, found) : copy_entry(r, e);
}

static dloc_status rewrite_edited(rewriter *r, uint32_t block_id, const entry *e) {
  record found;
  TRY(stream_read(r->s, e, &found));
  const edit *edit = r->next < r->edits->edits.count ? &r->edits->edits.items[r->next] : NULL;
  bool is_edited = edit && edit->bit == e->bit, is_metadata = block_id == BLOCK_METADATA && r->s->depth == 2;
  if (is_metadata && r->indexed.before)
    PUSH(r->w.context, r->records, (place){e->bit, bit_writer_at(&r->w)});
  if (is_edited || (is_metadata && found.code == METADATA_INDEX_OFFSET))
    TRY(add_shapes(r));
  TRY(is_edited ? apply_edit(r, e, edit) : is_metadata ? rewrite_metadata(r, e, &found) : copy_entry(r, e));
  r->next += is_edited;
  if (block_id == BLOCK_FUNCTION && found.code == DLOC_RECORD_DEBUG_LOC) {
    r->location = e->bit;
    r->location_end = r->s->c.at;
  }
  return DLOC_OK;
}

/* VSTOFFSET is written before its value is known, with a fixed width. */
static dloc_status rewrite_module_record(rewriter *r, const entry *e) {
  record found;
  TRY(stream_read(r->s, e, &found));
  if (found.code == MODULE_VSTOFFSET && value_at(&found, 0)) {
    abbreviation_operand last = stream_operand(r->s, e->shape, 1);
    if (!e->shape || e->shape->count != 2 || last.encoding != ENCODING_FIXED || last.width != WORD)
      return STREAM_FAIL(r->s, UNKNOWN, e->bit, "the symbol table's offset has no fixed width");
    r->offset = value_at(&found, 0);
    r->offset_at = bit_writer_at(&r->w) + (r->s->c.at - e->bit) - WORD;
  }
  return copy_entry(r, e);
}

static int compare_places(const void *key, const void *item) {
  uint64_t before = *(const uint64_t *)key, at = ((const place *)item)->before;
  return before < at ? -1 : before > at;
}

/* FNENTRY: [value, offset of its body, ...] */
static dloc_status rewrite_symbol(rewriter *r, const entry *e) {
  record found;
  TRY(stream_read(r->s, e, &found));
  if (found.code != SYMTAB_FNENTRY || found.count < 2)
    return copy_entry(r, e);
  uint64_t before = value_at(&found, 1);
  const place *moved = r->functions.count ? bsearch(&before, r->functions.items, r->functions.count,
                                                    sizeof *r->functions.items, compare_places)
                                          : NULL;
  if (!moved)
    return STREAM_FAIL(r->s, ID, e->bit, "no function begins at word %" PRIu64, before);
  stream_set_value(r->s, &found, 1, moved->after);
  dloc_status status = write_same(&r->w, r->s, e, &found);
  return status == DLOC_INVALID ? STREAM_FAIL(r->s, UNKNOWN, e->bit, "a function's offset cannot be changed here")
                                : status;
}

/* ---- Blocks ---- */

static dloc_status rewrite_block(rewriter *r, const block *b, unsigned outer);

static bool is_symbol_table(const rewriter *r, const block *b) {
  return b->id == BLOCK_VALUE_SYMTAB && r->s->depth && r->s->blocks[r->s->depth - 1].id == BLOCK_MODULE;
}

static dloc_status note_place(rewriter *r, const entry *e) {
  place moved = {e->bit / WORD, bit_writer_at(&r->w) / WORD};
  if (is_symbol_table(r, &e->block) && r->offset_at && moved.before == r->offset) {
    r->has_symbols = true;
    r->offset = moved.after;
  }
  if (e->block.id != BLOCK_FUNCTION)
    return DLOC_OK;
  PUSH(r->w.context, r->functions, moved);
  return DLOC_OK;
}

static dloc_status rewrite_nested(rewriter *r, const entry *e) {
  unsigned outer = r->s->depth ? inner_width(r) : TOP_WIDTH;
  const block b = e->block;
  bool has_edit = r->next < r->edits->edits.count && r->edits->edits.items[r->next].bit < b.end;
  TRY(note_place(r, e));
  if (b.id == BLOCK_MODULE || has_edit || is_symbol_table(r, &b))
    return rewrite_block(r, &b, outer);
  stream_pass(r->s, &b);
  return write_block(&r->w, r->s, &b, outer);
}

static dloc_status rewrite_entry(void *user, const entry *e) {
  rewriter *r = user;
  uint32_t block_id = r->s->blocks[r->s->depth - 1].id;
  if (e->kind == ENTRY_BLOCK)
    return rewrite_nested(r, e);
  if (e->kind == ENTRY_ABBREVIATION)
    return copy_abbreviation(r, e);
  if (block_id == BLOCK_MODULE)
    return rewrite_module_record(r, e);
  return block_id == BLOCK_VALUE_SYMTAB ? rewrite_symbol(r, e) : rewrite_edited(r, block_id, e);
}

static dloc_status rewrite_block(rewriter *r, const block *b, unsigned outer) {
  const shapes around = r->shapes;
  uint64_t entered = 0;
  r->shapes = (shapes){.next = FIRST_ABBREVIATION + (b->id < BLOCK_ID_LIMIT ? (uint32_t)r->s->given[b->id].count : 0)};
  TRY(write_enter(&r->w, b, outer, &entered));
  TRY(stream_each_entry(r->s, b, rewrite_entry, r));
  r->shapes = around;
  return write_leave(&r->w, b, entered);
}

/* ---- Files ---- */

/* The magic number, and the blocks; fewer bytes than a block's header has may stand behind them. */
static dloc_status rewrite_stream(rewriter *r) {
  entry e;
  stream_reset(r->s);
  r->s->c.at = WORD;
  TRY(write_copy(&r->w, r->s, 0, WORD));
  while (!stream_at_end(r->s)) {
    TRY(stream_next(r->s, &e));
    if (e.kind != ENTRY_BLOCK)
      return STREAM_FAIL(r->s, BLOCK, e.bit, "a block is expected here");
    TRY(rewrite_nested(r, &e));
  }
  if (r->next < r->edits->edits.count)
    return STREAM_FAIL(r->s, UNKNOWN, r->edits->edits.items[r->next].bit, "metadata behind what refers to it");
  if (r->offset_at && !r->has_symbols)
    return STREAM_FAIL(r->s, ID, r->offset_at, "there is no symbol table at word %" PRIu64, r->offset);
  if (r->offset_at)
    write_patch(&r->w, r->offset_at, (uint32_t)r->offset);
  return DLOC_OK;
}

/* [magic, version, offset, size, processor] of 4 bytes each; files that have it are padded. */
static dloc_status write_wrapped(rewriter *r, dloc_text bytes, dloc_sink sink) {
  enum { SIZE_AT = 12, WRAPPER_SIZE = 20, PADDED = 16 };
  static const char zeros[PADDED];
  size_t header = (size_t)(r->s->base / 8);
  if (r->w.bytes.count > UINT32_MAX || header < WRAPPER_SIZE)
    return DLOC_LIMIT;
  char size[4];
  for (unsigned i = 0; i < sizeof size; i++)
    size[i] = (char)(r->w.bytes.count >> (8 * i));
  TRY(sink_bytes(sink, bytes.bytes, SIZE_AT));
  TRY(sink_bytes(sink, size, sizeof size));
  TRY(sink_bytes(sink, bytes.bytes + SIZE_AT + sizeof size, header - SIZE_AT - sizeof size));
  TRY(sink_bytes(sink, (const char *)r->w.bytes.items, r->w.bytes.count));
  return sink_bytes(sink, zeros, (PADDED - (header + r->w.bytes.count) % PADDED) % PADDED);
}

dloc_status bitcode_rewrite(dloc_bitcode *b, dloc_text bytes, const edit_list *edits, dloc_sink sink) {
  rewriter r = {.b = b, .s = &b->s, .w = {.context = b->context}, .edits = edits};
  OWNED_MEMORY(b->context, &r.w.bytes.items, &r.functions.items, &r.records.items);
  TRY(rewrite_stream(&r));
  return b->s.base ? write_wrapped(&r, bytes, sink) : sink_bytes(sink, (const char *)r.w.bytes.items, r.w.bytes.count);
}
