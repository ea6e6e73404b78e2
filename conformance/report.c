/* report.c - what a run found, for people and for machines. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing ------------------------------------------------------------------------------------------------------------- */

/* A sink that remembers that it stopped, so that a report reads as one sequence. */
typedef struct writer {
  dloc_sink sink;
  bool stopped;
} writer;

static void put(writer *w, const char *bytes, size_t size) {
  if (!w->stopped && size > 0)
    w->stopped = !w->sink.write(w->sink.user, bytes, size);
}

static void puts_to(writer *w, const char *text) { put(w, text, strlen(text)); }

/* printf's format, for short texts. */
__attribute__((format(printf, 2, 3))) static void printf_to(writer *w, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (n > 0)
    put(w, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static dloc_status finish(const writer *w) { return w->stopped ? DLOC_STOPPED : DLOC_OK; }

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* The profile in force, and in what it was changed: "llvm-22", "rfc with merge.empty=drop". */
static void write_profile(writer *w, const report *r) {
  puts_to(w, r->settings->profile.name);
  for (size_t i = 0; i < r->settings->choice_count; i++)
    printf_to(w, "%s%s", i ? ", " : " with ", r->settings->choices[i]);
}

/* ---- Text ---------------------------------------------------------------------------------------------------------------- */

static bool is_difference(const run_result *result) { return result->verdict == RUN_DIFFERENT; }

/* Several lines, each indented. */
static void write_block(writer *w, const char *label, const char *text) {
  printf_to(w, "    %s:", label);
  if (!text)
    text = "(no memory)";
  bool single = !strchr(text, '\n') || strchr(text, '\n')[1] == '\0';
  while (*text) {
    size_t size = strcspn(text, "\n");
    puts_to(w, single ? " " : "\n      ");
    put(w, text, size);
    text += size;
    text += *text == '\n';
  }
  puts_to(w, "\n");
}

static void write_differences(writer *w, const report *r) {
  size_t shown = 0;
  for (size_t i = 0; i < r->results->count; i++) {
    const run_result *result = &r->results->items[i];
    if (!is_difference(result) || shown++ >= r->most_shown)
      continue;
    printf_to(w, "\n  %s  (%s; %s%s%s)\n", result->id, dloc_clause_anchor(result->clause), result->level,
              result->path ? "; " : "", result->path ? result->path : "");
    bool wavers = result->outcome == RUN_NONDET;
    write_block(w, wavers ? "first" : "expected", result->expected);
    write_block(w, wavers ? "second" : "actual", result->actual);
  }
  if (shown > r->most_shown)
    printf_to(w, "\n  ... and %zu more\n", shown - r->most_shown);
}

/* The first part of a clause's anchor: its family. */
static dloc_text family_of(dloc_clause clause) {
  const char *anchor = dloc_clause_anchor(clause);
  return (dloc_text){anchor, strcspn(anchor, ".")};
}

typedef struct family {
  dloc_text name;
  size_t as_expected, different, known, skipped, other;
} family;

enum { MOST_FAMILIES = 32 };

static size_t count_families(const run_results *results, family *families) {
  size_t count = 0;
  for (size_t i = 0; i < results->count; i++) {
    const run_result *result = &results->items[i];
    dloc_text name = family_of(result->clause);
    size_t at = 0;
    while (at < count && !dloc_text_equal(families[at].name, name))
      at++;
    if (at == MOST_FAMILIES)
      continue;
    if (at == count)
      families[count++] = (family){.name = name};
    families[at].as_expected += result->verdict == RUN_EXPECTED;
    families[at].different += result->verdict == RUN_DIFFERENT || result->verdict == RUN_DEGRADED_LAYERS;
    families[at].known += result->verdict == RUN_KNOWN;
    families[at].skipped += result->outcome == RUN_SKIPPED;
    families[at].other += result->verdict == RUN_NEUTRAL && result->outcome != RUN_SKIPPED;
  }
  return count;
}

static void write_families(writer *w, const run_results *results) {
  family families[MOST_FAMILIES];
  size_t count = count_families(results, families);
  if (count == 0)
    return;
  printf_to(w, "\n  %-12s %11s %9s %7s %7s %10s\n", "clauses", "as expected", "different", "known", "skipped",
            "not judged");
  for (size_t i = 0; i < count; i++)
    printf_to(w, "  %-12.*s %11zu %9zu %7zu %7zu %10zu\n", (int)families[i].name.size, families[i].name.bytes,
              families[i].as_expected, families[i].different, families[i].known, families[i].skipped,
              families[i].other);
}

static void write_outcomes(writer *w, const run_results *results) {
  puts_to(w, "  outcomes:");
  const char *separator = " ";
  for (int i = RUN_UNANSWERED + 1; i < RUN_OUTCOME_COUNT; i++)
    if (results->by_outcome[i]) {
      printf_to(w, "%s%zu %s", separator, results->by_outcome[i], run_outcome_name((run_outcome)i));
      separator = ", ";
    }
  puts_to(w, results->count ? "\n" : " none\n");
}

/* Which alternative of each choice the answers agree with; only choices that some answer decides. */
static void write_fingerprint(writer *w, const run_results *results) {
  enum { WIDTH = 120 };
  static const char heading[] = "  it follows:";
  size_t column = 0;
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++) {
    run_finding finding = run_results_finding(results, (dloc_choice)i);
    if (finding.follows == RUN_FOLLOWS_UNKNOWN)
      continue;
    char text[256];
    snprintf(text, sizeof text, "%s=%s", dloc_choice_name((dloc_choice)i), finding.alternatives);
    if (column == 0 || column + 1 + strlen(text) > WIDTH) {
      puts_to(w, column ? "\n   " : heading);
      column = column ? 3 : sizeof heading - 1;
    }
    printf_to(w, " %s", text);
    column += strlen(text) + 1;
  }
  if (column)
    puts_to(w, "\n");
}

/* Sentences that stand for many vectors at once. */
static void write_sentences(writer *w, const report *r) {
  const run_results *results = r->results;
  const char *name = r->implementation->name;
  size_t lost = results->degraded_layers + results->degraded_expected;
  if (lost)
    printf_to(w,
              "  %s %s does not know locations with layers: given the %zu vector%s that need%s them, it dropped all "
              "debug info of the "
              "module.%s\n",
              name, r->implementation->version, lost, plural(lost), lost == 1 ? "s" : "",
              results->degraded_layers ? "" : " The profile expects that.");
  if (results->by_outcome[RUN_SKIPPED])
    printf_to(w,
              "  %zu vector%s skipped: what they need cannot be asked of this implementation, or cannot be observed.\n",
              results->by_outcome[RUN_SKIPPED], results->by_outcome[RUN_SKIPPED] == 1 ? " was" : "s were");
  if (results->not_applicable)
    printf_to(w, "  %zu vector%s not apply to the profile.\n", results->not_applicable,
              results->not_applicable == 1 ? " does" : "s do");
  if (results->neutral)
    printf_to(w, "  %zu answer%s differ%s in vectors of level record or undefined, which nothing is held to.\n",
              results->neutral, plural(results->neutral), results->neutral == 1 ? "s" : "");
  if (r->adapter->restarts)
    printf_to(w, "  the implementation was started again %zu time%s.\n", r->adapter->restarts,
              plural(r->adapter->restarts));
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
  if (at == t->count) {
    t->texts[t->count] = text;
    t->counts[t->count++] = 0;
  }
  t->counts[at]++;
}

static void write_tally(writer *w, const tally *t) {
  for (size_t i = 0; i < t->count; i++)
    printf_to(w, "    %zu: %.*s\n", t->counts[i], (int)t->texts[i].size, t->texts[i].bytes);
}

/* Why vectors were skipped, each reason once. */
static void write_skips(writer *w, const run_results *results) {
  tally reasons = {0};
  for (size_t i = 0; i < results->count; i++)
    if (results->items[i].outcome == RUN_SKIPPED)
      tally_add(&reasons, dloc_text_of(results->items[i].actual ? results->items[i].actual : "no reason given"));
  write_tally(w, &reasons);
}

/* Why vectors are known to fail, each reason once. */
static void write_known(writer *w, const report *r) {
  tally reasons = {0};
  for (size_t i = 0; r->expected && i < r->expected->count; i++)
    if (r->expected->entries[i].failed)
      tally_add(&reasons, r->expected->entries[i].reason);
  if (reasons.count)
    printf_to(w, "  %zu vector%s known to fail:\n", r->results->known, r->results->known == 1 ? " is" : "s are");
  write_tally(w, &reasons);
}

static void write_notes(writer *w, const report *r) {
  const adapter *a = r->adapter;
  size_t room = sizeof a->notes / sizeof *a->notes;
  for (size_t i = 0; i < a->note_count && i < room; i++)
    printf_to(w, "  fault: %s\n", a->notes[i]);
  if (a->note_count > room)
    printf_to(w, "  fault: ... and %zu more\n", a->note_count - room);
}

static void write_stale(writer *w, const report *r) {
  for (size_t i = 0; r->expected && i < r->expected->count; i++) {
    const expected_entry *entry = &r->expected->entries[i];
    if (expected_is_stale(entry, &r->settings->profile))
      printf_to(w, "  stale: line %u of the list of expected failures: %.*s %s\n", (unsigned)entry->line,
                (int)entry->id.size, entry->id.bytes, entry->seen ? "does not fail" : "was not run");
  }
}

static void write_verdict(writer *w, const report *r) {
  const run_results *results = r->results;
  size_t different = results->different + results->degraded_layers;
  printf_to(w, "\n%s: %zu vectors, ", run_results_good(results, r->adapter) ? "all as expected" : "NOT as expected",
            results->count);
  printf_to(w, "%zu different", different);
  if (results->known)
    printf_to(w, ", %zu known to fail", results->known);
  if (results->stale)
    printf_to(w, ", %zu stale", results->stale);
  if (r->adapter->note_count)
    printf_to(w, ", %zu fault%s of the adapter", r->adapter->note_count, plural(r->adapter->note_count));
  if (results->unreadable)
    printf_to(w, ", %zu unreadable", results->unreadable);
  printf_to(w, "; %.2f s", results->all_seconds);
  if (results->all_seconds > 0 && results->count >= 1000)
    printf_to(w, ", %.0f vectors/s, each run twice", (double)results->count / results->all_seconds);
  puts_to(w, "\n");
}

dloc_status report_text(const report *r, dloc_sink sink) {
  writer w = {sink, false};
  if (r->results->different)
    puts_to(&w, "differences:\n");
  write_differences(&w, r);
  printf_to(&w, "%s%s %s, profile ", r->results->different ? "\n" : "", r->implementation->name,
            r->implementation->version);
  write_profile(&w, r);
  puts_to(&w, "\n");
  write_families(&w, r->results);
  puts_to(&w, "\n");
  write_outcomes(&w, r->results);
  write_fingerprint(&w, r->results);
  write_sentences(&w, r);
  write_skips(&w, r->results);
  write_known(&w, r);
  write_notes(&w, r);
  write_stale(&w, r);
  write_verdict(&w, r);
  return finish(&w);
}

/* ---- JUnit --------------------------------------------------------------------------------------------------------------- */

/* The length of the UTF-8 character at text, which XML 1.0 may hold; 0 for anything else. */
static size_t xml_character(const unsigned char *text) {
  unsigned char c = text[0];
  if (c < 0x80)
    return c >= 0x20 || c == '\t' || c == '\n';
  size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c > 0xf4)
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (c == 0xe0 && text[1] < 0xa0) || (c == 0xf0 && text[1] < 0x90);
  bool outside = (c == 0xed && text[1] > 0x9f) || (c == 0xf4 && text[1] > 0x8f);
  bool nothing = c == 0xef && text[1] == 0xbf && text[2] >= 0xbe;
  return overlong || outside || nothing ? 0 : length;
}

