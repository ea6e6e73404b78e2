/* spec/lines.md 15.5: units of two-level line tables, read. */
#include "table.h"

#include <string.h>

/* `two-level.header.version`, `two-level.header.prototype` */
dloc_line_dialect two_level_form(const dloc_line_table *table, uint16_t version) {
  if (version == TWO_LEVEL_PROTOTYPE)
    return DLOC_DIALECT_LOGICALS;
  bool is_issue = table->sections.dialect == DLOC_DIALECT_ISSUE && version == TWO_LEVEL_ISSUE;
  return is_issue ? DLOC_DIALECT_ISSUE : DLOC_DIALECT_STANDARD;
}

/* ---- Headers ---- */

static dloc_status take_subprogram(dloc_line_table *table, dloc_line_unit *unit, const dloc_line_file *entry) {
  PUSH(table->context, table->subprograms, entry->name);
  unit->two_level.subprogram_count++;
  return DLOC_OK;
}

/* `two-level.header.offsets`: both programs lie in the unit, that of the logicals first. */
static bool place_programs(dloc_line_unit *unit, size_t base, uint64_t logicals, uint64_t actuals) {
  uint64_t size = unit->end - base;
  if (logicals > size || actuals > size || (actuals && actuals < logicals))
    return false;
  unit->program = base + (size_t)logicals;
  unit->two_level.actuals = actuals ? base + (size_t)actuals : unit->end;
  unit->two_level.has_actuals = actuals != 0;
  return true;
}

/* `two-level.header.prototype`: behind the tables of version 4 and the opcode that hides the rest.
 * `two-level.header.fake-opcode` */
static dloc_status read_prototype(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c, size_t base,
                                  dloc_reason *ret_reason) {
  TRY(entries_read_v2(table, unit, c));
  dloc_text fake = bytes_block(c, TWO_LEVEL_FAKE_SIZE);
  uint64_t logicals = bytes_fixed(c, unit->offset_size), actuals = bytes_fixed(c, unit->offset_size);
  if (c->short_of)
    return DLOC_OK;
  if (memcmp(fake.bytes, TWO_LEVEL_FAKE_OPCODE, TWO_LEVEL_FAKE_SIZE) != 0)
    *ret_reason = DLOC_REASON_TWO_LEVEL_FAKE_OPCODE;
  else if (!place_programs(unit, base, logicals, actuals))
    *ret_reason = DLOC_REASON_TWO_LEVEL_OFFSET;
  else {
    c->end = (const uint8_t *)table->sections.line.bytes + unit->program;
    if (c->at > c->end) /* the logicals begin before the tables */
      (void)bytes_stop(c);
    TRY(entries_read_v5(table, unit, c));
    bool whole;
    TRY(entries_read_table(table, unit, c, take_subprogram, &whole));
  }
  return DLOC_OK;
}

/* `two-level.header.issue`: fields 4 and 5 stand behind header_length. `two-level.header.issue.offset` */
static dloc_status read_issue(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c, uint64_t actuals,
                              dloc_reason *ret_reason) {
  size_t end = unit->program; /* of the header */
  if (!place_programs(unit, end, 0, actuals))
    *ret_reason = DLOC_REASON_TWO_LEVEL_OFFSET;
  return *ret_reason == DLOC_REASON_NONE ? entries_read_v2(table, unit, c) : DLOC_OK;
}

/* `two-level.header.issue` */
dloc_status two_level_header(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c, bool *ret_readable) {
  bool is_issue = unit->two_level.form == DLOC_DIALECT_ISSUE;
  dloc_reason reason = DLOC_REASON_NONE;
  uint64_t actuals = 0;
  unit->parameters.version = 4; /* what the rest is like */
  unit->parameters.dialect = unit->two_level.form;
  unit->parameters.address_size = table->sections.address_size;
  unit->header_length = bytes_fixed(c, unit->offset_size);
  unit->two_level.first_subprogram = table->subprograms.count;
  size_t base = table_offset(table, c);
  if (is_issue) { /* the prototype's readers do not ask for header_length */
    TRY(header_place_program(table, unit, c));
    actuals = bytes_fixed(c, unit->offset_size);
    unit->two_level.name_form = (uint8_t)bytes_fixed(c, 1);
  }
  TRY(header_parameters(table, unit, c));
  if (!c->short_of)
    TRY(is_issue ? read_issue(table, unit, c, actuals, &reason) : read_prototype(table, unit, c, base, &reason));
  if (c->short_of)
    reason = DLOC_REASON_LINES_HEADER_SHORT;
  *ret_readable = reason == DLOC_REASON_NONE;
  if (!*ret_readable) {
    unit->program = unit->end;
    unit->two_level.has_actuals = false;
  }
  return *ret_readable ? DLOC_OK : table_problem(table, reason, unit->offset);
}

/* ---- Programs ---- */

dloc_status two_level_run(dloc_line_table *table, dloc_line_unit *unit) {
  dloc_two_level *two = &unit->two_level;
  line_machine m = line_machine_start(table->profile, &unit->parameters, table->rows);
  TRY(program_run(table, unit, &m, unit->program, two->actuals));
  two->first_actual = table->actuals->rows.count;
  if (two->has_actuals) {
    dloc_line_parameters parameters = unit->parameters;
    m = two_level_actuals(table->profile, &parameters, table->rows, unit->first_row, table->actuals);
    TRY(program_run(table, unit, &m, two->actuals, unit->end));
  }
  two->actual_count = table->actuals->rows.count - two->first_actual;
  two_level_settle(table->profile, &unit->parameters, table->rows, unit->first_row,
                   two->has_actuals ? table->actuals : NULL, two->first_actual);
  return DLOC_OK;
}

/* ---- What was read ---- */

const dloc_rows *dloc_line_table_actuals(const dloc_line_table *table) { return table->actuals; }

static const dloc_text *unit_subprograms(const dloc_line_table *table, const dloc_line_unit *unit) {
  return unit->two_level.subprogram_count ? &table->subprograms.items[unit->two_level.first_subprogram] : NULL;
}

/* `two-level.header.subprograms` */
dloc_text dloc_logical_function(const dloc_line_table *table, const dloc_line_unit *unit, uint32_t function) {
  const dloc_two_level *two = &unit->two_level;
  dloc_text name = {"", 0};
  if (two->form == DLOC_DIALECT_ISSUE) /* `two-level.header.name-form` */
    (void)(two->name_form == FORM_STRP && entries_string_at(table->sections.str, function, &name));
  else if (function - 1 < two->subprogram_count)
    name = unit_subprograms(table, unit)[function - 1];
  return name;
}
