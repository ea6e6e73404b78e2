/* test_runner.c - child processes, expected-failure lists, protocol lines, and the runner with adapters made of
 * functions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "run/expected.h"
#include "run/process.h"
#include "run/protocol.h"
#include "reports/report.h"
#include "run/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Processes ---- */

static int run_shell(const char *script, dloc_text input, double seconds, process *ret) {
  char shell[] = "/bin/sh", option[] = "-c";
  char *argv[] = {shell, option, (char *)(uintptr_t)script, NULL};
  return process_run(argv, input, seconds, 1 << 20, ret);
}

static void collects_both_streams(void **state) {
  (void)state;
  process child;
  assert_int_equal(run_shell("cat; echo error >&2; exit 3", dloc_text_of("input"), 10, &child), 0);
  assert_true(child.exited && WIFEXITED(child.status));
  assert_int_equal(WEXITSTATUS(child.status), 3);
  assert_string_equal(child.output.bytes, "input");
  assert_string_equal(child.errors.bytes, "error\n");
  process_end(&child);
}

static void moves_much_both_ways(void **state) {
  (void)state;
  size_t size = 900000;
  char *text = malloc(size);
  assert_non_null(text);
  memset(text, 'x', size);
  process child;
  assert_int_equal(run_shell("cat", (dloc_text){text, size}, 60, &child), 0);
  assert_int_equal(child.output.size, size);
  process_end(&child);
  free(text);
}

static void kills_a_hung_group(void **state) {
  (void)state;
  process child;
  double start = process_now();
  char path[] = "/tmp/test_runner_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  char script[100];
  snprintf(script, sizeof script, "(sleep 1; echo alive >%s) & sleep 1000", path);
  assert_int_equal(run_shell(script, dloc_text_of(""), 0.3, &child), 0);
  assert_true(child.timed_out);
  assert_true(process_now() - start < 30);
  sleep(2);
  char byte;
  assert_int_equal(read(descriptor, &byte, 1), 0); /* the grandchild is gone as well */
  close(descriptor);
  unlink(path);
  process_end(&child);
}

static void waits_for_no_grandchild(void **state) {
  (void)state;
  process child;
  double start = process_now();
  assert_int_equal(run_shell("echo done; sleep 1000 &", dloc_text_of(""), 60, &child), 0);
  assert_string_equal(child.output.bytes, "done\n");
  assert_false(child.timed_out);
  assert_true(process_now() - start < 30);
  process_end(&child);
}

static void limits_output(void **state) {
  (void)state;
  process child;
  assert_int_equal(run_shell("while :; do echo 0123456789; done", dloc_text_of(""), 60, &child), 0);
  assert_true(child.overflowed);
  assert_int_equal(child.output.size, 1 << 20);
  process_end(&child);
}

static void survives_a_closed_input(void **state) {
  (void)state;
  size_t size = 1 << 20;
  char *text = calloc(1, size);
  assert_non_null(text);
  process child;
  assert_int_equal(run_shell("exec <&-; echo fine", (dloc_text){text, size}, 60, &child), 0);
  assert_string_equal(child.output.bytes, "fine\n");
  process_end(&child);
  free(text);
}

static void reports_a_missing_program(void **state) {
  (void)state;
  char name[] = "/nonexistent/program";
  char *argv[] = {name, NULL};
  process child;
  assert_int_equal(process_run(argv, dloc_text_of(""), 1, 1024, &child), ENOENT);
}

/* ---- Expected failures ---- */

static void reads_a_list(void **state) {
  (void)state;
  expected_list list;
  uint32_t line;
  const char *message = NULL;
  const dloc_profile *rfc = dloc_profile_at(0);
  const dloc_profile *llvm_19 = dloc_profile_find(dloc_text_of("llvm-19"));
  dloc_text text =
      dloc_text_of("# comment\n\nb.two: why: because\r\n a.one : reason\n[ llvm-22 llvm-19 ]\nc: reason\n");
  assert_int_equal(expected_read(text, &line, &message, &list), DLOC_OK);
  assert_int_equal(list.count, 3);
  expected_entry *entry = expected_find(&list, rfc, dloc_text_of("b.two"));
  assert_non_null(entry);
  assert_true(dloc_text_equal(entry->reason, dloc_text_of("why: because")));
  assert_int_equal(entry->line, 3);
  assert_null(expected_find(&list, rfc, dloc_text_of("b.tw")));
  assert_null(expected_find(NULL, rfc, dloc_text_of("b.two")));
  assert_null(expected_find(&list, rfc, dloc_text_of("c")));
  assert_non_null(expected_find(&list, llvm_19, dloc_text_of("c")));
  assert_false(expected_is_stale(&list.entries[2], rfc));
  assert_true(expected_is_stale(&list.entries[2], llvm_19));
  expected_deinit(&list);
}

