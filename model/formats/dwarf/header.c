/* SPEC.md 12.4: the header of a unit. */
#include "formats/dwarf/table.h"

/* `lines.unit.length`: a unit that claims more than there is ends where the section does; a reserved length ends the
 * reading. */
static dloc_status read_length(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c) {
  uint64_t length = bytes_fixed(c, 4);
  unit->offset_size = length == 0xffffffff ? 8 : 4;
  if (length == 0xffffffff)
    length = bytes_fixed(c, 8);
  else if (length >= 0xfffffff0)
    bytes_stop(c);
  if (!c->short_of && length <= bytes_left(c)) {
    c->end = c->at + length;
    unit->end = table_offset(table, c) + (size_t)length;
    return DLOC_OK;
  }
  unit->end = table->sections.line.size;
  return table_problem(table, DLOC_REASON_LINES_UNIT_LENGTH, unit->offset);
}

static dloc_status read_parameters(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c) {
  dloc_line_parameters *p = &unit->parameters;
  p->minimum_instruction_length = (uint8_t)bytes_fixed(c, 1);
  p->maximum_operations = p->version >= 4 ? (uint8_t)bytes_fixed(c, 1) : 1;
  p->default_is_stmt = bytes_fixed(c, 1) != 0;
  p->line_base = (int8_t)bytes_fixed(c, 1);
  p->line_range = (uint8_t)bytes_fixed(c, 1);
  p->opcode_base = (uint8_t)bytes_fixed(c, 1);
  p->opcode_lengths = bytes_block(c, p->opcode_base ? p->opcode_base - 1U : 0);
  (void)table;
  return DLOC_OK;
}

/* The program begins where header_length says (`lines.header.length`). */
static dloc_status place_program(dloc_line_table *table, dloc_line_unit *unit, size_t counted_from, byte_cursor *c) {
  if (unit->header_length > unit->end - counted_from) {
    unit->program = unit->end;
    return table_problem(table, DLOC_REASON_LINES_HEADER_LENGTH, unit->offset);
  }
  unit->program = counted_from + (size_t)unit->header_length;
  c->end = (const uint8_t *)table->sections.line.bytes + unit->program;
  return DLOC_OK;
}

dloc_status header_read(dloc_line_table *table, dloc_line_unit *unit, bool *ret_readable) {
  byte_cursor c = table_cursor(table, unit->offset, table->sections.line.size);
  dloc_line_parameters *p = &unit->parameters;
  TRY(read_length(table, unit, &c));
  p->version = (uint16_t)bytes_fixed(&c, 2);
  if (c.short_of || p->version < 2 || p->version > 5)
    return table_problem(table, DLOC_REASON_LINES_VERSION, unit->offset);
  p->address_size = p->version >= 5 ? (uint8_t)bytes_fixed(&c, 1) : table->sections.address_size;
  unit->segment_selector_size = p->version >= 5 ? (uint8_t)bytes_fixed(&c, 1) : 0;
  unit->header_length = bytes_fixed(&c, unit->offset_size);
  TRY(place_program(table, unit, table_offset(table, &c), &c));
  TRY(read_parameters(table, unit, &c));
  if (!c.short_of)
    TRY(p->version >= 5 ? entries_read_v5(table, unit, &c) : entries_read_v2(table, unit, &c));
  nvidia_read_word(table, unit, &c);
  if (c.short_of)
    TRY(table_problem(table, DLOC_REASON_LINES_HEADER_SHORT, unit->offset));
  *ret_readable = p->opcode_lengths.bytes != NULL;
  return DLOC_OK;
}
