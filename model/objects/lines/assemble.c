/* spec/lines.md 12.7: from rows to the instructions that GNU as and llvm-mc write for them. */

#include "machine.h"

/* The instructions of a row. */
typedef struct row_program {
  dloc_line_instruction *items;
  size_t count;
} row_program;

static void add(row_program *to, dloc_line_opcode opcode, uint64_t operand) {
  to->items[to->count++] = (dloc_line_instruction){.opcode = opcode, .operand = operand};
}

/* ---- Registers ---- */

static void add_flags(row_program *to, uint8_t flags) {
  static const struct {
    uint8_t flag;
    dloc_line_opcode opcode;
  } table[] = {{DLOC_ROW_BASIC_BLOCK, DLOC_LINE_SET_BASIC_BLOCK},
               {DLOC_ROW_PROLOGUE_END, DLOC_LINE_SET_PROLOGUE_END},
               {DLOC_ROW_EPILOGUE_BEGIN, DLOC_LINE_SET_EPILOGUE_BEGIN}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (flags & table[i].flag)
      add(to, table[i].opcode, 0);
}

/* `lines.write.discriminator`: before version 4 there is none, but readers know it. */
static bool has_discriminator(const line_assembler *a) {
  return a->parameters->version >= 4 || DLOC_TAKES(a->profile, LINES_WRITE_DISCRIMINATOR, ALWAYS);
}

static void add_call(line_assembler *a, const dloc_row_call *call, row_program *to) {
  bool issue = a->parameters->dialect == DLOC_DIALECT_ISSUE;
  if ((!issue && a->parameters->dialect != DLOC_DIALECT_NVIDIA) ||
      (call->context == a->call.context && call->function == a->call.function))
    return;
  add(to, issue ? DLOC_LINE_INLINED_CALL : DLOC_LINE_NVIDIA_INLINED_CALL, call->context);
  to->items[to->count - 1].function = call->function;
  a->call = *call;
}

/* `lines.write.registers`: those that change, in this order. */
static void add_registers(line_assembler *a, const dloc_row *row, row_program *to) {
  if (row->file != a->row.file)
    add(to, DLOC_LINE_SET_FILE, row->file);
  if (row->column != a->row.column)
    add(to, DLOC_LINE_SET_COLUMN, row->column);
  if (row->discriminator && has_discriminator(a))
    add(to,
        a->parameters->dialect == DLOC_DIALECT_DESIGN_2009 ? DLOC_LINE_GNU_SET_DISCRIMINATOR
                                                           : DLOC_LINE_SET_DISCRIMINATOR,
        row->discriminator);
  if (row->isa != a->row.isa)
    add(to, DLOC_LINE_SET_ISA, row->isa);
  if ((row->flags ^ a->row.flags) & DLOC_ROW_IS_STMT)
    add(to, DLOC_LINE_NEGATE_STMT, 0);
  add_flags(to, row->flags);
}

/* ---- Line and address ---- */

/* `lines.write.line`: the line register counts modulo 2^32. `lines.write.advance-line` */
static int64_t line_distance(const line_assembler *a, const dloc_row *row) {
  if (DLOC_TAKES(a->profile, LINES_WRITE_LINE, WHOLE))
    return (int64_t)row->line - a->row.line;
  return (int32_t)(row->line - a->row.line);
}

/* The special opcode that does both, if there is one. */
static bool find_special(const dloc_line_parameters *p, int64_t line, uint64_t advance, uint8_t *ret) {
  int64_t biased = line - p->line_base;
  if (biased < 0 || biased >= p->line_range || advance > UINT8_MAX)
    return false;
  uint64_t opcode = p->opcode_base + (uint64_t)biased + advance * p->line_range;
  *ret = (uint8_t)opcode;
  return opcode <= UINT8_MAX;
}

/* What const_add_pc advances. */
static uint8_t constant_advance(const dloc_line_parameters *p) {
  return p->line_range ? (uint8_t)(UINT8_MAX - p->opcode_base) / p->line_range : 0;
}

static void add_special(row_program *to, uint8_t opcode) {
  add(to, DLOC_LINE_SPECIAL, 0);
  to->items[to->count - 1].number = opcode;
}

/* `lines.write.advance-line`, `lines.write.copy`, `lines.write.special`, `lines.write.const-add-pc`,
 * `lines.write.advance-pc` */
static void add_row(const dloc_line_parameters *p, int64_t line, uint64_t advance, row_program *to) {
  uint8_t opcode, most = constant_advance(p);
  bool far = !find_special(p, line, 0, &opcode);
  if (far) {
    add(to, DLOC_LINE_ADVANCE_LINE, (uint64_t)line);
    line = 0;
  }
  if (line == 0 && advance == 0)
    add(to, DLOC_LINE_COPY, 0);
  else if (find_special(p, line, advance, &opcode))
    add_special(to, opcode);
  else if (advance >= most && find_special(p, line, advance - most, &opcode)) {
    add(to, DLOC_LINE_CONST_ADD_PC, 0);
    add_special(to, opcode);
  } else {
    add(to, DLOC_LINE_ADVANCE_PC, advance);
    if (!far && find_special(p, line, 0, &opcode))
      add_special(to, opcode);
    else
      add(to, DLOC_LINE_COPY, 0);
  }
}

/* `lines.write.end`: a special opcode would make a row of its own. */
static void add_end(const dloc_line_parameters *p, int64_t line, uint64_t advance, row_program *to) {
  if (line != 0)
    add(to, DLOC_LINE_ADVANCE_LINE, (uint64_t)line);
  if (advance != 0 && advance == constant_advance(p))
    add(to, DLOC_LINE_CONST_ADD_PC, 0);
  else if (advance != 0)
    add(to, DLOC_LINE_ADVANCE_PC, advance);
  add(to, DLOC_LINE_END_SEQUENCE, 0);
}

/* `lines.write.address`: how far it is as an operation advance; false: no advance leads there. `lines.write.begin` */
static bool find_advance(const line_assembler *a, const dloc_row *row, uint64_t *ret) {
  const dloc_line_parameters *p = a->parameters;
  uint64_t bytes = row->address - a->row.address;
  uint64_t operations = p->maximum_operations > 1 ? p->maximum_operations : 1;
  if (!a->open || row->address < a->row.address)
    return false;
  if (bytes == 0 && row->op_index == a->row.op_index)
    return *ret = 0, true;
  if (!p->minimum_instruction_length || bytes % p->minimum_instruction_length)
    return false;
  uint64_t instructions = bytes / p->minimum_instruction_length;
  if (instructions > UINT64_MAX / operations - 1 || instructions * operations + row->op_index < a->row.op_index)
    return false;
  *ret = instructions * operations + row->op_index - a->row.op_index;
  return true;
}

/* `lines.write.fixed`: what a linker can change later. */
static void add_fixed(line_assembler *a, const dloc_row *row, row_program *to) {
  uint64_t limit = DLOC_TAKES(a->profile, LINES_WRITE_FIXED, 50000) ? 50000 : 60000;
  bool end = row->flags & DLOC_ROW_END_SEQUENCE;
  if (!end || line_distance(a, row) != 0)
    add(to, DLOC_LINE_ADVANCE_LINE, (uint64_t)line_distance(a, row));
  if (row->address < a->row.address || row->address - a->row.address > limit)
    add(to, DLOC_LINE_SET_ADDRESS, row->address);
  else
    add(to, DLOC_LINE_FIXED_ADVANCE_PC, row->address - a->row.address);
  add(to, end ? DLOC_LINE_END_SEQUENCE : DLOC_LINE_COPY, 0);
}

static void add_place(line_assembler *a, const dloc_row *row, row_program *to) {
  uint64_t advance;
  if (!find_advance(a, row, &advance)) {
    add(to, DLOC_LINE_SET_ADDRESS, row->address);
    advance = row->op_index;
  }
  if (row->flags & DLOC_ROW_END_SEQUENCE)
    add_end(a->parameters, line_distance(a, row), advance, to);
  else
    add_row(a->parameters, line_distance(a, row), advance, to);
}

/* ---- Rows ---- */

line_assembler line_assembler_start(const dloc_profile *profile, const dloc_line_parameters *parameters, bool fixed) {
  return (line_assembler){
      .profile = profile, .parameters = parameters, .fixed = fixed, .row = line_initial_row(parameters)};
}

/* `lines.discriminator.stmt` */
static dloc_row told_row(const line_assembler *a, const dloc_row *row) {
  dloc_row told = *row;
  if (row->discriminator && DLOC_TAKES(a->profile, LINES_DISCRIMINATOR_STMT, CLEAR))
    told.flags &= (uint8_t)~DLOC_ROW_IS_STMT;
  return told;
}

size_t line_assemble_row(line_assembler *a, const dloc_row *given, const dloc_row_call *call,
                         dloc_line_instruction ret[LINE_MOST_FOR_ROW]) {
  const dloc_row told = told_row(a, given), *row = &told;
  row_program program = {ret, 0};
  add_registers(a, row, &program);
  if (call)
    add_call(a, call, &program);
  if (a->fixed && a->open)
    add_fixed(a, row, &program);
  else
    add_place(a, row, &program);
  a->row = *row;
  a->open = true;
  if (row->flags & DLOC_ROW_END_SEQUENCE)
    *a = line_assembler_start(a->profile, a->parameters, a->fixed);
  return program.count;
}

dloc_status dloc_line_assemble(const dloc_profile *profile, const dloc_line_parameters *parameters, bool fixed,
                               const dloc_row *rows, const dloc_row_call *calls, size_t count, dloc_line_take *take,
                               void *user) {
  line_assembler a = line_assembler_start(profile, parameters, fixed);
  dloc_line_instruction program[LINE_MOST_FOR_ROW];
  for (size_t i = 0; i < count; i++) {
    size_t size = line_assemble_row(&a, &rows[i], calls ? &calls[i] : NULL, program);
    for (size_t j = 0; j < size; j++)
      TRY(take(user, &program[j]));
  }
  return DLOC_OK;
}
