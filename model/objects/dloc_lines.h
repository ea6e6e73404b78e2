/* dloc_lines.h - line tables: what a line number program means, whatever bytes it is written in. spec/lines.md,
 * chapters 12 to 16. The conventions are those of dloc.h; a context serves for its memory only. */
#ifndef DLOC_LINES_H
#define DLOC_LINES_H

#include "dloc.h"

DLOC_BEGIN

/* ---- Rows (chapter 12) ---- */

typedef enum dloc_row_flag {
  DLOC_ROW_IS_STMT = 1,
  DLOC_ROW_BASIC_BLOCK = 2,
  DLOC_ROW_PROLOGUE_END = 4,
  DLOC_ROW_EPILOGUE_BEGIN = 8,
  DLOC_ROW_END_SEQUENCE = 16
} dloc_row_flag;

/* A row of the matrix: the registers of the state machine, in as many bits as readers keep (`lines.width`). Of a table
 * of actuals, line is the number of a row of the logicals. */
typedef struct dloc_row {
  uint64_t address;
  uint32_t line;
  uint32_t discriminator;
  uint32_t file : 24;
  uint32_t op_index : 8;
  uint16_t column;
  uint8_t isa;
  uint8_t flags; /* dloc_row_flag */
} dloc_row;
#define DLOC_ROW_MOST_FILE 0xffffffU

/* The two registers more of a row in a table that tells of inlining: NVIDIA's, and the logicals. The dialect says
 * what each means. */
typedef struct dloc_row_call {
  uint32_t context;  /* 0: the row is not inlined */
  uint32_t function; /* an offset of .debug_str, or the number of a subprogram */
} dloc_row_call;

/* Rows first to first + count - 1, of which the last has end_sequence unless the program breaks off. */
typedef struct dloc_sequence {
  size_t first;
  size_t count;
  size_t set_address; /* where the operand of the sequence's last set_address stands in its section; 0: there is none */
} dloc_sequence;

/* Rows in program order. */
typedef struct dloc_rows dloc_rows;
dloc_status dloc_rows_create(dloc_context *context, dloc_rows **ret);
void dloc_rows_destroy(dloc_rows *rows);
/* They belong to the rows, until more are added. Never NULL, also when *ret_count is 0. */
const dloc_row *dloc_rows_list(const dloc_rows *rows, size_t *ret_count);
const dloc_sequence *dloc_rows_sequences(const dloc_rows *rows, size_t *ret_count);
/* As many as there are rows; NULL when no program said anything of inlining. */
const dloc_row_call *dloc_rows_calls(const dloc_rows *rows);
/* "s", "sp", "E": a letter for each flag, in the order of their numbers: s b p e E. NUL-terminated. */
void dloc_row_letters(uint8_t flags, char ret[6]);
/* The flags of letters; false when one is no letter of a flag. */
bool dloc_row_flags(dloc_text letters, uint8_t *ret);

/* ---- Programs ---- */

/* The document that a program follows, beyond DWARF. */
typedef enum dloc_line_dialect {
  DLOC_DIALECT_STANDARD,
  DLOC_DIALECT_DESIGN_2009, /* DW_LNE_GNU_set_discriminator is 0x80 */
  DLOC_DIALECT_NVIDIA,
  DLOC_DIALECT_ISSUE,    /* issue 140906.1 */
  DLOC_DIALECT_LOGICALS, /* its prototype: the first program */
  DLOC_DIALECT_ACTUALS,  /* the second */
  DLOC_DIALECT_COUNT
} dloc_line_dialect;

typedef enum dloc_line_opcode {
  DLOC_LINE_SPECIAL,          /* number: the opcode */
  DLOC_LINE_UNKNOWN_STANDARD, /* number: the opcode; its operands mean nothing */
  DLOC_LINE_UNKNOWN_EXTENDED,
#define OPCODE(id, name, space, number, operands, dialect) DLOC_LINE_##id,
#include "objects/lines/opcodes.def"
#undef OPCODE
  DLOC_LINE_OPCODE_COUNT
} dloc_line_opcode;

