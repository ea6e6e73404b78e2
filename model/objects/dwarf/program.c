/* The bytes of line number programs: decoded, and run. */
#include "table.h"

/* ---- Instructions ---- */

/* `two-level.opcode.table`: whose opcode the one before the cursor is. */
static dloc_line_dialect dialect_at(const dloc_line_table *table, const dloc_line_unit *unit, const byte_cursor *c) {
  bool is_actual = unit->two_level.form == DLOC_DIALECT_LOGICALS && table_offset(table, c) > unit->two_level.actuals;
  return is_actual ? DLOC_DIALECT_ACTUALS : unit->parameters.dialect;
}

/* The address that a set_address of so many bytes gives (`lines.set-address.size`); false: none. */
static bool takes_address(const dloc_profile *profile, uint64_t size) {
  bool power = size && !(size & (size - 1));
  return size && size <= 8 && (power || DLOC_TAKES(profile, LINES_SET_ADDRESS_SIZE, ANY));
}

static void decode_extended_operands(byte_cursor *c, dloc_line_instruction *ret) {
  const char *operands = dloc_opcode_of(ret->opcode)->operands;
  if (operands[0] == 'f') {
    dloc_line_file file = entries_file_v2(c);
    ret->name = file.name;
    ret->operand = file.directory;
  } else if (operands[0]) {
    ret->operand = bytes_unsigned(c);
  }
  if (operands[0] && operands[1])
    ret->function = bytes_unsigned(c);
}

/* `lines.extended`: 0, a length, an opcode, operands. The next instruction begins behind the length, whatever the
 * opcode takes of it (`lines.extended.mismatch`). `lines.extended.unknown` */
static dloc_reason decode_extended(const dloc_line_table *table, const dloc_line_unit *unit, byte_cursor *c,
                                   dloc_line_instruction *ret) {
  ret->opcode = DLOC_LINE_UNKNOWN_EXTENDED;
  uint64_t size = bytes_unsigned(c);
  if (c->short_of || size > bytes_left(c)) {
    bytes_stop(c);
    return DLOC_REASON_LINES_PROGRAM_SHORT;
  }
  const uint8_t *next = c->at + size;
  byte_cursor inner = *c;
  c->at = next;
  if (!size) /* `lines.extended.empty` */
    return DLOC_REASON_LINES_EXTENDED_LENGTH;
  ret->number = (uint8_t)bytes_fixed(&inner, 1);
  ret->opcode = opcode_at(dialect_at(table, unit, c), DLOC_SPACE_EXTENDED, ret->number);
  if (ret->opcode == DLOC_LINE_UNKNOWN_EXTENDED)
    return DLOC_REASON_NONE;
  if (ret->opcode == DLOC_LINE_SET_ADDRESS) {
    if (!takes_address(table->profile, size - 1)) {
      ret->opcode = DLOC_LINE_UNKNOWN_EXTENDED;
      return DLOC_REASON_LINES_EXTENDED_LENGTH;
    }
    ret->number = (uint8_t)(size - 1);
    ret->operand = bytes_fixed(&inner, ret->number);
    return DLOC_REASON_NONE;
  }
  if (DLOC_TAKES(table->profile, LINES_EXTENDED_MISMATCH, BOUNDED))
    inner.end = next;
  decode_extended_operands(&inner, ret);
  bool mismatch = inner.short_of || inner.at != next;
  if (DLOC_TAKES(table->profile, LINES_EXTENDED_MISMATCH, OPERANDS))
    c->at = inner.at;
  c->too_large |= inner.too_large;
  return mismatch ? DLOC_REASON_LINES_EXTENDED_LENGTH : DLOC_REASON_NONE;
}

/* `lines.opcode.unknown`: the header says how many numbers to skip. `lines.opcode.operands` */
static void skip_operands(const dloc_line_unit *unit, uint8_t opcode, byte_cursor *c) {
  for (uint8_t i = opcode_length(&unit->parameters, opcode); i > 0; i--)
    (void)bytes_unsigned(c);
}

static void decode_standard(const dloc_line_table *table, const dloc_line_unit *unit, byte_cursor *c,
                            dloc_line_instruction *ret) {
  ret->opcode = opcode_at(dialect_at(table, unit, c), DLOC_SPACE_STANDARD, ret->number);
  if (ret->opcode == DLOC_LINE_UNKNOWN_STANDARD) {
    skip_operands(unit, ret->number, c);
    return;
  }
  const char *operands = dloc_opcode_of(ret->opcode)->operands;
  if (operands[0])
    ret->operand = operands[0] == 's' ? bytes_signed(c) : operands[0] == 'h' ? bytes_fixed(c, 2) : bytes_unsigned(c);
  if (operands[0] && operands[1])
    ret->function = bytes_unsigned(c);
}

