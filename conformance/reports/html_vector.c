/* html_vector.c - one vector of the page: its input, and each distinct answer with the implementations that gave it. */
#include "graph_diff.h"
#include "html_internal.h"

#include <string.h>

static const char *text_or_empty(const char *text) { return text ? text : ""; }

static bool same_text(const char *a, const char *b) { return strcmp(text_or_empty(a), text_or_empty(b)) == 0; }

/* ---- What it is ---- */

/* The first clause has a heading in any case. */
static void write_clauses(writer *w, const record_result *result, const bool *headed) {
  for (size_t i = 0; i < result->clause_count; i++) {
    dloc_clause clause;
    write_plain(w, i ? ", " : "");
    if (i == 0 || (dloc_clause_find(dloc_text_of(result->clauses[i]), &clause) && headed[clause])) {
      html_link(w, "clause", result->clauses[i]);
      continue;
    }
    write_plain(w, "<code>");
    write_html(w, result->clauses[i]);
    write_plain(w, "</code>");
  }
}

static void write_facts(writer *w, const html_row *row, const bool *headed) {
  const record_result *result = row->any;
  if (row->vector && row->vector->note[0]) {
    write_plain(w, "<p class=\"note\">");
    write_html(w, row->vector->note);
    write_plain(w, "</p>\n");
  }
  write_plain(w, "<p>operation <code>");
  write_html(w, result->op);
  write_plain(w, "</code>, level ");
  write_html(w, result->level);
  if (result->path) {
    write_plain(w, ", in <code>");
    write_html(w, result->path);
    write_plain(w, "</code>");
  }
  write_plain(w, "; it tests ");
  write_clauses(w, result, headed);
  write_plain(w, "</p>\n");
}

static bool was_changed(const html_report *report, const html_row *row) {
  for (size_t i = 0; i < report->count; i++)
    if (row->results[i] && strcmp(row->results[i]->digest, row->vector->digest) != 0)
      return true;
  return false;
}

static void write_input(writer *w, const html_report *report, const html_row *row) {
  if (!row->vector)
    return;
  write_plain(w, "<p>The vector:</p>\n");
  if (was_changed(report, row))
    write_plain(w, "<p class=\"known\">Not all runs had this text of it: its digest has changed.</p>\n");
  write_plain(w, "<pre class=\"input\">");
  write_html(w, row->vector->text);
  write_plain(w, "</pre>\n");
}

/* ---- Answers ---- */

static void write_diff_line(void *user, text_diff_kind kind, dloc_text line) {
  static const char *const elements[] = {"span", "del", "ins"};
  static const char signs[] = " -+";
  writer *w = user;
  write_format(w, "<%s>%c ", elements[kind], signs[kind]);
  write_html_text(w, line);
  write_format(w, "</%s>", elements[kind]);
}

static void write_block(writer *w, const char *label, const char *class, const char *text) {
  write_format(w, "<p>%s:</p>\n<pre class=\"%s\">", label, class);
  write_html(w, text);
  write_plain(w, "</pre>\n");
}

static dloc_status write_texts(writer *w, const record_result *result) {
  bool wavers = result->outcome == RUN_NONDET;
  if (!result->expected && !result->actual)
    return DLOC_OK;
  if (!result->expected) {
    write_block(w, result->outcome == RUN_SKIPPED ? "why" : "answer", "actual-text", result->actual);
    return DLOC_OK;
  }
  if (same_text(result->expected, result->actual)) {
    write_block(w, "expected and actual", "actual-text", result->actual);
    return DLOC_OK;
  }
  write_block(w, wavers ? "first answer" : "expected", "expected-text", result->expected);
  write_block(w, wavers ? "second answer" : "actual", "actual-text", text_or_empty(result->actual));
  if (result->verdict == RUN_EXPECTED)
    return DLOC_OK; /* a rejection that may be for one of several reasons */
  write_plain(w, "<p>difference:</p>\n<pre class=\"diff\">");
  dloc_status status =
      graph_diff(dloc_text_of(result->expected), dloc_text_of(text_or_empty(result->actual)), write_diff_line, w);
  write_plain(w, "</pre>\n");
  return status;
}

static bool same_answer(const record_result *a, const record_result *b) {
  return a->verdict == b->verdict && a->outcome == b->outcome && same_text(a->expected, b->expected) &&
         same_text(a->actual, b->actual) && same_text(a->known, b->known);
}

/* Whether an earlier run gave the same answer. */
static bool is_told(const html_row *row, size_t run) {
  for (size_t i = 0; i < run; i++)
    if (row->results[i] && same_answer(row->results[i], row->results[run]))
      return true;
  return false;
}

static dloc_status write_answer(writer *w, const html_report *report, const html_row *row, size_t first) {
  const record_result *result = row->results[first];
  write_format(w, "<p class=\"answer\"><span class=\"%s\">%s %s</span>, outcome %s: ", html_verdict_class(result),
               html_verdict_sign(result), record_verdict_name(result->verdict), run_outcome_name(result->outcome));
  const char *separator = "";
  for (size_t i = first; i < report->count; i++)
    if (row->results[i] && same_answer(row->results[i], result)) {
      write_plain(w, separator);
      html_run_name(w, report->runs[i]);
      separator = "; ";
    }
  if (result->known) {
    write_plain(w, ". Known to fail: ");
    write_html(w, result->known);
  }
  write_plain(w, "</p>\n");
  return write_texts(w, result);
}

dloc_status html_write_vector(writer *w, const html_report *report, const html_row *row, const bool *headed) {
  write_facts(w, row, headed);
  write_input(w, report, row);
  dloc_status status = DLOC_OK;
  for (size_t i = 0; status == DLOC_OK && i < report->count; i++)
    if (row->results[i] && !is_told(row, i))
      status = write_answer(w, report, row, i);
  return status;
}
