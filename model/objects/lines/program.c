/* spec/lines.md, chapter 12: a line number program, instruction by instruction. */
#include "machine.h"

#include <string.h>

/* ---- Rows and sequences of a program ---- */

/* `lines.row`: the registers as a row. `nvidia.registers.sticky` */
static void append_row(line_machine *m) {
  dloc_rows *rows = m->rows;
  if (rows->calls)
    rows->calls[rows->rows.count] = m->call;
  rows->rows.items[rows->rows.count++] = m->row;
  line_after_row(&m->row);
}

/* `lines.sequence`, `two-level.registers` */
static dloc_status end_sequence(line_machine *m) {
  PUSH(m->rows->context, m->rows->sequences,
       (dloc_sequence){m->sequence, m->rows->rows.count - m->sequence, m->set_address});
  line_begin_sequence(m);
  return line_begin_run(m->rows, (row_run){m->sequence, 0, CODE_ANYWHERE});
}

/* The rows of the program are dropped, and so are their runs. */
static dloc_status refuse(line_machine *m) {
  dloc_rows *rows = m->rows;
  rows->rows.count = m->first;
  rows->sequences.count = m->first_sequence;
  while (rows->runs.count && rows->runs.items[rows->runs.count - 1].first > m->first)
    rows->runs.count--;
  return line_begin_run(rows, (row_run){m->first, 0, CODE_ANYWHERE});
}

/* `lines.sequence.open` */
dloc_status line_machine_end(line_machine *m, dloc_reason *ret_reason) {
  *ret_reason = DLOC_REASON_NONE;
  if (m->refused)
    return refuse(m);
  if (m->rows->rows.count == m->sequence)
    return line_begin_run(m->rows, (row_run){m->sequence, 0, CODE_ANYWHERE});
  *ret_reason = DLOC_REASON_LINES_SEQUENCE_OPEN;
  return end_sequence(m);
}

/* ---- Instructions ---- */

/* `lines.width`: what does not fit into a register is 0, which means unknown. */
static uint64_t fit(line_machine *m, uint64_t value, uint64_t greatest, dloc_reason *ret_reason) {
  if (value <= greatest)
    return value;
  *ret_reason = DLOC_REASON_LINES_WIDTH;
  m->refused |= DLOC_TAKES(m->profile, LINES_WIDTH, REJECT);
  return DLOC_TAKES(m->profile, LINES_WIDTH, WRAP) ? value & greatest : 0;
}

/* The greatest number of a file: those who let it wrap have 16 bits. */
static uint32_t greatest_file(const line_machine *m) {
  return DLOC_TAKES(m->profile, LINES_WIDTH, WRAP) ? UINT16_MAX : DLOC_ROW_MOST_FILE;
}

/* `lines.special` */
dloc_line_advance dloc_line_special(const dloc_profile *profile, const dloc_line_parameters *parameters,
                                    uint8_t opcode) {
  const line_machine m = {.profile = profile, .parameters = parameters};
  return (dloc_line_advance){line_special_advance(&m, opcode), (int32_t)line_special_line(&m, opcode)};
}

/* `lines.special`, `two-level.registers.kept` */
static void special(line_machine *m, uint8_t opcode) {
  line_advance(m, line_special_advance(m, opcode));
  m->row.line += line_special_line(m, opcode);
  append_row(m);
}

/* `lines.discriminator.version`, `lines.discriminator.2009` */
static bool knows_discriminator(const line_machine *m, dloc_line_opcode opcode) {
  if (opcode == DLOC_LINE_SET_DISCRIMINATOR)
    return true;
  return line_dialect(m->profile, m->parameters->dialect) == DLOC_DIALECT_DESIGN_2009;
}

/* `lines.discriminator.set` */
static dloc_reason set_discriminator(line_machine *m, const dloc_line_instruction *instruction) {
  dloc_reason reason = DLOC_REASON_NONE;
  if (!knows_discriminator(m, instruction->opcode))
    return DLOC_REASON_LINES_OPCODE_UNKNOWN;
  m->row.discriminator = (uint32_t)fit(m, instruction->operand, UINT32_MAX, &reason);
  return reason;
}

