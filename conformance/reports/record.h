/* record.h - a run as its reports tell it: what the runner found, and how it was asked. */
#pragma once

#include "run/runner.h"

/* Everything is borrowed. */
typedef struct record {
  const run_settings *settings;
  const run_implementation *implementation;
  const run_results *results;
  const adapter *adapter;
  const expected_list *expected; /* or NULL */
  const char *label;             /* the user's own name for it; or NULL */
  const char *command;           /* a shell command that asks the same implementation by the same rules; or NULL */
  bool picked;                   /* not every vector was to be asked */
} record;

/* Whether an entry of the list of expected failures did not fail: its vector was run, or every one was. */
bool record_is_stale(const record *r, const expected_entry *entry);

/* ---- Counting ---- */

/* How results turned out; each counts in one of these. */
typedef struct record_counts {
  size_t as_expected, different, known, skipped, not_judged;
  size_t by_model; /* of all: nobody but the model says what holds */
  size_t unasked;  /* of those that are not judged: too much went wrong before */
} record_counts;

record_counts record_totals(const record *r);
/* How many results have each outcome: RUN_OUTCOME_COUNT counts. */
void record_outcomes(const record *r, size_t *counts);
/* How many entries of the list of expected failures did not fail. */
size_t record_stale(const record *r);
/* Whether everything was as expected. */
bool record_good(const record *r);
