/* accessor.h - the parts of a location as the value of `accessor`. */
#ifndef DLOC_OPS_ACCESSOR_H
#define DLOC_OPS_ACCESSOR_H

#include "term.h"

void accessor_parts(const dloc_context *context, dloc_node location, value_arena *arena, term *value);

#endif