/* `stack.discarded`: of the unit, unless the operand has fewer. */
static uint8_t line_address_size(const line_machine *m, const dloc_line_instruction *set_address) {
  bool shorter = set_address->number && set_address->number < m->parameters->address_size;
  return shorter ? set_address->number : m->parameters->address_size;
}

/* `lines.registers.line`, `lines.opcode.*`, `lines.sequence.order`, `nvidia.set-function-name`,
 * `lines.discriminator.end-sequence` */
dloc_status line_execute(line_machine *m, const dloc_line_instruction *instruction, dloc_reason *ret_reason) {
  uint64_t operand = instruction->operand;
  *ret_reason = DLOC_REASON_NONE;
  switch (instruction->opcode) {
  case DLOC_LINE_SPECIAL:
    special(m, instruction->number);
    break;
  case DLOC_LINE_COPY:
    append_row(m);
    break;
  case DLOC_LINE_ADVANCE_PC:
    line_advance(m, operand);
    break;
  case DLOC_LINE_ADVANCE_LINE:
    m->row.line += (uint32_t)operand;
    break;
  case DLOC_LINE_SET_FILE:
    m->row.file = fit(m, operand, greatest_file(m), ret_reason) & DLOC_ROW_MOST_FILE;
    break;
  case DLOC_LINE_SET_COLUMN:
    m->row.column = (uint16_t)fit(m, operand, UINT16_MAX, ret_reason);
    break;
  case DLOC_LINE_NEGATE_STMT:
    m->row.flags ^= DLOC_ROW_IS_STMT;
    break;
  case DLOC_LINE_SET_BASIC_BLOCK:
    m->row.flags |= DLOC_ROW_BASIC_BLOCK;
    break;
  case DLOC_LINE_CONST_ADD_PC:
    line_advance(m, line_special_advance(m, 255));
    break;
  case DLOC_LINE_FIXED_ADVANCE_PC:
    m->row.address += operand;
    m->row.op_index = 0;
    break;
  case DLOC_LINE_SET_PROLOGUE_END:
    m->row.flags |= DLOC_ROW_PROLOGUE_END;
    break;
  case DLOC_LINE_SET_EPILOGUE_BEGIN:
    m->row.flags |= DLOC_ROW_EPILOGUE_BEGIN;
    break;
  case DLOC_LINE_SET_ISA:
    m->row.isa = (uint8_t)fit(m, operand, UINT8_MAX, ret_reason);
    break;
  case DLOC_LINE_END_SEQUENCE:
    m->row.flags |= DLOC_ROW_END_SEQUENCE;
    append_row(m);
    return end_sequence(m);
  case DLOC_LINE_SET_ADDRESS:
    return line_set_address(m, operand, code_at(operand, line_address_size(m, instruction)));
  case DLOC_LINE_DEFINE_FILE: /* `lines.opcode.define-file`: the table of files is not the machine's */
    break;
  case DLOC_LINE_SET_DISCRIMINATOR:
  case DLOC_LINE_GNU_SET_DISCRIMINATOR:
    *ret_reason = set_discriminator(m, instruction);
    break;
  case DLOC_LINE_NVIDIA_INLINED_CALL:
    return line_set_call(m, operand, instruction->function, ret_reason);
  case DLOC_LINE_NVIDIA_SET_FUNCTION_NAME:
    return line_set_call(m, m->call.context, operand, ret_reason);
  case DLOC_LINE_UNKNOWN_STANDARD:
  case DLOC_LINE_UNKNOWN_EXTENDED:
    *ret_reason = DLOC_REASON_LINES_OPCODE_UNKNOWN;
    break;
  default:
    return two_level_execute(m, instruction, ret_reason);
  }
  return DLOC_OK;
}

/* ---- Programs ---- */

