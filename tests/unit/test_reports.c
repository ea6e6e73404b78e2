/* Tests of the reports: records read back. */
#include "reports/report.h"
#include "reports/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Records ---- */

static const char *const one_clause[] = {"merge.line"};

static run_result result_of(const char *id, run_verdict verdict, const char *actual) {
  return (run_result){.id = id,
                      .digest = "d",
                      .level = "must",
                      .op = "merge",
                      .clauses = one_clause,
                      .clause_count = 1,
                      .outcome = RUN_OK,
                      .verdict = verdict,
                      .expected = "x",
                      .actual = actual,
                      .known = verdict == RUN_KNOWN ? "why \\ \"not\"\n\x01 \xe2\x80\xa8" : NULL};
}

static record record_over(run_result *results, size_t count) {
  return (record){
      .implementation = "i", .version = "", .profile = "rfc", .results = results, .count = count, .seconds = -1};
}

static dloc_buffer json_of(const record *r) {
  dloc_buffer text = {0};
  assert_int_equal(report_json(r, dloc_buffer_sink(&text)), DLOC_OK);
  return text;
}

static void reads_back_what_it_wrote(void **state) {
  (void)state;
  static const char *const choices[] = {"merge.empty=drop"}, *const faults[] = {"\x7f \xef\xbf\xbd"};
  static const char *const witnesses[] = {"b", "a"};
  run_result results[] = {result_of("b", RUN_KNOWN, "y\n"), result_of("a", RUN_DIFFERENT, NULL)};
  record_finding findings[] = {{"merge.empty", RUN_FOLLOWS_ONE, "drop", "keep", witnesses, 2}};
  record_stale stale[] = {{"gone", 7, true}};
  record r = record_over(results, 2), again;
  r.choices = choices, r.choice_count = 1;
  r.faults = faults, r.faults_kept = 1, r.fault_count = 3;
  r.findings = findings, r.finding_count = 1;
  r.stale = stale, r.stale_count = 1;
  dloc_buffer once = json_of(&r);
  value_diagnostic diagnostic;
  assert_int_equal(record_read((dloc_text){once.bytes, once.size}, &diagnostic, &again), DLOC_OK);
  dloc_buffer twice = json_of(&again);
  assert_string_equal(once.bytes, twice.bytes);
  assert_int_equal(again.stale[0].line, 7);
  assert_int_equal(again.fault_count, 3);
  assert_null(again.results[1].actual);
  assert_false(record_good(&again));
  record_deinit(&again);
  dloc_buffer_deinit(&once);
  dloc_buffer_deinit(&twice);
}

/* Bytes that are no UTF-8 are replaced. */
static void replaces_what_is_no_text(void **state) {
  (void)state;
  dloc_buffer text = {0};
  writer w = {.sink = dloc_buffer_sink(&text)};
  write_json(&w, "\xff\xc3[\xed\xa0\x80\x7f");
  assert_string_equal(text.bytes, "\"\\ufffd\\ufffd[\\ufffd\\ufffd\\ufffd\\u007f\"");
  dloc_buffer_deinit(&text);
}

static bool takes_nothing(void *user, const char *bytes, size_t size) {
  (void)bytes;
  (void)size;
  ++*(size_t *)user;
  return false;
}

static void stops_with_the_sink(void **state) {
  (void)state;
  run_result results[] = {result_of("a", RUN_DIFFERENT, "y")};
  record r = record_over(results, 1);
  size_t calls = 0;
  dloc_sink sink = {takes_nothing, &calls};
  assert_int_equal(report_json(&r, sink), DLOC_STOPPED);
  assert_int_equal(calls, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_back_what_it_wrote),
      cmocka_unit_test(replaces_what_is_no_text),
      cmocka_unit_test(stops_with_the_sink),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
