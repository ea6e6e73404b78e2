/* emit.h - what the op `emit` tells of embedded texts, whoever wrote them. */
#ifndef DLOC_OPS_EMIT_H
#define DLOC_OPS_EMIT_H

#include "term.h"

/* `marks` of the value: what stands before and behind a text. */
void emit_marks(value_arena *arena, bool in_angles, term *value);

#endif
