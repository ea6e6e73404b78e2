/* html.c - runs as one page. */
#include "difference.h"
#include "html_internal.h"
#include "page.h"

#include <stdlib.h>
#include <string.h>

void html_marks(writer *w, const html_report *report, const html_row *row) {
  write_plain(w, "<span class=\"marks\">");
  for (size_t i = 0; i < report->count; i++) {
    const record_result *result = row->results[i];
    write_format(w, "<span role=\"img\" class=\"%s\" title=\"", result ? html_verdict_class(result) : "absent");
    html_run_name(w, report->runs[i]);
    write_format(w, ": %s\">%s</span>", result ? record_verdict_name(result->verdict) : "not run",
                 result ? html_verdict_sign(result) : "·");
  }
  write_plain(w, "</span> ");
}

/* ---- Rows: the vectors of all runs, by clause ---- */

typedef struct table {
  html_row *rows; /* sorted by clause, then by id */
  size_t count;
  const record_result **results; /* of all rows */
  bool headed[DLOC_CLAUSE_COUNT + 1];
} table;

typedef struct found {
  const record_result *result;
  size_t run;
} found;

static int compare_found(const void *a, const void *b) {
  const found *left = a, *right = b;
  int order = strcmp(left->result->id, right->result->id);
  return order ? order : (left->run > right->run) - (left->run < right->run);
}

/* Clauses in the order of SPEC.md; behind them those that this version does not know. */
static int rank_of(const html_row *row) {
  dloc_clause clause;
  return dloc_clause_find(dloc_text_of(row->any->clauses[0]), &clause) ? (int)clause : DLOC_CLAUSE_COUNT;
}

static int compare_rows(const void *a, const void *b) {
  const html_row *left = a, *right = b;
  int order = rank_of(left) - rank_of(right);
  if (!order)
    order = strcmp(left->any->clauses[0], right->any->clauses[0]);
  return order ? order : strcmp(left->id, right->id);
}

static int compare_vector(const void *key, const void *vector) {
  return strcmp(key, ((const html_vector *)vector)->id);
}

static const html_vector *find_vector(const html_report *report, const char *id) {
  return report->vector_count
             ? bsearch(id, report->vectors, report->vector_count, sizeof *report->vectors, compare_vector)
             : NULL;
}

/* One row for each id; all is sorted. */
static void join_rows(const html_report *report, const found *all, size_t count, table *ret) {
  for (size_t i = 0; i < count; i++) {
    html_row *row = ret->count ? &ret->rows[ret->count - 1] : NULL;
    if (!row || strcmp(row->id, all[i].result->id) != 0) {
      row = &ret->rows[ret->count];
      *row = (html_row){all[i].result->id, all[i].result, ret->results + ret->count * report->count,
                        find_vector(report, all[i].result->id)};
      ret->count++;
    }
    ret->results[(ret->count - 1) * report->count + all[i].run] = all[i].result;
  }
}

static void table_deinit(table *t) {
  free(t->rows);
  free(t->results);
}

static dloc_status table_init(const html_report *report, table *ret) {
  size_t count = 0, at = 0;
  for (size_t i = 0; i < report->count; i++)
    count += report->runs[i]->count;
  found *all = calloc(count ? count : 1, sizeof *all);
  table t = {.rows = calloc(count ? count : 1, sizeof *t.rows),
             .results = calloc(count ? count : 1, report->count * sizeof *t.results)};
  bool complete = all && t.rows && t.results;
  for (size_t i = 0; complete && i < report->count; i++)
    for (size_t j = 0; j < report->runs[i]->count; j++)
      all[at++] = (found){&report->runs[i]->results[j], i};
  if (complete) {
    qsort(all, count, sizeof *all, compare_found);
    join_rows(report, all, count, &t);
    qsort(t.rows, t.count, sizeof *t.rows, compare_rows);
  }
  free(all);
  if (complete)
    *ret = t;
  else
    table_deinit(&t);
  return complete ? DLOC_OK : DLOC_NO_MEMORY;
}

/* Which clauses have a heading: a vector stands under the first that it tests. */
static void note_headings(table *t) {
  for (size_t i = 0; i < t->count; i++)
    t->headed[rank_of(&t->rows[i])] = true;
  t->headed[DLOC_CLAUSE_COUNT] = false;
}

static bool same_clause(const html_row *a, const html_row *b) {
  return strcmp(a->any->clauses[0], b->any->clauses[0]) == 0;
}

static dloc_text family_of(const html_row *row) { return record_family(row->any->clauses[0]); }

static bool same_family(const html_row *a, const html_row *b) { return dloc_text_equal(family_of(a), family_of(b)); }

