/* tap.c - a run in the Test Anything Protocol, version 13, which every
 * harness reads: a test point for each vector, and one for what belongs to none. */
#include "document/text.h"
#include "report.h"
#include "writer.h"

#include <string.h>

/* In a description, what would begin a directive or an escape is itself escaped. */
static void write_description(writer *w, const char *text) {
  for (const char *p = text ? text : ""; *p;) {
    size_t plain = strcspn(p, "#\\");
    dloc_text part = {p, plain};
    write_line(w, part);
    p += plain;
    if (*p)
      write_format(w, "\\%c", *p++);
  }
}

/* A literal block of YAML. A first line that begins with a blank would be taken for deeper indentation: then a string.
 */
static void write_block(writer *w, const char *key, const char *text) {
  if (!text)
    return;
  if (!*text || *text == ' ' || *text == '\n') {
    write_format(w, "  %s: ", key);
    write_json(w, text);
    write_plain(w, "\n");
    return;
  }
  write_format(w, "  %s: |\n", key);
  for (dloc_text rest = dloc_text_of(text); rest.size;) {
    write_plain(w, "    ");
    write_line(w, text_take_line(&rest));
    write_plain(w, "\n");
  }
}

static void write_diagnostics(writer *w, const run_result *result) {
  write_plain(w, "  ---\n  clause: ");
  write_json(w, result->clauses[0]);
  write_plain(w, "\n  outcome: ");
  write_json(w, run_outcome_name(result->outcome));
  if (result->path) {
    write_plain(w, "\n  file: ");
    write_json(w, result->path);
  }
  write_plain(w, "\n");
  bool wavers = result->outcome == RUN_NONDET;
  write_block(w, wavers ? "first" : "expected", result->expected);
  write_block(w, wavers ? "second" : "actual", result->actual);
  write_plain(w, "  ...\n");
}

static void write_point(writer *w, size_t number, const run_result *result) {
  bool bad = record_differs(result) || result->verdict == RUN_KNOWN;
  write_format(w, "%s %zu - ", bad ? "not ok" : "ok", number);
  write_description(w, result->id);
  if (result->verdict == RUN_KNOWN) {
    write_plain(w, " # TODO ");
    write_description(w, result->known ? result->known : "known to fail");
  } else if (result->verdict == RUN_NEUTRAL) {
    write_plain(w, " # SKIP ");
    write_description(w, result->outcome == RUN_SKIPPED ? result->actual : "not judged: nothing is held to it");
  }
  write_plain(w, "\n");
  if (bad)
    write_diagnostics(w, result);
}

static void write_item(writer *w, const char *text) {
  write_plain(w, "    - ");
  write_json(w, text);
  write_plain(w, "\n");
}

static void write_faults(writer *w, const record *r) {
  write_format(w, "not ok %zu - (the run)\n  ---\n  unreadable: %zu\n  faults: %zu\n", r->count + 1, r->unreadable,
               r->fault_count);
  if (r->faults_kept)
    write_plain(w, "  first faults:\n");
  for (size_t i = 0; i < r->faults_kept; i++)
    write_item(w, r->faults[i]);
  if (r->stale_count)
    write_plain(w, "  stale:\n");
  for (size_t i = 0; i < r->stale_count; i++)
    write_item(w, r->stale[i].id);
  write_plain(w, "  ...\n");
}

dloc_status report_tap(const record *r, dloc_sink sink) {
  writer w = {sink, false};
  bool faults = record_has_faults(r);
  write_format(&w, "TAP version 13\n1..%zu\n# ", r->count + faults);
  write_line(&w, dloc_text_of(r->implementation));
  write_plain(&w, " ");
  write_line(&w, dloc_text_of(r->version));
  write_plain(&w, ", profile ");
  write_line(&w, dloc_text_of(r->profile));
  write_plain(&w, "\n");
  for (size_t i = 0; i < r->count; i++)
    write_point(&w, i + 1, &r->results[i]);
  if (faults)
    write_faults(&w, r);
  return write_finish(&w);
}
