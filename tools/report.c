/* report.c - dloc report: what runs found, from their JSON lines; as text, JUnit, TAP or one HTML page, and against
 * earlier runs. */
#include "vectors.h"

#include "document/buffer.h"
#include "pages.h"
#include "reports/difference.h"
#include "reports/page.h"
#include "reports/report.h"

#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc report [OPTION...] RUN.json...",
    "Tell again what runs found: each RUN.json is a file that `dloc run --json` wrote. As text unless --quiet is "
    "given; "
    "for a run with an\n"
    "earlier one (--before) the text is what changed. --html writes one self-contained page: clause families by "
    "implementation, down to\n"
    "each vector with its input, what was expected and answered, and the difference.\n"
    "Exit status: 0 all runs as expected, or with --before nothing newly failing; 1 otherwise; 2 unreadable.\n",
    "dloc run --impl model --quiet --json model.json vectors\n"
    "dloc run --impl model --profile pr205453 --quiet --json pr.json vectors\n"
    "dloc report model.json\n"
    "dloc report --quiet --html report.html model.json pr.json\n"
    "dloc report --before pr.json model.json\n",
    1, -1};

typedef struct report_options {
  const char *html;
  const char *cost;
  const char *junit;
  const char *tap;
  tool_list before;
  tool_list vectors;
  uint64_t show;
  bool quiet;
} report_options;

/* The runs, each with the earlier one that stands at its place among --before. */
typedef struct runs {
  record *records; /* those given, then the earlier ones */
  size_t opened;
  const record **now;
  const record **before; /* NULL: none */
  size_t count;
} runs;

/* ---- Reading ---- */

static void runs_close(runs *r) {
  for (size_t i = 0; i < r->opened; i++)
    record_deinit(&r->records[i]);
  free(r->records);
  free(r->now);
  free(r->before);
}

static int runs_open(char **paths, size_t count, const tool_list *before, runs *ret) {
  runs r = {.count = count};
  r.records = calloc(count + before->count, sizeof *r.records);
  r.now = calloc(count, sizeof *r.now);
  r.before = calloc(count, sizeof *r.before);
  int status = r.records && r.now && r.before ? TOOL_CONTINUE : tool_failure(DLOC_NO_MEMORY, NULL);
  for (size_t i = 0; status == TOOL_CONTINUE && i < count + before->count; i++) {
    status = vectors_read_run(i < count ? paths[i] : before->items[i - count], &r.records[i]);
    if (status != TOOL_CONTINUE)
      break;
    r.opened++;
    if (i < count)
      r.now[i] = &r.records[i];
    else
      r.before[i - count] = &r.records[i];
  }
  if (status == TOOL_CONTINUE)
    *ret = r;
  else
    runs_close(&r);
  return status;
}

/* ---- The page ---- */

static dloc_status write_vector(writer *w, vectors *v) {
  value canonical;
  dloc_buffer text = {0};
  TRY(vector_canonical(v->vector.document, &v->arena, &canonical));
  TRY(vector_write(&canonical, buffer_sink(&text)));
  write_plain(w, "{\"id\": ");
  write_json_text(w, v->vector.id);
  write_member_text(w, "digest", v->vector.digest);
  write_member_text(w, "note", v->vector.note);
  write_member_text(w, "text", buffer_text(&text));
  write_plain(w, "}\n");
  dloc_buffer_deinit(&text);
  return DLOC_OK;
}

static int write_vectors(writer *w, const tool_list *paths) {
  const char *const standard[] = {"vectors"};
  vectors v;
  int status = vectors_open(&v, paths->count ? paths->items : standard, paths->count ? paths->count : 1);
  if (status != TOOL_CONTINUE)
    return status;
  page_section(w, "vectors");
  while (vectors_next(&v)) {
    dloc_status written = write_vector(w, &v);
    if (written != DLOC_OK)
      vectors_fail(&v, written);
  }
  vectors_close(&v);
  return v.status == TOOL_FINE ? TOOL_CONTINUE : v.status;
}

static void write_run(writer *w, const record *now, const record *before) {
  page_run(w, now);
  page_differences(w, now);
  if (before)
    page_changes(w, before, now);
}

static int write_page(const report_options *options, const runs *r) {
  if (!options->html)
    return TOOL_CONTINUE;
  dloc_buffer lines = {0};
  writer w = {buffer_sink(&lines), false};
  page_tables(&w, NULL);
  int status = write_vectors(&w, &options->vectors);
  for (size_t i = 0; i < r->count; i++)
    write_run(&w, r->now[i], r->before[i]);
  if (status == TOOL_CONTINUE)
    status = pages_write("report.py", options->cost, buffer_text(&lines), options->html);
  dloc_buffer_deinit(&lines);
  return status == TOOL_FINE ? TOOL_CONTINUE : status;
}

