/* From records of metadata to nodes. */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void maker_deinit(node_maker *m) { CONTEXT_FREE(m->context, m->nodes.items, m->operands.items, m->fields.items); }

dloc_status maker_resize(node_maker *m) {
  size_t count = m->b->entries.count;
  RESERVE(m->context, m->nodes, count + 1);
  for (; m->nodes.count < count; m->nodes.count++)
    m->nodes.items[m->nodes.count] = DLOC_NULL;
  m->nodes.count = count;
  return DLOC_OK;
}

/* ---- References ---- */

dloc_status maker_reference(node_maker *m, uint64_t bit, uint64_t id, dloc_node *ret) {
  TRY(bitcode_check_id(m->b, bit, "metadata", id, m->nodes.count));
  if (m->nodes.items[id] == DLOC_NULL) {
    TRY(bitcode_check_id(m->b, bit, "metadata", id, m->b->entries.count)); /* a single record's may have no node */
    const metadata_entry *e = &m->b->entries.items[id];
    if (e->is_string)
      TRY(dloc_string(m->context, (dloc_text){(const char *)m->b->s.c.bytes + e->at, e->size}, &m->nodes.items[id]));
    else
      TRY(dloc_forward(m->context, &m->nodes.items[id]));
  }
  *ret = m->nodes.items[id];
  return DLOC_OK;
}

dloc_status maker_operand(node_maker *m, uint64_t bit, uint64_t id_and_1, dloc_node *ret) {
  *ret = DLOC_NULL;
  return id_and_1 ? maker_reference(m, bit, id_and_1 - 1, ret) : DLOC_OK;
}

/* ---- Words ---- */

static dloc_status number_token(node_maker *m, uint64_t number, dloc_node *ret) {
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRIu64, number);
  return dloc_token(m->context, dloc_text_of(digits), ret);
}

typedef struct named_number {
  uint32_t type; /* field_type */
  uint32_t number;
  const char *name;
} named_number;

static const named_number names[] = {
#define TAG(number, name) {FIELD_TAG, number, "DW_TAG_" #name},
#define EMISSION(number, name) {FIELD_EMISSION, number, #name},
#define CHECKSUM(number, name) {FIELD_CHECKSUM, number, "CSK_" #name},
#define LANGUAGE(number, name) {FIELD_LANGUAGE, number, "DW_LANG_" #name},
#define DI_FLAG(number, name) {FIELD_FLAGS, number, "DIFlag" #name},
#define SP_FLAG(number, name) {FIELD_SP_FLAGS, number, "DISPFlag" #name},
#include "names.def"
};
enum { NAMES = sizeof names / sizeof *names };

/* LLVM reads a number as well as a name, so that one without a name is written as a number. */
static dloc_status name_token(node_maker *m, field_type type, uint64_t number, dloc_node *ret) {
  for (size_t i = 0; i < NAMES; i++)
    if (names[i].type == type && names[i].number == number)
      return dloc_token(m->context, dloc_text_of(names[i].name), ret);
  return number_token(m, number, ret);
}

/* A node of what was printed, by the status of that; the text goes. */
static dloc_status take_text(node_maker *m, dloc_buffer *text, dloc_status status,
                             dloc_status (*make)(dloc_context *context, dloc_text text, dloc_node *ret),
                             dloc_node *ret) {
  if (status == DLOC_OK)
    status = make(m->context, (dloc_text){text->bytes, text->size}, ret);
  dloc_buffer_deinit(text);
  return status;
}

/* Names of the bits of a number, joined by ` | `, and the rest as a number. In the table, fields of more than one bit
 * come first, their larger values before the smaller ones. */
static dloc_status print_flags(field_type type, uint32_t flags, dloc_sink sink) {
  const char *before = "";
  for (size_t i = 0; flags && i < NAMES; i++) {
    if (names[i].type != type || (flags & names[i].number) != names[i].number)
      continue;
    flags &= ~names[i].number;
    TRY(sink_string(sink, before));
    TRY(sink_string(sink, names[i].name));
    before = " | ";
  }
  if (!flags && *before)
    return DLOC_OK;
  TRY(sink_string(sink, before));
  return sink_number(sink, flags);
}

