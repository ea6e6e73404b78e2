/* Causes of differences, conformance/experiments/fuzz/cause.c. */
#include "document/memory.h"
#include "experiments/fuzz/fuzz.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

enum { LINE = 80, SHORT = 4000, LONG = 32000 };

/* A chain of locations: each is referred to by the one before, in the same field; the last line has another number. */
static run_answer chain(size_t count, const char *field, unsigned line) {
  char *text = memory_allocate(count + 2, LINE);
  int size = snprintf(text, LINE, "result: !0\n");
  for (size_t i = 0; i < count; i++)
    size += snprintf(text + size, LINE, "!%zu = !DILocation(line: 1, %s: !%zu)\n", i, field, i + 1);
  snprintf(text + size, LINE, "!%zu = !DILocation(line: %u)\n", count, line);
  return (run_answer){.outcome = RUN_OK, .text = text};
}

static fuzz_cause cause_of(size_t count, const char *field) {
  vector v = {.op = VECTOR_MERGE};
  run_answer a = chain(count, field, 1), b = chain(count, field, 2);
  fuzz_cause cause = fuzz_cause_of(&v, &a, &b);
  free(a.text);
  free(b.text);
  return cause;
}

static void a_cause_is_the_way_but_not_its_length(void **state) {
  (void)state;
  const fuzz_cause one = cause_of(1, "inlinedAt"), three = cause_of(3, "inlinedAt"), scope = cause_of(3, "scope");
  assert_true(fuzz_cause_equal(&one, &three));
  assert_false(fuzz_cause_equal(&one, &scope));
}

static double seconds(size_t count) {
  clock_t start = clock();
  cause_of(count, "scope");
  return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Eight times the answer takes eight times as long, and 64 times as long when each step looks through all of it. */
static void a_long_way_is_walked_in_linear_time(void **state) {
  (void)state;
  double least_short = 1e9, least_long = 1e9;
  for (int i = 0; i < 5; i++) {
    double brief = seconds(SHORT), lengthy = seconds(LONG);
    least_short = brief < least_short ? brief : least_short;
    least_long = lengthy < least_long ? lengthy : least_long;
  }
  assert_true(least_long < 30 * least_short);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_cause_is_the_way_but_not_its_length),
                                     cmocka_unit_test(a_long_way_is_walked_in_linear_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
