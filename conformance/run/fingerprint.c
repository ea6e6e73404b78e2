/* fingerprint.c - which alternative of each choice the answers of a run follow.
 *
 * One vector may list several choices, and two alternatives of different choices may ask for the same answer. So an
 * answer speaks against an alternative only when nothing that is still possible for the vector's other choices explains
 * the answer with it. What is ruled out by one answer may make another one clear, so the answers are gone through until
 * nothing more follows. */
#include "runner_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fingerprint_deinit(run_fingerprint *f) {
  for (size_t i = 0; i < f->count; i++)
    free(f->evidence[i].entries);
  free(f->evidence);
  *f = (run_fingerprint){0};
}

/* ---- What explains an answer ---- */

/* The alternatives of each choice that are still possible. */
typedef struct possibilities {
  bool open[DLOC_CHOICE_COUNT][RUN_ALTERNATIVES];
} possibilities;

static unsigned alternatives_of(int choice) {
  unsigned count = dloc_choice_alternatives((dloc_choice)choice);
  return count < RUN_ALTERNATIVES ? count : RUN_ALTERNATIVES;
}

/* Whether an implementation with these alternatives gives the answer, by the rules of vector_expectation_for. */
static bool explains(const run_evidence *e, const uint8_t *taken) {
  bool lost = e->loses_layers && taken[DLOC_CHOICE_SHAPE_TUPLE] == DLOC_SHAPE_TUPLE_REJECT;
  for (size_t i = 0; i < e->entry_count; i++) {
    const run_evidence_entry *entry = &e->entries[i];
    if (taken[entry->choice] == entry->alternative && (!lost || entry->choice == DLOC_CHOICE_SHAPE_TUPLE))
      return entry->fits;
  }
  return lost ? e->fits_without : e->fits_expect;
}

/* Whether the choices from number `from` on, but `fixed`, have possible alternatives that explain the answer. */
static bool explainable(const run_evidence *e, const possibilities *p, uint8_t fixed, size_t from, uint8_t *taken) {
  if (from == e->choice_count)
    return explains(e, taken);
  uint8_t choice = e->choices[from];
  if (choice == fixed)
    return explainable(e, p, fixed, from + 1, taken);
  for (unsigned i = 0; i < alternatives_of(choice); i++) {
    taken[choice] = (uint8_t)i;
    if (p->open[choice][i] && explainable(e, p, fixed, from + 1, taken))
      return true;
  }
  return false;
}

/* Which alternatives of a choice explain the answer; returns how many. */
static unsigned find_explanations(const run_evidence *e, const possibilities *p, uint8_t choice, bool *ret) {
  uint8_t taken[DLOC_CHOICE_COUNT] = {0};
  unsigned count = 0;
  for (unsigned i = 0; i < alternatives_of(choice); i++) {
    taken[choice] = (uint8_t)i;
    ret[i] = explainable(e, p, choice, 0, taken);
    count += ret[i];
  }
  /* An answer that also fits a profile of which something particular is expected may come from there. */
  if (count > 0 && e->own && !ret[e->own->alternative[choice]]) {
    ret[e->own->alternative[choice]] = true;
    count++;
  }
  return count;
}

/* ---- What the answers say together ---- */

static void hear(run_fingerprint *f, const run_evidence *e, const possibilities *p, uint8_t choice) {
  bool fits[RUN_ALTERNATIVES];
  unsigned count = find_explanations(e, p, choice, fits);
  if (count == 0 || count == alternatives_of(choice))
    return;
  for (unsigned i = 0; i < alternatives_of(choice); i++) {
    if (!fits[i] && f->contradicts[choice][i] == 0)
      f->contradicts[choice][i] = e->item + 1;
    if (fits[i] && count == 1 && f->speaks_for[choice][i] == 0)
      f->speaks_for[choice][i] = e->item + 1;
  }
}

static void hear_all(run_fingerprint *f, const possibilities *p) {
  for (size_t i = 0; i < f->count; i++)
    for (size_t j = 0; j < f->evidence[i].listed; j++)
      hear(f, &f->evidence[i], p, f->evidence[i].choices[j]);
}

/* Answers that nothing explains, whatever is possible. */
static void find_unexplained(run_fingerprint *f) {
  possibilities all;
  bool fits[RUN_ALTERNATIVES];
  memset(all.open, true, sizeof all.open);
  for (size_t i = 0; i < f->count; i++)
    for (size_t j = 0; j < f->evidence[i].listed; j++) {
      const run_evidence *e = &f->evidence[i];
      uint8_t choice = e->choices[j];
      if (!e->own && f->fits_none[choice] == 0 && find_explanations(e, &all, choice, fits) == 0)
        f->fits_none[choice] = e->item + 1;
    }
}

