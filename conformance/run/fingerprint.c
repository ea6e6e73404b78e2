/* fingerprint.c - which alternative of each choice the answers of a run follow.
 *
 * The model predicts answers, so some profile explains the most of them. The search for it begins with the built-in
 * profile that explains most, and changes one alternative at a time as long as that explains more. Then an explained
 * answer rules out the alternatives, of the choices that its vector lists, with which the model would answer otherwise.
 * An answer that another choice masks rules out nothing. An answer that only another alternative of one listed choice explains
 * shows that the implementation does not always follow the same. A choice is not told when most answers to vectors that
 * list it are explained by none of its alternatives: the implementation does something that has no name. */
#include "document/memory.h"
#include "runner_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Evidence ---- */

void fingerprint_add(run_fingerprint *f, size_t item, const vector *v, const run_answer *answer) {
  if (f->is_complete)
    return;
  run_evidence *added = MEMORY_ADD(f->evidence, f->count);
  *added = (run_evidence){item, *v, *answer};
  if (answer->text)
    added->answer.text = memory_copy(dloc_text_of(answer->text));
}

void fingerprint_keep(run_fingerprint *f, value_arena *documents) {
  if (f->count == 0 || f->is_complete)
    return;
  f->is_complete = true;
  f->documents = *documents;
  *documents = (value_arena){0};
}

void fingerprint_deinit(run_fingerprint *f) {
  for (size_t i = 0; i < f->count; i++)
    run_answer_deinit(&f->evidence[i].answer);
  free(f->evidence);
  value_arena_deinit(&f->documents);
  *f = (run_fingerprint){.count = 0};
}

/* ---- Predictions ---- */

typedef struct search {
  const run_fingerprint *f;
  inquiry inquiry;
  dloc_profile taken; /* explains the most answers, as far as is known: */
  bool *explained;    /* those */
  size_t explained_count;
} search;

/* Whether an implementation of the profile gives the answer. */
static bool explains(search *s, const run_evidence *e, const dloc_profile *profile) {
  OWNED(run_answer_deinit) run_answer predicted = {.severity = RUN_SEVERITY_UNKNOWN};
  vector_answer answer;
  if (s->inquiry.vector != &e->vector)
    inquiry_begin(&s->inquiry, &e->vector);
  return inquiry_ask(&s->inquiry, profile, &answer) == DLOC_OK &&
         run_answer_take(&predicted, s->inquiry.context, &answer) == DLOC_OK &&
         run_answer_satisfies(&e->answer, &predicted);
}

static dloc_profile with(const dloc_profile *profile, int choice, unsigned alternative) {
  dloc_profile changed = *profile;
  changed.alternative[choice] = (uint8_t)alternative;
  return changed;
}

static unsigned alternatives_of(int choice) {
  unsigned count = dloc_choice_alternatives((dloc_choice)choice);
  return count < RUN_ALTERNATIVES ? count : RUN_ALTERNATIVES;
}

static bool lists(const vector *v, int choice) {
  bool found = false;
  for (size_t i = 0; i < v->choice_count; i++)
    found = found || (int)v->choices[i].choice == choice;
  for (size_t i = 0; i < v->with_count; i++)
    found = found || (int)v->with[i].choice == choice;
  return found;
}

/* ---- The profile that explains most ---- */

/* Go over to the profile when it explains more; whether it does. */
static bool try_profile(search *s, const dloc_profile *profile, bool *explained) {
  size_t count = 0;
  for (size_t i = 0; i < s->f->count; i++) {
    count += explained[i] = explains(s, &s->f->evidence[i], profile);
    if (count + s->f->count - i - 1 <= s->explained_count)
      return false;
  }
  s->taken = *profile;
  s->explained_count = count;
  memcpy(s->explained, explained, s->f->count * sizeof *explained);
  return true;
}

typedef bool alternatives[DLOC_CHOICE_COUNT][RUN_ALTERNATIVES];

/* The alternatives that explain an answer that is not explained, to a vector that lists their choice. */
static void find_candidates(search *s, alternatives candidates) {
  for (size_t i = 0; i < s->f->count; i++)
    for (int choice = 0; !s->explained[i] && choice < DLOC_CHOICE_COUNT; choice++)
      for (unsigned j = 0; lists(&s->f->evidence[i].vector, choice) && j < alternatives_of(choice); j++) {
        dloc_profile changed = with(&s->taken, choice, j);
        candidates[choice][j] = candidates[choice][j] || explains(s, &s->f->evidence[i], &changed);
      }
}

/* Change the one alternative that makes the most answers explained; false when none makes more of them so. */
static bool improve(search *s, bool *explained) {
  const dloc_profile before = s->taken;
  alternatives candidates = {{false}};
  bool better = false;
  find_candidates(s, candidates);
  for (int choice = 0; choice < DLOC_CHOICE_COUNT; choice++)
    for (unsigned i = 0; i < alternatives_of(choice); i++) {
      dloc_profile changed = with(&before, choice, i);
      better = (candidates[choice][i] && try_profile(s, &changed, explained)) || better;
    }
  return better;
}

