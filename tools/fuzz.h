/* fuzz.h - what the files of `dloc fuzz` share: two implementations that are asked the same. */
#ifndef DLOC_TOOLS_FUZZ_H
#define DLOC_TOOLS_FUZZ_H

#include "gen_vector.h"
#include "run/runner.h"

/* An implementation with its settings. */
typedef struct fuzz_side {
  adapter *adapter;
  run_settings settings;
  run_implementation implementation;
} fuzz_side;

typedef struct fuzz_pair {
  fuzz_side a; /* under test */
  fuzz_side b; /* what it is compared with */
} fuzz_pair;

/* What two answers to one vector amount to. */
typedef enum fuzz_verdict { FUZZ_SAME, FUZZ_DIFFERENT, FUZZ_UNTOLD } fuzz_verdict;

fuzz_verdict fuzz_compare(const run_answer *a, const run_answer *b);
/* Ask both; the caller releases the answers. False: a message was printed. */
bool fuzz_ask(fuzz_pair *pair, const vector *const *vectors, run_answer *a, run_answer *b, size_t count);
void fuzz_release(run_answer *answers, size_t count);

/* The smallest vector that both still answer differently, in the same way: outcomes alike. On success *ret is its
 * document as JSON. False: a message was printed. */
bool fuzz_shrink(fuzz_pair *pair, const vector *v, const run_answer *a, const run_answer *b, dloc_buffer *ret);

#endif
