/* report.c - dloc report: what runs found, from their JSON lines; as text, JUnit, TAP or one HTML page, and against
 * earlier runs. */
#include "help/report.h"
#include "shell/vectors.h"

#include "document/buffer.h"
#include "reports/report.h"
#include "shell/script.h"

#include <stdlib.h>

typedef struct report_options {
  const char *html;
  const char *cost;
  const char *spec;
  const char *playground;
  const char *badge;
  const char *junit;
  const char *tap;
  tool_list before;
  tool_list vectors;
  uint64_t show;
  bool quiet;
} report_options;

/* The runs that were given, and behind them the earlier ones: the first of
 * these belongs to the first run, and so on. */
typedef struct runs {
  record *records;
  size_t count;
  size_t opened; /* with the earlier ones */
} runs;

/* The earlier run that belongs to a run; NULL: none. */
static const record *before(const runs *r, size_t run) {
  return r->count + run < r->opened ? &r->records[r->count + run] : NULL;
}

/* ---- Reading ---- */

static void runs_close(runs *r) {
  for (size_t i = 0; i < r->opened; i++)
    record_deinit(&r->records[i]);
  free(r->records);
}

static runs runs_open(char **paths, size_t count, const tool_list *earlier) {
  runs r = {.count = count, .opened = count + earlier->count};
  r.records = memory_allocate(r.opened, sizeof *r.records);
  for (size_t i = 0; i < r.opened; i++)
    r.records[i] = vectors_read_run(i < count ? paths[i] : earlier->items[i - count]);
  return r;
}

/* ---- The page ---- */

static void write_vector(writer *w, vectors *v) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  (void)!vectors_write(v->vector.document, &v->arena, false, buffer_sink(&text));
  write_plain(w, "{\"id\": ");
  write_json_text(w, v->vector.id);
  write_member_text(w, "digest", v->vector.digest);
  write_member_text(w, "note", v->vector.note);
  write_member_text(w, "text", buffer_text(&text));
  write_plain(w, "}\n");
}

/* Vectors that cannot be read end the program. */
static void write_vectors(writer *w, const tool_list *paths) {
  const char *const standard[] = {script_vectors()};
  const char *const *names = paths->count ? paths->items : standard;
  size_t count = paths->count ? paths->count : 1;
  OWNED(vectors_close) vectors v;
  page_section(w, "folders");
  for (size_t i = 0; i < count; i++) {
    write_first_member(w, "folder", names[i]);
    write_plain(w, "}\n");
  }
  vectors_open(&v, names, count);
  page_section(w, "vectors");
  while (vectors_next(&v))
    write_vector(w, &v);
  if (v.status != TOOL_FINE)
    tool_exit(v.status);
}

/* Pages to which this one links. */
static void write_addresses(writer *w, const report_options *options) {
  page_section(w, "addresses");
  write_first_member(w, "cost", options->cost);
  write_member(w, "spec", options->spec);
  write_member(w, "playground", options->playground);
  write_plain(w, "}\n");
}

static void write_page(const report_options *options, const runs *r) {
  OWNED(dloc_buffer_deinit) dloc_buffer lines = {0};
  writer w = {.sink = buffer_sink(&lines)};
  page_tables(&w);
  write_addresses(&w, options);
  write_vectors(&w, &options->vectors);
  for (size_t i = 0; i < r->count; i++) {
    page_run(&w, "run", &r->records[i]);
    if (before(r, i))
      page_run(&w, "earlier", before(r, i));
  }
  int status = script_write("suite/report.py", NULL, buffer_text(&lines), options->html);
  if (status != TOOL_FINE)
    tool_exit(status);
}

/* ---- Writing ---- */

/* Whether something newly fails. */
static bool tell_changes(const report_options *options, const record *before, const record *now) {
  OWNED(dloc_buffer_deinit) dloc_buffer lines = {0};
  writer w = {.sink = buffer_sink(&lines)};
  page_run(&w, "run", now);
  page_run(&w, "earlier", before);
  int status = script_write("suite/changes.py", options->quiet ? "quiet" : NULL, buffer_text(&lines), NULL);
  if (status == TOOL_UNUSABLE)
    tool_exit(status);
  return status == TOOL_VIOLATION;
}

static int tell(const report_options *options, const runs *r) {
  bool bad = false;
  for (size_t i = 0; i < r->count; i++) {
    if (i && !options->quiet)
      putchar('\n');
    const record *now = &r->records[i];
    if (before(r, i)) {
      bad |= tell_changes(options, before(r, i), now);
      continue;
    }
    bad |= !record_good(now);
    if (!options->quiet && !vectors_tell_run(now, options->show))
      return TOOL_UNUSABLE;
  }
  return bad ? TOOL_VIOLATION : TOOL_FINE;
}

/* ---- The command ---- */

static void check_options(const report_options *options, int count) {
  const char *wrong = NULL;
  if (options->before.count > (size_t)count)
    wrong = "more --before than runs: the first one is the earlier run of the first RUN.json, and so on";
  else if ((options->tap || options->badge) && count > 1)
    wrong = "--tap and --badge take one run";
  else if (options->vectors.count && !options->html)
    wrong = "--vectors is for --html";
  else if ((options->cost || options->spec || options->playground) && !options->html)
    wrong = "--cost, --spec and --playground are for --html";
  if (wrong)
    tool_fail("%s", wrong);
}

static int report(const report_options *options, char **paths, int count) {
  check_options(options, count);
  OWNED(runs_close) runs r = runs_open(paths, (size_t)count, &options->before);
  if (options->html)
    write_page(options, &r);
  if (!vectors_write_runs("suite/junit.py", r.records, r.count, options->junit) ||
      !vectors_write_runs("suite/tap.py", r.records, r.count, options->tap) ||
      !vectors_write_runs("suite/badge.py", r.records, r.count, options->badge))
    tool_exit(TOOL_UNUSABLE);
  return tell(options, &r);
}

int tool_report(int argc, char **argv) {
  report_options o = {.show = 20};
  const tool_option options[] = {{TOOL_OUTPUT, "html", "write one page", &o.html},
                                 {TOOL_LIST, "vectors",
                                  "for --html: the vectors it shows (may be repeated); default: all, as for `dloc run`",
                                  &o.vectors},
                                 {TOOL_TEXT, "cost", NULL, &o.cost},
                                 {TOOL_TEXT, "spec", NULL, &o.spec},
                                 {TOOL_TEXT, "playground", NULL, &o.playground},
                                 {TOOL_LIST, "before", NULL, &o.before},
                                 {TOOL_OUTPUT, "badge", NULL, &o.badge},
                                 {TOOL_OUTPUT, "junit", NULL, &o.junit},
                                 {TOOL_OUTPUT, "tap", NULL, &o.tap},
                                 {TOOL_NUMBER, "most", "differences shown in full in the text; default: 20", &o.show},
                                 {TOOL_FLAG, "quiet", NULL, &o.quiet},
                                 {0}};
  int count = tool_parse(argc, argv, &report_usage, options);
  return report(&o, argv, count);
}
