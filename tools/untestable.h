/* untestable.h - clauses that no test can reach, from a file of lines `ANCHOR: REASON`. */
#ifndef DLOC_TOOLS_UNTESTABLE_H
#define DLOC_TOOLS_UNTESTABLE_H

#include "run/expected.h"
#include "tools.h"

typedef struct untestable {
  tool_input input;
  expected_list list;
  dloc_text reasons[DLOC_CLAUSE_COUNT]; /* empty: some test can reach the clause */
} untestable;

/* path NULL: no such clause. Ends the program, after messages, when the file is wrong. */
void untestable_open(const char *path, untestable *ret);
void untestable_close(untestable *u);

#endif
