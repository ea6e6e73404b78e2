/* LLVM's classes of metadata nodes. */
#include "text.h"
#include "classes.h"

#include <string.h>

#define TEXT(literal)                                                                                                  \
  { "" literal, sizeof literal - 1 }
#define KIND_CLOSED(id) DLOC_KIND_##id
#define KIND_OPEN(id) DLOC_KIND_##id
#define KIND_LIST(id) DLOC_KIND_##id
#define KIND_KEPT(id) DLOC_KIND_OTHER

const class_spec class_specs[CLASS_ROWS + 1] = {
#define CLASS(id, name, form, code, least) {TEXT(#name), FIRST_##id, KIND_##form(id), FORM_##form, code, least},
#define FIELD(class, name, type, presence, operand, value)
#include "classes.def"
#undef CLASS
#undef FIELD
    {TEXT(""), FIELD_ROWS, DLOC_KIND_NULL, FORM_KEPT, 0, 0},
};

const field_spec field_specs[FIELD_ROWS] = {
#define CLASS(id, name, form, code, least)
#define FIELD(class, name, type, presence, operand, value)                                                             \
  {TEXT(#name), CLASS_##class, FIELD_##type, PRESENCE_##presence, operand, value},
#include "classes.def"
#undef CLASS
#undef FIELD
};

#define CLASS(id, name, form, code, least)                                                                             \
  _Static_assert((FORM_##form != FORM_KEPT) == (CLASS_##id < UNDERSTOOD_CLASSES), "understood classes come first");
#define FIELD(class, name, type, presence, operand, value)
#include "classes.def"
#undef CLASS
#undef FIELD

bool class_is_in_place(dloc_text name) { return text_equals(name, "DIExpression") || text_equals(name, "DIArgList"); }

bool class_is_list(dloc_text name) { return dloc_text_equal(name, class_specs[CLASS_LAYER_LIST].name); }

const class_spec *class_of_code(uint32_t code) {
  static const uint8_t rows[] = {
#define CLASS(id, name, form, code, least) [code] = CLASS_##id,
#define FIELD(class, name, type, presence, operand, value)
#include "classes.def"
#undef CLASS
#undef FIELD
  };
  if (code == 0 || code >= sizeof rows)
    return NULL;
  const class_spec *class = &class_specs[rows[code]];
  return class->code == code ? class : NULL;
}

/* The row of a field in its class; FIELD_ROWS when it has none. */
static size_t find_field(dloc_text class_name, dloc_text field) {
  size_t class = 0;
  while (class < CLASS_ROWS && !dloc_text_equal(class_specs[class].name, class_name))
    class ++;
  if (class == CLASS_ROWS)
    return FIELD_ROWS;
  for (size_t row = class_specs[class].first; row < class_specs[class + 1].first; row++)
    if (dloc_text_equal(field_specs[row].name, field))
      return row;
  return FIELD_ROWS;
}

uint32_t dloc_class_field_order(dloc_text class_name, dloc_text field) {
  size_t row = find_field(class_name, field);
  return row < UNDERSTOOD_FIELDS ? (uint32_t)row : DLOC_NO_INDEX;
}

dloc_field_content dloc_class_field_content(dloc_text class_name, dloc_text field) {
  if (field.size == 0)
    return class_is_list(class_name) ? DLOC_CONTENT_NODE : DLOC_CONTENT_WORD;
  size_t row = find_field(class_name, field);
  for (size_t other = 0; row == FIELD_ROWS && other < FIELD_ROWS; other++)
    if (dloc_text_equal(field_specs[other].name, field))
      row = other;
  if (row == FIELD_ROWS)
    return DLOC_CONTENT_WORD;
  unsigned type = field_specs[row].type;
  return type == FIELD_TEXT ? DLOC_CONTENT_TEXT : type <= FIELD_SCOPE ? DLOC_CONTENT_NODE : DLOC_CONTENT_WORD;
}
