/* join.h - layers of a lowered module whose locations are numbers, onto the one that has its own locations. */
#pragma once

#include "objects/dloc_hidden.h"
#include "shell/tools.h"

/* The text that the layers of a kind are places of. */
typedef struct join_text {
  const char *kind;
  tool_input snapshot;
} join_text;

typedef struct join_request {
  dloc_profile profile; /* says the form */
  const join_text *texts;
  size_t text_count;
  bool constants_may_differ;
  bool counts;        /* tell them */
  const char *output; /* NULL or "-": standard output */
} join_request;

/* Both modules are text; table is in lines, and of context. Writes the module, or nothing. Returns the exit status of
 * the command. */
int join_modules(const join_request *request, const tool_input *base, const tool_input *numbered, dloc_context *context,
                 dloc_hidden *table);
