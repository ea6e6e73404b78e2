#include "allocation.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

static void *failing_realloc(void *user, void *old, size_t size) {
  failing_allocator *state = user;
  if (state->budget == 0)
    return NULL;
  state->budget--;
  void *block = realloc(old, size);
  if (block && !old)
    state->live++;
  return block;
}

static void failing_free(void *user, void *old) {
  failing_allocator *state = user;
  if (old)
    state->live--;
  free(old);
}

dloc_allocator failing_allocator_of(failing_allocator *state) {
  return (dloc_allocator){failing_realloc, failing_free, state};
}

void fail_every_allocation(dloc_status (*run)(const dloc_allocator *allocator)) {
  for (size_t budget = 0;; budget++) {
    failing_allocator state = {.budget = budget};
    dloc_allocator allocator = failing_allocator_of(&state);
    dloc_status status = run(&allocator);
    assert_int_equal(state.live, 0);
    if (status == DLOC_OK) {
      assert_true(budget > 0);
      return;
    }
    assert_int_equal(status, DLOC_NO_MEMORY);
    assert_true(budget < 100000);
  }
}
