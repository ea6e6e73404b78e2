/* complete.h - from a question to a vector: what the model answers is filled in. For generators and witnesses, whose vectors nobody writes by hand. */
#ifndef DLOC_CONFORMANCE_COMPLETE_H
#define DLOC_CONFORMANCE_COMPLETE_H

#include "vector.h"

/* Zero-initialise, then completer_init; the arena and the context are used up and emptied by each question. */
typedef struct completer {
  /* Which choices get entries of their alternatives, where they differ; NULL: none. */
  bool (*lists)(void *user, dloc_choice choice);
  void *user;
  bool traces; /* the clauses are those that the model applied; else they stay as they are */
  value_arena arena;
  dloc_context *context;
  dloc_buffer expected;
  dloc_buffer other;
} completer;

dloc_status completer_init(completer *c);
void completer_deinit(completer *c);
/* text is a vector in YAML with any `expect`. Write it in canonical form: unused nodes left out, `expect` as the model answers under `since`, and entries
 * under `choices` and `profiles` for those that answer otherwise. DLOC_INVALID with a diagnostic when it is no vector. */
dloc_status complete_vector(completer *c, dloc_text text, value_diagnostic *diagnostic, dloc_sink sink);

#endif
