/* Tests of the reports: differences of graphs, records read back. */
#include "reports/graph_diff.h"
#include "reports/report.h"
#include "reports/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Differences of graphs ---- */

static void append_line(void *user, char sign, dloc_text line) {
  dloc_sink sink = dloc_buffer_sink(user);
  assert_true(sink.write(sink.user, &sign, 1));
  if (line.size)
    assert_true(sink.write(sink.user, line.bytes, line.size));
  assert_true(sink.write(sink.user, "\n", 1));
}

static void assert_diff(const char *expected, const char *actual, const char *wanted) {
  dloc_buffer told = {0};
  graph_diff(dloc_text_of(expected), dloc_text_of(actual), append_line, &told);
  assert_string_equal(told.size ? told.bytes : "", wanted);
  dloc_buffer_deinit(&told);
}

static void finds_a_lost_layer(void **state) {
  (void)state;
  assert_diff("result !0\n!0 = !{!1, !2, !3}\n!1 = !DILocation(line: 7, scope: !4)\n"
              "!2 = !{!\"TileIR\", !1}\n!3 = !{!\"MLIR\", !5}\n!4 = !DISubprogram(name: \"f\")\n"
              "!5 = !DILocation(line: 9, scope: !4)\n",
              "result !0\n!0 = !{!1, !2}\n!1 = !DILocation(line: 7, scope: !3)\n!2 = !{!\"MLIR\", !4}\n"
              "!3 = !DISubprogram(name: \"f\")\n!4 = !DILocation(line: 9, scope: !3)\n",
              " result !0\n-!0 = !{!1, !2, !3}\n+!0 = !{!1, !3}\n !1 = !DILocation(line: 7, scope: !4)\n"
              "-!2 = !{!\"TileIR\", !1}\n !3 = !{!\"MLIR\", !5}\n !4 = !DISubprogram(name: \"f\")\n"
              " !5 = !DILocation(line: 9, scope: !4)\n");
}

static void finds_a_changed_field(void **state) {
  (void)state;
  assert_diff("result !0\n!0 = !DILocation(line: 0, scope: !1)\n!1 = !DIFile(filename: \"!7, {(\", directory: \"d\")\n",
              "result !0\n!0 = !DILocation(line: 4, scope: !1)\n!1 = !DIFile(filename: \"!7, {(\", directory: \"d\")\n",
              " result !0\n-!0 = !DILocation(line: 0, scope: !1)\n+!0 = !DILocation(line: 4, scope: !1)\n"
              " !1 = !DIFile(filename: \"!7, {(\", directory: \"d\")\n");
}

static void tells_nodes_of_one_graph_only(void **state) {
  (void)state;
  assert_diff("result null\n", "result !0\n!0 = !DILocation(line: 1, inlinedAt: !0)\n",
              "-result null\n+result !0\n+!0 = !DILocation(line: 1, inlinedAt: !0)\n");
  assert_diff("a !0\n!0 = !{!1}\n!1 = !{}\n", "a !0\n!0 = !{}\n", " a !0\n-!0 = !{!1}\n+!0 = !{}\n-!1 = !{}\n");
}

static void compares_any_text(void **state) {
  (void)state;
  assert_diff("", "", "");
  assert_diff("a\nb\nc\n", "a\nc\nd", " a\n-b\n c\n+d\n");
  assert_diff("!0 = x\nno graph !0\n", "!0 = y\n", "-!0 = x\n-no graph !0\n+!0 = y\n");
  assert_diff("a,!0\n", "b,!0\n", "-a,!0\n+b,!0\n");
  assert_diff("!99999999999999999999\n", "!4294967295 !\n", "-!99999999999999999999\n+!4294967295 !\n");
}

/* More lines than one is looked for ahead. */
static void tells_much_as_a_whole(void **state) {
  (void)state;
  char *before = calloc(1, 16001), *after = calloc(1, 16001);
  assert_true(before && after);
  for (size_t i = 0; i < 16000; i += 2) {
    memcpy(before + i, "a\n", 2);
    memcpy(after + i, "b\n", 2);
  }
  dloc_buffer told = {0};
  graph_diff(dloc_text_of(before), dloc_text_of(after), append_line, &told);
  assert_int_equal(told.size, 2 * 8000 * 3);
  dloc_buffer_deinit(&told);
  free(before);
  free(after);
}

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
  record_finding findings[] = {{"merge.empty", RUN_FOLLOWS_ONE, "drop", witnesses, 2}};
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
  writer w = {dloc_buffer_sink(&text), false};
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
  assert_int_equal(report_text(&r, 9, sink), DLOC_STOPPED);
  assert_int_equal(report_json(&r, sink), DLOC_STOPPED);
  assert_int_equal(calls, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_a_lost_layer),
      cmocka_unit_test(finds_a_changed_field),
      cmocka_unit_test(tells_nodes_of_one_graph_only),
      cmocka_unit_test(compares_any_text),
      cmocka_unit_test(tells_much_as_a_whole),
      cmocka_unit_test(reads_back_what_it_wrote),
      cmocka_unit_test(replaces_what_is_no_text),
      cmocka_unit_test(stops_with_the_sink),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
