/* Reading metadata: `!N = ...`, and nodes written in place. Nodes nest to any depth, so the nesting is kept on a stack
 * of the reader's. */
#include "nodes/text.h"
#include "reader.h"

#include <string.h>

/* ---- References ---- */

/* `!N` at its digits: the index of its slot. */
static dloc_status read_slot(reader *r, uint32_t *ret) {
  uint32_t number = 0;
  TRY(reader_number(r, &number));
  return numbering_slot(r->module, number, ret);
}

/* `!N` inside metadata, at its digits. */
static dloc_status node_reference(reader *r, dloc_node *ret) {
  uint32_t index = 0, place = reader_offset(r, r->at);
  TRY(read_slot(r, &index));
  slot *s = numbering_at(r->module, index);
  if (s->node == DLOC_NULL) {
    dloc_node forward = DLOC_NULL;
    TRY(dloc_forward(r->context, &forward));
    if (forward >= SLOT_UNDEFINED)
      return DLOC_LIMIT;
    *s = (slot){forward | SLOT_UNDEFINED, s->place ? s->place : place};
  }
  *ret = s->node & ~SLOT_UNDEFINED;
  return DLOC_OK;
}

/* `!N` outside of metadata, at its digits: REFERENCE and the slot. */
static dloc_status reader_reference(reader *r, uint32_t *ret) {
  uint32_t index = 0, place = reader_offset(r, r->at);
  TRY(read_slot(r, &index));
  slot *s = numbering_at(r->module, index);
  if (s->node == DLOC_NULL && s->place == 0)
    s->place = place;
  if (index >= REFERENCE)
    return DLOC_LIMIT;
  *ret = index | REFERENCE;
  return DLOC_OK;
}

dloc_status reader_elsewhere(reader *r, const char *at, dloc_status (*read)(reader *r, uint32_t *ret), uint32_t *ret) {
  const char *resume = r->at;
  r->at = at;
  TRY(read(r, ret));
  r->at = resume;
  return DLOC_OK;
}

static dloc_status visit_reference(void *user, const char *bang) {
  const reader *r = user;
  uint32_t ignored = 0;
  bool number = bang + 1 < r->end && scan_is_digit(bang[1]);
  return number ? reader_elsewhere(user, bang + 1, reader_reference, &ignored) : DLOC_OK;
}

static dloc_status refuse_metadata(void *user, const char *bang) { return reader_expected(user, bang, "value token"); }

/* Without a type it is what stands before the bang that LLVM does not take. */
static dloc_status refuse_node(void *user, const char *bang) {
  reader *r = user;
  return reader_type_begins(r->at, bang) ? refuse_metadata(r, bang) : reader_expected(r, r->at, "metadata operand");
}

static dloc_status operand_end(reader *r, scan_visit *visit, const char **ret) {
  dloc_status status = scan_operand(r->at, r->end, visit, r, ret);
  return status == DLOC_INVALID && r->diagnostic->reason == DLOC_REASON_NONE ? reader_unclosed(r, r->at) : status;
}

dloc_status reader_operand_end(reader *r, bool metadata, const char **ret) {
  return operand_end(r, metadata ? visit_reference : refuse_metadata, ret);
}

static dloc_status read_node(reader *r, bool distinct, dloc_node *ret);

dloc_status reader_metadata_operand(reader *r, uint32_t *ret) {
  r->at = scan_space(r->at, r->end);
  if (r->at >= r->end || *r->at != '!')
    return reader_expected(r, r->at, "'!' here");
  if (reader_at_number(r)) {
    r->at++;
    return reader_reference(r, ret);
  }
  if (r->at + 1 < r->end && r->at[1] == '"')
    return reader_expected(r, r->at + 1, "integer"); /* LLVM's words: a string is no node */
  TRY(read_node(r, false, ret));
  return *ret >= REFERENCE ? DLOC_LIMIT : DLOC_OK;
}

static dloc_status end_argument(reader *r) {
  r->at = scan_space(r->at, r->end);
  bool ends = r->at < r->end && (*r->at == ',' || *r->at == ')');
  return ends ? DLOC_OK : reader_expected(r, r->at, "',' here");
}

dloc_status reader_metadata_argument(reader *r, uint32_t *ret) {
  TRY(reader_metadata_operand(r, ret));
  return end_argument(r);
}