/* `lines.opcode.lengths`: an opcode that is known has as many operands as it is known to have. */
static bool lengths_are_known(const dloc_line_parameters *p) {
  for (size_t i = 0; i < p->opcode_lengths.size; i++) {
    dloc_line_opcode opcode = opcode_at(p->dialect, DLOC_SPACE_STANDARD, (uint8_t)(i + 1));
    if (opcode != DLOC_LINE_UNKNOWN_STANDARD &&
        (uint8_t)p->opcode_lengths.bytes[i] != strlen(dloc_opcode_of(opcode)->operands))
      return false;
  }
  return true;
}

/* `lines.operations.zero`, `lines.opcode.lengths` */
size_t line_header_faults(const dloc_profile *profile, const dloc_line_parameters *parameters,
                          dloc_reason ret[LINE_MOST_FAULTS], bool *ret_refused) {
  const struct {
    bool there, refused;
    dloc_reason reason;
  } faults[LINE_MOST_FAULTS] = {
      {!parameters->line_range, DLOC_TAKES(profile, LINES_SPECIAL_RANGE, REJECT), DLOC_REASON_LINES_SPECIAL_RANGE},
      {!parameters->maximum_operations, DLOC_TAKES(profile, LINES_OPERATIONS_ZERO, REJECT),
       DLOC_REASON_LINES_OPERATIONS_ZERO},
      {!lengths_are_known(parameters), DLOC_TAKES(profile, LINES_OPCODE_LENGTHS, REJECT),
       DLOC_REASON_LINES_OPCODE_LENGTHS}};
  size_t count = 0;
  *ret_refused = false;
  for (size_t i = 0; i < LINE_MOST_FAULTS; i++)
    if (faults[i].there) {
      ret[count++] = faults[i].reason;
      *ret_refused |= faults[i].refused;
    }
  return count;
}

dloc_status line_run(line_machine *m, const dloc_line_instruction *program, size_t count, size_t at,
                     dloc_line_problem *on_problem, void *user) {
  dloc_reason reason;
  TRY(line_reserve(m->rows, count));
  for (size_t i = 0; i < count; i++) {
    TRY(line_execute(m, &program[i], &reason));
    if (reason != DLOC_REASON_NONE && on_problem)
      TRY(on_problem(user, reason, at + i));
  }
  TRY(line_machine_end(m, &reason));
  return reason != DLOC_REASON_NONE && on_problem ? on_problem(user, reason, at + count) : DLOC_OK;
}

dloc_status dloc_line_run(const dloc_profile *profile, const dloc_line_parameters *parameters,
                          const dloc_line_instruction *program, size_t count, dloc_line_problem *on_problem, void *user,
                          dloc_rows *rows) {
  dloc_reason faults[LINE_MOST_FAULTS];
  bool refused;
  size_t fault_count = line_header_faults(profile, parameters, faults, &refused);
  for (size_t i = 0; i < fault_count && on_problem; i++)
    TRY(on_problem(user, faults[i], 0));
  if (refused)
    return DLOC_OK;
  line_machine m = line_machine_start(profile, parameters, rows);
  return line_run(&m, program, count, 0, on_problem, user);
}

dloc_status dloc_two_level_run(const dloc_profile *profile, const dloc_line_parameters *parameters,
                               const dloc_line_program *logicals, const dloc_line_program *actuals,
                               dloc_line_problem *on_problem, void *user, dloc_rows *logical_rows,
                               dloc_rows *actual_rows) {
  size_t first = logical_rows->rows.count, first_actual = actuals ? actual_rows->rows.count : 0;
  TRY(dloc_line_run(profile, parameters, logicals->list, logicals->count, on_problem, user, logical_rows));
  if (actuals) {
    dloc_line_parameters changed = *parameters;
    line_machine m = two_level_actuals(profile, &changed, logical_rows, first, actual_rows);
    TRY(line_run(&m, actuals->list, actuals->count, logicals->count, on_problem, user));
  }
  two_level_settle(profile, parameters, logical_rows, first, actuals ? actual_rows : NULL, first_actual);
  return DLOC_OK;
}
