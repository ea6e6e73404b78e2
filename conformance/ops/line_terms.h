/* line_terms.h - line tables in args and values: headers, instructions, rows. An instruction is a text, `advance_line
 * -3`: the name of its opcode and its numbers, decimal or hexadecimal. */
#pragma once

#include "document/memory.h"
#include "objects/dloc_dwarf.h"
#include "term.h"

/* The contents of a header; an absent field is what most producers write: version 4, one-byte instructions, is_stmt, -5,
 * 14, 13. */
extern const type line_header_type;
extern const type line_dialect_type;
extern const type line_program_type;
extern const type line_row_type;
extern const type line_rows_type;
/* Of args: flags of a row, and rows with such flags. */
extern const type line_flags_type;
extern const type line_given_rows_type;
/* Sections in args: a list of rows of bytes, `0a00 'a.c' 00`, of pairs of hexadecimal digits, texts between quotes, and
 * blanks. */
extern const type line_bytes_type;
extern const type line_problems_type;
#define LINE_PROBLEMS                                                                                                  \
  { .key = "problems", .of = &line_problems_type, .optional = true }

/* Its opcode_lengths are in the arena. */
dloc_line_parameters line_header_of(const term *header, value_arena *arena);
/* The check of args with a `header` and a `program`: its instructions can be written under the header. */
dloc_status line_program_check(const reading *r, const term *args);
const dloc_line_instruction *line_program_of(const term *program, value_arena *arena);
/* "advance_line -3", at the end of a buffer. */
void line_instruction_write(const dloc_line_instruction *instruction, dloc_buffer *ret);

/* Instructions as texts. */
void line_program_describe(value_arena *arena, term *value, const char *key, const dloc_line_instruction *program,
                           size_t count);

/* The rows of a value; calls may be NULL. */
void line_rows_describe(value_arena *arena, term *value, const char *key, const dloc_row *rows,
                        const dloc_row_call *calls, size_t count);

/* The `program` of a map, or what an assembler writes for its `rows`. */
dloc_status line_given_program(const term *map, const dloc_profile *profile, const dloc_line_parameters *parameters,
                               value_arena *arena, dloc_line_list *ret);

const dloc_row *line_rows_of(const term *rows, value_arena *arena, const dloc_row_call **ret_calls);

/* Bytes as the field "bytes": two hexadecimal digits each. */
void line_bytes_describe(value_arena *arena, term *value, dloc_text bytes);
/* Those of such a section in args, in the arena; none when it is absent. */
dloc_text line_bytes_of(value_arena *arena, const term *map, const char *key);

/* A dloc_line_problem that adds to the field "problems" of a value, with this as its user. */
typedef struct line_problems {
  value_arena *arena;
  term *value;
} line_problems;
dloc_status line_problem_add(void *problems, dloc_reason reason, size_t at);

OWNER(dloc_rows)
OWNER(dloc_line_table)