static void put_xml(writer *w, const char *text) {
  for (const char *p = text ? text : ""; *p;) {
    size_t length = xml_character((const unsigned char *)p);
    const char *escape = length == 0  ? "?"
                         : *p == '&'  ? "&amp;"
                         : *p == '<'  ? "&lt;"
                         : *p == '>'  ? "&gt;"
                         : *p == '"'  ? "&quot;"
                         : *p == '\n' ? "&#10;"
                                      : NULL;
    if (escape)
      puts_to(w, escape);
    else
      put(w, p, length);
    p += length ? length : 1;
  }
}

static void put_junit_failure(writer *w, const run_result *result) {
  bool error = result->outcome == RUN_ERRORED || result->outcome == RUN_CRASH || result->outcome == RUN_HANG;
  const char *element = error ? "error" : "failure";
  printf_to(w, "><%s type=\"%s\" message=\"", element, run_outcome_name(result->outcome));
  puts_to(w, result->outcome == RUN_NONDET ? "two different answers" : "differs from what is expected");
  puts_to(w, "\">expected:&#10;");
  put_xml(w, result->expected);
  puts_to(w, "&#10;actual:&#10;");
  put_xml(w, result->actual);
  printf_to(w, "</%s></testcase>\n", element);
}

static void put_junit_case(writer *w, const run_result *result) {
  puts_to(w, "    <testcase name=\"");
  put_xml(w, result->id);
  puts_to(w, "\" classname=\"");
  put_xml(w, dloc_clause_anchor(result->clause));
  puts_to(w, "\"");
  if (result->verdict == RUN_DIFFERENT || result->verdict == RUN_DEGRADED_LAYERS) {
    put_junit_failure(w, result);
  } else if (result->outcome == RUN_SKIPPED || result->verdict == RUN_KNOWN || result->verdict == RUN_NEUTRAL) {
    puts_to(w, "><skipped message=\"");
    put_xml(w, result->verdict == RUN_KNOWN ? "known to fail" : result->actual);
    puts_to(w, "\"/></testcase>\n");
  } else {
    puts_to(w, "/>\n");
  }
}