dloc_status reader_attachment(reader *r, dloc_text *ret_kind, uint32_t *ret) {
  const char *name = r->at + 1;
  const char *name_end = scan_metadata_name(name, r->end);
  r->at = name_end;
  TRY(reader_metadata_operand(r, ret));
  *ret_kind = (dloc_text){name, (size_t)(name_end - name)};
  return memchr(name, '\\', ret_kind->size) ? reader_unescape(r, name, name_end, ret_kind) : DLOC_OK;
}

/* ---- Errors in fields ---- */

typedef struct field_place {
  const char *key;
  const char *value;
} field_place;

/* Where the field called name stands in the node on top; for a repeated one the second time. The node was read, so it
 * scans well. */
static field_place find_field(const reader *r, const frame *top, dloc_text name, bool second) {
  const char *at = scan_space(top->class_name + top->class_size, r->at) + 1;
  field_place found = {r->at, r->at};
  while (at < r->at) {
    const char *key = scan_space(at, r->at);
    const char *key_end = scan_word(key, r->at);
    const char *value = key_end < r->at && *key_end == ':' ? scan_space(key_end + 1, r->at) : key;
    if (dloc_text_equal((dloc_text){key, (size_t)(key_end - key)}, name)) {
      found = (field_place){key, value};
      if (!second)
        return found;
      second = false;
    }
    if (scan_operand(value, r->at, NULL, NULL, &at) != DLOC_OK)
      break;
    at++; /* the comma */
  }
  return found;
}

static const char *explain_word(dloc_text field) {
  return text_is_among(field, "flags spFlags") ? "expected debug info flag"
         : text_equals(field, "emissionKind")  ? "expected emission kind"
                                               : dloc_reason_text(DLOC_REASON_FIELD_NOT_WORD);
}

/* The message and place that llvm-as gives. */
static dloc_status explain_fields(reader *r, const frame *top, const dloc_node_diagnosis *diagnosis) {
  dloc_text name = dloc_node_text(r->context, diagnosis->field);
  field_place place = find_field(r, top, name, diagnosis->reason == DLOC_REASON_FIELD_REPEATED);
  int size = name.size > 100 ? 100 : (int)name.size;
  switch (diagnosis->reason) {
  case DLOC_REASON_FIELD_MISSING:
    return reader_fail(r, diagnosis->reason, r->at, "missing required field '%.*s'", size, name.bytes);
  case DLOC_REASON_FIELD_NULL:
    return reader_fail(r, diagnosis->reason, place.value, "'%.*s' cannot be null", size, name.bytes);
  case DLOC_REASON_FIELD_REPEATED:
    return reader_fail(r, diagnosis->reason, place.key, "field '%.*s' cannot be specified more than once", size,
                       name.bytes);
  case DLOC_REASON_FIELD_NOT_WORD:
    return reader_fail(r, diagnosis->reason, place.value, "%s", explain_word(name));
  case DLOC_REASON_FIELD_UNKNOWN:
    return reader_fail(r, diagnosis->reason, place.key, "invalid field '%.*s'", size, name.bytes);
  case DLOC_REASON_FIELD_CHECKSUM_ALONE:
    return reader_fail(r, diagnosis->reason, scan_space(r->at + 1, r->end), "%s", dloc_reason_text(diagnosis->reason));
  case DLOC_REASON_FIELD_TOO_LARGE:
    return reader_fail(r, diagnosis->reason, place.value, "value for '%.*s' too large, limit is %llu", size, name.bytes,
                       (unsigned long long)diagnosis->limit);
  default:
    return reader_fail(r, diagnosis->reason, diagnosis->field ? place.value : top->start, "%s",
                       dloc_reason_text(diagnosis->reason));
  }
}

/* ---- Nodes ---- */

/* Enter the node at r->at, which is at its `!`. */
static dloc_status open_node(reader *r, bool distinct) {
  frame opened = {.start = r->at, .distinct = distinct};
  const char *name = r->at + 1;
  const char *name_end = scan_metadata_name(name, r->end);
  if (name < r->end && scan_is_metadata_name(*name)) {
    opened.class_name = name;
    opened.class_size = (uint32_t)(name_end - name);
    opened.base = (uint32_t)r->fields.count;
    opened.list = class_is_list((dloc_text){name, opened.class_size});
    opened.positional = opened.list || class_is_in_place((dloc_text){name, opened.class_size});
    r->at = name_end;
    TRY(reader_take(r, '(', "'(' here"));
  } else {
    opened.base = (uint32_t)r->operands.count;
    r->at = name;
    TRY(reader_take(r, '{', "'{' here"));
  }
  PUSH(r->context, r->frames, opened);
  return DLOC_OK;
}

