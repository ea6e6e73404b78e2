/* value_internal.h - what the files that implement value.h share. */
#ifndef DLOC_CONFORMANCE_VALUE_INTERNAL_H
#define DLOC_CONFORMANCE_VALUE_INTERNAL_H

#include "value.h"

/* Maps with more entries than this have an index. */
enum { VALUE_SMALL_MAP = 8 };

uint32_t value_hash(dloc_text text);
/* Slots in the index of a map; a power of two. */
uint32_t value_index_size(uint32_t entries);

#endif
