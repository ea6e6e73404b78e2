/* Contexts share nothing: threads with a context each call every public function at the same time. The suite `threads`
 * builds this with -fsanitize=thread, which sees what they share. */
#include "contract.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { THREADS = 2 };

static pthread_barrier_t start;

/* user: the name of a function that failed. */
static void call_row(const contract_row *row, void *user) {
  const char **failed = user;
  contract_result ret;
  world w;
  world_init(&w, NULL);
  if (contract_call(row, &w, false, &ret) != DLOC_OK || (row->call && row->call(&w, true, &ret) != DLOC_INVALID))
    *failed = row->name;
  world_deinit(&w);
}

static void *call_all(void *user) {
  pthread_barrier_wait(&start);
  contract_each_row(call_row, user);
  return NULL;
}

static void test_contexts_in_threads(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  const char *failed[THREADS] = {NULL};
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, call_all, &failed[i]), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
  for (int i = 0; i < THREADS; i++)
    if (failed[i])
      fail_msg("%s fails beside another thread", failed[i]);
}

static int read_inputs(void **state) {
  (void)state;
  return contract_read_inputs() ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_contexts_in_threads)};
  return cmocka_run_group_tests(tests, read_inputs, NULL);
}
