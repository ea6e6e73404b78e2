/* fuzz.h - random vectors, asked of two implementations; each difference made as small as it can be. */
#pragma once

#include "run/runner.h"
#include "vector/complete.h"

/* An implementation with its settings. */
typedef struct fuzz_side {
  adapter *adapter;
  run_settings settings;
  run_implementation implementation;
} fuzz_side;

typedef struct fuzz_pair {
  fuzz_side a;       /* under test */
  fuzz_side b;       /* what it is compared with */
  const char *error; /* why something returned false */
} fuzz_pair;

/* The outcome of comparing two answers to one vector. */
typedef enum fuzz_verdict { FUZZ_SAME, FUZZ_DIFFERENT, FUZZ_UNTOLD } fuzz_verdict;

fuzz_verdict fuzz_compare(const run_answer *a, const run_answer *b);
/* Ask both; the caller releases the answers in any case. False: the run cannot go on. */
bool fuzz_ask(fuzz_pair *pair, const vector *const *vectors, run_answer *a, run_answer *b, size_t count);
void fuzz_release(run_answer *answers, size_t count);

/* ---- Causes ---- */

/* The subject of a difference. */
typedef struct fuzz_cause {
  vector_op op;
  run_outcome a, b;
  uint64_t place; /* in the answers: a hash */
} fuzz_cause;

fuzz_cause fuzz_cause_of(const vector *v, const run_answer *a, const run_answer *b);
bool fuzz_cause_equal(const fuzz_cause *a, const fuzz_cause *b);

typedef struct fuzz_clauses {
  uint64_t bits[(DLOC_CLAUSE_COUNT + 63) / 64];
} fuzz_clauses;

/* Those that the model applies to a vector. */
bool fuzz_has_clauses(const fuzz_clauses *all, const fuzz_clauses *wanted);
dloc_status fuzz_find_clauses(completer *c, const vector *v, const dloc_profile *profile, fuzz_clauses *ret);

/* ---- Minimal vectors ---- */

/* The smallest vector that both still answer differently, for the same cause and with these clauses or fewer. On
 * success *ret is its document as JSON. */
bool fuzz_shrink(fuzz_pair *pair, const vector *v, const fuzz_cause *cause, const fuzz_clauses *clauses,
                 dloc_buffer *ret);

/* A minimal vector. */
typedef struct fuzz_minimum {
  vector vector;
  value canonical;
  char digest[33]; /* before it had a name */
  char name[80];
} fuzz_minimum;

/* Give it names of nodes, an id and an expectation, under that profile, which depend on its content alone. ret lives in
 * the completer's arena. */
dloc_status fuzz_finish(completer *c, dloc_text minimum, const dloc_profile *profile, fuzz_minimum *ret);

/* ---- Runs ---- */

enum { FUZZ_BATCH = 2048, FUZZ_KINDS = 256 };

/* The differences of one cause whose minimal vectors apply the same clauses; one of these is reported. `common`: what
 * clauses all of the differences have. Another one that has them will become the same, and after a few it is not
 * reduced. */
typedef struct fuzz_kind {
  fuzz_cause cause;
  fuzz_clauses minimal, common;
  size_t count;
} fuzz_kind;

/* Some megabytes. Zero-initialise, and fill in the first part; next starts at 1. */
typedef struct fuzz {
  fuzz_pair pair;
  vector_op ops[VECTOR_OP_COUNT];
  size_t op_count;
  uint64_t seed, cases, most; /* minimal vectors, after which differences are only counted */
  uint64_t shard, shards;     /* case N is of shard N mod shards */
  /* A minimal vector that is none of those before, and both answers to it. */
  void (*report)(struct fuzz *f, const fuzz_minimum *found, uint64_t number, const run_answer *a, const run_answer *b);
  void *user;

  uint64_t next; /* case */
  uint64_t tried, untold, different, found;

  fuzz_kind kinds[FUZZ_KINDS];
  size_t kind_count;
  completer completer; /* of a batch */
  dloc_buffer text;
  vector vectors[FUZZ_BATCH];
  const vector *asked[FUZZ_BATCH];
  uint64_t numbers[FUZZ_BATCH];
  run_answer a[FUZZ_BATCH];
  run_answer b[FUZZ_BATCH];
  size_t count;
} fuzz;

/* The next cases, up to FUZZ_BATCH of them. Case N of a seed is the same everywhere. False: the run cannot go on. */
bool fuzz_run_batch(fuzz *f);