/* Faults that belong to no vector are a test case of their own, so that no reader of the file can miss them. */
static void put_junit_faults(writer *w, const report *r) {
  if (r->adapter->note_count + r->results->stale + r->results->unreadable == 0)
    return;
  puts_to(w, "    <testcase name=\"(the run)\" classname=\"run\"><failure message=\"");
  printf_to(w, "%zu faults of the adapter, %zu stale expected failures, %zu unreadable vectors", r->adapter->note_count,
            r->results->stale, r->results->unreadable);
  puts_to(w, "\">");
  for (size_t i = 0; i < r->adapter->note_count && i < sizeof r->adapter->notes / sizeof *r->adapter->notes; i++) {
    put_xml(w, r->adapter->notes[i]);
    puts_to(w, "&#10;");
  }
  puts_to(w, "</failure></testcase>\n");
}

static void count_junit(const run_results *results, size_t *failures, size_t *errors, size_t *skipped) {
  for (size_t i = 0; i < results->count; i++) {
    const run_result *result = &results->items[i];
    bool bad = result->verdict == RUN_DIFFERENT || result->verdict == RUN_DEGRADED_LAYERS;
    bool error = result->outcome == RUN_ERRORED || result->outcome == RUN_CRASH || result->outcome == RUN_HANG;
    *errors += bad && error;
    *failures += bad && !error;
    *skipped += !bad && result->verdict != RUN_EXPECTED;
  }
}

