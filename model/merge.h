/* Private to model/: what merge.c (DebugLocs, layers) and merge_location.c (two DILocations) share. */
#ifndef DLOC_MERGE_H
#define DLOC_MERGE_H

#include "metadata.h"

typedef struct merger {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_trace *trace;
  dloc_reason reason; /* why DLOC_INVALID */
  map places;         /* merge_location.c: scopes met, places met */
  map kinds;          /* merge.c: layers of the second location by kind */
  map taken;          /* merge.c: kinds of the first location met so far */
  scratch first;      /* merge_location.c: the chain or scopes of the first location */
  scratch second;
  scratch layers; /* merge.c: pairs of kind and location of the result */
} merger;

/* Tell the caller's trace that a clause was applied. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void merge_step(const merger *m, dloc_clause clause, const char *format, ...);

/* Merge two DILocations, neither of them null, by `merge.rules`. `divergent_is_empty`: a divergent pair gives
 * DLOC_NULL. */
dloc_status merge_locations(merger *m, dloc_node a, dloc_node b, bool divergent_is_empty, dloc_node *ret);

/* Line 0 in the scope of a location, without inlinedAt (`merge.divergent`, `merge.primary-lost`). */
dloc_status merge_line_0(merger *m, dloc_node location, dloc_node *ret);

#endif
