/* json.c - a run as JSON Lines: the run, each result, each choice it tells of, the totals. Nothing in it depends on the
 * clock. */
#include "report.h"
#include "writer.h"

static void write_texts(writer *w, const char *key, const char *const *texts, size_t count) {
  write_format(w, ", \"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    write_plain(w, i ? ", " : "");
    write_json(w, texts[i]);
  }
  write_plain(w, "]");
}

static void write_present(writer *w, const char *key, const char *text) {
  if (text)
    write_member(w, key, text);
}

static void write_run(writer *w, const record *r) {
  write_plain(w, "{\"implementation\": ");
  write_json(w, r->implementation);
  write_member(w, "version", r->version);
  write_member(w, "profile", r->profile);
  write_texts(w, "choices", r->choices, r->choice_count);
  write_plain(w, "}\n");
}

static void write_result(writer *w, const record_result *result) {
  write_plain(w, "{\"id\": ");
  write_json(w, result->id);
  write_texts(w, "clauses", result->clauses, result->clause_count);
  write_member(w, "level", result->level);
  write_member(w, "op", result->op);
  write_member(w, "outcome", run_outcome_name(result->outcome));
  write_member(w, "verdict", record_verdict_name(result->verdict));
  write_present(w, "path", result->path);
  write_member(w, "digest", result->digest);
  write_present(w, "expected", result->expected);
  write_present(w, "actual", result->actual);
  write_present(w, "known", result->known);
  write_plain(w, "}\n");
}

static void write_finding(writer *w, const record_finding *finding) {
  static const char *const names[] = {"unknown", "one", "several", "mixed"};
  write_plain(w, "{\"choice\": ");
  write_json(w, finding->choice);
  write_member(w, "follows", names[finding->follows]);
  write_member(w, "alternatives", finding->alternatives);
  write_texts(w, "witnesses", finding->witnesses, finding->witness_count);
  write_plain(w, "}\n");
}

static void write_outcomes(writer *w, const record *r) {
  size_t counts[RUN_OUTCOME_COUNT] = {0};
  for (size_t i = 0; i < r->count; i++)
    counts[r->results[i].outcome]++;
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

static void write_totals(writer *w, const record *r) {
  record_counts counts = record_totals(r);
  write_format(w,
               "{\"vectors\": %zu, \"as-expected\": %zu, \"different\": %zu, \"known\": %zu, \"skipped\": %zu, "
               "\"not-judged\": %zu, \"not-applicable\": %zu, \"unreadable\": %zu, \"layers-lost-as-expected\": %zu, "
               "\"restarts\": %zu",
               r->count, counts.as_expected, counts.different, counts.known, counts.skipped, counts.not_judged,
               r->not_applicable, r->unreadable, r->layers_lost_as_expected, r->restarts);
  write_outcomes(w, r);
  write_stale(w, r);
  write_texts(w, "faults", r->faults, r->faults_kept);
  write_format(w, ", \"fault-count\": %zu, \"good\": %s}\n", r->fault_count, record_good(r) ? "true" : "false");
}

dloc_status report_json(const record *r, dloc_sink sink) {
  writer w = {sink, false};
  write_run(&w, r);
  for (size_t i = 0; i < r->count; i++)
    write_result(&w, &r->results[i]);
  for (size_t i = 0; i < r->finding_count; i++)
    write_finding(&w, &r->findings[i]);
  write_totals(&w, r);
  return write_finish(&w);
}