dloc_status report_junit(const report *r, dloc_sink sink) {
  writer w = {sink, false};
  size_t failures = 0, errors = 0, skipped = 0;
  count_junit(r->results, &failures, &errors, &skipped);
  bool faults = r->adapter->note_count + r->results->stale + r->results->unreadable > 0;
  puts_to(&w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"");
  put_xml(&w, r->implementation->name);
  puts_to(&w, " ");
  put_xml(&w, r->implementation->version);
  puts_to(&w, ", profile ");
  put_xml(&w, r->settings->profile.name);
  printf_to(&w, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            r->results->count + faults, failures + faults, errors, skipped, r->results->all_seconds);
  for (size_t i = 0; i < r->results->count; i++)
    put_junit_case(&w, &r->results->items[i]);
  put_junit_faults(&w, r);
  puts_to(&w, "  </testsuite>\n</testsuites>\n");
  return finish(&w);
}

/* ---- JSON Lines ---------------------------------------------------------------------------------------------------------- */

static void put_json(writer *w, const char *text) {
  puts_to(w, "\"");
  for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p;) {
    size_t length = xml_character(p);
    if (*p == '"' || *p == '\\')
      printf_to(w, "\\%c", *p);
    else if (*p < 0x20)
      printf_to(w, "\\u%04x", *p);
    else if (length == 0)
      puts_to(w, "\\ufffd");
    else
      put(w, (const char *)p, length);
    p += length ? length : 1;
  }
  puts_to(w, "\"");
}

