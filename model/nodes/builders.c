/* builders.c - the nodes that producers make, without naming their fields. */
#include "metadata.h"

#include <inttypes.h>
#include <stdio.h>

static dloc_status field_of_text(dloc_context *context, enum field_row row, dloc_text text, dloc_field *ret) {
  ret->key = context->field_keys[row];
  return dloc_string(context, text, &ret->value);
}

static dloc_status field_of_word(dloc_context *context, enum field_row row, dloc_text word, dloc_field *ret) {
  ret->key = context->field_keys[row];
  return dloc_token(context, word, &ret->value);
}

dloc_status field_of_number(dloc_context *context, enum field_row row, uint32_t number, dloc_field *ret) {
  char digits[16];
  snprintf(digits, sizeof digits, "%" PRIu32, number);
  return field_of_word(context, row, dloc_text_of(digits), ret);
}

static dloc_field field_of_node(const dloc_context *context, enum field_row row, dloc_node node) {
  return (dloc_field){context->field_keys[row], node};
}

/* A node of a class with an array of fields. */
#define MAKE(class_name, distinct, fields)                                                                             \
  dloc_specialised(context, dloc_text_of(class_name), distinct, fields, sizeof(fields) / sizeof *(fields), NULL, ret)

dloc_status dloc_file(dloc_context *context, dloc_text filename, dloc_text directory, dloc_node *ret) {
  dloc_field fields[2];
  TRY(field_of_text(context, FIELD_FILE_filename, filename, &fields[0]));
  TRY(field_of_text(context, FIELD_FILE_directory, directory, &fields[1]));
  return MAKE("DIFile", false, fields);
}

dloc_status dloc_compile_unit(dloc_context *context, dloc_text language, dloc_node file, dloc_text producer,
                              dloc_node *ret) {
  dloc_field fields[4] = {field_of_node(context, FIELD_COMPILE_UNIT_file, file)};
  TRY(field_of_word(context, FIELD_COMPILE_UNIT_language, language, &fields[1]));
  TRY(field_of_text(context, FIELD_COMPILE_UNIT_producer, producer, &fields[2]));
  TRY(field_of_word(context, FIELD_COMPILE_UNIT_emissionKind, dloc_text_of("FullDebug"), &fields[3]));
  return MAKE("DICompileUnit", true, fields);
}

/* LLVM 23 and later read no subprogram without a type. */
static dloc_status subroutine_type(dloc_context *context, dloc_node *ret) {
  const dloc_field fields[] = {field_of_node(context, FIELD_SUBROUTINE_TYPE_types, DLOC_NULL)};
  return MAKE("DISubroutineType", false, fields);
}

dloc_status dloc_subprogram(dloc_context *context, dloc_text name, dloc_node file, uint32_t line, dloc_node unit,
                            dloc_node *ret) {
  dloc_field fields[] = {field_of_node(context, FIELD_SUBPROGRAM_scope, file),
                         field_of_node(context, FIELD_SUBPROGRAM_file, file),
                         field_of_node(context, FIELD_SUBPROGRAM_unit, unit),
                         field_of_node(context, FIELD_SUBPROGRAM_type, DLOC_NULL),
                         {0},
                         {0},
                         {0},
                         {0}};
  TRY(subroutine_type(context, &fields[3].value));
  TRY(field_of_text(context, FIELD_SUBPROGRAM_name, name, &fields[4]));
  TRY(field_of_number(context, FIELD_SUBPROGRAM_line, line, &fields[5]));
  TRY(field_of_number(context, FIELD_SUBPROGRAM_scopeLine, line, &fields[6]));
  TRY(field_of_word(context, FIELD_SUBPROGRAM_spFlags, dloc_text_of("DISPFlagDefinition"), &fields[7]));
  return MAKE("DISubprogram", true, fields);
}

dloc_status dloc_lexical_block(dloc_context *context, dloc_node scope, dloc_node file, uint32_t line, uint32_t column,
                               dloc_node *ret) {
  dloc_field fields[4] = {field_of_node(context, FIELD_LEXICAL_BLOCK_scope, scope),
                          field_of_node(context, FIELD_LEXICAL_BLOCK_file, file)};
  TRY(field_of_number(context, FIELD_LEXICAL_BLOCK_line, line, &fields[2]));
  TRY(field_of_number(context, FIELD_LEXICAL_BLOCK_column, column, &fields[3]));
  return MAKE("DILexicalBlock", true, fields);
}

dloc_status dloc_lexical_block_file(dloc_context *context, dloc_node scope, dloc_node file, uint32_t discriminator,
                                    dloc_node *ret) {
  dloc_field fields[3] = {field_of_node(context, FIELD_LEXICAL_BLOCK_FILE_scope, scope),
                          field_of_node(context, FIELD_LEXICAL_BLOCK_FILE_file, file)};
  TRY(field_of_number(context, FIELD_LEXICAL_BLOCK_FILE_discriminator, discriminator, &fields[2]));
  return MAKE("DILexicalBlockFile", false, fields);
}

dloc_status dloc_location_at(dloc_context *context, uint32_t line, uint32_t column, dloc_node scope, dloc_node *ret) {
  const dloc_location content = {.line = line, .column = column, .scope = scope};
  if (scope == DLOC_NULL || column > DLOC_COLUMN_LIMIT)
    return DLOC_INVALID;
  return dloc_location_create(context, false, &content, ret);
}