static dloc_status flags_token(node_maker *m, field_type type, uint32_t flags, dloc_node *ret) {
  dloc_buffer text = {0};
  return take_text(m, &text, print_flags(type, flags, dloc_buffer_sink(&text)), dloc_token, ret);
}

/* A reference to a string where a node is expected is a token. */
static dloc_status string_token(node_maker *m, dloc_node string, dloc_node *ret) {
  dloc_buffer text = {0};
  dloc_status status = sink_string(dloc_buffer_sink(&text), "!");
  if (status == DLOC_OK)
    status = dloc_print_string(dloc_node_text(m->context, string), dloc_buffer_sink(&text));
  return take_text(m, &text, status, dloc_token, ret);
}

static const char PUSH[] = "DW_OP_consts";

/* ---- Fields ---- */

static dloc_status reference_value(node_maker *m, const record *r, const field_spec *field, dloc_node *ret) {
  TRY(maker_operand(m, r->bit, value_at(r, field->value), ret));
  bool is_string = dloc_node_kind(m->context, *ret) == DLOC_KIND_STRING;
  if (field->type != FIELD_TEXT)
    return is_string ? string_token(m, *ret, ret) : DLOC_OK;
  if (*ret == DLOC_NULL)
    return field->presence == PRESENCE_REQUIRED ? dloc_string(m->context, (dloc_text){"", 0}, ret) : DLOC_OK;
  if (!is_string)
    return STREAM_FAIL(&m->b->s, ID, r->bit, "the %s is no string", field->name.bytes);
  return DLOC_OK;
}

/* A number that is kept as a value, `i64 3`, is a number in the text. */
static dloc_status counted_value(node_maker *m, const record *r, const field_spec *field, dloc_node *ret) {
  TRY(reference_value(m, r, field, ret));
  dloc_text text = dloc_node_text(m->context, *ret);
  bool number =
      dloc_node_kind(m->context, *ret) == DLOC_KIND_CONSTANT && text.size > 4 && memcmp(text.bytes, "i64 ", 4) == 0;
  return number ? dloc_token(m->context, (dloc_text){text.bytes + 4, text.size - 4}, ret) : DLOC_OK;
}

/* A number that is kept as DIExpression(DW_OP_consts, 3) is a number in the text. */
static dloc_status pushed_value(node_maker *m, const record *r, const field_spec *field, dloc_node *ret) {
  TRY(reference_value(m, r, field, ret));
  if (!*ret || dloc_node_kind(m->context, *ret) != DLOC_KIND_OTHER || dloc_field_count(m->context, *ret) != 2)
    return DLOC_OK;
  dloc_text operation = dloc_node_text(m->context, dloc_field_at(m->context, *ret, 0).value);
  dloc_text number = dloc_node_text(m->context, dloc_field_at(m->context, *ret, 1).value);
  char digits[24];
  if (!dloc_text_equal(operation, dloc_text_of(PUSH)) || number.size >= sizeof digits)
    return DLOC_OK;
  snprintf(digits, sizeof digits, "%.*s", (int)number.size, number.bytes);
  snprintf(digits, sizeof digits, "%" PRId64, (int64_t)strtoull(digits, NULL, 10));
  return dloc_token(m->context, dloc_text_of(digits), ret);
}

/* In the place of a language: the number is DWARF 6's name of one, and has a version. */
#define VERSIONED (UINT64_C(1) << 63)

/* LLVM 22 says whether sizes are metadata. */
static bool size_is_metadata(const record *r) {
  return value_at(r, 0) & (r->code == class_specs[CLASS_COMPOSITE_TYPE].code ? 4 : 2);
}

/* Divide a number of 64-bit words, the lowest first, by 10; the rest. */
static unsigned divide_by_10(uint64_t *words, size_t count) {
  uint64_t rest = 0;
  for (size_t i = count; i-- > 0;) {
    uint64_t high = rest << 32 | words[i] >> 32;
    uint64_t low = high % 10 << 32 | (uint32_t)words[i];
    words[i] = high / 10 << 32 | low / 10;
    rest = low % 10;
  }
  return (unsigned)rest;
}

