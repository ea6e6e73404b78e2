/* memory.h - memory for conformance/ and tools/: running out of it ends the program.
 *
 * The model is a library and reports DLOC_NO_MEMORY. A program can only give up: nothing below returns NULL, so none of
 * its callers has anything to check. The caller releases results with free or dloc_buffer_deinit. */
#pragma once

#include "dloc.h"
#include "nodes/try.h"

/* Say `dloc: out of memory` and exit with status 2. */
_Noreturn void memory_exhausted(void);

/* Zeroed memory for count elements; a count of 0 gives a valid pointer. */
void *memory_allocate(size_t count, size_t size);
/* realloc; what is added is not zeroed. */
void *memory_resize(void *old, size_t count, size_t size);
/* A NUL-terminated copy. */
char *memory_copy(dloc_text text);

/* An array that grows at its end: `*MEMORY_ADD(list->items, list->count) = item;`. It starts as NULL and 0. Its room
 * follows from its count (the next power of two), so nothing else may allocate it; elements may be taken off its
 * end. */
#define MEMORY_ADD(items, count) ((items) = memory_room_for_one((items), (count), sizeof *(items)), &(items)[(count)++])
void *memory_room_for_one(void *items, size_t count, size_t size);

OWNER(dloc_context)
OWNER(dloc_module)
OWNER(dloc_inliner)
OWNER(dloc_emitter)
OWNER(dloc_converter)
/* Frees what a variable points to, as in `OWNED(memory_release) char *text = memory_copy(name);`. */
void memory_release(void *owned);

/* A context of the model that takes its memory from here: the model never reports DLOC_NO_MEMORY with it. */
dloc_context *memory_context(void);
