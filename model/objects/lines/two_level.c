/* spec/lines.md, chapter 15: what two-level line tables add to the state machine, and the inline stacks that they
 * tell. */
#include "machine.h"

/* ---- Numbers of rows ---- */

/* `two-level.number`, `two-level.number.end-sequence`: the row of a number, which counts from 1; false: there is none. */
static bool numbered(size_t count, uint64_t number, size_t *ret) {
  *ret = (size_t)number - 1;
  return *ret < count;
}

/* ---- Opcodes ---- */

/* The rows so far, which a context of the machine can name. */
static size_t rows_so_far(const line_machine *m) { return m->rows->rows.count - m->first; }

/* `two-level.inlined-call`, `two-level.inlined-call.nowhere` */
static dloc_status inlined_call(line_machine *m, uint64_t context, uint64_t function, dloc_reason *ret_reason) {
  TRY(line_set_call(m, context, function, ret_reason));
  if (m->call.context > rows_so_far(m))
    *ret_reason = DLOC_REASON_TWO_LEVEL_CONTEXT;
  return DLOC_OK;
}

/* `two-level.inlined-call.relative` */
static dloc_status relative_call(line_machine *m, const dloc_line_instruction *instruction, dloc_reason *ret_reason) {
  return inlined_call(m, rows_so_far(m) + instruction->operand, instruction->function, ret_reason);
}

/* `two-level.pop-context`, `two-level.pop-context.nowhere` */
static void pop_context(line_machine *m, dloc_reason *ret_reason) {
  const dloc_row *rows = m->rows->rows.items + m->first;
  size_t row;
  if (!m->call.context)
    return;
  if (!numbered(rows_so_far(m), m->call.context, &row)) {
    *ret_reason = DLOC_REASON_TWO_LEVEL_CONTEXT;
    return;
  }
  m->row.file = rows[row].file;
  m->row.line = rows[row].line;
  m->row.column = rows[row].column;
  m->row.discriminator = rows[row].discriminator;
  m->row.flags = (uint8_t)((m->row.flags & ~DLOC_ROW_IS_STMT) | (rows[row].flags & DLOC_ROW_IS_STMT));
  m->call = m->rows->calls[rows + row - m->rows->rows.items];
}

/* `two-level.address`, `two-level.address.nowhere`. An actual at the address of a logical is dropped with it. */
static dloc_status address_from_logical(line_machine *m, uint64_t advance, dloc_reason *ret_reason) {
  const dloc_rows *logicals = m->logicals;
  size_t row;
  m->row.line += (uint32_t)advance;
  if (!logicals || !numbered(logicals->rows.count - m->first_logical, m->row.line, &row)) {
    *ret_reason = DLOC_REASON_TWO_LEVEL_ACTUAL;
    return DLOC_OK;
  }
  const size_t runs = row_runs(logicals, row += m->first_logical);
  return line_set_address(m, logicals->rows.items[row].address,
                          runs ? logicals->runs.items[runs - 1].place : CODE_ANYWHERE);
}

dloc_status two_level_execute(line_machine *m, const dloc_line_instruction *instruction, dloc_reason *ret_reason) {
  switch (instruction->opcode) {
  case DLOC_LINE_INLINED_CALL:
    return inlined_call(m, instruction->operand, instruction->function, ret_reason);
  case DLOC_LINE_SET_FUNCTION_NAME: /* `two-level.function-name` */
    return line_set_call(m, m->call.context, instruction->operand, ret_reason);
  case DLOC_LINE_SET_SUBPROGRAM: /* `two-level.subprogram` */
    return line_set_call(m, 0, instruction->operand, ret_reason);
  case DLOC_LINE_RELATIVE_INLINED_CALL:
    return relative_call(m, instruction, ret_reason);
  case DLOC_LINE_POP_CONTEXT:
    pop_context(m, ret_reason);
    return DLOC_OK;
  case DLOC_LINE_SET_ADDRESS_FROM_LOGICAL:
    return address_from_logical(m, instruction->operand, ret_reason);
  default:
    *ret_reason = DLOC_REASON_LINES_OPCODE_UNKNOWN;
    return DLOC_OK;
  }
}

/* ---- Both programs ---- */