/* The bits of a number above its width are 0; where it is less than 0, it becomes its negative. */
static bool take_sign(uint64_t *words, size_t count, uint64_t width) {
  bool negative = words[(width - 1) / 64] >> (width - 1) % 64 & 1;
  for (size_t i = 0, carry = 1; negative && i < count; i++) {
    words[i] = ~words[i] + carry;
    carry = carry && words[i] == 0;
  }
  if (negative && width % 64)
    words[width / 64] &= (UINT64_C(1) << width % 64) - 1;
  return negative;
}

/* An integer of any width: [bits of value 0, width, name, words]; before LLVM 12 [bits of value 0, number, name]. */
static dloc_status integer_value(node_maker *m, const record *r, dloc_node *ret) {
  enum { UNSIGNED = 2, WIDE = 4, FIRST = 3, WORDS = 16, DIGITS = 20 };
  uint64_t words[WORDS] = {(uint64_t)signed_vbr(value_at(r, 1))}, width = 64;
  size_t count = 1;
  if (value_at(r, 0) & WIDE) {
    width = value_at(r, 1);
    count = r->count > FIRST ? r->count - FIRST : 0;
    if (count > WORDS || width == 0 || width > 64 * count)
      return bitcode_fail_count(m->b, r, "an integer");
  }
  for (size_t i = 0; value_at(r, 0) & WIDE && i < count; i++)
    words[i] = (uint64_t)signed_vbr(value_at(r, FIRST + i));
  bool negative = !(value_at(r, 0) & UNSIGNED) && take_sign(words, count, width);
  char digits[WORDS * DIGITS + 2], *at = digits + sizeof digits;
  *--at = '\0';
  for (bool more = true; more;) {
    *--at = (char)('0' + divide_by_10(words, count));
    more = false;
    for (size_t i = 0; i < count; i++)
      more |= words[i] != 0;
  }
  if (negative)
    *--at = '-';
  return dloc_token(m->context, dloc_text_of(at), ret);
}

/* The value of a field; DLOC_NULL when it is left out. */
static dloc_status field_value(node_maker *m, const record *r, const field_spec *field, dloc_node *ret) {
  uint64_t value = value_at(r, field->value);
  char digits[24];
  *ret = DLOC_NULL;
  switch (field->type) {
  case FIELD_NODE:
  case FIELD_SCOPE:
  case FIELD_VALUE:
  case FIELD_TEXT:
    return reference_value(m, r, field, ret);
  case FIELD_COUNT:
    return counted_value(m, r, field, ret);
  case FIELD_PUSHED:
    return pushed_value(m, r, field, ret);
  case FIELD_SIZE:
    if (size_is_metadata(r))
      return counted_value(m, r, field, ret);
    return value ? number_token(m, value, ret) : DLOC_OK;
  case FIELD_NUMBER:
    return value ? number_token(m, value, ret) : DLOC_OK;
  case FIELD_NEXT:
    return value ? number_token(m, value - 1, ret) : DLOC_OK;
  case FIELD_LINE:
    return (uint32_t)value || field->presence == PRESENCE_REQUIRED ? number_token(m, (uint32_t)value, ret) : DLOC_OK;
  case FIELD_COLUMN:
    return value && value <= DLOC_COLUMN_LIMIT ? number_token(m, value, ret) : DLOC_OK;
  case FIELD_SIGNED:
    snprintf(digits, sizeof digits, "%" PRId64, (int64_t)value);
    return value ? dloc_token(m->context, dloc_text_of(digits), ret) : DLOC_OK;
  case FIELD_OPTION:
    return (uint32_t)value != UINT32_MAX ? number_token(m, (uint32_t)value, ret) : DLOC_OK;
  case FIELD_INTEGER:
    return integer_value(m, r, ret);
  case FIELD_VERSIONED:
    return value & VERSIONED ? number_token(m, value & ~VERSIONED, ret) : DLOC_OK;
  case FIELD_MARK:
    return value_at(r, 0) & 2 ? dloc_token(m->context, dloc_text_of("true"), ret) : DLOC_OK;
  case FIELD_TRUE:
    return value ? DLOC_OK : dloc_token(m->context, dloc_text_of("false"), ret);
  case FIELD_BOOL:
    return value ? dloc_token(m->context, dloc_text_of("true"), ret) : DLOC_OK;
  case FIELD_LANGUAGE:
    return value & VERSIONED ? DLOC_OK : name_token(m, field->type, value, ret);
  case FIELD_TAG:
  case FIELD_EMISSION:
    return name_token(m, field->type, value, ret);
  case FIELD_FLAGS:
    return (uint32_t)value ? flags_token(m, field->type, (uint32_t)value, ret) : DLOC_OK;
  case FIELD_SP_FLAGS: /* without the field, LLVM would take a definition */
    return flags_token(m, field->type, (uint32_t)value, ret);
  default:
    return value ? name_token(m, field->type, value, ret) : DLOC_OK;
  }
}

