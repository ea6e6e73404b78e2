/* runner_internal.h - what the files of the runner share: answer.c, fingerprint.c, judge.c, runner.c. */
#ifndef DLOC_RUNNER_INTERNAL_H
#define DLOC_RUNNER_INTERNAL_H

#include "runner.h"

/* malloc's, NUL-terminated; NULL when memory is short. */
char *runner_copy(const char *bytes, size_t size);

/* Where expectations are read: memory and a context that serve many of them. Zeroed but for the arena's init. */
typedef struct reader {
  value_arena arena;
  dloc_context *context;
  unsigned uses;
} reader;

enum { READER_USES = 256 };

void reader_deinit(reader *r);

bool needs_layers(const vector *v);
bool rejects_tuples(const dloc_profile *profile);

/* A vector with the answers of both passes. */
typedef struct judged {
  const vector *vector;
  const char *path;
  const run_answer *first;
  const run_answer *second;
} judged;

/* Find out what the evidence says, once it is complete. */
void fingerprint_settle(run_fingerprint *f);
void fingerprint_deinit(run_fingerprint *f);
/* Take over evidence; it is released when that fails. */
dloc_status fingerprint_add(run_fingerprint *f, run_evidence *evidence);

/* Add a result and count it. */
dloc_status judge_vector(const runner *r, const judged *given, reader *scratch, run_results *results);

#endif
