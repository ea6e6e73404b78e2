/* mlir.h - private to model/objects/mlir: how the locations of a text are kept. */
#ifndef DLOC_MLIR_PRIVATE_H
#define DLOC_MLIR_PRIVATE_H

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
/* Behind the string whose quote is at `at`; NULL: it is not closed in its line. */
const char *mlir_string(const char *at, const char *end);
/* Behind the letters, digits, `_`, `$` and `.` of a name; `-` as well in names behind `#`, `%` and the like. */
const char *mlir_word(const char *at, const char *end);
const char *mlir_name(const char *at, const char *end);

#endif
