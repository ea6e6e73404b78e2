/* text.c - what a run found, for people. */
#include "report.h"
#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"

#include <stdio.h>
#include <string.h>

/* What was run, the profile in force, and in what it was changed: "my opt: LLVM 22.1.8 (1f3c5e2), profile rfc with
 * merge.empty=drop". */
static void write_name(writer *w, const record *r) {
  OWNED(memory_release)
  char *name = text_format("%s%s%s %s", r->label ? r->label : "", r->label ? ": " : "", r->implementation, r->version);
  text_make_printable(name, ""); /* one line */
  write_plain(w, name);
  if (r->revision)
    write_format(w, " (%.10s)", r->revision);
  write_format(w, ", profile %s", r->profile);
  for (size_t i = 0; i < r->choice_count; i++)
    write_format(w, "%s%s", i ? ", " : " with ", r->choices[i]);
}

typedef struct family {
  dloc_text name;
  record_counts counts;
} family;

enum { MOST_FAMILIES = 32 };

static size_t count_families(const record *r, family *families) {
  size_t count = 0;
  for (size_t i = 0; i < r->count; i++) {
    dloc_text name = record_family(r->results[i].clauses[0]);
    size_t at = 0;
    while (at < count && !dloc_text_equal(families[at].name, name))
      at++;
    if (at == MOST_FAMILIES)
      continue;
    if (at == count)
      families[count++] = (family){.name = name};
    record_count(&families[at].counts, &r->results[i]);
  }
  return count;
}

static void write_families(writer *w, const record *r) {
  family families[MOST_FAMILIES];
  size_t count = count_families(r, families);
  if (count == 0)
    return;
  write_format(w, "  %-12s %11s %9s %7s %7s %10s\n", "clauses", "as expected", "different", "known", "skipped",
               "not judged");
  for (size_t i = 0; i < count; i++)
    write_format(w, "  %-12.*s %11zu %9zu %7zu %7zu %10zu\n", (int)families[i].name.size, families[i].name.bytes,
                 families[i].counts.as_expected, families[i].counts.different, families[i].counts.known,
                 families[i].counts.skipped, families[i].counts.not_judged);
}

static void write_outcomes(writer *w, const record *r) {
  size_t counts[RUN_OUTCOME_COUNT];
  record_outcomes(r, counts);
  write_plain(w, "  outcomes:");
  const char *separator = " ";
  for (int i = RUN_UNANSWERED + 1; i < RUN_OUTCOME_COUNT; i++)
    if (counts[i]) {
      write_format(w, "%s%zu %s", separator, counts[i], run_outcome_name((run_outcome)i));
      separator = ", ";
    }
  write_plain(w, r->count ? "\n" : " none\n");
}

/* Whether the answers follow another alternative than the profile takes. */
static bool deviates(const record_finding *finding) {
  dloc_text rest = dloc_text_of(finding->alternatives);
  for (size_t size = 0; finding->profile && rest.size; rest = (dloc_text){rest.bytes + size, rest.size - size}) {
    size = strcspn(rest.bytes, "|");
    if (dloc_text_equal((dloc_text){rest.bytes, size}, dloc_text_of(finding->profile)))
      return false;
    size += rest.bytes[size] == '|';
  }
  return finding->profile != NULL;
}

/* Some answer follows another alternative than most: the last witness, which is shown if it differs. */
static bool is_explained(const record *r, const record_finding *finding) {
  bool explained = false;
  for (size_t i = 0; finding->witness_count && i < r->count; i++)
    explained |= r->results[i].verdict == RUN_DIFFERENT &&
                 strcmp(r->results[i].id, finding->witnesses[finding->witness_count - 1]) == 0;
  return explained;
}

/* The choices where the answers agree with another alternative than the profile's, which stands in brackets; last those
   of which some answers follow one and some another, unless a difference explains that. The others are counted. */