static dloc_status add_field(node_maker *m, size_t *count, dloc_node key, dloc_node value) {
  RESERVE(m->context, m->fields, *count + 1);
  m->fields.items[(*count)++] = (dloc_field){key, value};
  return DLOC_OK;
}

static dloc_status specialised(node_maker *m, const record *r, const char *class, bool distinct, size_t count,
                               dloc_node *ret) {
  dloc_node_diagnosis diagnosis = {DLOC_REASON_NONE, DLOC_NULL, 0};
  dloc_status status =
      dloc_specialised(m->context, dloc_text_of(class), distinct, m->fields.items, count, &diagnosis, ret);
  if (status != DLOC_INVALID)
    return status;
  dloc_text field = dloc_node_text(m->context, diagnosis.field);
  return stream_fail(&m->b->s, diagnosis.reason, r->bit, "%s, field '%.*s': %s", class, (int)field.size, field.bytes,
                     dloc_reason_text(diagnosis.reason));
}

/* LLVM reads no checksum where its kind or its digits are 0. */
static bool is_half_checksum(const record *r, size_t row) {
  return (row == FIELD_FILE_checksumkind || row == FIELD_FILE_checksum) &&
         !(value_at(r, field_specs[FIELD_FILE_checksumkind].value) &&
           value_at(r, field_specs[FIELD_FILE_checksum].value));
}

/* A reference that must not be null is kept, for dloc_specialised to say so, and so is a null that LLVM prints. Others are left out, as
 * in the text. */
static dloc_status make_specialised(node_maker *m, const record *r, const class_spec *class, dloc_node *ret) {
  enum { HAS_SP_FLAGS = 6, DEFINITION = 1 << 3 };
  bool is_subprogram = class == &class_specs[CLASS_SUBPROGRAM];
  const char *name = class->name.bytes;
  size_t count = 0;
  if (r->count < class->least || r->count < 1)
    return bitcode_fail_count(m->b, r, name);
  if (is_subprogram && (value_at(r, 0) & HAS_SP_FLAGS) != HAS_SP_FLAGS)
    return STREAM_FAIL(&m->b->s, UNKNOWN, r->bit, "this form of a %s is older than LLVM 8", name);
  for (size_t row = class->first; row < class[1].first; row++) {
    const field_spec *field = &field_specs[row];
    dloc_node value = DLOC_NULL;
    bool absent = field->type == FIELD_INTEGER ? r->count < class->least : field->value >= r->count;
    if ((!field->value && field->type != FIELD_MARK) || absent || is_half_checksum(r, row))
      continue;
    TRY(field_value(m, r, field, &value));
    if (value || (field->type == FIELD_SCOPE && field->presence != PRESENCE_KEPT) ||
        field->presence == PRESENCE_NULLABLE)
      TRY(add_field(m, &count, m->context->field_keys[row], value));
  }
  bool distinct = value_at(r, 0) & 1 || class == &class_specs[CLASS_COMPILE_UNIT] ||
                  class == &class_specs[CLASS_ASSIGN_ID] ||
                  (is_subprogram && value_at(r, field_specs[FIELD_SUBPROGRAM_spFlags].value) & DEFINITION);
  return specialised(m, r, name, distinct, count, ret);
}

/* ---- Nodes of other forms ---- */

