/* Opening bitcode: the container's outermost blocks, and the module's as far as every question needs it. */
#include "reader.h"

#include <stdio.h>

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

/* ---- Types ---- */

enum { TYPE_NUMENTRY = 1, TYPE_STRUCT_NAME = 19 };

static dloc_status take_type(void *user, const record *r) {
  dloc_bitcode *b = user;
  type t = {r->code, 0, 0};
  b->typed_pointers |= r->code == TYPE_POINTER;
  if (r->code == TYPE_NUMENTRY || r->code == TYPE_STRUCT_NAME)
    return DLOC_OK;
  if (r->code == TYPE_INTEGER) {
    TRY(bitcode_check_count(b, r, "an integer type", 1));
    t.size = value_at(r, 0) > UINT32_MAX ? UINT32_MAX : (uint32_t)value_at(r, 0);
  } else if (r->code == TYPE_FUNCTION) {
    TRY(bitcode_check_count(b, r, "a function type", 2));
    if (value_at(r, 1) > UINT32_MAX || r->count > UINT32_MAX)
      return bitcode_fail_id(b, r->bit, "type", value_at(r, 1));
    t.other = (uint32_t)value_at(r, 1);
    t.size = (uint32_t)r->count - 2;
  }
  PUSH(b->context, b->types, t);
  return DLOC_OK;
}

/* ---- Attributes ---- */

enum { ATTRIBUTE_LIST = 2, ATTRIBUTE_GROUP = 3, ALWAYS_INLINE = 2 };
#define FUNCTION_INDEX UINT64_C(0xffffffff)

/* A string of values that ends with 0, from *at on. */
static bool string_is(const record *r, size_t *at, const char *text) {
  bool same = true;
  for (; *at < r->count && value_at(r, *at); ++*at) {
    same = same && *text && value_at(r, *at) == (unsigned char)*text;
    text += *text != 0;
  }
  ++*at;
  return same && !*text;
}

/* How many values stand behind an attribute's kind. */
static size_t rest_of_attribute(const record *r, uint64_t form, size_t at) {
  switch (form) {
  case 0: /* it is there */
  case 5: /* of a type, which is not said */
    return 0;
  case 1: /* a number */
  case 6: /* a type */
    return 1;
  case 7: /* a range: width, and both ends when they fit into one value each */
    return at < r->count && (value_at(r, at) & UINT64_C(0xffffffff)) <= 64 ? 3 : r->count;
  default:
    return r->count;
  }
}

static uint32_t group_flags(const record *r) {
  uint32_t flags = 0;
  for (size_t i = 2; i < r->count;) {
    uint64_t form = value_at(r, i++);
    if (form == 3 || form == 4) {
      const size_t key = i;
      if (string_is(r, &i, "no-inline-line-tables"))
        flags |= DLOC_FUNCTION_NO_INLINE_LINE_TABLES;
      i = key;
      if (string_is(r, &i, "use-sample-profile"))
        flags |= DLOC_FUNCTION_SAMPLE_PROFILE;
      if (form == 4)
        (void)string_is(r, &i, "");
      continue;
    }
    if (form == 0 && i < r->count && value_at(r, i) == ALWAYS_INLINE)
      flags |= DLOC_FUNCTION_ALWAYS_INLINE;
    i += 1 + rest_of_attribute(r, form, i + 1);
  }
  return flags;
}

static dloc_status take_attribute_group(void *user, const record *r) {
  dloc_bitcode *b = user;
  if (r->code != ATTRIBUTE_GROUP)
    return DLOC_OK;
  TRY(bitcode_check_count(b, r, "a group of attributes", 2));
  return value_at(r, 1) == FUNCTION_INDEX ? map_add(b->context, &b->groups, value_at(r, 0), 0, group_flags(r), NULL)
                                          : DLOC_OK;
}

static dloc_status take_attribute_list(void *user, const record *r) {
  dloc_bitcode *b = user;
  uint32_t flags = 0;
  if (r->code != ATTRIBUTE_LIST)
    return DLOC_OK;
  for (size_t i = 0; i < r->count; i++) {
    uint32_t more = 0;
    if (map_get(&b->groups, value_at(r, i), 0, &more))
      flags |= more;
  }
  PUSH(b->context, b->attributes, flags);
  return DLOC_OK;
}

/* ---- Globals ---- */

static dloc_status add_value(dloc_bitcode *b, value v) {
  if (b->values.count >= UINT32_MAX)
    return DLOC_LIMIT;
  PUSH(b->context, b->values, v);
  return DLOC_OK;
}

/* The first two values are the name's place in the string table. */
static dloc_status read_name(dloc_bitcode *b, const record *r, dloc_text *ret) {
  uint64_t offset = value_at(r, 0), size = value_at(r, 1);
  *ret = (dloc_text){"", 0};
  if (offset > b->strtab.size || size > b->strtab.size - offset)
    return STREAM_FAIL(&b->s, ID, r->bit, "a name of %" PRIu64 " bytes at %" PRIu64 " is not in the string table", size,
                       offset);
  if (size)
    *ret = (dloc_text){b->strtab.bytes + offset, (size_t)size};
  return DLOC_OK;
}

/* External linkage that another module may replace. */
static bool is_interposable(uint64_t linkage) {
  enum { WEAK_OLD = 1, LINKONCE_OLD = 4, EXTERN_WEAK = 7, COMMON = 8, WEAK = 16, LINKONCE = 18 };
  return linkage == WEAK_OLD || linkage == LINKONCE_OLD || linkage == EXTERN_WEAK || linkage == COMMON ||
         linkage == WEAK || linkage == LINKONCE;
}

static bool is_local(uint64_t linkage) { return linkage == 3 || linkage == 9 || linkage == 13 || linkage == 14; }

