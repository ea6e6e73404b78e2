/* line_terms.h - line tables in args and values: headers, instructions, rows. An instruction is a text, `advance_line
 * -3`: the name of its opcode and its numbers, decimal or hexadecimal. */
#ifndef DLOC_OPS_LINE_TERMS_H
#define DLOC_OPS_LINE_TERMS_H

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
extern const type line_problems_type;
#define LINE_PROBLEMS                                                                                                  \
  { .key = "problems", .of = &line_problems_type, .optional = true }

/* Its opcode_lengths are in the arena. */
dloc_line_parameters line_header_of(const term *header, value_arena *arena);
/* Each instruction can be read; and written under the header. */
dloc_status line_program_check(const reading *r, const term *program);
dloc_status line_program_check_bytes(const reading *r, const term *header, const term *program);
const dloc_line_instruction *line_program_of(const term *program, value_arena *arena);
/* "advance_line -3", at the end of a buffer. */
void line_instruction_write(const dloc_line_instruction *instruction, dloc_buffer *ret);

/* Instructions as texts. */
void line_program_describe(value_arena *arena, term *value, const char *key, const dloc_line_instruction *program,
                           size_t count);

/* The rows of a value; calls may be NULL. */
void line_rows_describe(value_arena *arena, term *value, const char *key, const dloc_row *rows,
                        const dloc_row_call *calls, size_t count);

/* The check of an op whose args have `rows`. */
dloc_status line_rows_check(const reading *r, const term *args);
/* The letters of flags; none when they are absent. */
dloc_status line_flags_check(const reading *r, const term *row);
const dloc_row *line_rows_of(const term *rows, value_arena *arena, const dloc_row_call **ret_calls);

/* Bytes as the field "bytes": two hexadecimal digits each. */
void line_bytes_describe(value_arena *arena, term *value, dloc_text bytes);
/* Sections in args: a list of rows of bytes, `0a00 'a.c' 00`, of pairs of hexadecimal digits, texts between quotes, and
 * blanks. */
#define LINE_BYTES LIST(TEXT)
/* keys: of fields of a map that are such lists, if they are there; the last is NULL. */
dloc_status line_bytes_check(const reading *r, const term *map, const char *const *keys);
/* The bytes of one of them, in the arena; none when it is absent. */
dloc_text line_bytes_of(value_arena *arena, const term *map, const char *key);

/* A dloc_line_problem that adds to the field "problems" of a value, with this as its user. */
typedef struct line_problems {
  value_arena *arena;
  term *value;
} line_problems;
dloc_status line_problem_add(void *problems, dloc_reason reason, size_t at);

OWNER(dloc_rows)
OWNER(dloc_line_table)

#endif