static dloc_status print_value(const node_maker *m, uint64_t type_id, uint64_t id, dloc_sink sink) {
  const type *t = &m->b->types.items[type_id];
  const value *v = bitcode_value(m->b, id);
  char text[64];
  if (v && t->code == TYPE_INTEGER && (v->kind == VALUE_INTEGER || v->kind == VALUE_NULL)) {
    int64_t number = v->kind == VALUE_NULL ? 0 : v->number;
    if (t->size == 1)
      snprintf(text, sizeof text, "i1 %s", number ? "true" : "false");
    else
      snprintf(text, sizeof text, "i%" PRIu32 " %" PRId64, t->size, number);
    return sink_string(sink, text);
  }
  dloc_text name = !v                          ? (dloc_text){NULL, 0}
                   : v->kind == VALUE_FUNCTION ? m->b->functions.items[v->index].name
                                               : v->name;
  if (v && (v->kind == VALUE_FUNCTION || v->kind == VALUE_GLOBAL) && name.size) {
    TRY(sink_string(sink, !m->b->typed_pointers ? "ptr @" : v->kind == VALUE_FUNCTION ? "void ()* @" : "i8* @"));
    return dloc_print_string(name, sink);
  }
  const char *pointer = m->b->typed_pointers ? "i8*" : "ptr";
  snprintf(text, sizeof text, "%s inttoptr (i64 %" PRIu64 " to %s)", pointer, id, pointer);
  return sink_string(sink, text);
}

/* [type, value]: integers and globals as LLVM writes them; another value is told from others by its number. */
static dloc_status make_value(node_maker *m, const record *r, dloc_node *ret) {
  dloc_buffer text = {0};
  if (r->count != 2)
    return bitcode_fail_count(m->b, r, "a value");
  TRY(bitcode_check_id(m->b, r->bit, "type", value_at(r, 0), m->b->types.count));
  return take_text(m, &text, print_value(m, value_at(r, 0), value_at(r, 1), dloc_buffer_sink(&text)), dloc_constant,
                   ret);
}

static dloc_status make_tuple(node_maker *m, const record *r, dloc_node *ret) {
  RESERVE(m->context, m->operands, r->count + 1);
  for (size_t i = 0; i < r->count; i++)
    TRY(maker_operand(m, r->bit, value_at(r, i), &m->operands.items[i]));
  return dloc_tuple(m->context, r->code == METADATA_DISTINCT_NODE, m->operands.items, r->count, ret);
}

/* Any metadata may stand as irlayers. `bitcode.list.read.any` */
static dloc_status list_operand(node_maker *m, uint64_t bit, uint64_t id_and_1, dloc_node *ret) {
  TRY(maker_operand(m, bit, id_and_1, ret));
  return dloc_node_kind(m->context, *ret) == DLOC_KIND_STRING ? string_token(m, *ret, ret) : DLOC_OK;
}

/* `bitcode.list.read.location`: [distinct, line, column, scope, inlinedAt + 1, isImplicitCode, atomGroup, atomRank,
 * irlayers + 1]; `bitcode.list.read.more` */
static dloc_status make_location(node_maker *m, const record *r, dloc_node *ret) {
  enum { LEAST = 5, NO_RANK = 7, ATOMS = 8, ALL = 9 };
  const record_form *form = &m->b->form;
  if (r->count < LEAST || (r->count == NO_RANK && !form->takes_seven) || (r->count > ALL && !form->skips_more))
    return bitcode_fail_count(m->b, r, "a DILocation");
  bool atoms = r->count >= ATOMS;
  dloc_location content = {.line = (uint32_t)value_at(r, 1),
                           .column = (uint32_t)value_at(r, 2) > DLOC_COLUMN_LIMIT ? 0 : (uint32_t)value_at(r, 2),
                           .implicit = value_at(r, 5),
                           .atom_group = atoms ? value_at(r, 6) & ((UINT64_C(1) << 61) - 1) : 0,
                           .atom_rank = value_at(r, 7) & 7};
  TRY(maker_reference(m, r->bit, value_at(r, 3), &content.scope));
  TRY(maker_operand(m, r->bit, value_at(r, 4), &content.inlined_at));
  TRY(list_operand(m, r->bit, value_at(r, 8), &content.layers));
  return dloc_location_create(m->context, value_at(r, 0) & 1, &content, ret);
}

