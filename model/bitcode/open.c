/* Opening bitcode: the container's outermost blocks, and the module's as far as every question needs it. */
#include "reader.h"

enum { MAGIC_SIZE = 4, WRAPPER_SIZE = 20 };

static uint32_t word_at(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool has_magic(const uint8_t *bytes, size_t size) {
  return size >= MAGIC_SIZE && bytes[0] == 'B' && bytes[1] == 'C' && bytes[2] == 0xc0 && bytes[3] == 0xde;
}

static bool has_wrapper(const uint8_t *bytes, size_t size) {
  return size >= MAGIC_SIZE && word_at(bytes) == UINT32_C(0x0b17c0de);
}

bool dloc_is_bitcode(dloc_text bytes) {
  const uint8_t *first = (const uint8_t *)bytes.bytes;
  return has_magic(first, bytes.size) || has_wrapper(first, bytes.size);
}

dloc_status stream_open(stream *s, dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic) {
  const uint8_t *first = (const uint8_t *)bytes.bytes;
  size_t size = bytes.size, offset = 0;
  stream_init(s, context, first, size, diagnostic);
  if (has_wrapper(first, size)) {
    if (size < WRAPPER_SIZE)
      return STREAM_FAIL(s, TRUNCATED, 0, "the wrapper's header ends too early");
    offset = word_at(first + 8);
    size_t inner = word_at(first + 12);
    if (offset > size || inner > size - offset)
      return STREAM_FAIL(s, TRUNCATED, 8 * 8,
                         "the wrapper says that %zu bytes from byte %zu on are bitcode, and there are %zu bytes", inner,
                         offset, size);
    stream_init(s, context, first + offset, inner, diagnostic);
    s->base = (uint64_t)offset * 8;
  }
  if (!has_magic(s->c.bytes, s->c.size))
    return STREAM_FAIL(s, MAGIC, 0, "this is not LLVM bitcode");
  s->c.at = MAGIC_SIZE * 8;
  return DLOC_OK;
}

bool stream_at_end(const stream *s) { return cursor_rest(&s->c) < 64; }

/* ---- Outermost blocks ---- */

enum { IDENTIFICATION_STRING = 1, IDENTIFICATION_EPOCH = 2, STRTAB_BLOB = 1 };

static dloc_status take_identification(void *user, const record *r) {
  dloc_bitcode *b = user;
  if (r->code == IDENTIFICATION_EPOCH && value_at(r, 0))
    return STREAM_FAIL(&b->s, UNKNOWN, r->bit, "this is bitcode of epoch %" PRIu64 ", not 0", value_at(r, 0));
  return r->code == IDENTIFICATION_STRING && !b->producer ? bitcode_string(b, r, 0, &b->producer) : DLOC_OK;
}

static dloc_status take_strtab(void *user, const record *r) {
  dloc_bitcode *b = user;
  if (r->code == STRTAB_BLOB)
    b->strtab = r->blob;
  return DLOC_OK;
}

/* The module's names are in the string table behind it, so that comes first. */
static dloc_status read_outermost(dloc_bitcode *b) {
  bool has_module = false, has_strtab = false;
  while (!stream_at_end(&b->s)) {
    entry e;
    TRY(stream_next(&b->s, &e));
    if (e.kind != ENTRY_BLOCK)
      return STREAM_FAIL(&b->s, BLOCK, e.bit, "a block is expected here");
    stream_pass(&b->s, &e.block);
    if (e.block.id == BLOCK_MODULE) {
      if (has_module)
        return STREAM_FAIL(&b->s, UNKNOWN, e.bit, "there is more than one module");
      has_module = true;
      b->module = e.block;
    } else if (e.block.id == BLOCK_IDENTIFICATION) {
      TRY(stream_each_record(&b->s, &e.block, take_identification, b));
    } else if (e.block.id == BLOCK_STRTAB && has_module && !has_strtab) {
      has_strtab = true;
      TRY(stream_each_record(&b->s, &e.block, take_strtab, b));
    } else if (e.block.id == BLOCK_BLOCKINFO) {
      TRY(stream_read_blockinfo(&b->s, &e.block));
    }
  }
  if (!has_module)
    return STREAM_FAIL(&b->s, TRUNCATED, b->s.c.at, "there is no module");
  return DLOC_OK;
}

/* ---- The module ---- */

static dloc_status read_version(dloc_bitcode *b, const record *r) {
  b->has_version = value_at(r, 0) == 2;
  return b->has_version ? DLOC_OK : bitcode_fail_version(b, r);
}

/* Bodies come in the order of the functions that have one. */
static dloc_status take_body(dloc_bitcode *b, const block *header) {
  while (b->next_body < b->functions.count && !(b->functions.items[b->next_body].flags & DLOC_FUNCTION_DEFINITION))
    b->next_body++;
  if (b->next_body == b->functions.count)
    return STREAM_FAIL(&b->s, BLOCK, header->start, "no function is left for this body");
  function *f = &b->functions.items[b->next_body++];
  f->body = *header;
  f->has_body = true;
  return DLOC_OK;
}

static dloc_status read_module_block(dloc_bitcode *b, const block *header) {
  switch (header->id) {
  case BLOCK_BLOCKINFO:
    return stream_read_blockinfo(&b->s, header);
  case BLOCK_TYPE:
    return stream_each_record(&b->s, header, bitcode_take_type, b);
  case BLOCK_PARAMATTR_GROUP:
    return stream_each_record(&b->s, header, bitcode_take_attribute_group, b);
  case BLOCK_PARAMATTR:
    return stream_each_record(&b->s, header, bitcode_take_attribute_list, b);
  case BLOCK_CONSTANTS:
    return bitcode_read_constants(b, header);
  case BLOCK_FUNCTION:
    stream_pass(&b->s, header);
    return take_body(b, header);
  case BLOCK_METADATA:
    return bitcode_take_metadata(b, OF_MODULE, header);
  case BLOCK_METADATA_KIND:
    b->kinds = *header;
    break;
  default:
    break;
  }
  stream_pass(&b->s, header);
  return DLOC_OK;
}

static dloc_status take_module_entry(void *user, const entry *e) {
  dloc_bitcode *b = user;
  record r;
  if (e->kind == ENTRY_BLOCK)
    return read_module_block(b, &e->block);
  if (e->kind != ENTRY_RECORD)
    return DLOC_OK;
  TRY(stream_read(&b->s, e, &r));
  return r.code == MODULE_VERSION ? read_version(b, &r) : bitcode_read_global(b, &r);
}

/* `bitcode.again.layers`, `bitcode.list.read.*` */
record_form bitcode_form(const dloc_profile *profile) {
  const uint8_t *taken = (profile ? profile : dloc_profile_at(0))->alternative;
  return (record_form){
      .again_is_primary = taken[DLOC_CHOICE_BITCODE_AGAIN] == DLOC_BITCODE_AGAIN_PRIMARY,
      .skips_more = taken[DLOC_CHOICE_METADATA_IRLAYERS] == DLOC_METADATA_IRLAYERS_KNOWN,
      .takes_seven = taken[DLOC_CHOICE_BITCODE_IRLAYERS_SEVEN] == DLOC_BITCODE_IRLAYERS_SEVEN_READ,
      .kind_is_string = taken[DLOC_CHOICE_BITCODE_IRLAYERS_KIND] == DLOC_BITCODE_IRLAYERS_KIND_ASSERT,
  };
}

dloc_status dloc_bitcode_open(dloc_context *context, const dloc_profile *profile, dloc_text bytes,
                              dloc_diagnostic *diagnostic, dloc_bitcode **ret) {
  ALLOCATE(context, dloc_bitcode, b, 1);
  *b = (dloc_bitcode){.context = context, .form = bitcode_form(profile)};
  *diagnostic = (dloc_diagnostic){.reason = DLOC_REASON_NONE};
  dloc_status status = stream_open(&b->s, context, bytes, diagnostic);
  if (status == DLOC_OK)
    status = read_outermost(b);
  if (status == DLOC_OK)
    status = stream_each_entry(&b->s, &b->module, take_module_entry, b);
  if (status == DLOC_OK)
    status = bitcode_finish_functions(b);
  if (status == DLOC_OK)
    *ret = b;
  else
    dloc_bitcode_close(b);
  return status;
}

void dloc_bitcode_close(dloc_bitcode *b) {
  if (!b)
    return;
  dloc_context *context = b->context;
  stream_deinit(&b->s);
  CONTEXT_FREE(context, b->groups.entries, b->types.items, b->values.items, b->functions.items, b->attributes.items,
               b->names, b->entries.items, b->blocks[OF_MODULE].abbreviations.items,
               b->blocks[OF_FUNCTION].abbreviations.items, b->kind_names.entries, b);
}

dloc_text dloc_bitcode_producer(const dloc_bitcode *b) { return dloc_node_text(b->context, b->producer); }
size_t dloc_bitcode_function_count(const dloc_bitcode *b) { return b->functions.count; }

dloc_bitcode_function dloc_bitcode_function_at(const dloc_bitcode *b, size_t index) {
  const function *f = &b->functions.items[index];
  return (dloc_bitcode_function){f->name, f->flags, f->has_body ? b->s.base + f->body.start : 0};
}
