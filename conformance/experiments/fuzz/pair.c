/* pair.c - two implementations are asked the same, and their answers compared. */
#include "fuzz.h"

fuzz_verdict fuzz_compare(const run_answer *a, const run_answer *b) {
  if (a->outcome == RUN_UNANSWERED || a->outcome == RUN_SKIPPED || b->outcome == RUN_UNANSWERED ||
      b->outcome == RUN_SKIPPED)
    return FUZZ_UNTOLD;
  if (b->outcome == RUN_OK || b->outcome == RUN_REJECT)
    return run_answer_satisfies(a, b) ? FUZZ_SAME : FUZZ_DIFFERENT;
  return a->outcome == b->outcome ? FUZZ_SAME : FUZZ_DIFFERENT;
}

static bool ask_side(fuzz_pair *pair, fuzz_side *side, const vector *const *vectors, run_answer *answers,
                     size_t count) {
  if (adapter_ask(side->adapter, vectors, answers, count))
    return true;
  pair->error = side->adapter->error;
  return false;
}

bool fuzz_ask(fuzz_pair *pair, const vector *const *vectors, run_answer *a, run_answer *b, size_t count) {
  bool asked_a = ask_side(pair, &pair->a, vectors, a, count); /* both are initialised in any case */
  bool asked_b = ask_side(pair, &pair->b, vectors, b, count);
  return asked_a && asked_b;
}

void fuzz_release(run_answer *answers, size_t count) {
  for (size_t i = 0; i < count; i++)
    run_answer_deinit(&answers[i]);
}
