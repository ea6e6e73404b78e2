/* fingerprint.h - dloc run --fingerprint: which alternative of each choice implementations follow. */
#ifndef DLOC_TOOLS_FINGERPRINT_H
#define DLOC_TOOLS_FINGERPRINT_H

#include "run/runner.h"

typedef struct fingerprint_column {
  run_implementation implementation;
  run_results results;
} fingerprint_column;

/* One implementation: its alternatives, each with the vectors that told it. Several: a table. form is "text",
 * "witnesses" (below a table, the vectors) or "json"; path NULL is stdout. False, after a message, when it could not be
 * written. */
bool fingerprint_write(const fingerprint_column *columns, size_t count, const char *form, const char *path);

#endif
