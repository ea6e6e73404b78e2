/* mlir.h - private to model/objects/mlir: how the locations of a text are kept. */
#pragma once

#include "objects/dloc_mlir.h"

#include "nodes/metadata.h"

typedef struct location {
  dloc_node text;
  uint8_t kind;
  uint32_t words[4]; /* FILE: its numbers; otherwise the first of its parts, and how many there are */
} location;

struct dloc_mlir {
  dloc_context *context;
  dloc_text text;
  ARRAY(location) locations;
  ARRAY(dloc_mlir_number) parts;
  map known;   /* hash of a location, and how many had it before -> its number */
  map aliases; /* name -> number */
  ARRAY(dloc_mlir_use) uses;
};

/* Where the next token begins: behind white space and comments. */
const char *mlir_space(const char *at, const char *end);
/* Behind the comment that begins at `at`; NULL: none does. */
const char *mlir_comment(const char *at, const char *end);
/* The place behind the string whose quote is at `at`; NULL: it is not closed in its line. */
const char *mlir_string(const char *at, const char *end);
/* Behind the letters, digits, `_`, `$` and `.` of a name; `-` as well in names behind `#`, `%` and the like. */
const char *mlir_word(const char *at, const char *end);
const char *mlir_name(const char *at, const char *end);

/* Where the op of a line begins, from 1; 0: it has none. */
uint32_t mlir_op_column(const dloc_mlir_ops *ops, uint32_t line);

/* Make a location; what it points to stays the caller's. */
dloc_status mlir_add(dloc_mlir *mlir, const dloc_mlir_location *location, dloc_mlir_number *ret);
/* As it stands between the brackets of `loc(...)`; aliases by name. */
dloc_status mlir_print(const dloc_mlir *mlir, dloc_mlir_number number, dloc_sink sink);
/* The text before its parts, and the text behind them. */
dloc_status mlir_print_before(const dloc_mlir *mlir, const dloc_mlir_location *location, dloc_sink sink);
dloc_status mlir_print_behind(const dloc_mlir *mlir, const dloc_mlir_location *location, dloc_sink sink);
/* The location without tags; the same number when it has none. */
dloc_mlir_number mlir_primary_of(const dloc_mlir_meaning *meaning, dloc_mlir_number location);
/* The location in the primary on whose scope a producer's debug info hangs: a fused one with metadata, or a dialect's own
 * one. An unknown one: there is none. */
dloc_mlir_number mlir_scope_of(const dloc_mlir_meaning *meaning, dloc_mlir_number location);
/* Of its place; DLOC_NULL: there is none. */
dloc_node mlir_file_of(const dloc_mlir_meaning *meaning, dloc_mlir_number location);
/* Whether the scope of such a location can stay around another location. */
bool mlir_is_understood(const dloc_mlir_location *scope);
