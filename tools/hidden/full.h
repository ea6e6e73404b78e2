/* full.h - the mode --full: the primaries and each kind of layer as a file of
 * their own, and the table, in a directory. */
#pragma once

#include "objects/dloc_hidden.h"
#include "lines/lines.h"

#define FULL_PRIMARY "primary"
#define FULL_TABLE "table"

typedef struct full_kind {
  char *kind;
  char *name; /* of its file: as names of sections have it */
} full_kind;

typedef struct full_kinds {
  full_kind *items;
  size_t count;
} full_kinds;

/* The kinds of a table's layers, in the order of its numbers. Ends the program, after a message, when a kind gives no
 * name. */
full_kinds full_kinds_of(const tool_input *input, dloc_context *context, dloc_hidden *hidden,
                         const dloc_profile *profile);
/* Why these kinds cannot have sections with names of their own; DLOC_REASON_NONE: they can. */
dloc_reason full_kinds_reason(dloc_context *context, dloc_hidden *hidden, const dloc_profile *profile);
void full_kinds_free(full_kinds *kinds);
/* DIR/NAMEENDING; malloc's. */
char *full_path(const char *directory, const char *name, const char *ending);
/* Warn that a function has no layers of a kind, as its code differs in that file. */
void full_tell_lost(const tool_input *input, dloc_text function, const char *kind);