typedef enum dloc_opcode_space { DLOC_SPACE_NONE, DLOC_SPACE_STANDARD, DLOC_SPACE_EXTENDED } dloc_opcode_space;

/* A row of opcodes.def. */
typedef struct dloc_opcode {
  const char *name;
  dloc_opcode_space space;
  uint8_t number;
  const char *operands;
  dloc_line_dialect dialect;
} dloc_opcode;
const dloc_opcode *dloc_opcode_of(dloc_line_opcode opcode); /* "special", "unknown_standard", ... as well */
bool dloc_opcode_find(dloc_text name, dloc_line_opcode *ret);

/* One instruction. A signed operand is in two's complement. */
typedef struct dloc_line_instruction {
  dloc_line_opcode opcode;
  uint8_t number; /* of a special or unknown opcode; of set_address, the bytes of its operand, or 0: as the unit has */
  uint64_t operand;
  uint64_t function; /* of an inlined call */
  dloc_text name;    /* of a file that is defined; operand is the number of its directory */
} dloc_line_instruction;

/* The header's parameters of the program. Those of a program whose header has no such field: maximum_operations 1. */
typedef struct dloc_line_parameters {
  dloc_line_dialect dialect;
  uint16_t version;
  uint8_t address_size;
  uint8_t minimum_instruction_length;
  uint8_t maximum_operations;
  bool default_is_stmt;
  int8_t line_base;
  uint8_t line_range; /* 0: the program has no special opcodes that mean something (`lines.special.range`) */
  uint8_t opcode_base;
  dloc_text opcode_lengths; /* how many numbers each standard opcode takes; empty: as many as DWARF says */
} dloc_line_parameters;

/* The advance of a special opcode; operations: those of const_add_pc are 255's. */
typedef struct dloc_line_advance {
  uint8_t operations;
  int32_t lines;
} dloc_line_advance;
dloc_line_advance dloc_line_special(const dloc_profile *profile, const dloc_line_parameters *parameters,
                                    uint8_t opcode);

/* Something is wrong, or not known, at instruction or byte `at`; what follows is still read unless the reason says
 * otherwise. A status other than DLOC_OK stops. */
typedef dloc_status dloc_line_problem(void *user, dloc_reason reason, size_t at);

/* Run a program: its rows and sequences are added to rows. on_problem may be NULL. Cost: one step an instruction. */
dloc_status dloc_line_run(const dloc_profile *profile, const dloc_line_parameters *parameters,
                          const dloc_line_instruction *program, size_t count, dloc_line_problem *on_problem, void *user,
                          dloc_rows *rows);

/* ---- Rows by address (chapter 14) ---- */

/* The facts about a file that tell addresses of code from those of dropped code (`stack.discarded`). */
typedef struct dloc_code {
  uint8_t address_size;
  bool begins_at_0; /* code stands at address 0: so in a relocatable object, or a cubin */
} dloc_code;

/* Some sequences of the rows, found by address. The rows are borrowed; the context must outlive the index. */
typedef struct dloc_row_index dloc_row_index;
dloc_status dloc_row_index_create(dloc_context *context, const dloc_profile *profile, const dloc_code *code,
                                  const dloc_rows *rows, const dloc_sequence *sequences, size_t count,
                                  dloc_row_index **ret);
void dloc_row_index_destroy(dloc_row_index *index);
/* The number of the row that an instruction belongs to; false: there is none. */
bool dloc_row_index_find(const dloc_row_index *index, uint64_t address, size_t *ret);

/* ---- Contexts (chapters 15 and 16) ---- */

/* Of the rows of these sequences, which follow each other: the call site of each, or DLOC_NO_ROW. A row is told here by
 * its place behind the first of them, and ret_callers has room for all. In the dialect NVIDIA contexts count within a
 * sequence (`nvidia.context.sequence`), in the others over all of them. A walk from caller to caller ends. on_problem may be NULL; `at` is a row. Cost: linear, but for sorting where the profile asks for it. */