/* Leave the node on top, at its closing bracket: `metadata.uniqued`. */
static dloc_status close_node(reader *r, dloc_node *ret) {
  const frame *top = &r->frames.items[r->frames.count - 1];
  if (!top->class_name) {
    const dloc_node *operands = r->operands.items ? r->operands.items + top->base : NULL;
    TRY(dloc_tuple(r->context, top->distinct, operands, r->operands.count - top->base, ret));
    r->operands.count = top->base;
  } else {
    const dloc_field *fields = r->fields.items ? r->fields.items + top->base : NULL;
    dloc_node class_token = DLOC_NULL;
    dloc_node_diagnosis diagnosis = {DLOC_REASON_NONE, DLOC_NULL, 0};
    TRY(reader_word(r, top->class_name, top->class_name + top->class_size, &class_token));
    dloc_status status =
        specialised_node(r->context, class_token, top->distinct, fields, r->fields.count - top->base, &diagnosis, ret);
    if (status == DLOC_OK)
      diagnosis.field = missing_field(r->context, class_token, fields, r->fields.count - top->base);
    if (status == DLOC_OK && diagnosis.field)
      diagnosis.reason = DLOC_REASON_FIELD_MISSING;
    if (diagnosis.reason != DLOC_REASON_NONE)
      return explain_fields(r, top, &diagnosis);
    TRY(status);
    r->fields.count = top->base;
  }
  r->at++;
  r->frames.count--;
  return DLOC_OK;
}

/* Add a value to the node on top. */
static dloc_status push_value(reader *r, dloc_node value) {
  frame *top = &r->frames.items[r->frames.count - 1];
  top->need_more = false;
  if (top->class_name) {
    PUSH(r->context, r->fields, (dloc_field){top->key, value});
  } else {
    PUSH(r->context, r->operands, value);
  }
  return DLOC_OK;
}

/* The key of the next field: a word with a colon right behind it. */
static dloc_status read_key(reader *r) {
  frame *top = &r->frames.items[r->frames.count - 1];
  const char *key_end = scan_word(r->at, r->end);
  if (key_end == r->at || key_end >= r->end || *key_end != ':')
    return reader_expected(r, key_end >= r->end ? r->end : r->at, "field label here");
  TRY(reader_word(r, r->at, key_end, &top->key));
  r->at = scan_space(key_end + 1, r->end);
  return DLOC_OK;
}

/* LLVM's message where a list does not go on. */
static const char *closing_of(const frame *top) { return top->class_name ? "')' here" : "end of metadata node"; }

/* Text of several tokens, with one space for each run of white space and comments between them. */
static dloc_status read_long_text(reader *r, const char *from, const char *to, dloc_text *ret) {
  RESERVE(r->context, r->bytes, (size_t)(to - from));
  size_t count = 0;
  while (from < to) {
    const char *next = scan_space(from, to);
    if (next > from && next < to)
      r->bytes.items[count++] = ' ';
    from = next;
    next = from < to && *from == '"' ? scan_string(from, to) : from < to ? from + 1 : from;
    memcpy(r->bytes.items + count, from, (size_t)(next - from));
    count += (size_t)(next - from);
    from = next;
  }
  *ret = (dloc_text){r->bytes.items, count};
  return DLOC_OK;
}

/* A value as metadata (`i32 7`), or a field's value that is neither string nor node: `DIFlagA | DIFlagB`. */
static dloc_status read_text_value(reader *r, bool field, dloc_node *ret) {
  const char *stop = NULL;
  dloc_text text;
  TRY(operand_end(r, refuse_node, &stop));
  if (stop == r->at)
    return reader_expected(r, stop, field ? "value here" : "metadata operand");
  if (stop >= r->end)
    return reader_expected(r, stop, closing_of(&r->frames.items[r->frames.count - 1]));
  bool typed = reader_type_begins(r->at, stop);
  if (!typed && !field)
    return reader_expected(r, r->at, "metadata operand");
  TRY(read_long_text(r, r->at, stop, &text));
  dloc_status status = typed ? dloc_constant(r->context, text, ret) : dloc_token(r->context, text, ret);
  if (status == DLOC_INVALID)
    return reader_expected(r, r->at, "value here");
  r->at = stop;
  return status;
}

/* One word, if it stands alone before the comma or bracket; *ret_end is NULL otherwise. */
static const char *lone_word(const reader *r) {
  const char *word_end = scan_word(r->at, r->end);
  const char *next = scan_space(word_end, r->end);
  return word_end > r->at && next < r->end && (*next == ',' || scan_class(*next) == CHAR_CLOSE) ? word_end : NULL;
}

