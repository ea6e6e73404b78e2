/* junit.c - runs as JUnit's XML, which continuous integration reads. */
#include "report.h"
#include "writer.h"

static void write_failure(writer *w, const run_result *result) {
  const char *element = record_broke(result) ? "error" : "failure";
  write_format(w, "><%s type=\"%s\" message=\"%s\">expected:&#10;", element, run_outcome_name(result->outcome),
               result->outcome == RUN_NONDET ? "two different answers" : "differs from what is expected");
  write_xml(w, result->expected);
  write_plain(w, "&#10;actual:&#10;");
  write_xml(w, result->actual);
  write_format(w, "</%s></testcase>\n", element);
}

static const char *why_skipped(const run_result *result) {
  return result->verdict == RUN_KNOWN     ? "known to fail"
         : result->outcome == RUN_SKIPPED ? result->actual
                                          : "not judged: nothing is held to it";
}

static void write_case(writer *w, const run_result *result) {
  write_plain(w, "    <testcase name=\"");
  write_xml(w, result->id);
  write_plain(w, "\" classname=\"");
  write_xml(w, result->clauses[0]);
  write_plain(w, "\"");
  if (record_differs(result)) {
    write_failure(w, result);
  } else if (result->verdict == RUN_EXPECTED) {
    write_plain(w, "/>\n");
  } else {
    write_plain(w, "><skipped message=\"");
    write_xml(w, why_skipped(result));
    if (result->known) {
      write_plain(w, ": ");
      write_xml(w, result->known);
    }
    write_plain(w, "\"/></testcase>\n");
  }
}

/* What belongs to no vector is a test case of its own, so that no reader of the file can miss it. */
static void write_faults(writer *w, const record *r) {
  if (!record_has_faults(r))
    return;
  write_plain(w, "    <testcase name=\"(the run)\" classname=\"run\"><failure message=\"");
  write_format(w, "%zu faults of the adapter, %zu stale expected failures, %zu unreadable vectors\">", r->fault_count,
               r->stale_count, r->unreadable);
  for (size_t i = 0; i < r->faults_kept; i++) {
    write_xml(w, r->faults[i]);
    write_plain(w, "&#10;");
  }
  for (size_t i = 0; i < r->stale_count; i++) {
    write_plain(w, "stale: ");
    write_xml(w, r->stale[i].id);
    write_plain(w, "&#10;");
  }
  write_plain(w, "</failure></testcase>\n");
}

static void write_suite(writer *w, const record *r) {
  size_t errors = 0, failures = record_has_faults(r);
  record_counts counts = record_totals(r);
  for (size_t i = 0; i < r->count; i++) {
    errors += record_differs(&r->results[i]) && record_broke(&r->results[i]);
    failures += record_differs(&r->results[i]) && !record_broke(&r->results[i]);
  }
  write_plain(w, "  <testsuite name=\"");
  write_xml(w, r->implementation);
  write_plain(w, " ");
  write_xml(w, r->version);
  write_plain(w, ", profile ");
  write_xml(w, r->profile);
  write_format(w, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", r->count + record_has_faults(r),
               failures, errors, counts.known + counts.skipped + counts.not_judged);
  if (r->seconds >= 0)
    write_format(w, " time=\"%.3f\"", r->seconds);
  write_plain(w, ">\n");
  for (size_t i = 0; i < r->count; i++)
    write_case(w, &r->results[i]);
  write_faults(w, r);
  write_plain(w, "  </testsuite>\n");
}

dloc_status report_junit(const record *records, size_t count, dloc_sink sink) {
  writer w = {sink, false};
  write_plain(&w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  for (size_t i = 0; i < count; i++)
    write_suite(&w, &records[i]);
  write_plain(&w, "</testsuites>\n");
  return write_finish(&w);
}
