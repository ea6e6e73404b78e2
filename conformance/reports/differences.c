/* differences.c - the results that differ, for people: by clause, then one by one. */
#include "report.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/names.h"
#include "document/text.h"
#include "run/process.h"

#include <stdlib.h>
#include <string.h>

/* ---- By clause ---- */

typedef struct clause_count {
  const char *clause;
  size_t different, judged;
  bool alone; /* not all that differ were observed through another op, which differs, too */
} clause_count;

/* May come of the same fault as what differs of the op through which it was
 * observed. ops: of which something differs. */
static bool is_folded(const names *ops, const run_result *result) {
  size_t found;
  return result->verdict == RUN_DIFFERENT && result->through && names_find(ops, dloc_text_of(result->through), &found);
}

static int compare_counts(const void *a, const void *b) {
  const clause_count *left = a, *right = b;
  if (left->alone != right->alone)
    return left->alone ? -1 : 1;
  if (left->different != right->different)
    return left->different < right->different ? 1 : -1;
  return strcmp(left->clause, right->clause);
}

/* The clauses that come first in a result that differs, most differences first. */
static clause_count *count_clauses(const record *r, const names *ops, size_t *ret_count) {
  OWNED(names_deinit) names clauses = {0};
  for (size_t i = 0; i < r->count; i++)
    if (r->results[i].verdict == RUN_DIFFERENT)
      (void)names_number(&clauses, dloc_text_of(r->results[i].clauses[0]));
  clause_count *counts = memory_allocate(clauses.count, sizeof *counts);
  for (size_t i = 0, at; i < r->count; i++) {
    const run_result *result = &r->results[i];
    if (result->verdict == RUN_NEUTRAL || !names_find(&clauses, dloc_text_of(result->clauses[0]), &at))
      continue;
    counts[at].clause = result->clauses[0];
    counts[at].judged++;
    counts[at].different += result->verdict == RUN_DIFFERENT;
    counts[at].alone |= result->verdict == RUN_DIFFERENT && !is_folded(ops, result);
  }
  *ret_count = clauses.count;
  qsort(counts, *ret_count, sizeof *counts, compare_counts);
  return counts;
}

/* "30 different in 7 clauses: emit.repeat 13 of 13, equal.levels 7 of 10 *": the cause is mostly in the first ones. */
static void write_clauses(writer *w, const record *r, const names *ops, size_t different) {
  enum { MOST = 12 };
  size_t count;
  bool through = false;
  OWNED(memory_release) clause_count *counts = count_clauses(r, ops, &count);
  write_format(w, "%zu different in %zu clause%s:", different, count, plural(count));
  for (size_t i = 0; i < count && i < MOST; i++)
    write_format(w, "%s %s %zu of %zu%s", i ? "," : "", counts[i].clause, counts[i].different, counts[i].judged,
                 counts[i].alone ? "" : " *");
  for (size_t i = 0; i < count; i++)
    through |= !counts[i].alone;
  if (count > MOST)
    write_format(w, ", and %zu more", count - MOST);
  write_plain(w, through ? "\n  * observed through another operation, which differs, too: perhaps one fault\n" : "\n");
}

/* How many differences are of each level that is held to the profile. */
static void write_levels(writer *w, const record *r) {
  static const char *const levels[] = {"must", "should", "may"};
  write_plain(w, "differences by level:");
  for (size_t level = 0; level < sizeof levels / sizeof *levels; level++) {
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
      count += r->results[i].verdict == RUN_DIFFERENT && strcmp(r->results[i].level, levels[level]) == 0;
    write_format(w, "%s %s %zu", level ? "," : "", levels[level], count);
  }
  write_plain(w, "\n");
}

/* ---- One by one ---- */

/* Several lines, each indented, of stderr without what LLVM writes at any crash; dots stand for the rest. */
static void write_block(writer *w, const char *label, const char *text, size_t most) {
  bool is_stderr = strcmp(label, "stderr") == 0;
  dloc_text rest = dloc_text_of(text ? text : "(not kept)");
  const char *end = strchr(rest.bytes, '\n');
  bool single = !end || end[1] == '\0';
  write_format(w, "    %s:", label);
  for (size_t lines = 0; rest.size && lines < most;) {
    dloc_text line = text_take_line(&rest);
    if (is_stderr && process_is_boilerplate(line))
      continue;
    write_plain(w, single ? " " : "\n      ");
    write_bytes(w, line.bytes, line.size);
    lines++;
  }
  if (rest.size)
    write_plain(w, "\n      ...");
  write_plain(w, "\n");
}