static dloc_status read_word_value(reader *r, bool field, dloc_node *ret) {
  const char *word_end = lone_word(r);
  if (word_end && scan_is(r->at, word_end, "null")) {
    if (r->frames.items[r->frames.count - 1].list)
      return reader_expected(r, r->at, "metadata operand");
    *ret = DLOC_NULL;
    r->at = word_end;
    return DLOC_OK;
  }
  if (!word_end || !field)
    return read_text_value(r, field, ret);
  TRY(reader_word(r, r->at, word_end, ret));
  r->at = word_end;
  return DLOC_OK;
}

static dloc_status read_string_value(reader *r, bool bang, bool field, dloc_node *ret) {
  const char *quote = r->at + bang;
  const char *string_end = scan_string(quote, r->end);
  dloc_text text;
  if (!string_end)
    return reader_unclosed(r, quote);
  if (bang && field) { /* a field that holds an MDString: its `!` must be printed again */
    TRY(dloc_token(r->context, (dloc_text){r->at, (size_t)(string_end - r->at)}, ret));
  } else {
    TRY(reader_unescape(r, quote + 1, string_end - 1, &text));
    TRY(dloc_string(r->context, text, ret));
  }
  r->at = string_end;
  return DLOC_OK;
}

/* The value at r->at, or the node that begins there: then *ret_opened. */
static dloc_status read_value(reader *r, bool *ret_opened, dloc_node *ret) {
  const frame *top = &r->frames.items[r->frames.count - 1];
  bool field = top->class_name && !top->list;
  *ret_opened = false;
  if (r->at >= r->end)
    return reader_expected(r, r->at, field ? "value here" : "metadata operand");
  if (*r->at == '"' && field && top->positional)
    return reader_expected(r, r->at, "unsigned integer");
  if (*r->at == '"' && field)
    return read_string_value(r, false, true, ret);
  if (*r->at != '!')
    return read_word_value(r, field, ret);
  if (reader_at_number(r)) {
    r->at++;
    return node_reference(r, ret);
  }
  if (r->at + 1 < r->end && r->at[1] == '"')
    return read_string_value(r, true, field, ret);
  *ret_opened = true;
  return open_node(r, false);
}

/* Close the nodes that end behind a value; stops at a comma (*ret stays DLOC_NULL) or when the outermost one is
 * complete. */
static dloc_status close_nodes(reader *r, dloc_node value, dloc_node *ret) {
  *ret = DLOC_NULL;
  for (;;) {
    TRY(push_value(r, value));
    frame *top = &r->frames.items[r->frames.count - 1];
    r->at = scan_space(r->at, r->end);
    if (r->at < r->end && *r->at == ',') {
      top->need_more = true;
      r->at++;
      return DLOC_OK;
    }
    if (r->at >= r->end || *r->at != (top->class_name ? ')' : '}'))
      return reader_expected(r, r->at, closing_of(top));
    TRY(close_node(r, &value));
    if (r->frames.count == 0) {
      *ret = value;
      return DLOC_OK;
    }
  }
}

/* One element of the node on top, or its end. */
static dloc_status read_element(reader *r, dloc_node *ret) {
  frame *top = &r->frames.items[r->frames.count - 1];
  dloc_node value = DLOC_NULL;
  r->at = scan_space(r->at, r->end);
  if (!top->need_more && r->at < r->end && *r->at == (top->class_name ? ')' : '}')) {
    TRY(close_node(r, &value));
    if (r->frames.count)
      return close_nodes(r, value, ret);
    *ret = value;
    return DLOC_OK;
  }
  if (top->class_name && !top->positional)
    TRY(read_key(r));
  bool opened = false;
  TRY(read_value(r, &opened, &value));
  return opened ? DLOC_OK : close_nodes(r, value, ret);
}

/* A node written out, at r->at: `!{...}` or `!Class(...)`. */
static dloc_status read_node(reader *r, bool distinct, dloc_node *ret) {
  dloc_node node = DLOC_NULL;
  TRY(open_node(r, distinct));
  while (!node)
    TRY(read_element(r, &node));
  *ret = node;
  return DLOC_OK;
}

/* ---- Locations as LLVM writes them ---- */

static bool pass_text(reader *r, const char *text, size_t size) {
  bool fits = (size_t)(r->end - r->at) >= size && memcmp(r->at, text, size) == 0;
  r->at += fits ? size : 0;
  return fits;
}
#define PASS(r, text) pass_text((r), "" text, sizeof text - 1)