enum { NAME_VALUES = 2 };

static dloc_status read_function(dloc_bitcode *b, const record *r, dloc_text name) {
  const record v = record_part(r, NAME_VALUES, SIZE_MAX);
  enum { TYPE = 0, IS_PROTOTYPE = 2, LINKAGE = 3, ATTRIBUTES = 4, VISIBILITY = 7, PREEMPTION = 15 };
  uint64_t type = value_at(&v, TYPE), attributes = value_at(&v, ATTRIBUTES), linkage = value_at(&v, LINKAGE);
  TRY(bitcode_check_function_type(b, r->bit, type));
  TRY(bitcode_check_id(b, r->bit, "attribute list", attributes, b->attributes.count + 1));
  function f = {.name = name, .type = (uint32_t)type};
  f.flags = attributes ? b->attributes.items[attributes - 1] : 0;
  f.flags |= value_at(&v, IS_PROTOTYPE) ? 0 : DLOC_FUNCTION_DEFINITION;
  f.flags |= is_interposable(linkage) ? DLOC_FUNCTION_INTERPOSABLE : 0;
  f.flags |= is_local(linkage) || value_at(&v, VISIBILITY) || value_at(&v, PREEMPTION) ? FUNCTION_DSO_LOCAL : 0;
  PUSH(b->context, b->functions, f);
  return add_value(b, (value){f.type, VALUE_FUNCTION, (uint32_t)b->functions.count - 1, 0, {NULL, 0}});
}

static dloc_status fail_version(dloc_bitcode *b, const record *r) {
  return STREAM_FAIL(&b->s, UNKNOWN, r->bit, "only modules of version 2 can be read");
}

static dloc_status read_global(dloc_bitcode *b, const record *r) {
  dloc_text name;
  bool is_function = r->code == MODULE_FUNCTION;
  if (!is_function && r->code != MODULE_GLOBALVAR && r->code != MODULE_ALIAS_OLD && r->code != MODULE_ALIAS &&
      r->code != MODULE_IFUNC)
    return DLOC_OK;
  if (!b->has_version)
    return fail_version(b, r);
  TRY(bitcode_check_count(b, r, "a global", NAME_VALUES + (is_function ? 5 : 1)));
  TRY(read_name(b, r, &name));
  if (is_function)
    return read_function(b, r, name);
  b->unnamed += name.size == 0;
  return add_value(b, (value){0, VALUE_GLOBAL, 0, 0, name});
}

/* LLVM numbers what has no name: variables, aliases, ifuncs, then functions. */
static dloc_status finish_functions(dloc_bitcode *b) {
  enum { NUMBER_SIZE = 12 };
  ALLOCATE_ITEMS(b->context, b->names, b->functions.count * NUMBER_SIZE + 1);
  for (size_t i = 0; i < b->functions.count; i++) {
    function *f = &b->functions.items[i];
    char *name = b->names + i * NUMBER_SIZE;
    if (f->flags & DLOC_FUNCTION_DEFINITION && !f->has_body)
      return STREAM_FAIL(&b->s, BLOCK, b->module.start, "function %zu of the module has no body", i);
    if (!f->name.size)
      f->name = (dloc_text){name, (size_t)snprintf(name, NUMBER_SIZE, "%" PRIu32, b->unnamed++)};
  }
  b->module_values = b->values.count;
  return DLOC_OK;
}

/* ---- Constants ---- */

enum { CONSTANT_SETTYPE = 1, CONSTANT_NULL = 2, CONSTANT_INTEGER = 4 };

dloc_status bitcode_read_constants(dloc_bitcode *b, const block *header) {
  bool end = false;
  record r;
  value v = {0};
  TRY(stream_enter(&b->s, header));
  for (;;) {
    TRY(stream_next_record(&b->s, &r, &end));
    if (end)
      return DLOC_OK;
    v.kind = VALUE_OTHER;
    if (r.code == CONSTANT_SETTYPE) {
      TRY(bitcode_check_id(b, r.bit, "type", value_at(&r, 0), r.count ? b->types.count : 0));
      v.type = (uint32_t)value_at(&r, 0);
      continue;
    }
    if (r.code == CONSTANT_NULL)
      v.kind = VALUE_NULL;
    if (r.code == CONSTANT_INTEGER && r.count > 0) {
      v.kind = VALUE_INTEGER;
      v.number = signed_vbr(value_at(&r, 0));
    }
    TRY(add_value(b, v));
  }
}

/* ---- The module ---- */

static dloc_status read_version(dloc_bitcode *b, const record *r) {
  b->has_version = value_at(r, 0) == 2;
  return b->has_version ? DLOC_OK : fail_version(b, r);
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
    return stream_each_record(&b->s, header, take_type, b);
  case BLOCK_PARAMATTR_GROUP:
    return stream_each_record(&b->s, header, take_attribute_group, b);
  case BLOCK_PARAMATTR:
    return stream_each_record(&b->s, header, take_attribute_list, b);
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
  return r.code == MODULE_VERSION ? read_version(b, &r) : read_global(b, &r);
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
  CREATE(context, dloc_bitcode, b, .context = context, .form = bitcode_form(profile));
  *diagnostic = (dloc_diagnostic){.reason = DLOC_REASON_NONE};
  dloc_status status = stream_open(&b->s, context, bytes, diagnostic);
  if (status == DLOC_OK)
    status = read_outermost(b);
  if (status == DLOC_OK)
    status = stream_each_entry(&b->s, &b->module, take_module_entry, b);
  if (status == DLOC_OK)
    status = finish_functions(b);
  RETURN_MADE(status, b, dloc_bitcode_close, ret);
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
