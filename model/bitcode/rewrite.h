/* Private to model/bitcode: a file of bitcode with a few records changed, and what stands behind them moved. */
#ifndef DLOC_BITCODE_REWRITE_H
#define DLOC_BITCODE_REWRITE_H

#include "reader.h"
#include "write_bits.h"

typedef enum edit_action {
  EDIT_KEEP,  /* the record stays */
  EDIT_DROP,  /* it goes */
  EDIT_REPEAT /* in its place stands the last DEBUG_LOC of the function that was there before all edits */
} edit_action;

/* The edit at a record, and how many records follow it. */
typedef struct edit {
  uint64_t bit; /* of the record in the stream */
  edit_action action;
  size_t added;
} edit;

/* Edits in the order of the file, with the records that they add: each its code, the number of its values, and the
 * values. */
typedef struct edit_list {
  ARRAY(edit) edits;
  ARRAY(uint64_t) values;
} edit_list;

/* The whole file. All but what was edited stays as it is, bit for bit, as far as it can: lengths of blocks, the offsets
 * of functions and of the symbol table, and a wrapper's length are those of the new file. */
dloc_status bitcode_rewrite(dloc_bitcode *b, dloc_text bytes, const edit_list *edits, dloc_sink sink);

#endif
