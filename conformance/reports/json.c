/* json.c - a run as JSON Lines: the run, each result, each choice it tells of, the totals. Nothing in it depends on the
 * clock. tools/pages/run_file.py reads them back. */
#include "report.h"
#include "writer.h"

#include <string.h>

/* ---- Members behind the first one of a line ---- */

static void optional(writer *w, const char *key, const char *text) {
  if (text)
    write_member(w, key, text);
}

static void texts(writer *w, const char *key, const char *const *items, size_t count) {
  write_format(w, ", \"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    write_plain(w, i ? ", " : "");
    write_json(w, items[i]);
  }
  write_plain(w, "]");
}

static void number(writer *w, const char *key, size_t number) { write_format(w, ", \"%s\": %zu", key, number); }

/* ---- Lines ---- */

static void run_line(writer *w, const record *r) {
  write_first_member(w, "implementation", r->implementation);
  write_member(w, "version", r->version);
  optional(w, "revision", r->revision);
  optional(w, "label", r->label);
  optional(w, "command", r->command);
  optional(w, "doubt", r->doubt);
  optional(w, "remark", r->remark);
  write_member(w, "profile", r->profile);
  texts(w, "choices", r->choices, r->choice_count);
  write_plain(w, "}\n");
}

static const char *verdict_name(run_verdict verdict) {
  static const char *const names[] = {[RUN_EXPECTED] = "as-expected",
                                      [RUN_NEUTRAL] = "not-judged",
                                      [RUN_KNOWN] = "known",
                                      [RUN_DIFFERENT] = "different",
                                      [RUN_DEGRADED_LAYERS] = "layers-lost"};
  return names[verdict];
}

static void result_line(writer *w, const run_result *result) {
  write_first_member(w, "id", result->id);
  texts(w, "clauses", result->clauses, result->clause_count);
  write_member(w, "level", result->level);
  write_member(w, "op", result->op);
  write_member(w, "outcome", run_outcome_name(result->outcome));
  write_member(w, "verdict", verdict_name(result->verdict));
  write_member(w, "basis", run_basis_name(result->basis));
  optional(w, "path", result->path);
  if (result->line)
    number(w, "line", result->line);
  write_member(w, "digest", result->digest);
  optional(w, "expected", result->expected);
  optional(w, "actual", result->actual);
  optional(w, "known", result->known);
  optional(w, "answer", result->answer);
  optional(w, "listed", result->listed);
  optional(w, "note", result->note);
  optional(w, "asked", result->asked);
  optional(w, "through", result->through);
  optional(w, "module", result->module);
  optional(w, "errors", result->errors);
  write_plain(w, "}\n");
}

static void finding_line(writer *w, const record_finding *finding) {
  write_first_member(w, "choice", finding->choice);
  write_member(w, "follows", run_follows_name(finding->follows));
  write_member(w, "alternatives", finding->alternatives);
  optional(w, "profile", finding->profile);
  texts(w, "witnesses", finding->witnesses, finding->witness_count);
  write_plain(w, "}\n");
}

/* The results again, for other programs. */
static void write_counts(writer *w, const record *r) {
  record_counts counts = record_totals(r);
  number(w, "as-expected", counts.as_expected);
  number(w, "different", counts.different);
  number(w, "known", counts.known);
  number(w, "skipped", counts.skipped);
  number(w, "not-judged", counts.not_judged);
  number(w, "by-model", counts.by_model);
}

static void write_outcomes(writer *w, const record *r) {
  size_t counts[RUN_OUTCOME_COUNT];
  record_outcomes(r, counts);
  write_plain(w, ", \"outcomes\": {");
  for (int i = RUN_UNANSWERED + 1; i < RUN_OUTCOME_COUNT; i++)
    write_format(w, "%s\"%s\": %zu", i > 1 ? ", " : "", run_outcome_name((run_outcome)i), counts[i]);
  write_plain(w, "}");
}

static void write_stale(writer *w, const record *r) {
  write_plain(w, ", \"stale\": [");
  for (size_t i = 0; i < r->stale_count; i++) {
    write_format(w, "%s{\"line\": %u, \"seen\": %s", i ? ", " : "", (unsigned)r->stale[i].line,
                 r->stale[i].seen ? "true" : "false");
    write_member(w, "id", r->stale[i].id);
    write_plain(w, "}");
  }
  write_plain(w, "]");
}

static void totals_line(writer *w, const record *r) {
  write_format(w, "{\"vectors\": %zu", r->count);
  write_counts(w, r);
  number(w, "not-applicable", r->not_applicable);
  number(w, "unreadable", r->unreadable);
  number(w, "layers-lost-as-expected", r->layers_lost_as_expected);
  number(w, "restarts", r->restarts);
  if (r->partial)
    write_plain(w, ", \"partial\": true");
  write_outcomes(w, r);
  write_stale(w, r);
  texts(w, "faults", r->faults, r->faults_kept);
  number(w, "fault-count", r->fault_count);
  write_format(w, ", \"good\": %s}\n", record_good(r) ? "true" : "false");
}

void report_json(writer *w, const record *r) {
  run_line(w, r);
  for (size_t i = 0; i < r->count; i++)
    result_line(w, &r->results[i]);
  for (size_t i = 0; i < r->finding_count; i++)
    finding_line(w, &r->findings[i]);
  totals_line(w, r);
}