/* `two-level.header.opcodes` */
dloc_line_parameters dloc_two_level_parameters(dloc_line_parameters parameters, dloc_line_dialect dialect) {
  static const char lengths[] = "\0\1\1\1\1\0\0\0\1\0\0\1\1\2";
  static const char issue_lengths[] = "\0\1\1\1\1\0\0\0\1\0\0\1\2";
  bool is_issue = dialect == DLOC_DIALECT_ISSUE;
  parameters.dialect = dialect;
  parameters.version = 4;
  parameters.opcode_base = is_issue ? 14 : 16;
  parameters.opcode_lengths = is_issue ? (dloc_text){issue_lengths, 13} : (dloc_text){lengths, 15};
  return parameters;
}

line_machine two_level_actuals(const dloc_profile *profile, dloc_line_parameters *parameters, const dloc_rows *logicals,
                               size_t first, dloc_rows *rows) {
  if (parameters->dialect == DLOC_DIALECT_LOGICALS)
    parameters->dialect = DLOC_DIALECT_ACTUALS;
  line_machine m = line_machine_start(profile, parameters, rows);
  m.logicals = logicals;
  m.first_logical = first;
  return m;
}

/* `two-level.unused`: what its table does not use a row has as the first row of a sequence would. */
static void blank(dloc_row *row, const dloc_row *initial, bool is_actual) {
  uint8_t unused =
      is_actual ? DLOC_ROW_IS_STMT | DLOC_ROW_PROLOGUE_END | DLOC_ROW_EPILOGUE_BEGIN : DLOC_ROW_BASIC_BLOCK;
  row->flags = (uint8_t)((row->flags & ~unused) | (initial->flags & unused));
  if (!is_actual) {
    row->isa = initial->isa;
    return;
  }
  row->file = initial->file;
  row->column = initial->column;
  row->discriminator = initial->discriminator;
}

static void blank_all(const dloc_line_parameters *parameters, dloc_rows *rows, size_t first, bool is_actual) {
  const dloc_row initial = line_initial_row(parameters);
  for (size_t i = first; i < rows->rows.count; i++) {
    blank(&rows->rows.items[i], &initial, is_actual);
    if (is_actual && rows->calls)
      rows->calls[i] = (dloc_row_call){0, 0};
  }
}

void two_level_settle(const dloc_profile *profile, const dloc_line_parameters *parameters, dloc_rows *logicals,
                      size_t first_logical, dloc_rows *actuals, size_t first_actual) {
  if (!DLOC_TAKES(profile, TWO_LEVEL_UNUSED, INITIAL))
    return;
  if (actuals) {
    blank_all(parameters, logicals, first_logical, false);
    blank_all(parameters, actuals, first_actual, true);
  }
  for (size_t i = first_logical; !actuals && logicals->calls && i < logicals->rows.count; i++)
    logicals->calls[i].context = 0; /* `two-level.single` */
}

/* ---- Inline stacks ---- */

/* `two-level.actual`, `two-level.actual.nowhere`, `two-level.number.end-sequence` */
bool dloc_logical_find(const dloc_logicals *logicals, uint32_t number, size_t *ret) {
  size_t row;
  if (!numbered(logicals->count, number, &row))
    return false;
  *ret = row;
  return true;
}

/* `two-level.stack.function`, `two-level.stack.nameless` */
static dloc_text function_of(const dloc_logicals *logicals, uint32_t function, bool is_outermost, dloc_text symbol) {
  dloc_text name = function ? logicals->name_of(logicals->user, function) : (dloc_text){NULL, 0};
  return !name.size && is_outermost ? symbol : name;
}

/* `two-level.stack` */
dloc_status dloc_logical_stack(const dloc_logicals *logicals, size_t row, dloc_text symbol, dloc_frame_visit *visit,
                               void *user, dloc_reason *ret_reason) {
  dloc_reason unasked;
  ret_reason = ret_reason ? ret_reason : &unasked;
  *ret_reason = DLOC_REASON_NONE;
  for (size_t steps = 0; steps < logicals->count; steps++) {
    const dloc_row *r = &logicals->rows[row];
    dloc_row_call call = logicals->calls ? logicals->calls[row] : (dloc_row_call){0, 0};
    dloc_frame frame = {.function = function_of(logicals, call.function, !call.context, symbol),
                        .file = r->file,
                        .line = r->line,
                        .column = r->column,
                        .discriminator = r->discriminator};
    TRY(visit(user, &frame));
    if (!call.context)
      return DLOC_OK;
    if (!numbered(row, call.context, &row)) /* `two-level.stack.forward` */
      break;
  }
  *ret_reason = DLOC_REASON_TWO_LEVEL_CONTEXT;
  return DLOC_OK;
}
