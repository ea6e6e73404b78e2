/* json.c - a run as JSON Lines: the run, each result, each choice it tells of, the totals. Nothing in it depends on the
 * clock. tools/pages/run_file.py reads them back. */
#include "report.h"
#include "writer.h"

#include <string.h>

/* ---- Members behind the first one of a line ---- */

static void unless_empty(writer *w, const char *key, const char *text) {
  if (*text)
    write_member(w, key, text);
}

static void optional(writer *w, const char *key, const char *text) {
  if (text)
    write_member(w, key, text);
}

static void begin_list(writer *w, const char *key) { write_format(w, ", \"%s\": [", key); }

static void item(writer *w, size_t at, const char *text) {
  write_plain(w, at ? ", " : "");
  write_json(w, text);
}

static void number(writer *w, const char *key, size_t number) { write_format(w, ", \"%s\": %zu", key, number); }

/* ---- Lines ---- */

/* NAME=ALTERNATIVE: the choices of the user, then those in which the adapter's own profile differs from the built-in one. */
static void write_choices(writer *w, const record *r) {
  const run_settings *settings = r->settings;
  const dloc_profile *built_in = dloc_profile_find(dloc_text_of(settings->profile.name));
  const dloc_profile *changed = &r->implementation->changed;
  bool own = !settings->profile_name && changed->name && built_in;
  size_t count = 0;
  begin_list(w, "choices");
  for (; count < settings->choice_count; count++)
    item(w, count, settings->choices[count]);
  for (int i = 0; own && i < DLOC_CHOICE_COUNT; i++) {
    unsigned alternative = settings->profile.alternative[i];
    if (alternative != changed->alternative[i] || alternative == built_in->alternative[i])
      continue;
    write_format(w, "%s\"%s=%s\"", count++ ? ", " : "", dloc_choice_name((dloc_choice)i),
                 dloc_alternative_name((dloc_choice)i, alternative));
  }
  write_plain(w, "]");
}

static void run_line(writer *w, const record *r) {
  write_first_member(w, "implementation", r->implementation->name);
  write_member(w, "version", r->implementation->version);
  unless_empty(w, "revision", r->implementation->revision);
  optional(w, "label", r->label);
  optional(w, "command", r->command);
  unless_empty(w, "doubt", r->results->doubt);
  unless_empty(w, "remark", r->implementation->remark);
  write_member(w, "profile", r->settings->profile.name);
  write_choices(w, r);
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
  begin_list(w, "clauses");
  for (size_t i = 0; i < result->clause_count; i++)
    item(w, i, result->clauses[i]);
  write_plain(w, "]");
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

/* It writes no layers where the choice is about them: its vectors were skipped. */
static bool lacks_layers(const run_implementation *implementation, dloc_choice choice) {
  bool lacks = false;
  for (int place = RUN_NOWHERE + 1; place < RUN_PLACE_COUNT; place++)
    lacks |= implementation->lacks >> place & 1 && run_place_choice((run_place)place) == choice;
  return lacks;
}

static void finding_line(writer *w, const record *r, dloc_choice choice) {
  run_finding finding = run_results_finding(r->results, choice);
  if (finding.follows == RUN_FOLLOWS_UNKNOWN && lacks_layers(r->implementation, choice)) {
    finding.follows = RUN_FOLLOWS_ONE;
    strcpy(finding.alternatives, "none");
  }
  if (finding.follows == RUN_FOLLOWS_UNKNOWN)
    return;
  write_first_member(w, "choice", dloc_choice_name(choice));
  write_member(w, "follows", run_follows_name(finding.follows));
  write_member(w, "alternatives", finding.alternatives);
  write_member(w, "profile", dloc_alternative_name(choice, r->settings->profile.alternative[choice]));
  begin_list(w, "witnesses");
  for (size_t i = 0; i < finding.witness_count; i++)
    item(w, i, r->results->items[finding.witnesses[i]].id);
  write_plain(w, "]}\n");
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
  size_t count = 0;
  begin_list(w, "stale");
  for (size_t i = 0; r->expected && i < r->expected->count; i++) {
    const expected_entry *entry = &r->expected->entries[i];
    if (!record_is_stale(r, entry))
      continue;
    write_format(w, "%s{\"line\": %u, \"seen\": %s", count++ ? ", " : "", (unsigned)entry->line,
                 entry->seen ? "true" : "false");
    write_member_text(w, "id", entry->id);
    write_plain(w, "}");
  }
  write_plain(w, "]");
}

/* The first few faults of the adapter. */
static void write_faults(writer *w, const adapter *a) {
  const size_t room = sizeof a->notes / sizeof *a->notes;
  begin_list(w, "faults");
  for (size_t i = 0; i < a->note_count && i < room; i++)
    item(w, i, a->notes[i]);
  write_plain(w, "]");
}

static void totals_line(writer *w, const record *r) {
  const run_results *results = r->results;
  write_format(w, "{\"vectors\": %zu", results->count);
  write_counts(w, r);
  number(w, "not-applicable", results->not_applicable);
  number(w, "unreadable", results->unreadable);
  number(w, "layers-lost-as-expected", results->layers_lost_as_expected);
  number(w, "restarts", r->adapter->restarts);
  if (results->partial)
    write_plain(w, ", \"partial\": true");
  write_outcomes(w, r);
  write_stale(w, r);
  write_faults(w, r->adapter);
  number(w, "fault-count", r->adapter->note_count);
  write_format(w, ", \"good\": %s}\n", record_good(r) ? "true" : "false");
}

void report_json(writer *w, const record *r) {
  run_line(w, r);
  for (size_t i = 0; i < r->results->count; i++)
    result_line(w, &r->results->items[i]);
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    finding_line(w, r, (dloc_choice)i);
  totals_line(w, r);
}
