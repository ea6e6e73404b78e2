/* Tests of what reports are written with. */
#include "reports/report.h"
#include "reports/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void writes_each_line(void **state) {
  (void)state;
  static const char *const choices[] = {"merge.empty=drop"};
  run_settings settings = {
      .profile = *dloc_profile_find(dloc_text_of("rfc")), .profile_name = "rfc", .choices = choices, .choice_count = 1};
  run_implementation implementation = {.name = "i", .remark = "odd"};
  run_result items[] = {result_of("b", RUN_KNOWN, "y\n"), result_of("a", RUN_DIFFERENT, NULL)};
  run_results results = {.items = items, .count = 2};
  adapter a = {.notes = {"\x7f \xef\xbf\xbd"}, .note_count = 1};
  expected_entry entry = {.id = dloc_text_of("gone"), .line = 7, .profiles = UINT32_MAX, .seen = true};
  expected_list expected = {&entry, 1};
  record r = {&settings, &implementation, &results, &a, &expected, NULL, "dloc run", false};
  results.fingerprint.told[DLOC_CHOICE_SHAPE_TUPLE] = (run_told){.telling = 1, .stray = 2};
  dloc_buffer text = {0};
  writer w = {.sink = dloc_buffer_sink(&text)};
  report_json(&w, &r);
  assert_int_equal(write_finish(&w), DLOC_OK);
  assert_string_equal(
      text.bytes,
      "{\"implementation\": \"i\", \"version\": \"\", \"command\": \"dloc run\", \"remark\": \"odd\", \"profile\": \"rfc\", \"choices\": [\"merge.empty=drop\"]}\n"
      "{\"id\": \"b\", \"clauses\": [\"merge.line\"], \"level\": \"must\", \"op\": \"merge\", "
      "\"outcome\": \"ok\", \"verdict\": \"known\", \"basis\": \"derived\", \"digest\": \"d\", "
      "\"expected\": \"x\", \"actual\": \"y\\n\", \"known\": \"why \\\\ \\\"not\\\"\\n\\u0001 \\u2028\"}\n"
      "{\"id\": \"a\", \"clauses\": [\"merge.line\"], \"level\": \"must\", \"op\": \"merge\", "
      "\"outcome\": \"ok\", \"verdict\": \"different\", \"basis\": \"derived\", \"digest\": \"d\", "
      "\"expected\": \"x\"}\n"
      "{\"choice\": \"shape.tuple\", \"follows\": \"mixed\", \"alternatives\": \"mixed\", \"profile\": "
      "\"accept\", \"witnesses\": [\"a\"]}\n"
      "{\"vectors\": 2, \"as-expected\": 0, \"different\": 1, \"known\": 1, \"skipped\": 0, "
      "\"not-judged\": 0, \"by-model\": 0, \"not-applicable\": 0, \"unreadable\": 0, "
      "\"layers-lost-as-expected\": 0, \"restarts\": 0, \"outcomes\": {\"ok\": 2, \"reject\": 0, "
      "\"degraded\": 0, \"refused\": 0, \"skipped\": 0, \"errored\": 0, \"crash\": 0, \"hang\": 0, \"not-asked\": "
      "0, \"nondet\": 0}, \"stale\": [{\"line\": 7, \"seen\": true, \"id\": \"gone\"}], \"faults\": "
      "[\"\\u007f \xef\xbf\xbd\"], \"fault-count\": 1, \"good\": false}\n");
  dloc_buffer_deinit(&text);
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
  run_result items[] = {result_of("a", RUN_DIFFERENT, "y")};
  run_results results = {.items = items, .count = 1};
  run_settings settings = {.profile = *dloc_profile_at(0)};
  run_implementation implementation = {.name = "i"};
  adapter a = {.note_count = 0};
  record r = {&settings, &implementation, &results, &a, NULL, NULL, NULL, false};
  size_t calls = 0;
  dloc_sink sink = {takes_nothing, &calls};
  writer w = {.sink = sink};
  report_json(&w, &r);
  assert_int_equal(write_finish(&w), DLOC_STOPPED);
  assert_int_equal(calls, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_each_line),
      cmocka_unit_test(replaces_what_is_no_text),
      cmocka_unit_test(stops_with_the_sink),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
