/* directives.h - line directives and embedded texts, as llc writes them for NVPTX.
 *
 * Each vector is a function of inline assembly statements, whose text is a comment with a number: the directives before
 * it are those of its instruction. The function's subprogram is that of the locations, or the adapter's own in a unit
 * that asks for directives only. */
#pragma once

#include "llvm.h"

/* ---- Writing ---- */

/* Returns the number of its subprogram: the given one, or the adapter's own. */
uint64_t directives_begin_function(llvm_text *t, const char *name, size_t position, dloc_node subprogram);
/* A statement with a probe's number; what follows it is its location. */
void directives_mark(llvm_text *t, uint32_t probe);
/* A statement for each location. */
void directives_write(llvm_batch *b, llvm_text *t, size_t position, const term *locations);

/* ---- Reading ---- */

/* `.loc FILE LINE COLUMN`, or a layer's `.loc_intermediate`. */
typedef struct directive {
  uint32_t file;
  uint32_t line;
  uint32_t column;
  bool is_layer;
} directive;

/* Each probe gets the directives since the one before: `first` of them and how many. Text before the first block
 * belongs to the function. */
typedef struct span {
  size_t first, count;
} span;

typedef struct listing {
  dloc_text output;
  directive *directives;
  size_t count;
  span *spans; /* by probe */
} listing;

/* Read the tool's output, and let `answer` do the rest. */
void directives_read(llvm_batch *b, void (*answer)(llvm_batch *b, const listing *l));
/* The layer's directive that is the last of a probe; or NULL. */
const directive *directives_layer(const listing *l, size_t probe);
/* The name that `.file` gives to a number; empty when it has none. In arena. */
dloc_text directives_file(const listing *l, uint32_t number, value_arena *arena);
/* "dir/NAME": the name. */
dloc_text directives_last_part(dloc_text path);

typedef struct embedded {
  dloc_text kind, text;
  uint32_t file;
  bool in_angles;
} embedded;

/* The embedded texts, at most that many, in arena. */
embedded *directives_texts(const listing *l, size_t most, value_arena *arena, size_t *ret_count);
/* Whether they stand before the names of files; there has to be one. */
bool directives_texts_stand_first(const listing *l);