static void rejects_a_bad_list(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t line;
  } cases[] = {{"a\n", 1},
               {"a:\n", 1},
               {"\n:x\n", 2},
               {"A: x\n", 1},
               {"a: x\nb: x\na: y\n", 3},
               {"[rfc]\na: x\n[llvm-19]\na: x\n[rfc]\na: y\n", 6},
               {"[]\n", 1},
               {"[rfc\n", 1},
               {"[rfc x]\n", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expected_list list;
    uint32_t line;
    const char *message = NULL;
    assert_int_equal(expected_read(dloc_text_of(cases[i].text), &line, &message, &list), DLOC_INVALID);
    assert_int_equal(line, cases[i].line);
    assert_non_null(message);
  }
}

/* ---- Protocol ---- */

static dloc_status read_line(const char *line, value_arena *arena, protocol_line *ret) {
  value_diagnostic diagnostic;
  return protocol_read(dloc_text_of(line), arena, &diagnostic, ret);
}

static void tells_lines_apart(void **state) {
  (void)state;
  value_arena arena = {0};
  protocol_line line;
  assert_int_equal(read_line("{\"seq\": 7, \"outcome\": \"skipped\"}", &arena, &line), DLOC_OK);
  assert_int_equal(line.kind, PROTOCOL_ANSWER);
  assert_int_equal(line.seq, 7);
  assert_int_equal(read_line("{\"flushed\": 9}", &arena, &line), DLOC_OK);
  assert_int_equal(line.kind, PROTOCOL_FLUSHED);
  assert_int_equal(line.seq, 9);
  static const char *const bad[] = {"",
                                    "hello",
                                    "[]",
                                    "{}",
                                    "{\"seq\": -1}",
                                    "{\"seq\": \"x\"}",
                                    "{\"seq\": 1",
                                    "{\"seq\": 1} {}",
                                    "{\"command\": \"run\", \"seq\": 1}",
                                    "\"\\u0000\"",
                                    "{\"seq\": 1, \"seq\": 2}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(read_line(bad[i], &arena, &line), DLOC_INVALID);
  value_arena_deinit(&arena);
}

static void reads_started(void **state) {
  (void)state;
  value_arena arena = {0};
  protocol_line line;
  value_diagnostic diagnostic;
  run_implementation implementation;
  assert_int_equal(read_line("{\"started\": 1, \"implementation\": \"x\", \"version\": \"2\", \"profile\": null, "
                             "\"capabilities\": [\"merge\", \"of the future\"]}",
                             &arena, &line),
                   DLOC_OK);
  assert_int_equal(protocol_read_started(line.value, &diagnostic, &implementation), DLOC_OK);
  assert_string_equal(implementation.name, "x");
  assert_string_equal(implementation.profile, "");
  assert_int_equal(implementation.capabilities, 1u << VECTOR_MERGE);
  assert_int_equal(read_line("{\"started\": 2, \"implementation\": \"x\", \"capabilities\": []}", &arena, &line),
                   DLOC_OK);
  assert_int_equal(protocol_read_started(line.value, &diagnostic, &implementation), DLOC_INVALID);
  value_arena_deinit(&arena);
}

/* ---- The runner ---- */

static const char vectors_text[] =
    "id: merge.a\nclauses: [merge.same]\nlevel: must\nsince: rfc\nneeds: [merge]\nop: merge\n"
    "args: [null, null]\nexpect: {outcome: ok, value: {result: null}}\n---\n"
    "id: equal.b\nclauses: [equal.levels]\nlevel: must\nsince: rfc\nneeds: [equal]\nop: equal\n"
    "args: [null, null]\nexpect: {outcome: ok, value: {equal: true}}\n---\n"
    "id: print.c\nclauses: [print.location]\nlevel: must\nsince: rfc\nneeds: [print]\nop: print\n"
    "args: [null]\nexpect: {outcome: ok, value: {text: none}}\n";

/* An adapter that answers by function; passes counts its calls of run. */
typedef struct scripted {
  adapter base;
  unsigned passes;
  void (*answer)(unsigned pass, const vector *v, run_answer *ret);
} scripted;

static bool scripted_start(adapter *a, run_implementation *ret) {
  (void)a;
  *ret = (run_implementation){.name = "scripted", .capabilities = 1u << VECTOR_MERGE | 1u << VECTOR_EQUAL};
  return true;
}

static bool scripted_run(adapter *a, const vector *const *vectors, run_answer *answers, size_t count) {
  scripted *self = (scripted *)a;
  for (size_t i = 0; i < count; i++)
    self->answer(self->passes, vectors[i], &answers[i]);
  self->passes++;
  return true;
}

static void scripted_stop(adapter *a) { (void)a; }

static void say(run_answer *ret, const vector *v, bool right) {
  dloc_context *context = dloc_context_create(NULL);
  value_arena arena = {0};
  vector_answer given = vector_ok(v, &arena);
  if (v->op == VECTOR_MERGE)
    *term_set_node(&arena, given.value, "result") = DLOC_NULL;
  else
    term_set_flag(given.value, "equal", right);
  if (v->op == VECTOR_MERGE && !right)
    run_answer_set(ret, RUN_DEGRADED, "lost");
  else
    assert_int_equal(run_answer_take(ret, context, &given), DLOC_OK);
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
}

static void answer_right(unsigned pass, const vector *v, run_answer *ret) {
  (void)pass;
  say(ret, v, true);
}

static void answer_wrong(unsigned pass, const vector *v, run_answer *ret) {
  (void)pass;
  say(ret, v, false);
}

static void answer_waveringly(unsigned pass, const vector *v, run_answer *ret) { say(ret, v, pass == 0); }

static void answer_nothing(unsigned pass, const vector *v, run_answer *ret) {
  if (pass == 0)
    say(ret, v, true);
}

static void answer_hang(unsigned pass, const vector *v, run_answer *ret) {
  (void)v;
  assert_int_equal(pass, 0);
  run_answer_set(ret, RUN_HANG, "hangs");
}

typedef struct outcome_of_run {
  run_results results;
  bool good;
  size_t stale;
  record_counts counts;
  size_t by_outcome[RUN_OUTCOME_COUNT];
} outcome_of_run;

/* mkstemps is not POSIX; a file that is named directly needs no suffix. */
static char *vectors_path(void) {
  static char path[32];
  strcpy(path, "/tmp/test_runner_XXXXXX");
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, vectors_text, sizeof vectors_text - 1), sizeof vectors_text - 1);
  close(descriptor);
  return path;
}

