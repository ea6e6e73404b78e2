/* Private to model/: the state machine of line number programs, a function for each thing that an opcode does.
 * spec/lines.md 12.1 to 12.3. In a header, because what decodes bytes (objects/dwarf) has them inlined into its
 * loop. */
#pragma once

#include "spans.h"

/* Rows from a set_address on whose address tells something new. The end of a sequence begins a run, too. */
typedef struct row_run {
  size_t first;
  uint64_t reached; /* the address register before it */
  code_place place;
} row_run;

struct dloc_rows {
  dloc_context *context;
  ARRAY(dloc_row) rows;
  ARRAY(dloc_sequence) sequences;
  ARRAY(row_run) runs;  /* rows before the first run are CODE_ANYWHERE */
  dloc_row_call *calls; /* NULL until a program sets one; then at least as many as rows.capacity */
  size_t call_capacity;
};

typedef struct line_machine {
  dloc_row row; /* the registers that every program has */
  dloc_row_call call;
  const dloc_profile *profile;
  const dloc_line_parameters *parameters;
  dloc_rows *rows;
  size_t first;              /* row of the program, where it counts its rows */
  const dloc_rows *logicals; /* of actuals: the rows that they stand for, */
  size_t first_logical;      /* from here on */
  size_t first_sequence;
  size_t sequence;    /* first row of the sequence */
  size_t set_address; /* of dloc_sequence */
  bool refused;       /* its rows are dropped */
} line_machine;

/* `lines.discriminator.2009`: whose opcodes those of a program are that nothing is said of. */
static inline dloc_line_dialect line_dialect(const dloc_profile *profile, dloc_line_dialect dialect) {
  bool is_2009 = dialect == DLOC_DIALECT_STANDARD && DLOC_TAKES(profile, LINES_DISCRIMINATOR_2009, DISCRIMINATOR);
  return is_2009 ? DLOC_DIALECT_DESIGN_2009 : dialect;
}

/* `lines.registers.initial`: the registers at the start of a sequence. */
static inline dloc_row line_initial_row(const dloc_line_parameters *parameters) {
  return (dloc_row){.file = 1, .line = 1, .flags = parameters->default_is_stmt ? DLOC_ROW_IS_STMT : 0};
}

/* `lines.operations`, `lines.operations.zero`: how many an instruction has. */
static inline uint8_t line_operations(const line_machine *m) {
  bool counted = m->parameters->maximum_operations > 1 && DLOC_TAKES(m->profile, LINES_OPERATIONS, COUNTED);
  return counted ? m->parameters->maximum_operations : 1;
}

/* `lines.advance`: address and op_index by an operation advance. */
static inline void line_advance(line_machine *m, uint64_t advance) {
  uint8_t operations = line_operations(m), length = m->parameters->minimum_instruction_length;
  if (operations == 1) { /* `lines.advance.single` */
    m->row.address += advance * length;
    return;
  }
  uint64_t sum = m->row.op_index + advance;
  m->row.address += length * (sum / operations);
  m->row.op_index = (uint32_t)(sum % operations) & 0xff;
}

/* `lines.row.reset`: what is not carried over from one row to the next. `lines.discriminator.reset` */
static inline void line_after_row(dloc_row *row) {
  row->discriminator = 0;
  row->flags &= DLOC_ROW_IS_STMT;
}

/* `lines.special.range`: what opcodes are divided by; 0: they say nothing. */
static inline uint8_t line_range(const line_machine *m) {
  return m->parameters->line_range || !DLOC_TAKES(m->profile, LINES_SPECIAL_RANGE, ONE) ? m->parameters->line_range : 1;
}
/* `lines.special.advance`, `lines.special.line`: how far a special opcode advances. */
static inline uint8_t line_special_advance(const line_machine *m, uint8_t opcode) {
  return line_range(m) ? (uint8_t)(opcode - m->parameters->opcode_base) / line_range(m) : 0;
}
/* `lines.special.line`, `lines.special.base` */
static inline uint32_t line_special_line(const line_machine *m, uint8_t opcode) {
  uint8_t adjusted = (uint8_t)(opcode - m->parameters->opcode_base);
  return line_range(m) ? (uint32_t)(m->parameters->line_base + adjusted % line_range(m)) : 0;
}

/* The opcode of a number in a dialect; an UNKNOWN one when it has none. */
dloc_line_opcode opcode_at(dloc_line_dialect dialect, dloc_opcode_space space, uint8_t number);
/* As assemblers write them: opcodes of DWARF 3 and later. */
static inline dloc_line_parameters line_parameters_usual(uint16_t version, uint8_t address_size) {
  return (dloc_line_parameters){.version = version,
                                .address_size = address_size,
                                .minimum_instruction_length = 1,
                                .maximum_operations = 1,
                                .default_is_stmt = true,
                                .line_base = -5,
                                .line_range = 14,
                                .opcode_base = 13};
}
/* How many numbers the header gives an opcode below opcode_base; of one that nobody knows, 0 unless it says so. */
uint8_t opcode_length(const dloc_line_parameters *parameters, uint8_t number);