static void put_member(writer *w, const char *key, const char *text) {
  printf_to(w, ", \"%s\": ", key);
  put_json(w, text);
}

static const char *verdict_name(run_verdict verdict) {
  static const char *const names[] = {"as-expected", "not-judged", "known", "different", "layers-lost"};
  return names[verdict];
}

static void put_json_result(writer *w, const run_result *result) {
  puts_to(w, "{\"id\": ");
  put_json(w, result->id);
  put_member(w, "clause", dloc_clause_anchor(result->clause));
  put_member(w, "level", result->level);
  put_member(w, "op", result->op);
  put_member(w, "outcome", run_outcome_name(result->outcome));
  put_member(w, "verdict", verdict_name(result->verdict));
  if (result->path)
    put_member(w, "path", result->path);
  if (result->expected)
    put_member(w, "expected", result->expected);
  if (result->actual)
    put_member(w, "actual", result->actual);
  puts_to(w, "}\n");
}

static void put_json_totals(writer *w, const report *r) {
  const run_results *results = r->results;
  printf_to(w,
            "{\"vectors\": %zu, \"different\": %zu, \"known\": %zu, \"stale\": %zu, \"not-applicable\": %zu, "
            "\"layers-lost\": %zu",
            results->count, results->different, results->known, results->stale, results->not_applicable,
            results->degraded_layers);
  puts_to(w, ", \"outcomes\": {");
  for (int i = RUN_UNANSWERED + 1; i < RUN_OUTCOME_COUNT; i++)
    printf_to(w, "%s\"%s\": %zu", i > 1 ? ", " : "", run_outcome_name((run_outcome)i), results->by_outcome[i]);
  puts_to(w, "}, \"faults\": [");
  for (size_t i = 0; i < r->adapter->note_count && i < sizeof r->adapter->notes / sizeof *r->adapter->notes; i++) {
    puts_to(w, i ? ", " : "");
    put_json(w, r->adapter->notes[i]);
  }
  printf_to(w, "], \"seconds\": %.3f, \"as-expected\": %s}\n", results->all_seconds,
            run_results_good(results, r->adapter) ? "true" : "false");
}

dloc_status report_json(const report *r, dloc_sink sink) {
  writer w = {sink, false};
  puts_to(&w, "{\"implementation\": ");
  put_json(&w, r->implementation->name);
  put_member(&w, "version", r->implementation->version);
  put_member(&w, "profile", r->settings->profile.name);
  puts_to(&w, "}\n");
  for (size_t i = 0; i < r->results->count; i++)
    put_json_result(&w, &r->results->items[i]);
  put_json_totals(&w, r);
  return finish(&w);
}
