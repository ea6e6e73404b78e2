/* The table of opcodes. */
#include "machine.h"

#include <string.h>

static const dloc_opcode opcodes[DLOC_LINE_OPCODE_COUNT] = {
    {"special", DLOC_SPACE_NONE, 0, "", DLOC_DIALECT_STANDARD},
    {"unknown_standard", DLOC_SPACE_STANDARD, 0, "", DLOC_DIALECT_STANDARD},
    {"unknown_extended", DLOC_SPACE_EXTENDED, 0, "", DLOC_DIALECT_STANDARD},
#define OPCODE(id, name, space, number, operands, dialect)                                                             \
  {#name, DLOC_SPACE_##space, number, operands, DLOC_DIALECT_##dialect},
#include "opcodes.def"
#undef OPCODE
};

const dloc_opcode *dloc_opcode_of(dloc_line_opcode opcode) { return &opcodes[opcode]; }

bool dloc_opcode_find(dloc_text name, dloc_line_opcode *ret) {
  for (unsigned i = 0; i < DLOC_LINE_OPCODE_COUNT; i++)
    if (dloc_text_equal(name, dloc_text_of(opcodes[i].name))) {
      *ret = (dloc_line_opcode)i;
      return true;
    }
  return false;
}

dloc_line_opcode opcode_at(dloc_line_dialect dialect, dloc_opcode_space space, uint8_t number) {
  for (unsigned i = DLOC_LINE_COPY; i < DLOC_LINE_OPCODE_COUNT; i++) {
    const dloc_opcode *o = &opcodes[i];
    if (o->space == space && o->number == number && (o->dialect == DLOC_DIALECT_STANDARD || o->dialect == dialect))
      return (dloc_line_opcode)i;
  }
  return space == DLOC_SPACE_EXTENDED ? DLOC_LINE_UNKNOWN_EXTENDED : DLOC_LINE_UNKNOWN_STANDARD;
}

uint8_t opcode_length(const dloc_line_parameters *parameters, uint8_t number) {
  if (parameters->opcode_lengths.size)
    return number <= parameters->opcode_lengths.size ? (uint8_t)parameters->opcode_lengths.bytes[number - 1] : 0;
  return (uint8_t)strlen(opcodes[opcode_at(parameters->dialect, DLOC_SPACE_STANDARD, number)].operands);
}

static const char flag_letters[] = "sbpeE";

void dloc_row_letters(uint8_t flags, char ret[6]) {
  size_t size = 0;
  for (unsigned i = 0; i < 5; i++)
    if (flags >> i & 1)
      ret[size++] = flag_letters[i];
  ret[size] = '\0';
}

bool dloc_row_flags(dloc_text letters, uint8_t *ret) {
  uint8_t flags = 0;
  for (size_t i = 0; i < letters.size; i++) {
    const char *place = letters.bytes[i] ? strchr(flag_letters, letters.bytes[i]) : NULL;
    if (!place)
      return false;
    flags |= (uint8_t)(1U << (place - flag_letters));
  }
  *ret = flags;
  return true;
}

/* ---- Lists ---- */

dloc_status dloc_line_list_take(void *user, const dloc_line_instruction *instruction) {
  dloc_line_list *list = user;
  PUSH(list->context, *list, *instruction);
  return DLOC_OK;
}

void dloc_line_list_deinit(dloc_line_list *list) {
  context_free(list->context, list->items);
  *list = (dloc_line_list){list->context, NULL, 0, 0};
}