static bool pass_number(reader *r, uint32_t limit, uint32_t *ret) {
  const char *behind = scan_number(r->at, r->end, limit, ret);
  bool fits = behind && behind > r->at;
  r->at = fits ? behind : r->at;
  return fits;
}

static bool at_digit(const reader *r) { return r->at < r->end && scan_is_digit(*r->at); }

/* Most nodes are such locations. *ret is DLOC_NULL for anything else, which read_node takes from the same place. */
static dloc_status read_usual_location(reader *r, bool distinct, dloc_node *ret) {
  const char *start = r->at;
  uint32_t group = 0, rank = 0;
  dloc_location location = {.line = 0};
  *ret = DLOC_NULL;
  if (PASS(r, "!DILocation(line: ") && pass_number(r, UINT32_MAX, &location.line) &&
      (!PASS(r, ", column: ") || pass_number(r, DLOC_COLUMN_LIMIT, &location.column)) && PASS(r, ", scope: !") &&
      at_digit(r)) {
    TRY(node_reference(r, &location.scope));
    if (PASS(r, ", inlinedAt: !") && at_digit(r))
      TRY(node_reference(r, &location.inlined_at));
    bool fits = !PASS(r, ", atomGroup: ") ||
                (pass_number(r, UINT32_MAX, &group) && PASS(r, ", atomRank: ") && pass_number(r, UINT8_MAX, &rank));
    location.atom_group = group;
    location.atom_rank = (uint8_t)rank;
    if (fits && PASS(r, ")"))
      return dloc_location_create(r->context, distinct, &location, ret);
  }
  r->at = start;
  return DLOC_OK;
}

/* ---- Definitions ---- */

/* `i32 %x`: its last token is the name of a local value. */
static bool is_local_value(const char *at, const char *end) {
  const char *last = at;
  for (at = scan_space(at, end); at < end; at = scan_space(at, end)) {
    const char *name_end = *at == '%' || *at == '@' ? scan_name(at + 1, end) : NULL;
    last = at;
    at = name_end ? name_end : at + 1;
  }
  return last < end && *last == '%';
}

dloc_status reader_value_operand(reader *r, uint32_t *ret) {
  const char *stop = NULL;
  dloc_text text;
  r->at = scan_space(r->at, r->end);
  if (r->at + 1 < r->end && *r->at == '!' && r->at[1] == '"') {
    TRY(read_string_value(r, true, false, ret));
    return end_argument(r);
  }
  if (r->at < r->end && *r->at == '!')
    return reader_metadata_argument(r, ret);
  *ret = DLOC_NULL;
  if (scan_operand(r->at, r->end, NULL, NULL, &stop) != DLOC_OK || !stop || is_local_value(r->at, stop))
    return DLOC_OK; /* another part reports what else is wrong with it */
  TRY(read_long_text(r, r->at, stop, &text));
  dloc_status status = dloc_constant(r->context, text, ret);
  return status == DLOC_INVALID ? DLOC_OK : status;
}

static dloc_status read_defined_node(reader *r, dloc_node *ret) {
  const char *word_end = scan_word(r->at, r->end);
  bool distinct = scan_is(r->at, word_end, "distinct");
  if (distinct)
    r->at = scan_space(word_end, r->end);
  else if (word_end > r->at)
    return reader_fail(r, DLOC_REASON_TEXT_SYNTAX, r->at, "unexpected type in metadata definition");
  if (r->at >= r->end || *r->at != '!')
    return reader_expected(r, r->at, "'!' here");
  TRY(read_usual_location(r, distinct, ret));
  return *ret ? DLOC_OK : read_node(r, distinct, ret);
}

dloc_status read_definition(reader *r) {
  uint32_t number = 0, index = 0;
  uint32_t place = reader_offset(r, r->at);
  dloc_node node = DLOC_NULL;
  r->at++;
  TRY(reader_number(r, &number));
  TRY(reader_take(r, '=', "'=' here"));
  r->at = scan_space(r->at, r->end);
  TRY(read_defined_node(r, &node));
  TRY(numbering_slot(r->module, number, &index));
  slot *s = numbering_at(r->module, index);
  if (s->node && !(s->node & SLOT_UNDEFINED))
    return reader_fail(r, DLOC_REASON_TEXT_REDEFINED, scan_space(r->at, r->end), "Metadata id is already used");
  if (s->node)
    TRY(dloc_define(r->context, s->node & ~SLOT_UNDEFINED, node));
  *s = (slot){node, place};
  return module_note_definition(r->module, index);
}
