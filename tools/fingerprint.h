/* fingerprint.h - dloc run --fingerprint: which alternative of each choice implementations follow. */
#ifndef DLOC_TOOLS_FINGERPRINT_H
#define DLOC_TOOLS_FINGERPRINT_H

#include "run/runner.h"

#include <stdio.h>

typedef struct fingerprint_column {
  run_implementation implementation;
  run_results results;
} fingerprint_column;

/* One implementation: its alternatives, each with the vectors that told it. Several: a table, and below it their
 * witnesses if asked for. */
void fingerprint_write_text(const fingerprint_column *columns, size_t count, bool witnesses, FILE *file);
void fingerprint_write_json(const fingerprint_column *columns, size_t count, FILE *file);

#endif