#define DLOC_NO_ROW SIZE_MAX
dloc_status dloc_rows_callers(const dloc_profile *profile, dloc_line_dialect dialect, const dloc_rows *rows,
                              const dloc_sequence *sequences, size_t count, dloc_line_problem *on_problem, void *user,
                              size_t *ret_callers);
/* The frames of a row, innermost first: visit gets the row of each frame, and the number of the function that the frame
 * is in; NULL: the table does not name it. calls: of the rows that callers tells of, or NULL. */
typedef dloc_status dloc_row_frame(void *user, size_t row, const uint32_t *function);
dloc_status dloc_row_frames(dloc_line_dialect dialect, const dloc_row_call *calls, const size_t *callers, size_t row,
                            dloc_row_frame *visit, void *user);

/* ---- Writing (12.7) ---- */

typedef dloc_status dloc_line_take(void *user, const dloc_line_instruction *instruction);

/* Instructions in memory: a dloc_line_take whose user is the list. Zero-initialise but for the context; release with
 * dloc_line_list_deinit. */
typedef struct dloc_line_list {
  dloc_context *context;
  dloc_line_instruction *items;
  size_t count, capacity;
} dloc_line_list;
dloc_status dloc_line_list_take(void *list, const dloc_line_instruction *instruction);
void dloc_line_list_deinit(dloc_line_list *list);

/* The instructions that an assembler writes for rows, one sequence behind the other. fixed: a linker may change the
 * distances of addresses. calls may be NULL. */
dloc_status dloc_line_assemble(const dloc_profile *profile, const dloc_line_parameters *parameters, bool fixed,
                               const dloc_row *rows, const dloc_row_call *calls, size_t count, dloc_line_take *take,
                               void *user);

/* ---- A layer as the program's own table (spec/hidden.md 18.4) ---- */

/* One sequence of the primary, or a piece of it (`stack.row.piece`), which has its end. `place` puts the line, file and column of an address in the layer
 * into *row, or leaves it; what it answers changes at the starts alone. starts and functions, the first addresses of
 * functions, rise. */
typedef struct dloc_selected {
  const dloc_row *rows;
  size_t count;
  const uint64_t *starts;
  size_t start_count;
  const uint64_t *functions;
  size_t function_count;
  dloc_status (*place)(void *user, uint64_t address, dloc_row *row);
  void *user;
} dloc_selected;
/* Gets the rows one by one. */
typedef dloc_status dloc_select_take(void *user, const dloc_row *row);
/* Cost: linear in rows, starts and functions of the sequence, and a search of each list. */
dloc_status dloc_select_rows(const dloc_profile *profile, const dloc_selected *of, dloc_select_take *take, void *user);

/* ---- Discriminators of blocks (chapter 13) ---- */

/* An intrinsic is a call that makes no code of its own, unlike one that copies memory. */
typedef enum dloc_path_kind { DLOC_PATH_PLAIN, DLOC_PATH_CALL, DLOC_PATH_INTRINSIC } dloc_path_kind;

/* An instruction that a compiler is about to write. Files and their names without directory are numbers: equal ones
 * have equal numbers. */
typedef struct dloc_path_instruction {
  bool has_location;
  dloc_path_kind kind;
  uint32_t line, column, file, name;
} dloc_path_instruction;

/* The next instructions. The last one is the transfer when there are several successors: numbers of blocks. */
typedef struct dloc_path_block {
  size_t instruction_count;
  const uint32_t *successors;
  size_t successor_count;
} dloc_path_block;

/* The discriminators of a function's instructions, whose blocks have the order of the code; 0: none. Cost: linear. */
dloc_status dloc_paths_assign(dloc_context *context, const dloc_profile *profile,
                              const dloc_path_instruction *instructions, const dloc_path_block *blocks, size_t count,
                              uint32_t *ret);

