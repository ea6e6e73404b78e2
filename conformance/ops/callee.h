/* callee.h - the function that an inlined call of a vector calls. */
#pragma once

#include "term.h"

/* Instructions of a callee, behind dloc_instruction_class: no rule tells these from a plain one, which an adapter makes a call. */
enum { CALLEE_STORE = DLOC_INSTRUCTION_ANY_CALL + 1, CALLEE_LOAD, CALLEE_PHI };

/* The calls of the args of `inline`, which are one or a list of them. */
size_t inlined_calls(const term *args, const term **ret);

/* The subprogram of the function in which an instruction with this location stands; DLOC_NULL when it tells none. */
dloc_node instruction_subprogram(const dloc_context *context, dloc_node debug_loc);
/* The subprogram that the callee's locations belong to; DLOC_NULL when it has none. */
dloc_node callee_subprogram(const dloc_context *context, const term *call);
/* The first call of the same function, maybe the call itself. A subprogram can belong to one function only, so equal
 * callees with one share it; false when two that differ have the same: no module can have both. */
bool callee_find(const dloc_context *context, const term *args, uint32_t call, uint32_t *ret);
