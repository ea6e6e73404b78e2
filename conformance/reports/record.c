/* record.c - a run as its reports tell it, made of what the runner found. */
#include "record.h"

#include "document/buffer.h"
#include "document/memory.h"

#include <string.h>

/* It writes no layers where the choice is about them: its vectors were skipped. */
static bool lacks_layers(const run_implementation *implementation, dloc_choice choice) {
  bool lacks = false;
  for (int place = RUN_NOWHERE + 1; place < RUN_PLACE_COUNT; place++)
    lacks |= implementation->lacks >> place & 1 && run_place_choice((run_place)place) == choice;
  return lacks;
}

static void add_findings(record *r, const run_results *found, const run_implementation *implementation,
                         const dloc_profile *profile) {
  r->findings = value_arena_alloc(&r->arena, DLOC_CHOICE_COUNT, sizeof *r->findings);
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++) {
    run_finding finding = run_results_finding(found, (dloc_choice)i);
    if (finding.follows == RUN_FOLLOWS_UNKNOWN && lacks_layers(implementation, (dloc_choice)i)) {
      finding.follows = RUN_FOLLOWS_ONE;
      strcpy(finding.alternatives, "none");
    }
    if (finding.follows == RUN_FOLLOWS_UNKNOWN)
      continue;
    const char **witnesses = value_arena_alloc(&r->arena, finding.witness_count, sizeof *witnesses);
    for (size_t j = 0; j < finding.witness_count; j++)
      witnesses[j] = found->items[finding.witnesses[j]].id;
    const char *alternatives = value_arena_copy(&r->arena, dloc_text_of(finding.alternatives)).bytes;
    const char *taken = dloc_alternative_name((dloc_choice)i, profile->alternative[i]);
    r->findings[r->finding_count++] = (record_finding){
        dloc_choice_name((dloc_choice)i), finding.follows, alternatives, taken, witnesses, finding.witness_count};
  }
}

static void add_stale(record *r, const record_source *source) {
  const expected_list *list = source->expected;
  r->stale = value_arena_alloc(&r->arena, list ? list->count : 0, sizeof *r->stale);
  for (size_t i = 0; list && i < list->count; i++) {
    const expected_entry *entry = &list->entries[i];
    if (expected_is_stale(entry, &source->settings->profile) && (entry->seen || (!source->picked && !r->partial)))
      r->stale[r->stale_count++] =
          (record_stale){value_arena_copy(&r->arena, entry->id).bytes, entry->line, entry->seen};
  }
}

static void add_faults(record *r, const adapter *a) {
  size_t room = sizeof a->notes / sizeof *a->notes;
  size_t kept = a->note_count < room ? a->note_count : room;
  const char **faults = value_arena_alloc(&r->arena, kept, sizeof *faults);
  for (size_t i = 0; i < kept; i++)
    faults[i] = a->notes[i];
  r->faults = faults;
  r->faults_kept = kept;
  r->fault_count = a->note_count;
  r->restarts = a->restarts;
}

/* The choices of the user, then those in which the adapter's own profile differs from the built-in one. */
static void add_choices(record *r, const record_source *source) {
  const run_settings *settings = source->settings;
  const dloc_profile *built_in = dloc_profile_find(dloc_text_of(settings->profile.name));
  bool own = !settings->profile_name && source->implementation->changed.name && built_in;
  const char **choices = value_arena_alloc(&r->arena, settings->choice_count + DLOC_CHOICE_COUNT, sizeof *choices);
  while (r->choice_count < settings->choice_count) {
    choices[r->choice_count] = settings->choices[r->choice_count];
    r->choice_count++;
  }
  for (int i = 0; own && i < DLOC_CHOICE_COUNT; i++)
    if (settings->profile.alternative[i] == source->implementation->changed.alternative[i] &&
        settings->profile.alternative[i] != built_in->alternative[i]) {
      OWNED(memory_release)
      char *text = text_format("%s=%s", dloc_choice_name((dloc_choice)i),
                               dloc_alternative_name((dloc_choice)i, settings->profile.alternative[i]));
      choices[r->choice_count++] = value_arena_copy(&r->arena, dloc_text_of(text)).bytes;
    }
  r->choices = choices;
}

record record_of_run(const record_source *source) {
  const run_results *found = source->results;
  record r = {.implementation = source->implementation->name,
              .version = source->implementation->version,
              .revision = *source->implementation->revision ? source->implementation->revision : NULL,
              .label = source->label,
              .command = source->command,
              .doubt = *found->doubt ? found->doubt : NULL,
              .remark = *source->implementation->remark ? source->implementation->remark : NULL,
              .profile = source->settings->profile.name,
              .results = found->items,
              .count = found->count,
              .not_applicable = found->not_applicable,
              .unreadable = found->unreadable,
              .partial = found->partial,
              .layers_lost_as_expected = found->layers_lost_as_expected,
              .seconds = found->seconds};
  add_choices(&r, source);
  add_findings(&r, found, source->implementation, &source->settings->profile);
  add_stale(&r, source);
  add_faults(&r, source->adapter);
  return r;
}

void record_deinit(record *r) {
  value_arena_deinit(&r->arena);
  *r = (record){.count = 0};
}

/* ---- Counting ---- */

static void count_result(record_counts *counts, const run_result *result) {
  counts->as_expected += result->verdict == RUN_EXPECTED;
  counts->different += result->verdict == RUN_DIFFERENT || result->verdict == RUN_DEGRADED_LAYERS;
  counts->known += result->verdict == RUN_KNOWN;
  counts->skipped += result->verdict == RUN_NEUTRAL && result->outcome == RUN_SKIPPED;
  counts->not_judged += result->verdict == RUN_NEUTRAL && result->outcome != RUN_SKIPPED;
  counts->by_model += result->basis == RUN_BY_MODEL;
  counts->unasked += result->outcome == RUN_NOT_ASKED;
}

record_counts record_totals(const record *r) {
  record_counts counts = {0};
  for (size_t i = 0; i < r->count; i++)
    count_result(&counts, &r->results[i]);
  return counts;
}

void record_outcomes(const record *r, size_t *counts) {
  memset(counts, 0, RUN_OUTCOME_COUNT * sizeof *counts);
  for (size_t i = 0; i < r->count; i++)
    counts[r->results[i].outcome]++;
}

bool record_good(const record *r) {
  record_counts totals = record_totals(r);
  return totals.different + totals.unasked == 0 && !r->partial && !r->doubt &&
         r->fault_count + r->stale_count + r->unreadable == 0;
}
