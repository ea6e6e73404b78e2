/* Private to model/: what merge.c (DebugLocs, layers) and merge_location.c (two DILocations) share. */
#pragma once

#include "layers.h"

typedef struct merger {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_trace *trace;
  dloc_reason reason; /* why DLOC_INVALID */
  merge_work *work;
} merger;

/* Merge two DILocations, neither of them null, by `merge.rules`. `divergent_is_empty`: a divergent pair gives
 * DLOC_NULL. */
dloc_status merge_locations(merger *m, dloc_node a, dloc_node b, bool divergent_is_empty, dloc_node *ret);

/* Line 0 in the scope of a location that does not merge with another, without inlinedAt (`merge.divergent`,
 * `merge.primary-lost`). */
dloc_status merge_line_0(merger *m, dloc_node location, dloc_node *ret);
/* The common layers of two lists, either of which may be DLOC_NULL; *ret untouched when that is nothing. */
dloc_status merge_lists(merger *m, dloc_node first, dloc_node second, dloc_node *ret);
