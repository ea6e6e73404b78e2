/* runner_internal.h - what the files of the runner share: answer.c, fingerprint.c, judge.c, runner.c. */
#pragma once

#include "runner.h"
#include "vector/inquiry.h"

bool needs_layers(const vector *v);
bool rejects_tuples(const dloc_profile *profile);

/* A vector, and the answers of both passes. */
typedef struct question {
  vector vector;
  const char *path;
  run_answer answers[2];
} question;

/* Add an answer, unless the evidence is complete; */
void fingerprint_add(run_fingerprint *f, size_t item, const vector *v, const run_answer *answer);
/* it is complete when its vectors go: they are kept, and the arena is empty then. */
void fingerprint_keep(run_fingerprint *f, value_arena *documents);
/* Find out what the evidence says. */
void fingerprint_settle(run_fingerprint *f);
void fingerprint_deinit(run_fingerprint *f);

/* Add a result and count it. second: the answer of the second pass, or what stands for it. */
void judge_vector(const runner *r, const question *given, const run_answer *second, inquiry *q, run_results *results);
