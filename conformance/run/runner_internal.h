/* runner_internal.h - what the files of the runner share: answer.c, fingerprint.c, judge.c, runner.c. */
#ifndef DLOC_RUNNER_INTERNAL_H
#define DLOC_RUNNER_INTERNAL_H

#include "runner.h"
#include "vector/inquiry.h"

bool needs_layers(const vector *v);
bool rejects_tuples(const dloc_profile *profile);

/* A vector with the answers of both passes. */
typedef struct judged {
  const vector *vector;
  const char *path;
  const run_answer *first;
  const run_answer *second;
} judged;

/* Add an answer, unless the evidence is complete; */
void fingerprint_add(run_fingerprint *f, size_t item, const vector *v, const run_answer *answer);
/* it is complete when its vectors go: they are kept, and the arena is empty then. */
void fingerprint_keep(run_fingerprint *f, value_arena *documents);
/* Find out what the evidence says. */
void fingerprint_settle(run_fingerprint *f);
void fingerprint_deinit(run_fingerprint *f);

/* Add a result and count it. */
void judge_vector(const runner *r, const judged *given, inquiry *q, run_results *results);

#endif
