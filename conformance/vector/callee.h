/* callee.h - the functions in which a vector's locations stand, for adapters and tests that have to write them. */
#ifndef DLOC_CONFORMANCE_CALLEE_H
#define DLOC_CONFORMANCE_CALLEE_H

#include "vector.h"

/* The subprogram of the function in which an instruction with this location stands; DLOC_NULL when it tells none. */
dloc_node instruction_subprogram(const dloc_context *context, dloc_node debug_loc);
/* The subprogram that the callee's locations belong to; DLOC_NULL when it has none. */
dloc_node callee_subprogram(const dloc_context *context, const vector_call *call);
/* The first call of the same function, maybe the call itself. A subprogram can belong to one function only, so equal
 * callees with one share it; false when two that differ have the same: no module can have both. */
bool callee_find(const vector_case *built, uint32_t call, uint32_t *ret);

#endif