/* ---- Inline stacks (chapter 14) ---- */

#define DLOC_NO_DIE UINT32_MAX  /* no DIE, no unit */
#define DLOC_NO_FILE UINT32_MAX /* no file; number 0 is one in version 5 */

typedef enum dloc_die_tag {
  DLOC_DIE_OTHER, /* a lexical block, and whatever else may stand between the others */
  DLOC_DIE_UNIT,
  DLOC_DIE_SUBPROGRAM,
  DLOC_DIE_INLINED
} dloc_die_tag;

/* The form of DW_AT_high_pc; that of a DIE which has not both DW_AT_low_pc and DW_AT_high_pc is none. */
typedef enum dloc_high_form { DLOC_HIGH_NONE, DLOC_HIGH_ADDRESS, DLOC_HIGH_OFFSET } dloc_high_form;

typedef struct dloc_address_range {
  uint64_t low;
  uint64_t high; /* the first address behind it */
} dloc_address_range;

/* The contents of a debugging information entry. Names are as absent when they are empty. */
typedef struct dloc_die {
  dloc_die_tag tag;
  dloc_high_form high_form;
  uint64_t offset; /* where it stands in its section, for problems */
  uint32_t parent; /* the number of a DIE before it, or DLOC_NO_DIE: the unit's own */
  uint32_t origin; /* that of DW_AT_abstract_origin or DW_AT_specification, or DLOC_NO_DIE */
  dloc_text name;
  dloc_text linkage_name;
  uint64_t low_pc, high_pc;
  const dloc_address_range *ranges; /* of DW_AT_ranges, without base addresses; empty ones may be among them */
  uint32_t range_count;
  uint32_t call_file; /* or DLOC_NO_FILE */
  uint32_t call_line, call_column;
  uint32_t call_discriminator; /* DW_AT_GNU_discriminator */
} dloc_die;

/* A frame, innermost first: the function, and where it is in it. file is a number of the unit's table, or
 * DLOC_NO_FILE. */
typedef struct dloc_frame {
  dloc_text function; /* empty: not known */
  uint32_t file;
  uint32_t line;
  uint32_t column;
  uint32_t discriminator;
} dloc_frame;

/* The DIEs of a unit without the unit's own, in their order; behind them those that an origin names and that stand
 * elsewhere, as DLOC_DIE_OTHER. Asked once for a unit; they stay valid. */
typedef dloc_status dloc_dies_of(void *user, uint32_t unit, const dloc_die **ret, uint32_t *ret_count);

/* The units of a file, and what they say of addresses. */
typedef struct dloc_stacks dloc_stacks;
/* unit: their own DIEs, borrowed as all other DIEs are. A unit is read when an address leads to it. */
dloc_status dloc_stacks_create(dloc_context *context, const dloc_profile *profile, const dloc_code *code,
                               const dloc_die *units, uint32_t unit_count, dloc_dies_of *dies_of,
                               dloc_line_problem *on_problem, void *user, dloc_stacks **ret);
void dloc_stacks_destroy(dloc_stacks *stacks);
/* The unit of an address, or DLOC_NO_DIE. */
uint32_t dloc_stacks_unit(const dloc_stacks *stacks, uint64_t address);
/* The frames at an address, which stay until the next call; none: nothing is known. unit is that of the address; row is
 * the one that the address belongs to in its line table, NULL: there is none. */
dloc_status dloc_stacks_frames(dloc_stacks *stacks, uint32_t unit, uint64_t address, const dloc_row *row,
                               const dloc_frame **ret, size_t *ret_count);

/* ---- Two-level tables (chapter 15) ---- */

/* A program, instruction by instruction. */
typedef struct dloc_line_program {
  const dloc_line_instruction *list;
  size_t count;
} dloc_line_program;