/* LLVM takes any node as a scope or inlinedAt, but neither a string nor a value. */
static dloc_status node_operand(node_maker *m, uint64_t bit, const char *what, uint64_t id_and_1, dloc_node *ret) {
  TRY(maker_operand(m, bit, id_and_1, ret));
  dloc_kind kind = dloc_node_kind(m->context, *ret);
  if (kind == DLOC_KIND_STRING || kind == DLOC_KIND_CONSTANT)
    return STREAM_FAIL(&m->b->s, ID, bit, "the %s is no node", what);
  return DLOC_OK;
}

dloc_status maker_location(node_maker *m, const dloc_bitcode_location *l, dloc_node *ret) {
  uint64_t bit = l->bit - m->b->s.base;
  dloc_location content = {.line = l->line,
                           .column = l->column,
                           .implicit = l->implicit,
                           .atom_group = l->atom_group,
                           .atom_rank = l->atom_rank};
  TRY(node_operand(m, bit, "scope", l->scope, &content.scope));
  TRY(node_operand(m, bit, "inlinedAt", l->inlined_at, &content.inlined_at));
  if (content.scope == DLOC_NULL)
    return STREAM_FAIL(&m->b->s, ID, bit, "the location has no scope");
  TRY(list_operand(m, bit, l->irlayers, &content.layers));
  return dloc_location_create(m->context, false, &content, ret);
}

/* Whether a number is that of a string. */
static dloc_status is_string(node_maker *m, uint64_t bit, uint64_t id, bool *ret) {
  dloc_node node = DLOC_NULL;
  if (id < m->nodes.count)
    TRY(maker_reference(m, bit, id, &node));
  *ret = dloc_node_kind(m->context, node) == DLOC_KIND_STRING;
  return DLOC_OK;
}

/* `bitcode.list.read.layer`: [distinct, line, column, file, kind]. No number is biased, unlike in other classes. */
static dloc_status make_layer(node_maker *m, const record *r, const class_spec *class, dloc_node *ret) {
  enum { VALUES = 5 };
  bool has_kind = false;
  if (r->count != VALUES)
    return bitcode_fail_count(m->b, r, class->name.bytes);
  TRY(is_string(m, r->bit, value_at(r, 4), &has_kind));
  if (!has_kind && m->b->form.kind_is_string)
    return STREAM_FAIL(&m->b->s, ID, r->bit, "the layer's kind is no string");
  uint64_t values[VALUES] = {value_at(r, 0), value_at(r, 1), (uint32_t)value_at(r, 2), value_at(r, 3) + 1,
                             has_kind ? value_at(r, 4) + 1 : 0};
  record biased = *r;
  biased.raw = values;
  return make_specialised(m, &biased, class, ret);
}

/* The name that a number of a generic subrange needs; LLVM reads the number
 * of another operation as well as its name. */
static dloc_status operation_token(node_maker *m, uint64_t operation, dloc_node *ret) {
  enum { DW_OP_CONSTS = 0x11 };
  return operation == DW_OP_CONSTS ? dloc_token(m->context, dloc_text_of(PUSH), ret) : number_token(m, operation, ret);
}

/* A node whose operands have no names: values from `first` on are references, biased by 1 or not,
 * or words. `bitcode.list.nodes` */
static dloc_status make_positional(node_maker *m, const record *r, const char *class, size_t first, bool words,
                                   bool biased, dloc_node *ret) {
  size_t count = 0;
  TRY(bitcode_check_count(m->b, r, class, first));
  for (size_t i = first; i < r->count; i++) {
    dloc_node value = DLOC_NULL;
    if (words && i == first)
      TRY(operation_token(m, value_at(r, i), &value));
    else if (words)
      TRY(number_token(m, value_at(r, i), &value));
    else if (biased)
      TRY(maker_operand(m, r->bit, value_at(r, i), &value));
    else
      TRY(maker_reference(m, r->bit, value_at(r, i), &value));
    if (dloc_node_kind(m->context, value) == DLOC_KIND_STRING && !class_is_list(dloc_text_of(class)))
      TRY(string_token(m, value, &value));
    TRY(add_field(m, &count, DLOC_NULL, value));
  }
  return specialised(m, r, class, first > 0 && value_at(r, 0) & 1, count, ret);
}