static void write_findings(writer *w, const record *r) {
  enum { WIDTH = 120 };
  static const char heading[] = "  it follows, against the profile:";
  size_t column = 0, others = 0;
  for (size_t i = 0; i < 2 * r->finding_count; i++) {
    char text[256];
    const record_finding *finding = &r->findings[i % r->finding_count];
    bool mixed = finding->follows == RUN_FOLLOWS_MIXED, first = i < r->finding_count;
    others += first && !deviates(finding);
    if (!deviates(finding) || mixed == first || (mixed && is_explained(r, finding)))
      continue;
    snprintf(text, sizeof text, "%s=%s (%s)", finding->choice, finding->alternatives, finding->profile);
    if (column == 0 || column + 1 + strlen(text) > WIDTH) {
      write_plain(w, column ? "\n   " : heading);
      column = column ? 3 : strlen(heading);
    }
    write_format(w, " %s", text);
    column += strlen(text) + 1;
  }
  write_plain(w, column ? "\n" : "");
  if (others)
    write_format(w, "  it follows the profile in %zu choice%s (--fingerprint lists them)\n", others, plural(others));
}

/* A report begins with the implementation and what it follows. */
static void write_fingerprint(writer *w, const record *r) {
  if (r->doubt)
    write_format(w, "ERROR: %s\n", r->doubt);
  write_name(w, r);
  write_plain(w, "\n");
  if (r->remark)
    write_format(w, "  %s\n", r->remark);
  write_findings(w, r);
  write_plain(w, "\n");
}

/* Texts and how often each was met, in the order met. */
typedef struct tally {
  dloc_text texts[16];
  size_t counts[16];
  size_t count;
} tally;

static void tally_add(tally *t, dloc_text text) {
  size_t at = 0;
  while (at < t->count && !dloc_text_equal(t->texts[at], text))
    at++;
  if (at == sizeof t->counts / sizeof *t->counts)
    return;
  t->texts[at] = text;
  t->counts[at]++;
  t->count += at == t->count;
}

static void write_tally(writer *w, const tally *t, const char *indent) {
  for (size_t i = 0; i < t->count; i++)
    write_format(w, "%s%zu: %.*s\n", indent, t->counts[i], (int)t->texts[i].size, t->texts[i].bytes);
}

/* Why vectors have that outcome, each reason once. */
static void write_reasons(writer *w, const record *r, run_outcome outcome) {
  tally reasons = {0};
  for (size_t i = 0; i < r->count; i++)
    if (r->results[i].outcome == outcome)
      tally_add(&reasons, dloc_text_of(r->results[i].actual ? r->results[i].actual : "no reason given"));
  write_tally(w, &reasons, "    ");
}

/* A run without differences may be taken for more than it is: the adapter asks for the directives of one target. */
static void write_limits(writer *w, const record *r) {
  size_t directives = 0;
  for (size_t i = 0; i < r->count; i++)
    directives += strcmp(r->results[i].op, "emit") == 0 && r->results[i].verdict == RUN_EXPECTED;
  if (directives && record_good(r) && strncmp(r->implementation, "LLVM", 4) == 0)
    write_plain(w, "  line directives are those of NVPTX: no other target was asked.\n");
}

/* Sentences that stand for many vectors at once. */
static void write_sentences(writer *w, const record *r) {
  const record_counts totals = record_totals(r);
  size_t lost = totals.lost + r->layers_lost_as_expected, skipped = totals.skipped, by_model = totals.by_model;
  if (lost)
    write_format(w,
                 "  %s %s does not know tuples with layers: given the %zu vector%s that need%s them, it dropped all "
                 "debug info of the module.%s\n",
                 r->implementation, r->version, lost, plural(lost), lost == 1 ? "s" : "",
                 totals.lost ? "" : " The profile expects that.");
  if (skipped)
    write_format(
        w, "  %zu vector%s skipped: what they need cannot be asked of this implementation, or cannot be observed.\n",
        skipped, skipped == 1 ? " was" : "s were");
  write_reasons(w, r, RUN_SKIPPED);
  if (by_model)
    write_format(w, "  nobody derived what holds for %zu vector%s under the profile: only the model says it.\n",
                 by_model, plural(by_model));
  if (r->not_applicable)
    write_format(w, "  %zu vector%s not apply to the profile.\n", r->not_applicable,
                 r->not_applicable == 1 ? " does" : "s do");
  if (totals.open)
    write_format(w, "  %zu answer%s differ%s in vectors of level record or undefined, which nothing is held to.\n",
                 totals.open, plural(totals.open), totals.open == 1 ? "s" : "");
  if (totals.unasked)
    write_format(w, "  %zu vector%s not asked.\n", totals.unasked, totals.unasked == 1 ? " was" : "s were");
  write_reasons(w, r, RUN_NOT_ASKED);
  if (r->restarts)
    write_format(w, "  the implementation was started again %zu time%s.\n", r->restarts, plural(r->restarts));
}

