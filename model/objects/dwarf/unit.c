/* spec/lines.md 12.4: a line table is read unit by unit, a header and its program. */
#include "table.h"

/* Zeros are a header of four bytes each, and all that is told of each is a hundred times as much. */
enum { MOST_UNREADABLE = 500 };

/* Nothing of the unit can be read: why. */
static dloc_status unreadable(dloc_line_table *table, dloc_line_unit *unit, dloc_reason reason) {
  table->unreadable++;
  unit->program = unit->end;
  return table_problem(table, reason, unit->offset);
}

/* `lines.unit.length`, `lines.unit.offset-size`; *ret_reason: why it cannot be right, or
 * DLOC_REASON_NONE. `lines.unit.reserved` */
static void read_length(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c, dloc_reason *ret_reason) {
  uint64_t length = bytes_fixed(c, 4);
  unit->offset_size = length == 0xffffffff ? 8 : 4;
  *ret_reason = length >= 0xfffffff0 && length < 0xffffffff ? DLOC_REASON_LINES_UNIT_RESERVED : DLOC_REASON_NONE;
  if (unit->offset_size == 8)
    length = bytes_fixed(c, 8);
  unit->end = table->sections.line.size;
  if (*ret_reason != DLOC_REASON_NONE)
    return;
  if (c->short_of || length > bytes_left(c)) {
    *ret_reason = DLOC_REASON_LINES_UNIT_LENGTH;
    return;
  }
  c->end = c->at + length;
  unit->end = table_offset(table, c) + (size_t)length;
}

/* `lines.header.address-size` */
static dloc_status read_address_size(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c) {
  dloc_line_parameters *p = &unit->parameters;
  p->address_size = table->sections.address_size;
  if (p->version < 5)
    return DLOC_OK;
  p->address_size = (uint8_t)bytes_fixed(c, 1);
  unit->segment_selector_size = (uint8_t)bytes_fixed(c, 1);
  bool usual = p->address_size == 1 || p->address_size == 2 || p->address_size == 4 || p->address_size == 8;
  return usual || c->short_of ? DLOC_OK : table_problem(table, DLOC_REASON_LINES_ADDRESS_SIZE, unit->offset);
}

/* From unit->offset on. unit->end is set whatever is wrong; *ret_readable: the program can be run.
 * `lines.unit.offset-size`, `lines.unit.long`, `lines.unit.version`, `lines.header.length`, `lines.header.short` */
static dloc_status header_read(dloc_line_table *table, dloc_line_unit *unit, bool *ret_readable) {
  byte_cursor c = table_cursor(table, unit->offset, table->sections.line.size);
  dloc_line_parameters *p = &unit->parameters;
  dloc_reason reason;
  read_length(table, unit, &c, &reason);
  if (reason == DLOC_REASON_LINES_UNIT_RESERVED || c.short_of ||
      (reason != DLOC_REASON_NONE && DLOC_TAKES(table->profile, LINES_UNIT_LONG, SKIP)))
    return unreadable(table, unit, reason);
  if (reason != DLOC_REASON_NONE)
    TRY(table_problem(table, reason, unit->offset));
  unit->version = p->version = (uint16_t)bytes_fixed(&c, 2);
  if (c.short_of)
    return unreadable(table, unit, DLOC_REASON_LINES_HEADER_SHORT);
  unit->two_level.form = two_level_form(table, p->version);
  if (unit->two_level.form != DLOC_DIALECT_STANDARD)
    return two_level_header(table, unit, &c, ret_readable);
  if (p->version < 2 || p->version > 5)
    return unreadable(table, unit, DLOC_REASON_LINES_VERSION);
  TRY(read_address_size(table, unit, &c));
  unit->header_length = bytes_fixed(&c, unit->offset_size);
  TRY(header_place_program(table, unit, &c));
  TRY(header_parameters(table, unit, &c));
  *ret_readable = !c.short_of;
  if (c.short_of)
    return unreadable(table, unit, DLOC_REASON_LINES_HEADER_SHORT);
  TRY(p->version >= 5 ? entries_read_v5(table, unit, &c) : entries_read_v2(table, unit, &c));
  nvidia_read_word(table, unit, &c);
  return c.short_of ? table_problem(table, DLOC_REASON_LINES_HEADER_SHORT, unit->offset) : DLOC_OK;
}

static dloc_status read_unit(dloc_line_table *table, dloc_line_unit *unit) {
  bool readable = false;
  TRY(header_read(table, unit, &readable));
  unit->first_row = table->rows->rows.count;
  unit->first_sequence = table->rows->sequences.count;
  line_machine m = line_machine_start(table->profile, &unit->parameters, table->rows);
  if (readable && unit->two_level.form != DLOC_DIALECT_STANDARD)
    TRY(two_level_run(table, unit));
  else if (readable)
    TRY(program_run(table, unit, &m, unit->program, unit->end));
  unit->row_count = table->rows->rows.count - unit->first_row;
  unit->sequence_count = table->rows->sequences.count - unit->first_sequence;
  return DLOC_OK;
}

static dloc_status read_units(dloc_line_table *table) {
  for (size_t at = 0; at < table->sections.line.size;) {
    if (table->unreadable == MOST_UNREADABLE)
      return table_problem(table, DLOC_REASON_LINES_HEADER_MANY, at);
    dloc_line_unit unit = {.offset = at,
                           .parameters.dialect = line_dialect(table->profile, table->sections.dialect),
                           .first_directory = table->directories.count,
                           .first_file = table->files.count};
    TRY(read_unit(table, &unit));
    PUSH(table->context, table->units, unit);
    at = unit.end;
  }
  return DLOC_OK;
}

dloc_status dloc_line_table_read(dloc_context *context, const dloc_profile *profile, const dloc_line_sections *sections,
                                 dloc_line_problem *on_problem, void *user, dloc_line_table **ret) {
  CREATE(context, dloc_line_table, table, .context = context, .profile = profile, .sections = *sections,
         .on_problem = on_problem, .user = user);
  dloc_status status = dloc_rows_create(context, &table->rows);
  if (status == DLOC_OK)
    status = dloc_rows_create(context, &table->actuals);
  if (status == DLOC_OK)
    status = read_units(table);
  RETURN_MADE(status, table, dloc_line_table_destroy, ret);
}
