/* Private to model/ll: where a part of a module stands in its text. A part that the text does not have is an
 * extent whose `at` is NULL. */
#pragma once

#include "nodes/module.h"

typedef struct extent {
  const char *at;
  const char *end;
} extent;

/* Where some operands of lists begin, of those that were passed: any one is found from one near it, so that all of a
 * list, in whatever order, cost about one pass over it. The texts stay where they are. */
typedef struct extent_index {
  dloc_context *context;
  map begins; /* a list and the number of a block of operands -> how far behind the list's beginning */
} extent_index;

/* The attachment of an instruction or function that was asked for last: the next one is found from there. */
typedef struct extent_mark {
  const char *list;
  const char *at;
  size_t index;
} extent_mark;

/* The node behind the `=` of a definition that begins at `at`; of one that is very long, the beginning. */
extent extent_of_definition(const char *at, const char *end);
/* Whether it is `!N`, and which. */
bool extent_number(extent text, uint64_t *ret);
/* An operand of what stands in the first brackets of a text: of a node, of a record, of a call's arguments. index may
 * be NULL, for short texts. Where there is none, *ret_count is how many there are; it may be NULL. */
extent extent_operand(extent text, size_t number, extent_index *index, size_t *ret_count);
/* The value of a field of a node. */
extent extent_field(extent node, dloc_text name);
/* The attachment of an instruction or function under a name; the function's text ends before its body. index: which
 * of several; mark may be NULL. */
extent extent_attachment(extent text, dloc_text name, size_t index, extent_mark *mark);

/* All text of an instruction; of a function's header. */
extent extent_of_instruction(const dloc_module *module, uint32_t instruction);
extent extent_of_function(const dloc_module *module, uint32_t function);