/* The problem of the header, and whether the program is not run for it. */
enum { LINE_MOST_FAULTS = 3 };
size_t line_header_faults(const dloc_profile *profile, const dloc_line_parameters *parameters,
                          dloc_reason ret[LINE_MOST_FAULTS], bool *ret_refused);

/* Room for so many rows more. */
dloc_status line_reserve(dloc_rows *rows, size_t more);
/* The registers at the start of a sequence. */
void line_begin_sequence(line_machine *m);
/* A machine at the start of a program. */
line_machine line_machine_start(const dloc_profile *profile, const dloc_line_parameters *parameters, dloc_rows *rows);
/* Any instruction. There is room for one more row. *ret_reason: why it is wrong, or DLOC_REASON_NONE. */
dloc_status line_execute(line_machine *m, const dloc_line_instruction *instruction, dloc_reason *ret_reason);
/* The inlining that a program tells, in values of any width. */
dloc_status line_set_call(line_machine *m, uint64_t context, uint64_t function, dloc_reason *ret_reason);
/* Instructions one after the other, and the end. The reasons of problems count on from `at`. */
dloc_status line_run(line_machine *m, const dloc_line_instruction *program, size_t count, size_t at,
                     dloc_line_problem *on_problem, void *user);
/* The end of a program: a sequence that is still open counts (`lines.sequence.open`). */
dloc_status line_machine_end(line_machine *m, dloc_reason *ret_reason);

/* The next rows are a run, unless their address tells the same as the run before them. */
dloc_status line_begin_run(dloc_rows *rows, row_run run);
/* set_address, with what it tells. */
dloc_status line_set_address(line_machine *m, uint64_t address, code_place place);

/* ---- Pieces of sequences (lookup.c): spec/lines.md 14.1 ---- */

/* How many runs begin at a row or before it: the last has the row. */
size_t row_runs(const dloc_rows *rows, size_t row);

/* Rows of a sequence that cover the addresses from the first row to the end. `stack.row.piece`. At first next is the
 * first row of the sequence, and all else 0. */
typedef struct row_piece {
  size_t first, count;
  uint64_t end;
  size_t next, behind; /* the rows that are left until code that was dropped, or the end */
  uint64_t reached;    /* the end of those */
  bool broken_off;     /* there the program breaks off */
} row_piece;
/* The next piece; false: there is none. */
bool row_piece_next(const dloc_profile *profile, const dloc_code *code, const dloc_rows *rows,
                    const dloc_sequence *sequence, row_piece *p);

/* ---- Two-level tables (two_level.c): spec/lines.md, chapter 15 ---- */

/* An instruction that only two-level tables have, or one that is not known. */
dloc_status two_level_execute(line_machine *m, const dloc_line_instruction *instruction, dloc_reason *ret_reason);
/* The machine of the actuals that stand for these logicals, those of a unit; dialect ISSUE or LOGICALS becomes that of
 * the actuals in *parameters, which the machine keeps. */
line_machine two_level_actuals(const dloc_profile *profile, dloc_line_parameters *parameters, const dloc_rows *logicals,
                               size_t first, dloc_rows *rows);
/* `two-level.unused`, `two-level.single`: when both programs have run. The unit's rows begin there; actuals may be
 * NULL. */
void two_level_settle(const dloc_profile *profile, const dloc_line_parameters *parameters, dloc_rows *logicals,
                      size_t first_logical, dloc_rows *actuals, size_t first_actual);

/* ---- The way back (assemble.c): from rows to the instructions that assemblers write. spec/lines.md 12.7 ---- */

/* The registers of whoever will run what was written so far. */
typedef struct line_assembler {
  const dloc_profile *profile;
  const dloc_line_parameters *parameters;
  bool fixed; /* distances are not known before linking */
  bool open;  /* the sequence has an address */
  dloc_row row;
  dloc_row_call call;
} line_assembler;

enum { LINE_MOST_FOR_ROW = 16 }; /* instructions for one row */

line_assembler line_assembler_start(const dloc_profile *profile, const dloc_line_parameters *parameters, bool fixed);
/* How many instructions make the next row, which are put in ret. */
size_t line_assemble_row(line_assembler *a, const dloc_row *row, const dloc_row_call *call,
                         dloc_line_instruction ret[LINE_MOST_FOR_ROW]);