/* The first row after those that are alike with row number `first`. */
static size_t end_of(const table *t, size_t first, bool (*alike)(const html_row *, const html_row *)) {
  size_t end = first + 1;
  while (end < t->count && alike(&t->rows[first], &t->rows[end]))
    end++;
  return end;
}

static record_counts count_rows(const table *t, size_t first, size_t end, size_t run) {
  record_counts counts = {0};
  for (size_t i = first; i < end; i++)
    if (t->rows[i].results[run])
      record_count(&counts, t->rows[i].results[run]);
  return counts;
}

/* ---- The runs and the matrix ---- */

static void write_faults(writer *w, const record *r) {
  if (r->fault_count + r->stale_count + r->unreadable == 0)
    return;
  write_format(w,
               "<br><span class=\"different\">%zu fault%s of the adapter, %zu stale expected failure%s, %zu "
               "unreadable</span>",
               r->fault_count, plural(r->fault_count), r->stale_count, plural(r->stale_count), r->unreadable);
  for (size_t i = 0; i < r->faults_kept; i++) {
    write_plain(w, "<br>fault: ");
    write_html(w, r->faults[i]);
  }
  for (size_t i = 0; i < r->stale_count; i++) {
    write_plain(w, "<br>stale: ");
    write_html(w, r->stale[i].id);
  }
}

static void write_run(writer *w, const record *r, size_t number) {
  record_counts counts = record_totals(r);
  write_format(w, "<tr id=\"run-%zu\"><th scope=\"row\">", number);
  html_run_name(w, r);
  write_format(w, "</th><td>%zu</td><td class=\"counts\">", r->count);
  html_counts(w, &counts);
  write_format(w, "</td><td class=\"%s\">%s", record_good(r) ? "expected" : "different",
               record_good(r) ? "all as expected" : "not as expected");
  write_faults(w, r);
  write_plain(w, "</td></tr>\n");
}

static void write_runs(writer *w, const html_report *report) {
  write_plain(w, "<h2 id=\"runs\">Runs</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">implementation"
                 "</th><th scope=\"col\">vectors</th><th scope=\"col\">results</th><th scope=\"col\">verdict</th></tr>"
                 "</thead>\n<tbody>\n");
  for (size_t i = 0; i < report->count; i++)
    write_run(w, report->runs[i], i + 1);
  write_plain(w, "</tbody></table></div>\n<p>");
  write_plain(w, "<span class=\"expected\">✓ as expected</span>; <span class=\"different\">✗ different</span>; "
                 "<span class=\"known\">~ known to fail</span>; <span class=\"skipped\">– skipped</span>; "
                 "<span class=\"not-judged\">○ not judged: nothing is held to it</span>.</p>\n");
}

static void write_run_columns(writer *w, const html_report *report) {
  for (size_t i = 0; i < report->count; i++) {
    write_plain(w, "<th scope=\"col\">");
    html_run_name(w, report->runs[i]);
    write_plain(w, "</th>");
  }
}

static void write_matrix_row(writer *w, const html_report *report, const table *t, size_t first, size_t end) {
  dloc_text family = family_of(&t->rows[first]);
  write_plain(w, "<tr data-family=\"");
  write_html_text(w, family);
  write_plain(w, "\"><th scope=\"row\"><a href=\"#family-");
  write_html_text(w, family);
  write_plain(w, "\">");
  write_html_text(w, family);
  write_plain(w, "</a></th>");
  for (size_t i = 0; i < report->count; i++) {
    record_counts counts = count_rows(t, first, end, i);
    write_plain(w, "<td class=\"counts\">");
    html_counts(w, &counts);
    write_plain(w, "</td>");
  }
  write_plain(w, "</tr>\n");
}

static void write_matrix(writer *w, const html_report *report, const table *t) {
  write_plain(w, "<h2 id=\"matrix\">Clauses by implementation</h2>\n<div class=\"scroll\"><table class=\"matrix\">\n"
                 "<thead><tr><th scope=\"col\">clauses</th>");
  write_run_columns(w, report);
  write_plain(w, "</tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < t->count;) {
    size_t end = end_of(t, i, same_family);
    write_matrix_row(w, report, t, i, end);
    i = end;
  }
  write_plain(w, "</tbody></table></div>\n");
}

/* ---- What changed ---- */

static void write_change(writer *w, const difference *d) {
  write_plain(w, "<li>");
  if (d->now)
    html_link(w, "vector", d->now->id);
  else {
    write_plain(w, "<code>");
    write_html(w, d->before->id);
    write_plain(w, "</code>");
  }
  if (d->now)
    write_format(w, ": <span class=\"%s\">%s</span>", html_verdict_class(d->now), record_verdict_name(d->now->verdict));
  if (d->before && !(d->now && d->now->verdict == d->before->verdict))
    write_format(w, "%s was %s", d->now ? "," : ":", record_verdict_name(d->before->verdict));
  write_plain(w, "</li>\n");
}