static void find_profile(search *s) {
  OWNED(memory_release) bool *explained = memory_allocate(s->f->count, sizeof *explained);
  for (size_t i = 0; i < dloc_profile_count(); i++)
    try_profile(s, dloc_profile_at(i), explained);
  while (improve(s, explained))
    ;
}

/* ---- What the answers say about each choice ---- */

/* The alternatives of a choice that explain the answer; returns how many. */
static unsigned find_explanations(search *s, const run_evidence *e, int choice, bool *ret) {
  unsigned count = 0;
  for (unsigned i = 0; i < alternatives_of(choice); i++) {
    dloc_profile changed = with(&s->taken, choice, i);
    count += ret[i] = explains(s, e, &changed);
  }
  return count;
}

/* An explained answer rules out the alternatives that do not explain it. */
static void hear_explained(search *s, const run_evidence *e, int choice, run_told *told) {
  bool fits[RUN_ALTERNATIVES];
  told->telling += find_explanations(s, e, choice, fits) < alternatives_of(choice);
  for (unsigned i = 0; i < alternatives_of(choice); i++)
    if (!fits[i] && told->against[i] == 0)
      told->against[i] = e->item + 1;
}

/* Another answer either follows another alternative of one listed choice, or speaks against all that are listed. It
 * tells nothing of a vector that does not apply: the implementation refuses such inputs. */
static void hear_unexplained(search *s, const run_evidence *e, run_told *told) {
  bool fits[RUN_ALTERNATIVES], applies = vector_expectation_for(&e->vector, &s->taken) != NULL;
  int sole = DLOC_CHOICE_COUNT;
  unsigned explaining = 0;
  for (int choice = 0; applies && choice < DLOC_CHOICE_COUNT; choice++)
    if (lists(&e->vector, choice)) {
      bool explained = find_explanations(s, e, choice, fits) > 0;
      explaining += explained;
      sole = explained ? choice : sole;
      told[choice].puzzling += !explained;
    }
  if (explaining == 1 && told[sole].stray == 0)
    told[sole].stray = e->item + 1;
}

void fingerprint_settle(run_fingerprint *f) {
  search s = {.f = f, .taken = *dloc_profile_at(0), .explained = memory_allocate(f->count, sizeof *s.explained)};
  find_profile(&s);
  for (size_t i = 0; i < f->count; i++) {
    const run_evidence *e = &f->evidence[i];
    for (int choice = 0; s.explained[i] && choice < DLOC_CHOICE_COUNT; choice++)
      if (lists(&e->vector, choice))
        hear_explained(&s, e, choice, &f->told[choice]);
    if (!s.explained[i])
      hear_unexplained(&s, e, f->told);
  }
  inquiry_deinit(&s.inquiry);
  free(s.explained);
}

/* ---- Findings ---- */

const char *run_follows_name(run_follows follows) {
  static const char *const names[] = {"unknown", "one", "several", "mixed"};
  return names[follows];
}

static void add_witness(run_finding *finding, size_t item) {
  bool known = item == 0;
  for (size_t i = 0; i < finding->witness_count; i++)
    known = known || finding->witnesses[i] == item - 1;
  if (!known)
    finding->witnesses[finding->witness_count++] = item - 1;
}

/* The alternatives that nothing rules out. */
static void name_left(const run_told *told, dloc_choice choice, run_finding *finding) {
  unsigned left = 0;
  size_t used = 0;
  for (unsigned i = 0; i < alternatives_of((int)choice); i++)
    if (told->against[i] == 0 && used < sizeof finding->alternatives)
      used += (size_t)snprintf(finding->alternatives + used, sizeof finding->alternatives - used, "%s%s",
                               left++ ? "|" : "", dloc_alternative_name(choice, i));
  finding->follows = left == 1 ? RUN_FOLLOWS_ONE : RUN_FOLLOWS_SEVERAL;
}

run_finding run_results_finding(const run_results *results, dloc_choice choice) {
  const run_told *told = &results->fingerprint.told[choice];
  run_finding finding = {.follows = RUN_FOLLOWS_UNKNOWN, .alternatives = "?"};
  if (told->telling == 0 || told->telling < told->puzzling)
    return finding;
  for (unsigned i = 0; i < alternatives_of((int)choice) && !(told->stray && finding.witness_count); i++)
    add_witness(&finding, told->against[i]);
  add_witness(&finding, told->stray);
  finding.follows = RUN_FOLLOWS_MIXED;
  strcpy(finding.alternatives, "mixed");
  if (!told->stray)
    name_left(told, choice, &finding);
  return finding;
}