/* Why vectors are known to fail, each reason once. */
static void write_known(writer *w, const record *r) {
  tally failing = {0};
  size_t known = record_totals(r).known;
  for (size_t i = 0; i < r->count; i++)
    if (r->results[i].known)
      tally_add(&failing, dloc_text_of(r->results[i].known));
  if (known)
    write_format(w, "  %zu vector%s known to fail:\n", known, known == 1 ? " is" : "s are");
  write_tally(w, &failing, "    ");
}

/* Crashes come first: most other differences may be due to them. */
static void write_crashes(writer *w, const record *r) {
  static const char label[] = "crash: "; /* of run_answer_describe */
  tally words = {0};
  for (size_t i = 0; i < r->count; i++)
    if (r->results[i].outcome == RUN_CRASH && r->results[i].verdict == RUN_DIFFERENT && r->results[i].actual)
      tally_add(&words, dloc_text_of(strncmp(r->results[i].actual, label, sizeof label - 1) == 0
                                         ? r->results[i].actual + sizeof label - 1
                                         : r->results[i].actual));
  write_plain(w, words.count ? "it crashed:\n" : "");
  write_tally(w, &words, "  ");
  if (words.count && r->restarts)
    write_plain(w, "  (`dloc smoke` with its command names the rule of the protocol that it breaks)\n");
  write_plain(w, words.count ? "\n" : "");
}

static void write_faults(writer *w, const record *r) {
  for (size_t i = 0; i < r->faults_kept; i++)
    write_format(w, "  fault: %s\n", r->faults[i]);
  if (r->fault_count > r->faults_kept)
    write_format(w, "  fault: ... and %zu more\n", r->fault_count - r->faults_kept);
}

static void write_stale(writer *w, const record *r) {
  for (size_t i = 0; i < r->stale_count; i++)
    write_format(w, "  stale: line %u of the list of expected failures: %s %s\n", (unsigned)r->stale[i].line,
                 r->stale[i].id, r->stale[i].seen ? "does not fail" : "was not run");
}

static void write_verdict(writer *w, const record *r) {
  record_counts counts = record_totals(r);
  write_format(w, "\n%s: %zu vectors, %zu different",
               r->partial       ? "a PARTIAL run"
               : record_good(r) ? "all as expected"
                                : "NOT as expected",
               r->count, counts.different);
  if (counts.known)
    write_format(w, ", %zu known to fail", counts.known);
  if (counts.unasked)
    write_format(w, ", %zu not asked", counts.unasked);
  if (r->stale_count)
    write_format(w, ", %zu stale", r->stale_count);
  if (r->fault_count)
    write_format(w, ", %zu fault%s of the adapter", r->fault_count, plural(r->fault_count));
  if (r->unreadable)
    write_format(w, ", %zu unreadable", r->unreadable);
  if (r->seconds >= 0)
    write_format(w, "; %.2f s", r->seconds);
  if (r->seconds > 0 && r->count >= 1000)
    write_format(w, ", %.0f vectors/s, most of them run twice", (double)r->count / r->seconds);
  write_plain(w, "\n");
}

dloc_status report_text(const record *r, const report_text_options *options, dloc_sink sink) {
  writer w = {.sink = sink, .shown = true};
  write_fingerprint(&w, r);
  write_crashes(&w, r);
  write_plain(&w, write_differences(&w, r, options) ? "\n" : "");
  write_families(&w, r);
  write_plain(&w, "\n");
  write_outcomes(&w, r);
  write_sentences(&w, r);
  write_limits(&w, r);
  write_known(&w, r);
  write_faults(&w, r);
  write_stale(&w, r);
  write_verdict(&w, r);
  return write_finish(&w);
}