static void write_changes(writer *w, const differences *d) {
  for (size_t i = 0; i < d->count; i++) {
    difference_kind kind = d->items[i].kind;
    if (i == 0 || d->items[i - 1].kind != kind)
      write_format(w, "<details%s data-change=\"%s\"><summary>%s: %zu</summary>\n<ul>\n",
                   kind <= DIFFERENCE_NEWLY_PASSING ? " open" : "", difference_name(kind), difference_name(kind),
                   d->by_kind[kind]);
    write_change(w, &d->items[i]);
    if (i + 1 == d->count || d->items[i + 1].kind != kind)
      write_plain(w, "</ul></details>\n");
  }
  if (d->count == 0)
    write_plain(w, "<p>No change.</p>\n");
}

static dloc_status write_earlier(writer *w, const html_report *report) {
  dloc_status status = DLOC_OK;
  bool any = false;
  for (size_t i = 0; status == DLOC_OK && i < report->count; i++) {
    if (!report->before[i])
      continue;
    if (!any)
      write_plain(w, "<h2 id=\"changes\">What changed</h2>\n");
    any = true;
    differences d;
    status = differences_find(report->before[i], report->runs[i], &d);
    if (status != DLOC_OK)
      break;
    write_plain(w, "<h3>");
    html_run_name(w, report->runs[i]);
    write_plain(w, "</h3>\n<p>against an earlier run of ");
    html_run_name(w, report->before[i]);
    write_plain(w, "</p>\n");
    write_changes(w, &d);
    differences_deinit(&d);
  }
  return status;
}

/* ---- Choices ---- */

static const record_finding *find_finding(const record *r, const char *choice) {
  for (size_t i = 0; i < r->finding_count; i++)
    if (strcmp(r->findings[i].choice, choice) == 0)
      return &r->findings[i];
  return NULL;
}

static void write_finding(writer *w, const record_finding *finding) {
  write_plain(w, "<td>");
  write_html(w, finding ? finding->alternatives : "?");
  for (size_t i = 0; finding && i < finding->witness_count; i++) {
    write_plain(w, i ? " <a href=\"#vector-" : "<br><a href=\"#vector-");
    write_html(w, finding->witnesses[i]);
    write_plain(w, "\" title=\"");
    write_html(w, finding->witnesses[i]);
    write_format(w, "\">witness%s</a>", i ? " too" : "");
  }
  write_plain(w, "</td>");
}

static void write_choices(writer *w, const html_report *report) {
  write_plain(
      w, "<h2 id=\"choices\">Which alternative of each choice it follows</h2>\n<p><code>?</code>: no answer tells; "
         "<code>a|b</code>: these cannot be told apart; <code>mixed</code>: answers contradict each alternative."
         "</p>\n<details><summary>All choices</summary>\n<div class=\"scroll\"><table class=\"choices\">\n<thead>"
         "<tr><th scope=\"col\">choice</th>");
  write_run_columns(w, report);
  write_plain(w, "</tr></thead>\n<tbody>\n");
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++) {
    const char *choice = dloc_choice_name((dloc_choice)i);
    write_format(w, "<tr id=\"choice-%s\"><th scope=\"row\" title=\"", choice);
    write_html(w, dloc_choice_question((dloc_choice)i));
    write_format(w, "\"><code>%s</code></th>", choice);
    for (size_t j = 0; j < report->count; j++)
      write_finding(w, find_finding(report->runs[j], choice));
    write_plain(w, "</tr>\n");
  }
  write_plain(w, "</tbody></table></div></details>\n");
}

/* ---- Vectors by clause ---- */

/* Each class of verdict once, for the filter. */
static void write_verdicts(writer *w, const html_report *report, const html_row *row) {
  for (size_t i = 0; i < report->count; i++) {
    bool told = !row->results[i];
    for (size_t j = 0; j < i && !told; j++)
      told = row->results[j] && html_verdict_class(row->results[j]) == html_verdict_class(row->results[i]);
    if (!told)
      write_format(w, "%s ", html_verdict_class(row->results[i]));
  }
}

static dloc_status write_vector(writer *w, const html_report *report, const table *t, const html_row *row) {
  write_plain(w, "<details class=\"vector\" id=\"vector-");
  write_html(w, row->id);
  write_plain(w, "\" data-name=\"");
  write_html(w, row->id);
  write_plain(w, "\" data-verdicts=\"");
  write_verdicts(w, report, row);
  write_plain(w, "\"><summary>");
  html_marks(w, report, row);
  write_plain(w, "<code>");
  write_html(w, row->id);
  write_plain(w, "</code></summary><div>\n");
  dloc_status status = html_write_vector(w, report, row, t->headed);
  write_plain(w, "</div></details>\n");
  return status;
}