/* The next instruction: why it is wrong, or DLOC_REASON_NONE. Opcode 0 is extended whatever
 * opcode_base is. `lines.program.short` */
static dloc_reason decode(const dloc_line_table *table, const dloc_line_unit *unit, byte_cursor *c,
                          dloc_line_instruction *ret) {
  uint8_t opcode = *c->at++;
  dloc_reason reason = DLOC_REASON_NONE;
  *ret = (dloc_line_instruction){.number = opcode};
  c->too_large = false;
  if (opcode == 0)
    reason = decode_extended(table, unit, c, ret);
  else if (opcode >= unit->parameters.opcode_base)
    ret->opcode = DLOC_LINE_SPECIAL;
  else
    decode_standard(table, unit, c, ret);
  if (c->short_of)
    return DLOC_REASON_LINES_PROGRAM_SHORT;
  if (c->too_large && DLOC_TAKES(table->profile, LINES_LEB128, STOP))
    bytes_stop(c);
  return c->too_large ? DLOC_REASON_LINES_LEB128 : reason;
}

static dloc_status visit_bytes(const dloc_line_table *table, const dloc_line_unit *unit, size_t from, size_t to,
                               dloc_line_visit *visit, void *user) {
  byte_cursor c = table_cursor(table, from, to);
  while (c.at < c.end) {
    const uint8_t *start = c.at;
    dloc_line_instruction instruction;
    (void)decode(table, unit, &c, &instruction);
    dloc_text bytes = {(const char *)start, (size_t)(c.at - start)};
    TRY(visit(user, (size_t)((const char *)start - table->sections.line.bytes), bytes, &instruction));
  }
  return DLOC_OK;
}

/* Of two levels, no instruction of the logicals goes on in the actuals. */
dloc_status dloc_line_unit_program(const dloc_line_table *table, const dloc_line_unit *unit, dloc_line_visit *visit,
                                   void *user) {
  bool has_actuals = unit->two_level.has_actuals;
  size_t end = has_actuals ? unit->two_level.actuals : unit->end;
  TRY(visit_bytes(table, unit, unit->program, end, visit, user));
  return has_actuals ? visit_bytes(table, unit, end, unit->end, visit, user) : DLOC_OK;
}

/* ---- Running ---- */

/* The operands of an extended instruction that begins and ends there. */
static byte_cursor extended_operands(const uint8_t *start, const byte_cursor *c) {
  byte_cursor operands = {.at = start + 1, .end = c->at, .big_endian = c->big_endian};
  (void)bytes_unsigned(&operands);
  (void)bytes_fixed(&operands, 1);
  return operands;
}

/* `lines.file.define`: a file that the program defines counts behind those of the header. */
static dloc_status define_file(dloc_line_table *table, dloc_line_unit *unit, byte_cursor bytes) {
  PUSH(table->context, table->files, entries_file_v2(&bytes));
  unit->file_count++;
  return DLOC_OK;
}

/* One instruction, whatever it is. `lines.file.define` */
static dloc_status step(dloc_line_table *table, dloc_line_unit *unit, line_machine *m, byte_cursor *c) {
  const uint8_t *start = c->at;
  size_t at = table_offset(table, c);
  dloc_line_instruction instruction;
  dloc_reason reason = decode(table, unit, c, &instruction);
  if (reason != DLOC_REASON_NONE) {
    TRY(table_problem(table, reason, at));
    if (c->short_of || instruction.opcode == DLOC_LINE_UNKNOWN_EXTENDED)
      return DLOC_OK;
  }
  TRY(line_execute(m, &instruction, &reason));
  if (reason != DLOC_REASON_NONE)
    TRY(table_problem(table, reason, at));
  byte_cursor operands = extended_operands(start, c);
  if (instruction.opcode == DLOC_LINE_SET_ADDRESS)
    m->set_address = table_offset(table, &operands);
  if (instruction.opcode == DLOC_LINE_DEFINE_FILE)
    return define_file(table, unit, operands);
  return DLOC_OK;
}

/* The effect of each special opcode, so that the loop does not divide. */
typedef struct special_table {
  uint16_t address[256];
  int16_t line[256];
} special_table;

static void fill_specials(const line_machine *m, special_table *ret) {
  const dloc_line_parameters *p = m->parameters;
  for (unsigned opcode = p->opcode_base; opcode < 256; opcode++) {
    ret->address[opcode] = (uint16_t)(line_special_advance(m, (uint8_t)opcode) * p->minimum_instruction_length);
    ret->line[opcode] = (int16_t)line_special_line(m, (uint8_t)opcode);
  }
}