/* Run both programs of a unit; its parameters have the dialect ISSUE or LOGICALS. actuals NULL: it has one table. For
 * on_problem, instructions of the actuals count on behind the logicals. Cost: one step an instruction. */
dloc_status dloc_two_level_run(const dloc_profile *profile, const dloc_line_parameters *parameters,
                               const dloc_line_program *logicals, const dloc_line_program *actuals,
                               dloc_line_problem *on_problem, void *user, dloc_rows *logical_rows,
                               dloc_rows *actual_rows);

/* The logicals of a unit, and how a function of its rows is named: an empty name is none. */
typedef struct dloc_logicals {
  const dloc_row *rows;
  const dloc_row_call *calls; /* NULL: no row is inlined */
  size_t count;
  dloc_text (*name_of)(const void *user, uint32_t function);
  const void *user;
} dloc_logicals;

/* The row that an actual stands for, by the actual's line; false: there is none (`two-level.actual.nowhere`). */
bool dloc_logical_find(const dloc_logicals *logicals, uint32_t number, size_t *ret);
/* The inline stack of a row: frames are given innermost first. symbol: what the symbol table has at the address. Cost:
 * at most one step a row. */
typedef dloc_status dloc_frame_visit(void *user, const dloc_frame *frame);
dloc_status dloc_logical_stack(const dloc_logicals *logicals, size_t row, dloc_text symbol, dloc_frame_visit *visit,
                               void *user, dloc_reason *ret_reason);

/* The parameters of a unit of dialect ISSUE or LOGICALS: those of version 4, with the opcodes that the dialect adds. */
dloc_line_parameters dloc_two_level_parameters(dloc_line_parameters parameters, dloc_line_dialect dialect);

/* The maker of a unit's table (15.6). The context keeps names, and the parameters, of dialect ISSUE or LOGICALS,
 * are borrowed. strings: how many bytes .debug_str has before the names of the issue's form. */
typedef struct dloc_two_level_maker dloc_two_level_maker;
dloc_status dloc_two_level_maker_create(dloc_context *context, const dloc_profile *profile,
                                        const dloc_line_parameters *parameters, uint64_t strings,
                                        dloc_two_level_maker **ret);
void dloc_two_level_maker_destroy(dloc_two_level_maker *maker);
/* From the row's address on, the code is that of these frames, innermost first; the place of the innermost is the
 * row's. */
dloc_status dloc_two_level_add(dloc_two_level_maker *maker, const dloc_row *row, const dloc_frame *frames,
                               size_t count);
dloc_status dloc_two_level_end(dloc_two_level_maker *maker, uint64_t address); /* of a sequence */
/* Add sequences, each address with its stack. shift is added to numbers of files. Cost: linear in rows, in
 * frames, and in the places below each sequence where stacks change; these count again for each of the sequences that
 * overlap. */
dloc_status dloc_two_level_make(dloc_two_level_maker *maker, dloc_stacks *stacks, const dloc_code *code,
                                const dloc_rows *rows, size_t first_sequence, size_t count, uint32_t shift);

/* The tables so far; they belong to the maker. functions: the names, by number from 1, or one behind the other behind
 * an empty string. */
typedef struct dloc_two_level_made {
  const dloc_row *logicals;
  const dloc_row_call *calls;
  size_t logical_count;
  const dloc_row *actuals;
  size_t actual_count;
  const dloc_text *functions;
  size_t function_count;
} dloc_two_level_made;
dloc_two_level_made dloc_two_level_made_of(const dloc_two_level_maker *maker);
/* Their programs. */
dloc_status dloc_two_level_write_logicals(const dloc_profile *profile, const dloc_line_parameters *parameters,
                                          const dloc_two_level_made *made, dloc_line_take *take, void *user);
dloc_status dloc_two_level_write_actuals(const dloc_profile *profile, const dloc_line_parameters *parameters,
                                         const dloc_two_level_made *made, dloc_line_take *take, void *user);

DLOC_END

#endif
