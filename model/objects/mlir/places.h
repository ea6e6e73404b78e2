/* places.h - dumps of a compiler that name places of the program's source alone: which op has which. spec/hidden.md,
 * chapter 20. */
#pragma once

#include "objects/dloc_mlir.h"

/* A place is an MDString, `FILE:LINE:COLUMN @[ FILE:LINE:COLUMN ...` from the innermost call on; DLOC_NULL: none. */
/* Of a location of LLVM, DLOC_NULL among them. */
dloc_status place_of(dloc_context *context, dloc_node location, dloc_node *ret);
/* The line of a place, if it is in a file of that name, folders aside; or 0. */
uint32_t place_in(const dloc_context *context, dloc_node place, dloc_text file);

/* The op of a text that has a place. */
typedef struct place_op {
  uint32_t line, column;
  bool exact; /* no other op has it */
} place_op;

typedef struct place_ops place_ops;
/* text is needed during the call only. DLOC_INVALID as of dloc_mlir_read. Destroy *ret in any case. Cost: linear. */
dloc_status place_ops_create(dloc_context *context, dloc_text text, dloc_diagnostic *diagnostic, place_ops **ret);
void place_ops_destroy(place_ops *ops); /* NULL is allowed */
/* Line 0: there is none. */
place_op place_ops_find(const place_ops *ops, const dloc_profile *profile, dloc_node place);
place_op place_ops_at(const place_ops *ops, uint32_t line);