/* The operand of an opcode at `at`: where it ends; NULL: it breaks off, or does not fit. Most have one byte. */
static inline const uint8_t *leb_at(const uint8_t *at, const uint8_t *end, bool is_signed, uint64_t *ret) {
  if (at < end && *at < 0x80) {
    *ret = is_signed && *at >= 0x40 ? *at - UINT64_C(0x80) : *at;
    return at + 1;
  }
  byte_cursor c = {.at = at, .end = end};
  *ret = is_signed ? bytes_signed(&c) : bytes_unsigned(&c);
  return (c.short_of | c.too_large) ? NULL : c.at;
}

/* The registers that the common instructions change, each of a width of its own: a dloc_row that is stored in parts and
 * loaded as a whole costs more than all the rest. */
typedef struct common_registers {
  uint64_t address;
  uint32_t line, discriminator, file;
  uint16_t column;
  uint8_t flags;
} common_registers;

/* Field by field, so that no row is put together elsewhere; but not file
 * first, which would read what is not yet there. */
static inline void put_row(const common_registers *r, uint8_t isa, dloc_row *ret) {
  *ret = (dloc_row){.address = r->address, .line = r->line, .discriminator = r->discriminator};
  ret->file = r->file & DLOC_ROW_MOST_FILE;
  ret->column = r->column;
  ret->isa = isa;
  ret->flags = r->flags;
}

/* The instructions that most programs consist of, as long as one follows the other, with the registers in registers. It
 * is line_execute for them, of a machine with one operation an instruction, and stops before any other, and before one
 * that breaks off. */
static void run_common(line_machine *m, const special_table *specials, byte_cursor *c) {
  const dloc_line_parameters *p = m->parameters;
  const uint8_t base = p->opcode_base, isa = m->row.isa, *at = c->at, *const end = c->end;
  common_registers r = {m->row.address, m->row.line, m->row.discriminator, m->row.file, m->row.column, m->row.flags};
  dloc_row *out = m->rows->rows.items + m->rows->rows.count;
  while (at < end) {
    const uint8_t opcode = *at, *next = at + 1;
    uint64_t operand;
    if (opcode >= base || opcode == 1) {
      if (opcode >= base) {
        r.address += specials->address[opcode];
        r.line += (uint32_t)(int32_t)specials->line[opcode];
      }
      put_row(&r, isa, out++);
      r.discriminator = 0;
      r.flags &= DLOC_ROW_IS_STMT;
      at = next;
      continue;
    }
    switch (opcode) {
    case 2: /* advance_pc */
      if (!(next = leb_at(next, end, false, &operand)))
        goto stop;
      r.address += operand * p->minimum_instruction_length;
      break;
    case 3: /* advance_line */
      if (!(next = leb_at(next, end, true, &operand)))
        goto stop;
      r.line += (uint32_t)operand;
      break;
    case 4: /* set_file */
      if (!(next = leb_at(next, end, false, &operand)) || operand > UINT16_MAX)
        goto stop;
      r.file = (uint32_t)operand;
      break;
    case 5: /* set_column */
      if (!(next = leb_at(next, end, false, &operand)) || operand > UINT16_MAX)
        goto stop;
      r.column = (uint16_t)operand;
      break;
    case 6: /* negate_stmt */
      r.flags ^= DLOC_ROW_IS_STMT;
      break;
    case 8: /* const_add_pc */
      r.address += specials->address[255];
      break;
    case 10: /* set_prologue_end */
      r.flags |= DLOC_ROW_PROLOGUE_END;
      break;
    default:
      goto stop;
    }
    at = next;
  }
stop:
  c->at = at;
  put_row(&r, isa, &m->row);
  m->rows->rows.count = (size_t)(out - m->rows->rows.items);
}

dloc_status program_run(dloc_line_table *table, dloc_line_unit *unit, line_machine *m, size_t from, size_t to) {
  byte_cursor c = table_cursor(table, from, to);
  dloc_reason reason, faults[LINE_MOST_FAULTS];
  bool refused;
  size_t fault_count = line_header_faults(table->profile, &unit->parameters, faults, &refused);
  for (size_t i = 0; i < fault_count; i++)
    TRY(table_problem(table, faults[i], unit->offset));
  if (refused)
    return DLOC_OK;
  TRY(line_reserve(m->rows, bytes_left(&c))); /* every row takes a byte at least */
  bool common = unit->parameters.maximum_operations <= 1 && unit->parameters.opcode_base > 10;
  special_table specials;
  fill_specials(m, &specials);
  while (c.at < c.end) {
    if (common && !m->rows->calls)
      run_common(m, &specials, &c);
    if (c.at < c.end)
      TRY(step(table, unit, m, &c));
  }
  TRY(line_machine_end(m, &reason));
  return reason == DLOC_REASON_NONE ? DLOC_OK : table_problem(table, reason, to);
}
