/* The raw view of bitcode: blocks and records of whatever meaning; and single records of metadata, decoded. */
#include "reader.h"

/* ---- Names ---- */

const char *dloc_bitcode_block_name(uint32_t id) {
  switch (id) {
#define BLOCK(id, name)                                                                                                \
  case id:                                                                                                             \
    return #name "_BLOCK";
#include "codes.def"
  default:
    return NULL;
  }
}

static const struct {
  uint8_t block, code;
  const char *name;
} code_names[] = {
#define METADATA_CODE(code, name) {BLOCK_METADATA, code, #name},
#define MODULE_CODE(code, name) {BLOCK_MODULE, code, #name},
#define FUNCTION_CODE(code, name, what) {BLOCK_FUNCTION, code, #name},
#include "codes.def"
};

const char *dloc_bitcode_code_name(uint32_t block, uint32_t code) {
  if (block == BLOCK_METADATA_ATTACHMENT || block == BLOCK_METADATA_KIND)
    block = BLOCK_METADATA;
  const class_spec *class = block == BLOCK_METADATA && code != METADATA_LOCATION ? class_of_code(code) : NULL;
  if (class)
    return class->name.bytes;
  for (size_t i = 0; i < sizeof code_names / sizeof *code_names; i++)
    if (code_names[i].block == block && code_names[i].code == code)
      return code_names[i].name;
  return NULL;
}

/* ---- Items ---- */

static dloc_status visit_items(stream *s, dloc_bitcode_item_visit *visit, void *user) {
  while (s->depth || !stream_at_end(s)) {
    entry e;
    record r;
    dloc_bitcode_item item = {.depth = s->depth, .block = s->depth ? s->blocks[s->depth - 1].id : 0};
    TRY(stream_next(s, &e));
    item.bit = s->base + e.bit;
    switch (e.kind) {
    case ENTRY_END:
      item.kind = DLOC_BITCODE_LEAVE;
      break;
    case ENTRY_ABBREVIATION:
      item.kind = DLOC_BITCODE_ABBREVIATION;
      break;
    case ENTRY_BLOCK:
      item.kind = DLOC_BITCODE_ENTER;
      item.block = e.block.id;
      item.size = (e.block.end - e.block.start) / 8;
      item.depth++;
      TRY(stream_enter(s, &e.block));
      break;
    case ENTRY_RECORD:
      TRY(stream_read(s, &e, &r));
      item.kind = DLOC_BITCODE_RECORD;
      item.abbreviation = r.abbreviation;
      item.code = item.meaning = r.code;
      if (item.block == BLOCK_METADATA)
        TRY(bitcode_meaning(s, r.code, &item.meaning));
      item.values = r.raw;
      item.value_count = r.count;
      item.has_blob = r.blob.bytes != NULL;
      item.blob = r.blob;
      break;
    }
    TRY(visit(user, &item));
    if (e.kind == ENTRY_BLOCK && e.block.id == BLOCKINFO_ID) {
      stream_leave(s);
      TRY(stream_read_blockinfo(s, &e.block));
      item.kind = DLOC_BITCODE_LEAVE;
      TRY(visit(user, &item));
    }
  }
  return DLOC_OK;
}

dloc_status dloc_bitcode_items(dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic,
                               dloc_bitcode_item_visit *visit, void *user) {
  ALLOCATE(context, stream, s, 1);
  OWNED_MEMORY(context, &s);
  *diagnostic = (dloc_diagnostic){.reason = DLOC_REASON_NONE};
  dloc_status status = stream_open(s, context, bytes, diagnostic);
  if (status == DLOC_OK)
    status = visit_items(s, visit, user);
  stream_deinit(s);
  return status;
}

/* ---- Metadata ---- */

static bool is_string(const dloc_bitcode *b, uint64_t id) {
  return id < b->entries.count && b->entries.items[id].is_string;
}

/* A string by number + 1; empty for none. Strings of a record of their own are not looked at. */
static dloc_status string_at(dloc_bitcode *b, uint64_t bit, uint64_t id_and_1, dloc_text *ret) {
  *ret = (dloc_text){"", 0};
  if (id_and_1 == 0)
    return DLOC_OK;
  if (!is_string(b, id_and_1 - 1))
    return bitcode_fail_id(b, bit, "string", id_and_1 - 1);
  const metadata_entry *e = &b->entries.items[id_and_1 - 1];
  *ret = (dloc_text){(const char *)b->s.c.bytes + e->at, e->size};
  return DLOC_OK;
}

/* The value of a field; 0 where its class has none of that name. */
static uint64_t field_value(const record *r, const class_spec *class, const char *name) {
  for (size_t row = class->first; row < class[1].first; row++)
    if (dloc_text_equal(field_specs[row].name, dloc_text_of(name)))
      return value_at(r, field_specs[row].value);
  return 0;
}

/* The scope of a location is not null, and its number not biased; nor are those of a layer. */
static dloc_status decode(dloc_bitcode *b, const record *r, dloc_bitcode_metadata *ret) {
  const class_spec *class = class_of_code(r->code);
  const char *name = class ? class->name.bytes : dloc_bitcode_code_name(BLOCK_METADATA, r->code);
  ret->class_name = name ? name : "unknown";
  ret->distinct = value_at(r, 0) & 1;
  if (!class || class->form == FORM_KEPT || class->kind == DLOC_KIND_COMPILE_UNIT)
    return DLOC_OK;
  TRY(bitcode_check_count(b, r, ret->class_name, class->least));
  if (class->form == FORM_LIST) {
    const record entries = record_part(r, 1, SIZE_MAX);
    ret->entries = entries.raw;
    ret->entry_count = entries.count;
    return DLOC_OK;
  }
  bool is_layer = class->kind == DLOC_KIND_LAYER;
  uint64_t column = field_value(r, class, "column"), named = field_value(r, class, is_layer ? "kind" : "name");
  if (is_layer)
    named = is_string(b, named) ? named + 1 : 0;
  ret->line = (uint32_t)field_value(r, class, "line");
  ret->column = (uint32_t)column <= DLOC_COLUMN_LIMIT ? (uint32_t)column : 0;
  ret->file = field_value(r, class, "file") + is_layer;
  ret->discriminator = (uint32_t)field_value(r, class, "discriminator");
  ret->scope = field_value(r, class, "scope") + (class->kind == DLOC_KIND_LOCATION);
  ret->inlined_at = field_value(r, class, "inlinedAt");
  ret->irlayers = field_value(r, class, "irlayers");
  TRY(string_at(b, r->bit, class->kind == DLOC_KIND_FILE ? field_value(r, class, "filename") : named, &ret->name));
  return string_at(b, r->bit, field_value(r, class, "directory"), &ret->directory);
}

dloc_status dloc_bitcode_metadata_at(dloc_bitcode *b, uint64_t number, dloc_bitcode_metadata *ret) {
  dloc_bitcode_metadata found = {.class_name = ""};
  record r;
  TRY(bitcode_index(b));
  TRY(bitcode_check_id(b, b->s.c.at, "metadata", number, b->entries.count));
  const metadata_entry *e = &b->entries.items[number];
  found.local = number >= b->module_entries;
  found.bit = b->s.base + e->at * (e->is_string ? 8 : 1);
  if (e->is_string) {
    TRY(string_at(b, 0, number + 1, &found.name));
  } else {
    TRY(bitcode_metadata_record(b, number, &r));
    TRY(decode(b, &r, &found));
  }
  *ret = found;
  return DLOC_OK;
}
