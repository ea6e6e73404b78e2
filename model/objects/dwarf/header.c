/* spec/lines.md 12.4: what the headers of all forms have. */
#include "table.h"

/* `lines.header.operations`, `lines.header.opcode-base` */
dloc_status header_parameters(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c) {
  dloc_line_parameters *p = &unit->parameters;
  p->minimum_instruction_length = (uint8_t)bytes_fixed(c, 1);
  p->maximum_operations = p->version >= 4 ? (uint8_t)bytes_fixed(c, 1) : 1;
  p->default_is_stmt = bytes_fixed(c, 1) != 0;
  p->line_base = (int8_t)bytes_fixed(c, 1);
  p->line_range = (uint8_t)bytes_fixed(c, 1);
  p->opcode_base = (uint8_t)bytes_fixed(c, 1);
  p->opcode_lengths = bytes_block(c, p->opcode_base ? p->opcode_base - 1U : 0);
  return p->opcode_base || c->short_of ? DLOC_OK : table_problem(table, DLOC_REASON_LINES_OPCODE_BASE, unit->offset);
}

/* `lines.header.length`: the program begins where it says, and the tables end there. `lines.header.long` */
dloc_status header_place_program(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c) {
  if (unit->header_length > bytes_left(c)) {
    unit->program = unit->end;
    return table_problem(table, DLOC_REASON_LINES_HEADER_LENGTH, unit->offset);
  }
  c->end = c->at + unit->header_length;
  unit->program = table_offset(table, c) + (size_t)unit->header_length;
  return DLOC_OK;
}
