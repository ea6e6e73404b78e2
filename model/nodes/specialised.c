/* SPEC.md, chapter 1: specialised nodes and their fields, by the table classes.def. */
#include "metadata.h"

/* The most fields that classes.def has for an understood class; static, so that they fit on the stack. */
enum { FIELDS_OF_A_CLASS = 32 };
#define CLASS(id, name, form, code, least)
#define FIELD(class, name, type, presence, operand, value)                                                             \
  _Static_assert(FIELD_##class##_##name - FIRST_##class < FIELDS_OF_A_CLASS, "more fields than are gathered");
#include "classes.def"
#include "text.h"
#undef CLASS
#undef FIELD

static dloc_status text_number(dloc_text text, uint64_t limit, uint64_t *ret) {
  uint64_t number = 0, tenth = limit / 10, last = limit % 10;
  if (text.size == 0)
    return DLOC_INVALID;
  for (size_t i = 0; i < text.size; i++) {
    unsigned digit = (unsigned char)text.bytes[i] - (unsigned)'0';
    if (digit > 9)
      return DLOC_INVALID;
    if (number > tenth || (number == tenth && digit > last))
      return DLOC_LIMIT;
    number = number * 10 + digit;
  }
  *ret = number;
  return DLOC_OK;
}

dloc_status token_number(const dloc_context *context, dloc_node token, uint64_t limit, uint64_t *ret) {
  return node_kind(context, token) == DLOC_KIND_TOKEN ? text_number(node_text(context, token), limit, ret)
                                                      : DLOC_INVALID;
}

/* Take the next flag from a list; false behind the last one. */
static bool take_flag(dloc_text *list, dloc_text *ret) {
  size_t begin = 0, end;
  while (begin < list->size && strchr(" |", list->bytes[begin]))
    begin++;
  for (end = begin; end < list->size && !strchr(" |", list->bytes[end]);)
    end++;
  *ret = (dloc_text){list->bytes + begin, end - begin};
  *list = (dloc_text){list->bytes + end, list->size - end};
  return end > begin;
}

bool token_has_flag(const dloc_context *context, dloc_node token, const char *name, uint64_t bit) {
  dloc_text list = node_text(context, token), flag;
  while (take_flag(&list, &flag)) {
    uint64_t number;
    if (text_equals(flag, name) || (text_number(flag, UINT64_MAX, &number) == DLOC_OK && number & bit))
      return true;
  }
  return false;
}

/* `metadata.location.limits` */
static uint64_t field_limit(field_type type) {
  switch (type) {
  case FIELD_COLUMN:
    return DLOC_COLUMN_LIMIT;
  case FIELD_RANK:
    return UINT8_MAX;
  case FIELD_GROUP:
    return UINT64_MAX;
  default:
    return UINT32_MAX;
  }
}

/* An MDString, `!"text"`, comes as a token; `"text"` is none. */
static bool is_reference(const dloc_context *context, dloc_node value) {
  unsigned kind = node_kind(context, value);
  dloc_text text = node_text(context, value);
  return kind == DLOC_KIND_TOKEN ? text.size > 0 && text.bytes[0] == '!' : kind != DLOC_KIND_STRING;
}

/* A name or a number, which the next reader looks up. */
static bool is_word(const dloc_context *context, dloc_node value) {
  return node_kind(context, value) == DLOC_KIND_TOKEN && !is_reference(context, value);
}

/* The beginning of all names of a field's values; NULL: it takes any word. */
static const char *prefix_of(field_type type) {
  return type == FIELD_TAG        ? "DW_TAG_"
         : type == FIELD_LANGUAGE ? "DW_LANG_"
         : type == FIELD_FLAGS    ? "DIFlag"
         : type == FIELD_SP_FLAGS ? "DISPFlag"
                                  : NULL;
}

static bool is_number(dloc_text text) {
  uint64_t number;
  return text_number(text, UINT64_MAX, &number) == DLOC_OK;
}

/* Numbers, and names of the field's values as far as their beginning tells. */
static bool has_names(const dloc_context *context, field_type type, dloc_node value) {
  dloc_text list = node_text(context, value), word;
  while (prefix_of(type) && take_flag(&list, &word))
    if (!text_begins(word, prefix_of(type)) && !is_number(word))
      return false;
  return is_word(context, value);
}

/* `-1` or `7`, which may stand in the place of metadata. */
static bool is_integer(const dloc_context *context, dloc_node value) {
  dloc_text text = node_text(context, value);
  return is_word(context, value) && text.size > 0 &&
         (text.bytes[0] == '-' || (text.bytes[0] >= '0' && text.bytes[0] <= '9'));
}

size_t checksum_digits(dloc_text kind) {
  static const struct {
    const char *kind;
    size_t digits;
  } kinds[] = {{"CSK_MD5", 32}, {"CSK_SHA1", 40}, {"CSK_SHA256", 64}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (text_equals(kind, kinds[i].kind))
      return kinds[i].digits;
  return 0;
}

#define EMISSION_KINDS "NoDebug FullDebug LineTablesOnly DebugDirectivesOnly"

/* Check one value against its field's type. *ret_default: it is the default and may be left out.
 * `metadata.location.scope`, `metadata.block.fields` */
static dloc_reason check_value(const dloc_context *context, const field_spec *spec, dloc_node value,
                               bool *ret_default) {
  dloc_text text = node_text(context, value);
  uint64_t number = 0;
  *ret_default = false;
  if (spec->presence == PRESENCE_GONE)
    return DLOC_REASON_FIELD_UNKNOWN;
  switch (spec->type) {
  case FIELD_SCOPE:
  case FIELD_NODE:
  case FIELD_VALUE:
    *ret_default = value == DLOC_NULL;
    if (value == DLOC_NULL && spec->type == FIELD_SCOPE)
      return DLOC_REASON_FIELD_NULL;
    return is_reference(context, value) ? DLOC_REASON_NONE : DLOC_REASON_FIELD_NOT_NODE;
  case FIELD_COUNT:
  case FIELD_PUSHED:
  case FIELD_SIZE:
    return is_reference(context, value) || is_integer(context, value) ? DLOC_REASON_NONE : DLOC_REASON_FIELD_NOT_NODE;
  case FIELD_TEXT:
    *ret_default = text.size == 0;
    return node_kind(context, value) == DLOC_KIND_STRING ? DLOC_REASON_NONE : DLOC_REASON_FIELD_NOT_STRING;
  case FIELD_BOOL:
  case FIELD_MARK:
  case FIELD_TRUE:
    *ret_default = text_equals(text, "false");
    return *ret_default || text_equals(text, "true") ? DLOC_REASON_NONE : DLOC_REASON_FIELD_NOT_BOOLEAN;
  case FIELD_EMISSION:
    *ret_default = text_equals(text, "NoDebug") || text_equals(text, "0");
    return is_word(context, value) && (is_number(text) || text_is_among(text, EMISSION_KINDS))
               ? DLOC_REASON_NONE
               : DLOC_REASON_FIELD_NOT_WORD;
  case FIELD_CHECKSUM:
    return checksum_digits(text) || is_integer(context, value) ? DLOC_REASON_NONE : DLOC_REASON_FIELD_CHECKSUM_KIND;
  case FIELD_NUMBER:
  case FIELD_SIGNED:
  case FIELD_OPTION:
  case FIELD_INTEGER:
  case FIELD_VERSIONED:
  case FIELD_TAG:
  case FIELD_LANGUAGE:
  case FIELD_FLAGS:
  case FIELD_SP_FLAGS:
  case FIELD_WORD:
    return has_names(context, spec->type, value) ? DLOC_REASON_NONE : DLOC_REASON_FIELD_NOT_WORD;
  default:
    switch (token_number(context, value, field_limit(spec->type), &number)) {
    case DLOC_OK:
      *ret_default = number == 0;
      return DLOC_REASON_NONE;
    case DLOC_LIMIT:
      return DLOC_REASON_FIELD_TOO_LARGE;
    default:
      return DLOC_REASON_FIELD_NOT_UNSIGNED;
    }
  }
}

static dloc_status diagnose(dloc_node_diagnosis *diagnosis, dloc_reason reason, dloc_node field, uint64_t limit) {
  if (diagnosis)
    *diagnosis = (dloc_node_diagnosis){reason, field, limit};
  return DLOC_INVALID;
}

static bool token_is(const dloc_context *context, dloc_node token, const char *word) {
  return node_kind(context, token) == DLOC_KIND_TOKEN && text_equals(node_text(context, token), word);
}

/* A subprogram is a definition by its spFlags; in the older form without them, unless isDefinition is false. */
static bool is_definition(const dloc_context *context, dloc_node sp_flags, dloc_node is_definition_field) {
  enum { DEFINITION = 1 << 3 };
  if (sp_flags != DLOC_NULL)
    return token_has_flag(context, sp_flags, "DISPFlagDefinition", DEFINITION);
  return !token_is(context, is_definition_field, "false");
}

bool subprogram_is_definition(const dloc_context *context, dloc_node subprogram) {
  if (node_kind(context, subprogram) != DLOC_KIND_SUBPROGRAM)
    return false;
  return is_definition(context, node_field(context, subprogram, context->field_keys[FIELD_SUBPROGRAM_spFlags]),
                       node_field(context, subprogram, context->field_keys[FIELD_SUBPROGRAM_isDefinition]));
}

/* `metadata.location.defaults` */
static dloc_status location_from_fields(dloc_context *context, bool distinct, const dloc_node *values, dloc_node *ret) {
  uint64_t numbers[FIELD_LOCATION_atomRank + 1] = {0};
  for (size_t row = FIELD_LOCATION_line; row <= FIELD_LOCATION_atomRank; row++)
    if (values[row])
      (void)token_number(context, values[row], UINT64_MAX, &numbers[row]);
  dloc_location content = {.line = (uint32_t)numbers[FIELD_LOCATION_line],
                           .column = (uint32_t)numbers[FIELD_LOCATION_column],
                           .scope = values[FIELD_LOCATION_scope],
                           .inlined_at = values[FIELD_LOCATION_inlinedAt],
                           .implicit = token_is(context, values[FIELD_LOCATION_isImplicitCode], "true"),
                           .atom_rank = (uint8_t)numbers[FIELD_LOCATION_atomRank],
                           .atom_group = numbers[FIELD_LOCATION_atomGroup],
                           .layers = values[FIELD_LOCATION_irlayers]};
  return dloc_location_create(context, distinct, &content, ret);
}

/* The rows of one class, gathered from the fields that were given: value and whether it is written. */
typedef struct gathered {
  dloc_node values[FIELDS_OF_A_CLASS];
  bool seen[FIELDS_OF_A_CLASS];
  bool written[FIELDS_OF_A_CLASS];
} gathered;

/* The row of a class's field; behind the last when it is not in the table. */
static size_t row_of(const dloc_context *context, const class_spec *class, dloc_node key) {
  size_t row = class->first;
  while (row < class[1].first && context->field_keys[row] != key)
    row++;
  return row;
}

static bool is_written_as_given(const field_spec *field) {
  return field->presence == PRESENCE_REQUIRED || field->presence == PRESENCE_KEPT ||
         field->presence == PRESENCE_NULLABLE;
}

/* `metadata.block-file.fields`, `metadata.fields`, `link.list-of-layers` */
static dloc_status gather_fields(const dloc_context *context, const class_spec *class, const dloc_field *fields,
                                 size_t count, gathered *g, dloc_node_diagnosis *diagnosis) {
  size_t first = class->first;
  for (size_t i = 0; i < count; i++) {
    size_t row = row_of(context, class, fields[i].key);
    if (row == class[1].first) {
      if (class->form == FORM_OPEN)
        continue;
      return diagnose(diagnosis, DLOC_REASON_FIELD_UNKNOWN, fields[i].key, 0);
    }
    if (g->seen[row - first])
      return diagnose(diagnosis, DLOC_REASON_FIELD_REPEATED, fields[i].key, 0);
    bool is_default = false;
    dloc_reason reason = check_value(context, &field_specs[row], fields[i].value, &is_default);
    if (reason != DLOC_REASON_NONE)
      return diagnose(diagnosis, reason, fields[i].key, field_limit(field_specs[row].type));
    g->seen[row - first] = true;
    g->values[row - first] = fields[i].value;
    g->written[row - first] = !is_default || is_written_as_given(&field_specs[row]);
  }
  for (size_t row = first; row < class[1].first; row++)
    if (field_specs[row].presence == PRESENCE_REQUIRED && !g->seen[row - first])
      return diagnose(diagnosis, DLOC_REASON_FIELD_MISSING, context->field_keys[row], 0);
  return DLOC_OK;
}

/* Numbers that are printed even where nobody gave them. `metadata.layer.fields` */
static dloc_status add_printed(dloc_context *context, const class_spec *class, gathered *g) {
  for (size_t row = class->first; row < class[1].first; row++) {
    if (field_specs[row].presence != PRESENCE_PRINTED)
      continue;
    g->written[row - class->first] = true;
    if (!g->seen[row - class->first])
      TRY(dloc_token(context, dloc_text_of("0"), &g->values[row - class->first]));
  }
  return DLOC_OK;
}

/* `metadata.layer.key`, `metadata.subprogram.distinct`, `metadata.unit.distinct`, `metadata.file.checksum` */
static dloc_status understood_node(dloc_context *context, const class_spec *class, dloc_node class_token, bool distinct,
                                   const dloc_field *fields, size_t count, dloc_node_diagnosis *diagnosis,
                                   dloc_node *ret) {
  gathered g = {0};
  TRY(gather_fields(context, class, fields, count, &g, diagnosis));
  size_t first = class->first;
  if (class->kind == DLOC_KIND_FILE && g.seen[FIELD_FILE_checksumkind - first] != g.seen[FIELD_FILE_checksum - first])
    return diagnose(diagnosis, DLOC_REASON_FIELD_CHECKSUM_ALONE, DLOC_NULL, 0);
  if (class->kind == DLOC_KIND_LOCATION)
    return location_from_fields(context, distinct, g.values, ret);
  if (class->kind == DLOC_KIND_SUBPROGRAM && !distinct &&
      is_definition(context, g.values[FIELD_SUBPROGRAM_spFlags - first],
                    g.values[FIELD_SUBPROGRAM_isDefinition - first]))
    return diagnose(diagnosis, DLOC_REASON_SUBPROGRAM_NOT_DISTINCT, DLOC_NULL, 0);
  if (class->kind == DLOC_KIND_COMPILE_UNIT && !distinct)
    return diagnose(diagnosis, DLOC_REASON_UNIT_NOT_DISTINCT, DLOC_NULL, 0);

  if (class->kind == DLOC_KIND_LAYER && !node_text(context, g.values[FIELD_LAYER_kind - first]).size)
    g.values[FIELD_LAYER_kind - first] = DLOC_NULL; /* `verify.layer.kind` */
  TRY(add_printed(context, class, &g));
  uint32_t *words = NULL;
  TRY(node_begin(context, 2 + 2 * (count + FIELDS_OF_A_CLASS), &words));
  uint32_t written = 0;
  for (size_t row = first; row < class[1].first; row++) {
    if (!g.written[row - first])
      continue;
    words[2 + 2 * written] = context->field_keys[row];
    words[3 + 2 * written++] = g.values[row - first];
  }
  for (size_t i = 0; class->form == FORM_OPEN && i < count; i++) {
    if (row_of(context, class, fields[i].key) < class[1].first)
      continue;
    words[2 + 2 * written] = fields[i].key;
    words[3 + 2 * written++] = fields[i].value;
  }
  words[0] = class_token;
  words[1] = written;
  return node_finish(context, class->kind, distinct, 2 + 2 * (size_t)written, ret);
}

/* `metadata.fields`: what is known of a node that is kept as it is. `metadata.assign-id.distinct` */
static dloc_status check_kept(const dloc_context *context, const class_spec *class, bool distinct,
                              const dloc_field *fields, size_t count, dloc_node_diagnosis *diagnosis) {
  if (class == &class_specs[CLASS_ASSIGN_ID] && !distinct)
    return diagnose(diagnosis, DLOC_REASON_ASSIGN_ID_NOT_DISTINCT, DLOC_NULL, 0);
  for (size_t i = 0; class != &class_specs[CLASS_ROWS] && i < count; i++) {
    bool ignored;
    size_t row = row_of(context, class, fields[i].key);
    dloc_reason reason = row < class[1].first ? check_value(context, &field_specs[row], fields[i].value, &ignored) : 0;
    if (reason != DLOC_REASON_NONE)
      return diagnose(diagnosis, reason, fields[i].key, field_limit(field_specs[row].type));
  }
  return DLOC_OK;
}

/* Whether fields stand in the order of the table, as those that LLVM wrote do; fields that it lacks come last. */
static bool is_ordered(const dloc_context *context, const class_spec *class, const dloc_field *fields, size_t count) {
  size_t row = class->first;
  for (size_t i = 0; i < count; i++) {
    while (row < class[1].first && context->field_keys[row] != fields[i].key)
      row++;
    if (row == class[1].first && row_of(context, class, fields[i].key) < row)
      return false;
  }
  return true;
}

/* A node whose fields are kept as they are, but in the order of the table. The last row of classes stands for a class
 * that it lacks. `metadata.list.key` */
static dloc_status kept_node(dloc_context *context, const class_spec *class, dloc_node class_token, bool distinct,
                             const dloc_field *fields, size_t count, dloc_node *ret) {
  uint32_t *words = NULL;
  TRY(node_begin(context, 2 + 2 * count, &words));
  *words++ = class_token;
  *words++ = (uint32_t)count;
  bool ordered = class == &class_specs[CLASS_ROWS] || is_ordered(context, class, fields, count);
  size_t first = ordered ? 0 : class->first, last = ordered ? 0 : class[1].first;
  for (size_t row = first; row <= last; row++)
    for (size_t i = 0; i < count; i++)
      if (ordered || row_of(context, class, fields[i].key) == row) {
        *words++ = fields[i].key;
        *words++ = fields[i].value;
      }
  return node_finish(context, class->form == FORM_LIST ? DLOC_KIND_LAYER_LIST : DLOC_KIND_OTHER, distinct,
                     2 + 2 * count, ret);
}

/* Letters, digits, `_` and some other characters. */
static bool has_only(dloc_text text, const char *others) {
  for (size_t i = 0; i < text.size; i++) {
    char c = text.bytes[i], lower = c | 32;
    if (!text_is_digit(c) && !(lower >= 'a' && lower <= 'z') && c != '_' && !(c && strchr(others, c)))
      return false;
  }
  return text.size > 0;
}

/* As classes and keys are written. */
static bool is_name(dloc_text text) { return has_only(text, "") && !text_is_digit(*text.bytes); }

/* A word that a text can have behind a key, or without a key. */
static bool is_printable(dloc_text word, bool key) {
  return !key                       ? has_only(word, "-.") && !text_equals(word, "null")
         : text_begins(word, "!\"") ? text_is_operand(word)
                                    : has_only(word, "-.+$|() ") && text_is_operand(word);
}

/* A caller may name classes, keys and words that no text can have. */
static dloc_status check_names(const dloc_context *context, dloc_text class_name, const dloc_field *fields,
                               size_t count, dloc_node_diagnosis *diagnosis) {
  bool fine = is_name(class_name), keyless = class_is_list(class_name) || class_is_in_place(class_name);
  dloc_node key = DLOC_NULL;
  for (size_t i = 0; fine && i < count; i++) {
    dloc_node value = fields[i].value;
    key = fields[i].key;
    fine =
        key == DLOC_NULL ? keyless : (node_kind(context, key) == DLOC_KIND_TOKEN && is_name(node_text(context, key)));
    fine &= node_kind(context, value) != DLOC_KIND_TOKEN || is_printable(node_text(context, value), key != DLOC_NULL);
  }
  if (!fine && diagnosis)
    *diagnosis = (dloc_node_diagnosis){.reason = DLOC_REASON_FIELD_NOT_WORD, .field = key};
  return fine ? DLOC_OK : DLOC_INVALID;
}

dloc_status dloc_specialised(dloc_context *context, dloc_text class_name, bool distinct, const dloc_field *fields,
                             size_t count, dloc_node_diagnosis *diagnosis, dloc_node *ret) {
  dloc_node class_token = DLOC_NULL;
  TRY(check_names(context, class_name, fields, count, diagnosis));
  TRY(dloc_token(context, class_name, &class_token));
  return specialised_node(context, class_token, distinct, fields, count, diagnosis, ret);
}

/* Does LLVM ask for the field in a text? */
static bool is_asked_for(const field_spec *field) {
  return field->presence == PRESENCE_REQUIRED || field->presence == PRESENCE_NULLABLE || field->type == FIELD_SCOPE;
}

static bool is_given(const dloc_field *fields, size_t count, dloc_node key) {
  while (count > 0 && fields[count - 1].key != key)
    count--;
  return count > 0;
}

dloc_node missing_field(const dloc_context *context, dloc_node class_token, const dloc_field *fields, size_t count) {
  size_t class = 0;
  while (class < CLASS_ROWS && context->class_tokens[class] != class_token)
    class ++;
  if (class == CLASS_ROWS)
    return DLOC_NULL;
  for (size_t row = class_specs[class].first; row < class_specs[class + 1].first; row++)
    if (is_asked_for(&field_specs[row]) && !is_given(fields, count, context->field_keys[row]))
      return context->field_keys[row];
  bool lacks_language = class == CLASS_COMPILE_UNIT &&
                        !is_given(fields, count, context->field_keys[FIELD_COMPILE_UNIT_language]) &&
                        !is_given(fields, count, context->field_keys[FIELD_COMPILE_UNIT_sourceLanguageName]);
  return lacks_language ? context->field_keys[FIELD_COMPILE_UNIT_language] : DLOC_NULL;
}

dloc_status specialised_node(dloc_context *context, dloc_node class_token, bool distinct, const dloc_field *fields,
                             size_t count, dloc_node_diagnosis *diagnosis, dloc_node *ret) {
  if (count > UINT32_MAX / 4)
    return DLOC_LIMIT;
  size_t row = 0;
  while (row < CLASS_ROWS && context->class_tokens[row] != class_token)
    row++;
  if (row < UNDERSTOOD_CLASSES && class_specs[row].form != FORM_LIST)
    return understood_node(context, &class_specs[row], class_token, distinct, fields, count, diagnosis, ret);
  TRY(check_kept(context, &class_specs[row], distinct, fields, count, diagnosis));
  return kept_node(context, &class_specs[row], class_token, distinct, fields, count, ret);
}

static bool is_specialised(unsigned kind) { return kind > DLOC_KIND_LOCATION; }

dloc_text dloc_node_class(const dloc_context *context, dloc_node handle) {
  unsigned kind = node_kind(context, handle);
  if (kind == DLOC_KIND_LOCATION)
    return dloc_text_of("DILocation");
  if (!is_specialised(kind))
    return (dloc_text){"", 0};
  return node_text(context, node_words(context, handle)[0]);
}

size_t dloc_field_count(const dloc_context *context, dloc_node handle) {
  return is_specialised(node_kind(context, handle)) ? node_words(context, handle)[1] : 0;
}

dloc_field dloc_field_at(const dloc_context *context, dloc_node handle, size_t index) {
  if (index >= dloc_field_count(context, handle))
    return (dloc_field){DLOC_NULL, DLOC_NULL};
  const uint32_t *words = node_words(context, handle);
  return (dloc_field){words[2 + 2 * index], words[3 + 2 * index]};
}

dloc_node node_field(const dloc_context *context, dloc_node handle, dloc_node key) {
  size_t count = dloc_field_count(context, handle);
  const uint32_t *words = node_words(context, handle);
  for (size_t i = 0; i < count; i++)
    if (words[2 + 2 * i] == key)
      return words[3 + 2 * i];
  return DLOC_NULL;
}

uint32_t node_number(const dloc_context *context, dloc_node node, enum field_row row) {
  uint64_t number = 0;
  (void)token_number(context, node_field(context, node, context->field_keys[row]), UINT32_MAX, &number);
  return (uint32_t)number;
}

dloc_node dloc_field_value(const dloc_context *context, dloc_node handle, const char *name) {
  dloc_text wanted = dloc_text_of(name);
  for (size_t i = 0; i < dloc_field_count(context, handle); i++) {
    dloc_field field = dloc_field_at(context, handle, i);
    if (dloc_text_equal(node_text(context, field.key), wanted))
      return field.value;
  }
  return DLOC_NULL;
}

uint64_t dloc_field_number(const dloc_context *context, dloc_node handle, const char *name) {
  uint64_t number = 0;
  (void)token_number(context, dloc_field_value(context, handle, name), UINT64_MAX, &number);
  return number;
}
