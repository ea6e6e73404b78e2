/* The table of LLVM's classes, classes.def, as data. */
#pragma once

#include "dloc.h"

enum class_row {
#define CLASS(id, name, form, code, least) CLASS_##id,
#define FIELD(class, name, type, presence, operand, value)
#include "classes.def"
#undef CLASS
#undef FIELD
  CLASS_ROWS,
  UNDERSTOOD_CLASSES = CLASS_LAYER_LIST + 1 /* they come first */
};

/* The rows of all fields; those of a class begin at FIRST_ and its id. */
enum field_row {
#define CLASS(id, name, form, code, least) FIRST_##id, BEFORE_##id = FIRST_##id - 1,
#define FIELD(class, name, type, presence, operand, value) FIELD_##class##_##name,
#include "classes.def"
#undef CLASS
#undef FIELD
  FIELD_ROWS,
  UNDERSTOOD_FIELDS = FIELD_LAYER_kind + 1
};

typedef enum field_type {
  FIELD_NODE,
  FIELD_SCOPE,
  FIELD_VALUE,
  FIELD_TEXT,
  FIELD_LINE,
  FIELD_COLUMN,
  FIELD_GROUP,
  FIELD_RANK,
  FIELD_BOOL,
  FIELD_MARK,
  FIELD_TRUE,
  FIELD_NUMBER,
  FIELD_SIGNED,
  FIELD_OPTION,
  FIELD_INTEGER,
  FIELD_VERSIONED,
  FIELD_COUNT,
  FIELD_PUSHED,
  FIELD_SIZE,
  FIELD_NEXT,
  FIELD_TAG,
  FIELD_LANGUAGE,
  FIELD_FLAGS,
  FIELD_SP_FLAGS,
  FIELD_CHECKSUM,
  FIELD_EMISSION,
  FIELD_WORD
} field_type;

typedef enum class_form { FORM_CLOSED, FORM_OPEN, FORM_LIST, FORM_KEPT } class_form;

typedef enum field_presence {
  PRESENCE_REQUIRED,
  PRESENCE_DEFAULT,
  PRESENCE_PRINTED,
  PRESENCE_KEPT,
  PRESENCE_NULLABLE,
  PRESENCE_GONE
} field_presence;

typedef struct class_spec {
  dloc_text name;
  uint16_t first; /* field; the next class's first is the end */
  uint8_t kind;   /* dloc_kind */
  uint8_t form;
  uint8_t code;
  uint8_t least;
} class_spec;

typedef struct field_spec {
  dloc_text name;
  uint8_t class;
  uint8_t type;
  uint8_t presence;
  uint8_t operand;
  uint8_t value;
} field_spec;

/* One more than the number of classes, so that each has an end. */
extern const class_spec class_specs[CLASS_ROWS + 1];
extern const field_spec field_specs[FIELD_ROWS];

/* Whether LLVM writes nodes of a class in place only; their operands have no names. */
bool class_is_in_place(dloc_text name);
/* A DILayerLocList: its operands have no names either, and are written as those of a tuple. */
bool class_is_list(dloc_text name);
/* The class whose nodes bitcode records with this code make; NULL for others. */
const class_spec *class_of_code(uint32_t code);
