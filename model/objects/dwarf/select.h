/* Private to model/objects: .debug_line whose rows are those of a layer. spec/hidden.md 18.4 */
#pragma once

#include "objects/dloc_symbolizer.h"
#include "nodes/array.h"

typedef struct dloc_selected_table {
  const dloc_line_table *primary;
  dloc_code code;
  dloc_layer_lines *layers;
  dloc_text kind;
  dloc_text directory; /* where the texts are */
  const uint64_t *functions;
  size_t function_count;
} dloc_selected_table;
/* The new section. A relocatable object needs its addresses; pieces are where units begin, and have no size. */
typedef struct selected_lines {
  dloc_buffer bytes;
  ARRAY(dloc_made_address) addresses;
  ARRAY(dloc_made_piece) units;
} selected_lines;
/* ret is deinitialised by the caller. DLOC_INVALID: a unit has an unknown version. DLOC_LIMIT: sequences of the primary
 * overlap beyond measure. */
dloc_status select_table(dloc_context *context, const dloc_profile *profile, const dloc_selected_table *of,
                         selected_lines *ret);