/* The purpose of the vector, and where to look in LLVM. A record may name a clause that this dloc does not know. */
static void write_clause(writer *w, const record *r, const run_result *result) {
  dloc_clause clause;
  if (!dloc_clause_find(dloc_text_of(result->clauses[0]), &clause))
    return;
  write_format(w, "    %s (%s, %s): %s\n", result->clauses[0], result->level, dloc_clause_origin(clause),
               dloc_clause_statement(clause));
  bool hidden = strncmp(r->implementation, "dloc hide", strlen("dloc hide")) == 0;
  write_format(w, "    in LLVM%s: %s\n",
               hidden ? ", which sees no layers (dloc hide carries them: spec/hidden.md, 17.3)" : "",
               dloc_clause_place(clause));
}

static bool is_graph(const char *text) { return text && strchr(text, '\n') != NULL; }

/* The lines that differ if both are graphs, otherwise both. */
static void write_answers(writer *w, const run_result *result, const report_text_options *options) {
  bool wavers = result->outcome == RUN_NONDET;
  const char *first = wavers ? "first" : "expected", *second = wavers ? "second" : "actual";
  dloc_text lines = {"", 0};
  if (options->difference && is_graph(result->expected) && is_graph(result->actual))
    lines = options->difference(options->user, result->expected, result->actual);
  if (lines.size) {
    write_format(w, "    - %s, + %s:\n", first, second);
    write_bytes(w, lines.bytes, lines.size);
    return;
  }
  write_block(w, first, result->expected, SIZE_MAX);
  write_block(w, second, result->actual, SIZE_MAX);
}

static void write_place(writer *w, const run_result *result) {
  write_plain(w, result->path ? result->path : "");
  if (result->path && result->line)
    write_format(w, ":%zu", result->line);
  write_format(w, "%s%s", result->path ? ": " : "", result->id);
}

static void write_reproduction(writer *w, const record *r, const run_result *result) {
  if (result->asked)
    write_format(w, "    observed with: %s%s%s\n", result->asked, result->through ? ", as the operation " : "",
                 result->through ? result->through : "");
  if (!r->command)
    return;
  OWNED(dloc_buffer_deinit) dloc_buffer path = {0};
  if (result->path)
    buffer_put_word(&path, result->path);
  write_format(w, "    reproduce: %s --only %s --keep kept%s%s\n", r->command, result->id, path.size ? " " : "",
               path.size ? path.bytes : "");
}

static void write_difference(writer *w, const record *r, const run_result *result, const report_text_options *options) {
  enum { MOST_LINES = 40 };
  write_plain(w, "\n");
  write_place(w, result);
  write_format(w, " (%s; %s)%s%s%s\n", result->clauses[0], result->level, result->note ? ": " : "",
               result->note ? result->note : "", result->basis == RUN_BY_MODEL ? "  (expected by the model)" : "");
  write_clause(w, r, result);
  if (result->listed)
    write_format(w, "    expected to fail with: %s; it is: %s\n", result->listed, result->answer);
  write_answers(w, result, options);
  if (result->errors && strchr(result->errors, '\n') != strrchr(result->errors, '\n'))
    write_block(w, "stderr", result->errors, MOST_LINES / 4);
  if (result->module)
    write_block(w, "input", result->module, MOST_LINES);
  write_reproduction(w, r, result);
}

static void write_folded(writer *w, const record *r, const names *ops, size_t most_shown) {
  size_t shown = 0;
  for (size_t i = 0; i < r->count; i++) {
    const run_result *result = &r->results[i];
    if (!is_folded(ops, result) || shown++ >= most_shown)
      continue;
    if (shown == 1)
      write_plain(w, "\nobserved through another operation, which differs, too; perhaps one fault:\n");
    write_plain(w, "  ");
    write_place(w, result);
    write_format(w, " (%s, through %s)\n", result->op, result->through);
  }
  if (shown > most_shown)
    write_format(w, "  ... and %zu more\n", shown - most_shown);
}

size_t write_differences(writer *w, const record *r, const report_text_options *options) {
  size_t different = 0, folded = 0, shown = 0;
  OWNED(names_deinit) names ops = {0}; /* of which something differs */
  for (size_t i = 0; i < r->count; i++)
    if (r->results[i].verdict == RUN_DIFFERENT) {
      different++;
      (void)names_number(&ops, dloc_text_of(r->results[i].op));
    }
  if (!different)
    return 0;
  for (size_t i = 0; i < r->count; i++)
    folded += is_folded(&ops, &r->results[i]);
  write_clauses(w, r, &ops, different);
  write_levels(w, r);
  for (size_t i = 0; i < r->count; i++)
    if (r->results[i].verdict == RUN_DIFFERENT && !is_folded(&ops, &r->results[i]) && shown++ < options->most_shown)
      write_difference(w, r, &r->results[i], options);
  if (shown > options->most_shown)
    write_format(w, "\n  ... and %zu more\n", shown - options->most_shown);
  if (folded)
    write_folded(w, r, &ops, options->most_shown);
  return different;
}
