/* Metadata by number: where each node and string is. Nothing is made of them here. */
#include "reader.h"

/* Whether a record of metadata makes something that has a number. */
static bool is_numbered(uint32_t code) {
  return code != METADATA_NAME && code != METADATA_KIND && code != METADATA_NAMED_NODE &&
         code != METADATA_GLOBAL_DECL_ATTACHMENT && code != METADATA_INDEX_OFFSET && code != METADATA_INDEX;
}

static dloc_status add_entry(dloc_bitcode *b, metadata_entry e) {
  if (b->entries.count >= UINT32_MAX - 1)
    return DLOC_LIMIT;
  PUSH(b->context, b->entries, e);
  return DLOC_OK;
}

/* METADATA_STRINGS: [count, offset of the characters] and a blob: the lengths, and behind them all characters. */
static dloc_status add_strings(dloc_bitcode *b, const record *r) {
  if (r->count < 2 || value_at(r, 1) > r->blob.size || value_at(r, 0) > value_at(r, 1) * 8 / 6)
    return STREAM_FAIL(&b->s, RECORD, r->bit, "the strings do not fit into their blob");
  uint64_t count = value_at(r, 0), left = r->blob.size - value_at(r, 1);
  uint64_t at = (uint64_t)(r->blob.bytes - (const char *)b->s.c.bytes) + value_at(r, 1);
  cursor lengths = {(const uint8_t *)r->blob.bytes, (size_t)value_at(r, 1), 0, value_at(r, 1) * 8, false};
  RESERVE(b->context, b->entries, b->entries.count + (size_t)count);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t size = cursor_vbr(&lengths, 6);
    if (!cursor_fine(&lengths) || size > left || size > UINT32_MAX)
      return STREAM_FAIL(&b->s, RECORD, r->bit, "string %" PRIu64 " does not fit into the blob", i);
    TRY(add_entry(b, (metadata_entry){at, (uint32_t)size, true}));
    at += size;
    left -= size;
  }
  return DLOC_OK;
}

static dloc_status index_record(dloc_bitcode *b, const entry *e) {
  record r;
  TRY(stream_take(&b->s, e, e->code == METADATA_STRINGS, &r));
  if (r.code == METADATA_STRINGS)
    return add_strings(b, &r);
  return is_numbered(r.code) ? add_entry(b, (metadata_entry){e->bit, 0, false}) : DLOC_OK;
}

/* An abbreviation that was just defined is kept for when records are read again. */
static dloc_status index_entry(void *user, const entry *e) {
  dloc_bitcode *b = user;
  if (e->kind == ENTRY_RECORD)
    return index_record(b, e);
  if (e->kind == ENTRY_BLOCK)
    stream_pass(&b->s, &e->block);
  else
    PUSH(b->context, b->blocks[b->blocks[OF_MODULE].indexed ? OF_FUNCTION : OF_MODULE].abbreviations,
         b->s.own.items[b->s.own.count - 1]);
  return DLOC_OK;
}

/* Do something at another place of the stream, and come back. */
typedef struct excursion {
  cursor c;
  size_t depth;
  size_t own;
} excursion;

static excursion depart(stream *s) {
  excursion e = {s->c, s->depth, s->own.count};
  return e;
}

static void come_back(stream *s, const excursion *e) {
  s->c = e->c;
  s->depth = e->depth;
  s->own.count = e->own;
}

static dloc_status index_block(dloc_bitcode *b, metadata_block *m) {
  excursion back = depart(&b->s);
  m->abbreviations.count = 0;
  dloc_status status = m->b.end ? stream_each_entry(&b->s, &m->b, index_entry, b) : DLOC_OK;
  come_back(&b->s, &back);
  m->indexed = status == DLOC_OK;
  return status;
}

dloc_status bitcode_index(dloc_bitcode *b) {
  if (!b->blocks[OF_MODULE].indexed) {
    TRY(index_block(b, &b->blocks[OF_MODULE]));
    b->module_entries = b->entries.count;
  }
  return b->blocks[OF_FUNCTION].indexed ? DLOC_OK : index_block(b, &b->blocks[OF_FUNCTION]);
}

dloc_status bitcode_take_metadata(dloc_bitcode *b, size_t owner, const block *header) {
  metadata_block *m = &b->blocks[owner];
  if (m->b.end)
    return STREAM_FAIL(&b->s, BLOCK, header->start, "the %s has a second block of metadata",
                       owner == OF_MODULE ? "module" : "function");
  m->b = *header;
  m->indexed = false;
  stream_pass(&b->s, header);
  return DLOC_OK;
}

void bitcode_forget_local(dloc_bitcode *b) {
  if (b->blocks[OF_MODULE].indexed)
    b->entries.count = b->module_entries;
  b->blocks[OF_FUNCTION].b.end = 0;
}

dloc_status bitcode_enter_metadata(dloc_bitcode *b, const metadata_block *m) {
  TRY(stream_enter(&b->s, &m->b));
  block *entered = &b->s.blocks[b->s.depth - 1];
  entered->saved = m->abbreviations.items;
  entered->saved_count = m->abbreviations.count;
  return DLOC_OK;
}

dloc_status bitcode_metadata_record(dloc_bitcode *b, uint64_t id, record *ret) {
  const metadata_block *m = &b->blocks[id < b->module_entries ? OF_MODULE : OF_FUNCTION];
  excursion back = depart(&b->s);
  entry e;
  TRY(bitcode_enter_metadata(b, m));
  b->s.c.at = b->entries.items[id].at;
  dloc_status status = stream_next(&b->s, &e);
  if (status == DLOC_OK)
    status = stream_read(&b->s, &e, ret);
  if (status == DLOC_OK)
    status = bitcode_understand(&b->s, ret);
  come_back(&b->s, &back);
  return status;
}

/* ---- Kinds of attachments ---- */

dloc_status bitcode_string(dloc_bitcode *b, const record *r, size_t first, dloc_node *ret) {
  size_t size = record_part(r, first, SIZE_MAX).count;
  ALLOCATE(b->context, char, bytes, size + 1);
  OWNED_MEMORY(b->context, &bytes);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (char)value_at(r, first + i);
  return dloc_string(b->context, (dloc_text){bytes, size}, ret);
}

static dloc_status add_kind(void *user, const record *r) {
  dloc_bitcode *b = user;
  dloc_node name = DLOC_NULL;
  if (r->code != METADATA_KIND)
    return DLOC_OK;
  TRY(bitcode_check_count(b, r, "a kind of metadata", 1));
  TRY(bitcode_string(b, r, 1, &name));
  if (dloc_node_text(b->context, name).size == 0)
    return STREAM_FAIL(&b->s, RECORD, r->bit, "a kind of metadata has no name");
  return map_add(b->context, &b->kind_names, value_at(r, 0), 0, name, NULL);
}

dloc_status bitcode_read_kinds(dloc_bitcode *b) {
  return b->kinds.end ? stream_each_record(&b->s, &b->kinds, add_kind, b) : DLOC_OK;
}

dloc_status bitcode_kind_name(dloc_bitcode *b, uint64_t bit, uint64_t kind, dloc_node *ret) {
  return map_get(&b->kind_names, kind, 0, ret) ? DLOC_OK : bitcode_fail_id(b, bit, "kind of metadata", kind);
}
