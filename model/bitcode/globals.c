/* Tables of a module: types, attributes, globals, constants. */
#include "reader.h"

#include <stdio.h>

/* ---- Types ---- */

enum { TYPE_NUMENTRY = 1, TYPE_STRUCT_NAME = 19 };

dloc_status bitcode_take_type(void *user, const record *r) {
  dloc_bitcode *b = user;
  type t = {r->code, 0, 0};
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
      if (string_is(r, &i, "no-inline-line-tables"))
        flags |= DLOC_FUNCTION_NO_INLINE_LINE_TABLES;
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

dloc_status bitcode_take_attribute_group(void *user, const record *r) {
  dloc_bitcode *b = user;
  if (r->code != ATTRIBUTE_GROUP)
    return DLOC_OK;
  TRY(bitcode_check_count(b, r, "a group of attributes", 2));
  return value_at(r, 1) == FUNCTION_INDEX ? map_add(b->context, &b->groups, value_at(r, 0), 0, group_flags(r), NULL)
                                          : DLOC_OK;
}

dloc_status bitcode_take_attribute_list(void *user, const record *r) {
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
  f.dso_local = is_local(linkage) || value_at(&v, VISIBILITY) || value_at(&v, PREEMPTION);
  PUSH(b->context, b->functions, f);
  return add_value(b, (value){f.type, VALUE_FUNCTION, (uint32_t)b->functions.count - 1, 0, {NULL, 0}});
}

dloc_status bitcode_read_global(dloc_bitcode *b, const record *r) {
  dloc_text name;
  bool is_function = r->code == MODULE_FUNCTION;
  if (!is_function && r->code != MODULE_GLOBALVAR && r->code != MODULE_ALIAS_OLD && r->code != MODULE_ALIAS &&
      r->code != MODULE_IFUNC)
    return DLOC_OK;
  if (!b->has_version)
    return bitcode_fail_version(b, r);
  TRY(bitcode_check_count(b, r, "a global", NAME_VALUES + (is_function ? 5 : 1)));
  TRY(read_name(b, r, &name));
  if (is_function)
    return read_function(b, r, name);
  b->unnamed += name.size == 0;
  return add_value(b, (value){0, VALUE_GLOBAL, 0, 0, name});
}

/* ---- Names ---- */

dloc_status bitcode_string(dloc_bitcode *b, const record *r, size_t first, dloc_node *ret) {
  size_t size = record_part(r, first, SIZE_MAX).count;
  ALLOCATE(b->context, char, bytes, size + 1);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (char)value_at(r, first + i);
  dloc_status status = dloc_string(b->context, (dloc_text){bytes, size}, ret);
  context_free(b->context, bytes);
  return status;
}

/* LLVM numbers what has no name: variables, aliases, ifuncs, then functions. */
dloc_status bitcode_finish_functions(dloc_bitcode *b) {
  enum { NUMBER_SIZE = 12 };
  b->names = context_realloc(b->context, NULL, b->functions.count * NUMBER_SIZE + 1);
  if (!b->names)
    return DLOC_NO_MEMORY;
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