static bool is_told(const run_fingerprint *f, int choice) {
  for (unsigned i = 0; i < alternatives_of(choice); i++)
    if (f->contradicts[choice][i])
      return true;
  return false;
}

static bool is_wiped_out(const run_fingerprint *f, int choice) {
  for (unsigned i = 0; i < alternatives_of(choice); i++)
    if (f->contradicts[choice][i] == 0)
      return false;
  return true;
}

/* Close what is contradicted, but for the choices that are mixed; whether that changed anything. */
static bool narrow(const run_fingerprint *f, const bool *mixed, possibilities *p) {
  bool changed = false;
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    for (unsigned j = 0; j < alternatives_of(i); j++)
      if (!mixed[i] && f->contradicts[i][j] && p->open[i][j]) {
        p->open[i][j] = false;
        changed = true;
      }
  return changed;
}

/* Add the choices that turn out to be mixed; whether there are new ones, on which nothing must be built then. */
static bool find_mixed(const run_fingerprint *f, bool *mixed) {
  bool found = false;
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    if (!mixed[i] && is_wiped_out(f, i))
      mixed[i] = found = true;
  return found;
}

void fingerprint_settle(run_fingerprint *f) {
  bool mixed[DLOC_CHOICE_COUNT] = {false};
  bool again;
  find_unexplained(f);
  do {
    possibilities p;
    memset(p.open, true, sizeof p.open);
    memset(f->speaks_for, 0, sizeof f->speaks_for);
    memset(f->contradicts, 0, sizeof f->contradicts);
    do {
      hear_all(f, &p);
      again = find_mixed(f, mixed);
    } while (!again && narrow(f, mixed, &p));
  } while (again);
}

/* ---- Findings ---- */

static void add_witness(run_finding *finding, size_t item) {
  bool known = item == 0 || finding->witness_count == RUN_WITNESSES;
  for (size_t i = 0; i < finding->witness_count; i++)
    known = known || finding->witnesses[i] == item - 1;
  if (!known)
    finding->witnesses[finding->witness_count++] = item - 1;
}

/* Two answers that cannot both be right: two that speak for different alternatives, or failing that, against them. */
static void find_conflict(const run_fingerprint *f, int choice, run_finding *finding) {
  for (unsigned i = 0; i < alternatives_of(choice) && finding->witness_count < 2; i++)
    add_witness(finding, f->speaks_for[choice][i]);
  for (unsigned i = 0; i < alternatives_of(choice) && finding->witness_count < 2; i++)
    add_witness(finding, f->contradicts[choice][i]);
  add_witness(finding, finding->witness_count ? 0 : f->fits_none[choice]);
  finding->follows = RUN_FOLLOWS_MIXED;
  snprintf(finding->alternatives, sizeof finding->alternatives, "mixed");
}

/* The answers that leave these alternatives: the one that speaks for it, or failing that, those that rule out the
 * others. */
static void find_support(const run_fingerprint *f, int choice, run_finding *finding) {
  unsigned left = 0;
  size_t used = 0;
  for (unsigned i = 0; i < alternatives_of(choice); i++)
    if (f->contradicts[choice][i] == 0 && used < sizeof finding->alternatives) {
      used += (size_t)snprintf(finding->alternatives + used, sizeof finding->alternatives - used, "%s%s",
                               left++ ? "|" : "", dloc_alternative_name((dloc_choice)choice, i));
      add_witness(finding, f->speaks_for[choice][i]);
    }
  finding->follows = left == 1 ? RUN_FOLLOWS_ONE : RUN_FOLLOWS_SEVERAL;
  bool spoken_for = finding->witness_count > 0;
  for (unsigned i = 0; i < alternatives_of(choice) && !spoken_for; i++)
    add_witness(finding, f->contradicts[choice][i]);
}

const char *run_follows_name(run_follows follows) {
  static const char *const names[] = {"unknown", "one", "several", "mixed"};
  return names[follows];
}

run_finding run_results_finding(const run_results *results, dloc_choice choice) {
  const run_fingerprint *f = &results->fingerprint;
  run_finding finding = {.follows = RUN_FOLLOWS_UNKNOWN, .alternatives = "?"};
  if (is_told(f, choice) && !is_wiped_out(f, choice))
    find_support(f, choice, &finding);
  else if (is_told(f, choice) || f->fits_none[choice])
    find_conflict(f, choice, &finding);
  return finding;
}