static dloc_status make(node_maker *m, const record *r, dloc_node *ret) {
  const class_spec *class = class_of_code(r->code);
  switch (r->code) {
  case METADATA_STRING_OLD:
    return bitcode_string(m->b, r, 0, ret);
  case METADATA_VALUE:
    return make_value(m, r, ret);
  case METADATA_NODE:
  case METADATA_DISTINCT_NODE:
    return make_tuple(m, r, ret);
  case METADATA_LOCATION:
    return make_location(m, r, ret);
  case METADATA_GENERIC_DEBUG: /* [distinct, tag, 0, header, operands] */
    return make_positional(m, r, "GenericDINode", 3, false, true, ret);
  case METADATA_EXPRESSION:
    return make_positional(m, r, "DIExpression", 1, true, false, ret);
  case METADATA_ARG_LIST:
    return make_positional(m, r, "DIArgList", 0, false, false, ret);
  default:
    if (class && class->form == FORM_LIST) /* `bitcode.list.read.list`: [distinct, entries + 1] */
      return make_positional(m, r, class->name.bytes, 1, false, true, ret);
    if (class && class->kind == DLOC_KIND_LAYER)
      return make_layer(m, r, class, ret);
    if (class)
      return make_specialised(m, r, class, ret);
    return STREAM_FAIL(&m->b->s, UNKNOWN, r->bit, "record %" PRIu32 " of metadata is not known", r->code);
  }
}

dloc_status maker_make(node_maker *m, uint64_t id, const record *r) {
  dloc_node node = DLOC_NULL;
  TRY(make(m, r, &node));
  if (m->nodes.items[id])
    TRY(dloc_define(m->context, m->nodes.items[id], node));
  m->nodes.items[id] = node;
  return DLOC_OK;
}

/* ---- Single records ---- */

static dloc_status decode(node_maker *m, const dloc_node *metadata, size_t count, const dloc_location_record *given,
                          dloc_node *ret) {
  for (size_t i = 0; i < count; i++)
    PUSH(m->context, m->nodes, metadata[i]);
  for (size_t i = 0; i < given->count; i++)
    PUSH(m->context, m->b->s.values, dloc_location_record_value(given, i));
  const record r = {.code = given->code, .count = given->count, .raw = m->b->s.values.items};
  bitcode_bias_entries(&m->b->s, &r);
  dloc_bitcode_location location;
  if (given->code != DLOC_RECORD_DEBUG_LOC)
    return make(m, &r, ret);
  TRY(bitcode_location(m->b, &r, &location));
  return maker_location(m, &location, ret);
}

dloc_status dloc_decode_record(dloc_context *context, const dloc_profile *profile, const dloc_node *metadata,
                               size_t count, const dloc_location_record *given, dloc_reason *ret_reason,
                               dloc_node *ret) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  ALLOCATE(context, dloc_bitcode, b, 1);
  *b = (dloc_bitcode){.context = context, .form = bitcode_form(profile), .s = {.diagnostic = &diagnostic}};
  b->s.context = context;
  b->s.layer_code = DLOC_TAKES(profile, BITCODE_IRLAYERS_CODES, 50_51) ? CODE_LAYER_FIRST : CODE_LAYER;
  node_maker m = {.b = b, .context = context};
  dloc_status status = decode(&m, metadata, count, given, ret);
  if (status == DLOC_INVALID && ret_reason)
    *ret_reason = diagnostic.reason;
  maker_deinit(&m);
  CONTEXT_FREE(context, b->s.values.items, b);
  return status;
}

dloc_status maker_make_all(node_maker *m, size_t first) {
  TRY(maker_resize(m));
  for (size_t id = first; id < m->b->entries.count; id++) {
    record r;
    if (m->b->entries.items[id].is_string)
      continue;
    TRY(bitcode_metadata_record(m->b, id, &r));
    TRY(maker_make(m, id, &r));
  }
  return DLOC_OK;
}