static void write_clause_heading(writer *w, const html_report *report, const table *t, size_t first, size_t end) {
  const char *anchor = t->rows[first].any->clauses[0];
  dloc_clause clause;
  write_plain(w, "<details class=\"clause\" id=\"clause-");
  write_html(w, anchor);
  write_plain(w, "\"><summary>");
  for (size_t i = 0; i < report->count; i++) {
    record_counts counts = count_rows(t, first, end, i);
    write_plain(w, "<span class=\"counts\" title=\"");
    html_run_name(w, report->runs[i]);
    write_plain(w, "\">");
    html_counts(w, &counts);
    write_plain(w, "</span>");
  }
  write_plain(w, "<code>");
  write_html(w, anchor);
  write_plain(w, "</code> ");
  if (dloc_clause_find(dloc_text_of(anchor), &clause)) {
    write_format(w, "<em>(%s)</em> ", dloc_clause_level(clause));
    write_html(w, dloc_clause_statement(clause));
  } else {
    write_plain(w, "<em>(no clause of this version)</em>");
  }
  write_plain(w, "</summary>\n");
}

static dloc_status write_clause(writer *w, const html_report *report, const table *t, size_t first, size_t end) {
  dloc_status status = DLOC_OK;
  write_clause_heading(w, report, t, first, end);
  for (size_t i = first; status == DLOC_OK && i < end; i++)
    status = write_vector(w, report, t, &t->rows[i]);
  write_plain(w, "</details>\n");
  return status;
}

static dloc_status write_family(writer *w, const html_report *report, const table *t, size_t first, size_t end) {
  dloc_text family = family_of(&t->rows[first]);
  dloc_status status = DLOC_OK;
  write_plain(w, "<section class=\"family\"><h3 id=\"family-");
  write_html_text(w, family);
  write_plain(w, "\">");
  write_html_text(w, family);
  write_plain(w, "</h3>\n");
  for (size_t i = first; status == DLOC_OK && i < end;) {
    size_t after = end_of(t, i, same_clause);
    status = write_clause(w, report, t, i, after);
    i = after;
  }
  write_plain(w, "</section>\n");
  return status;
}

static dloc_status write_vectors(writer *w, const html_report *report, const table *t) {
  write_plain(w,
              "<h2 id=\"vectors\">Vectors by clause</h2>\n<div class=\"filter\"><label>Find <input type=\"search\" "
              "id=\"search\" placeholder=\"words of an id\"></label><label>Show <select id=\"show\"><option value=\"\">"
              "all</option><option value=\"different\">different</option><option value=\"known\">known to fail</option>"
              "<option value=\"skipped\">skipped</option><option value=\"not-judged\">not judged</option>"
              "<option value=\"expected\">as expected</option></select></label><output id=\"shown\"></output></div>\n"
              "<p>A vector stands under the first clause it tests. The signs before it are those of the runs, in their "
              "order.</p>\n");
  dloc_status status = DLOC_OK;
  for (size_t i = 0; status == DLOC_OK && i < t->count;) {
    size_t end = end_of(t, i, same_family);
    status = write_family(w, report, t, i, end);
    i = end;
  }
  return status;
}

static void write_cost(writer *w, const html_report *report) {
  if (!report->cost)
    return;
  write_plain(w, "<p id=\"cost\"><a href=\"");
  write_html(w, report->cost);
  write_plain(w, "\">What layers cost</a>: bytes of bitcode, memory and time, measured.</p>\n");
}

static dloc_status write_body(writer *w, const html_report *report, const table *t) {
  write_plain(w, "<main>\n<h1>Multi-level debug locations: conformance</h1>\n");
  write_runs(w, report);
  write_cost(w, report);
  write_matrix(w, report, t);
  dloc_status status = write_earlier(w, report);
  if (status != DLOC_OK)
    return status;
  write_choices(w, report);
  status = write_vectors(w, report, t);
  write_plain(w, "</main>\n");
  return status;
}

dloc_status report_html(const html_report *report, dloc_sink sink) {
  writer w = {sink, false};
  table t;
  dloc_status status = table_init(report, &t);
  if (status != DLOC_OK)
    return status;
  note_headings(&t);
  page_begin(&w, "dloc: conformance");
  status = write_body(&w, report, &t);
  page_end(&w);
  table_deinit(&t);
  return status == DLOC_OK ? write_finish(&w) : status;
}