static outcome_of_run run_scripted(void (*answer)(unsigned, const vector *, run_answer *), expected_list *expected) {
  char *path = vectors_path();
  const char *paths[] = {path};
  suite_error error;
  suite *s;
  assert_int_equal(suite_create(paths, 1, &error, &s), DLOC_OK);
  scripted a = {.base = {.start = scripted_start, .run = scripted_run, .stop = scripted_stop}, .answer = answer};
  run_settings settings = {.profile = *dloc_profile_at(0), .timeout = 1, .jobs = 1};
  runner r = {.adapter = &a.base, .settings = &settings, .expected = expected};
  run_implementation implementation;
  outcome_of_run ret;
  assert_int_equal(runner_run(&r, s, &implementation, &ret.results), DLOC_OK);
  record told = {&settings, &implementation, &ret.results, &a.base, expected, NULL, NULL, false};
  ret.good = record_good(&told);
  ret.stale = record_stale(&told);
  ret.counts = record_totals(&told);
  record_outcomes(&told, ret.by_outcome);
  assert_int_equal(ret.results.count, 3);
  assert_int_equal(ret.by_outcome[RUN_SKIPPED], 1); /* print is none of its capabilities */
  for (size_t i = 0; i < ret.results.count; i++)
    ret.results.items[i].path = NULL; /* it goes with the suite */
  suite_destroy(s);
  unlink(path);
  return ret;
}

static void accepts_the_right(void **state) {
  (void)state;
  outcome_of_run run = run_scripted(answer_right, NULL);
  assert_true(run.good);
  assert_int_equal(run.counts.different, 0);
  run_results_deinit(&run.results);
}