/* ---- Writing ---- */

static int close_output(tool_output *output, dloc_status status) {
  if (status != DLOC_OK && status != DLOC_STOPPED)
    tool_failure(status, output->path);
  return tool_output_close(output, status == DLOC_OK) && status == DLOC_OK ? TOOL_CONTINUE : TOOL_UNUSABLE;
}

static int write_junit(const report_options *options, const runs *r) {
  tool_output output;
  if (!options->junit)
    return TOOL_CONTINUE;
  if (!tool_output_open(options->junit, &output))
    return TOOL_UNUSABLE;
  return close_output(&output, report_junit(r->now, r->count, tool_file_sink(output.file)));
}

static int write_tap(const report_options *options, const runs *r) {
  tool_output output;
  if (!options->tap)
    return TOOL_CONTINUE;
  if (!tool_output_open(options->tap, &output))
    return TOOL_UNUSABLE;
  return close_output(&output, report_tap(r->now[0], tool_file_sink(output.file)));
}

/* Whether something newly fails goes to *ret_worse. */
static int tell_changes(const report_options *options, const record *before, const record *now, bool *ret_worse) {
  differences d;
  dloc_status status = differences_find(before, now, &d);
  if (status != DLOC_OK)
    return tool_failure(status, NULL);
  *ret_worse |= d.by_kind[DIFFERENCE_NEWLY_FAILING] > 0;
  if (!options->quiet)
    differences_write(before, now, &d, tool_file_sink(stdout)); /* main sees whether stdout failed */
  differences_deinit(&d);
  return TOOL_CONTINUE;
}

static int tell(const report_options *options, const runs *r) {
  bool bad = false;
  int status = TOOL_CONTINUE;
  for (size_t i = 0; status == TOOL_CONTINUE && i < r->count; i++) {
    if (i && !options->quiet)
      putchar('\n');
    if (r->before[i]) {
      status = tell_changes(options, r->before[i], r->now[i], &bad);
      continue;
    }
    bad |= !record_good(r->now[i]);
    if (!options->quiet)
      report_text(r->now[i], options->show, tool_file_sink(stdout));
  }
  return status == TOOL_CONTINUE && bad ? TOOL_VIOLATION : status == TOOL_CONTINUE ? TOOL_FINE : status;
}

/* ---- The command ---- */

static bool check_options(const report_options *options, int count) {
  const char *wrong = NULL;
  if (options->before.count > (size_t)count)
    wrong = "more --before than runs: the first one is the earlier run of the first RUN.json, and so on";
  else if (options->tap && count > 1)
    wrong = "--tap takes one run";
  else if (options->vectors.count && !options->html)
    wrong = "--vectors is for --html";
  else if (options->cost && !options->html)
    wrong = "--cost is for --html";
  if (wrong)
    tool_error("%s", wrong);
  return !wrong;
}

static int report(const report_options *options, char **paths, int count) {
  runs r;
  if (!check_options(options, count))
    return TOOL_UNUSABLE;
  int status = runs_open(paths, (size_t)count, &options->before, &r);
  if (status != TOOL_CONTINUE)
    return status;
  status = write_page(options, &r);
  if (status == TOOL_CONTINUE)
    status = write_junit(options, &r);
  if (status == TOOL_CONTINUE)
    status = write_tap(options, &r);
  if (status == TOOL_CONTINUE)
    status = tell(options, &r);
  runs_close(&r);
  return status;
}

int tool_report(int argc, char **argv) {
  report_options o = {.show = 20};
  const tool_option options[] = {
      {TOOL_TEXT, "html", "FILE", "write one page", &o.html},
      {TOOL_LIST, "vectors", "PATH", "for --html: the vectors it shows (may be repeated); default: vectors",
       &o.vectors},
      {TOOL_TEXT, "cost", "ADDRESS", "for --html: the page that `make cost` wrote, for a link to it", &o.cost},
      {TOOL_LIST, "before", "OLD.json", "an earlier run of the first RUN.json; the next one of the second, ...",
       &o.before},
      {TOOL_TEXT, "junit", "FILE", "write JUnit, a test suite for each run", &o.junit},
      {TOOL_TEXT, "tap", "FILE", "write the run in the Test Anything Protocol", &o.tap},
      {TOOL_NUMBER, "show", "N", "differences shown in full in the text; default: 20", &o.show},
      {TOOL_FLAG, "quiet", NULL, "no text", &o.quiet},
      {0}};
  int count = 0;
  int status = tool_parse(argc, argv, &usage, options, &count);
  if (status == TOOL_CONTINUE)
    status = report(&o, argv, count);
  free(o.before.items);
  free(o.vectors.items);
  return status;
}
