/* Contexts share nothing: threads with a context each call every public function at the same time, run all vectors, and
 * try the laws. The suite `threads` builds this with -fsanitize=thread, which sees what they share. */
#include "contract.h"
#include "experiments/laws/laws.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { THREADS = 2 };

static pthread_barrier_t start;

/* A thread of each of users[], all at the same time. */
static void in_threads(void *(*run)(void *user), void *const users[THREADS]) {
  pthread_t threads[THREADS];
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run, users[i]), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
}

/* ---- Every public function ---- */

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

static void calls_in_threads(void **state) {
  (void)state;
  const char *failed[THREADS] = {NULL};
  in_threads(call_all, (void *[]){&failed[0], &failed[1]});
  for (int i = 0; i < THREADS; i++)
    if (failed[i])
      fail_msg("%s fails beside another thread", failed[i]);
}

/* ---- All vectors ---- */

typedef struct vectors_run {
  dloc_status status;
  run_results results;
} vectors_run;

/* What `dloc run --impl model vectors` does. */
static void *run_vectors(void *user) {
  vectors_run *ret = user;
  suite_error error;
  suite *s = NULL;
  run_implementation implementation;
  run_settings settings = {.profile = *dloc_profile_at(0), .timeout = 1, .jobs = 1};
  runner r = {.adapter = adapter_model_create(), .settings = &settings};
  pthread_barrier_wait(&start);
  ret->status = suite_create((const char *[]){"vectors"}, 1, &error, &s);
  if (ret->status == DLOC_OK)
    ret->status = runner_run(&r, s, &implementation, &ret->results);
  suite_destroy(s);
  r.adapter->destroy(r.adapter);
  return NULL;
}

static void vectors_in_threads(void **state) {
  (void)state;
  vectors_run runs[THREADS] = {{.status = DLOC_OK}};
  in_threads(run_vectors, (void *[]){&runs[0], &runs[1]});
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(runs[i].status, DLOC_OK);
    assert_int_equal(runs[i].results.count, runs[0].results.count);
    assert_true(runs[i].results.count > 1000);
    for (size_t j = 0; j < runs[i].results.count; j++)
      if (runs[i].results.items[j].verdict > RUN_NEUTRAL)
        fail_msg("%s differs beside another thread", runs[i].results.items[j].id);
  }
  for (int i = 0; i < THREADS; i++)
    run_results_deinit(&runs[i].results);
}

/* ---- The laws ---- */

static void *try_laws(void *user) {
  laws_settings settings = {.profile = dloc_profile_at(0), .scope = 1, .shards = 1};
  pthread_barrier_wait(&start);
  laws_run(&settings, user);
  return NULL;
}

static void laws_in_threads(void **state) {
  (void)state;
  law_result found[THREADS][LAW_COUNT], alone[LAW_COUNT];
  in_threads(try_laws, (void *[]){found[0], found[1]});
  laws_run(&(laws_settings){.profile = dloc_profile_at(0), .scope = 1, .shards = 1}, alone);
  for (int i = 0; i < THREADS; i++)
    assert_memory_equal(found[i], alone, sizeof alone);
}

static int read_inputs(void **state) {
  (void)state;
  return contract_read_inputs() ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(calls_in_threads), cmocka_unit_test(vectors_in_threads),
                                     cmocka_unit_test(laws_in_threads)};
  return cmocka_run_group_tests(tests, read_inputs, NULL);
}