static void sees_the_wrong(void **state) {
  (void)state;
  outcome_of_run run = run_scripted(answer_wrong, NULL);
  assert_false(run.good);
  assert_int_equal(run.counts.different, 2);
  assert_int_equal(run.by_outcome[RUN_DEGRADED], 1);
  run_results_deinit(&run.results);
}

static void sees_wavering(void **state) {
  (void)state;
  outcome_of_run run = run_scripted(answer_waveringly, NULL);
  assert_false(run.good);
  assert_int_equal(run.by_outcome[RUN_NONDET], 2);
  run_results_deinit(&run.results);
}

static void takes_no_silence_for_an_answer(void **state) {
  (void)state;
  outcome_of_run run = run_scripted(answer_nothing, NULL);
  assert_false(run.good);
  assert_int_equal(run.by_outcome[RUN_ERRORED], 2);
  run_results_deinit(&run.results);
}

static void asks_a_hung_one_once(void **state) {
  (void)state;
  outcome_of_run run = run_scripted(answer_hang, NULL);
  assert_false(run.good);
  assert_int_equal(run.by_outcome[RUN_HANG], 2);
  run_results_deinit(&run.results);
}

static outcome_of_run run_with_list(void (*answer)(unsigned, const vector *, run_answer *), const char *text) {
  expected_list list;
  uint32_t line;
  const char *message;
  assert_int_equal(expected_read(dloc_text_of(text), &line, &message, &list), DLOC_OK);
  outcome_of_run run = run_scripted(answer, &list);
  expected_deinit(&list);
  return run;
}

static void knows_expected_failures(void **state) {
  (void)state;
  outcome_of_run run = run_with_list(answer_wrong, "merge.a: known\nequal.b: known\n");
  assert_true(run.good);
  assert_int_equal(run.counts.known, 2);
  run_results_deinit(&run.results);
}

static void fails_stale_entries(void **state) {
  (void)state;
  outcome_of_run run = run_with_list(answer_right, "merge.a: known\n");
  assert_false(run.good);
  assert_int_equal(run.stale, 1);
  run_results_deinit(&run.results);
  run = run_with_list(answer_right, "merge.renamed: known\n");
  assert_int_equal(run.stale, 1);
  run_results_deinit(&run.results);
}

static void writes_a_report(void **state) {
  (void)state;
  outcome_of_run run = run_scripted(answer_wrong, NULL);
  scripted a = {.passes = 0};
  adapter_note(&a.base, "a fault with <>&\" and \x01");
  run_settings settings = {.profile = *dloc_profile_at(0)};
  run_implementation implementation = {.name = "scripted"};
  record r = {&settings, &implementation, &run.results, &a.base, NULL, NULL, NULL, false};
  dloc_buffer text = {0};
  writer w = {.sink = dloc_buffer_sink(&text)};
  report_json(&w, &r);
  assert_int_equal(write_finish(&w), DLOC_OK);
  assert_non_null(strstr(text.bytes, "{\"vectors\": 3, \"as-expected\": 0, \"different\": 2,"));
  assert_non_null(strstr(text.bytes, "\"fault-count\": 1, \"good\": false"));
  dloc_buffer_deinit(&text);
  run_results_deinit(&run.results);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(collects_both_streams),
      cmocka_unit_test(moves_much_both_ways),
      cmocka_unit_test(kills_a_hung_group),
      cmocka_unit_test(waits_for_no_grandchild),
      cmocka_unit_test(limits_output),
      cmocka_unit_test(survives_a_closed_input),
      cmocka_unit_test(reports_a_missing_program),
      cmocka_unit_test(reads_a_list),
      cmocka_unit_test(rejects_a_bad_list),
      cmocka_unit_test(tells_lines_apart),
      cmocka_unit_test(reads_started),
      cmocka_unit_test(accepts_the_right),
      cmocka_unit_test(sees_the_wrong),
      cmocka_unit_test(sees_wavering),
      cmocka_unit_test(takes_no_silence_for_an_answer),
      cmocka_unit_test(asks_a_hung_one_once),
      cmocka_unit_test(knows_expected_failures),
      cmocka_unit_test(fails_stale_entries),
      cmocka_unit_test(writes_a_report),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
