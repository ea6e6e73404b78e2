/* complete.h - from a question to a vector: what the model answers is filled in. For generators and witnesses, whose
 * vectors nobody writes by hand. */
#pragma once

#include "vector.h"

/* Zero-initialise, then completer_init; the arena and the context are used up and emptied by each question. */
typedef struct completer {
  /* The choices that get entries of their alternatives, where they differ; NULL: none. */
  bool (*lists)(void *user, dloc_choice choice);
  void *user;
  bool traces; /* the clauses become those that the model applied; if false, they stay as they are */
  value_arena arena;
  dloc_context *context;
  dloc_buffer expected;
  dloc_buffer other;
} completer;

void completer_init(completer *c);
void completer_deinit(completer *c);
/* text is a vector in YAML with any `expect`. Write it in canonical form: unused nodes left out, `expect` as the model
 * answers under `since`, and entries under `choices` and `profiles` for those that answer otherwise. DLOC_INVALID with
 * a diagnostic when it is no vector. */
dloc_status complete_vector(completer *c, dloc_text text, value_diagnostic *diagnostic, dloc_sink sink);

/* The steps of complete_vector, in the completer's arena, which they do not reset. Read a text and leave unused nodes
 * out; */
dloc_status complete_read(completer *c, dloc_text text, value_diagnostic *diagnostic, value **ret_document,
                          vector *ret);
/* fill in `expect` as under a profile, and the clauses if the completer traces; profile NULL: under `since`, and the
 * choices and profiles. DLOC_INVALID when a node cannot exist. */
dloc_status complete_document(completer *c, const vector *v, const dloc_profile *profile, value *document);
