/* record.h - a run as its reports tell it, made of what the runner found. */
#pragma once

#include "run/runner.h"

/* Of a choice that some answer tells something about. */
typedef struct record_finding {
  const char *choice;
  run_follows follows;
  const char *alternatives; /* as in run_finding */
  const char *profile;      /* the one that the profile in force takes; NULL: not told */
  const char *const *witnesses;
  size_t witness_count;
} record_finding;

/* An entry of the list of expected failures that did not fail. */
typedef struct record_stale {
  const char *id;
  uint32_t line;
  bool seen; /* its vector was run */
} record_stale;

typedef struct record {
  value_arena arena; /* of the arrays and of texts */
  const char *implementation;
  const char *version;
  const char *revision; /* NULL: not told */
  const char *label;    /* the user's own name for it; NULL: none */
  const char *command;  /* a shell command that asks the same implementation by the same rules; NULL: not told */
  const char *doubt;    /* why it seems not to follow the profile that the user named; NULL: nothing says so */
  const char *remark;   /* what was odd when it was recognised; NULL: nothing */
  const char *profile;
  const char *const *choices; /* NAME=ALTERNATIVE: what was changed in the profile */
  size_t choice_count;
  run_result *results;
  size_t count;
  record_finding *findings;
  size_t finding_count;
  record_stale *stale;
  size_t stale_count;
  const char *const *faults; /* of the adapter: the first few */
  size_t faults_kept;
  size_t fault_count;
  size_t restarts;
  size_t not_applicable;
  size_t unreadable;
  size_t layers_lost_as_expected;
  bool partial; /* not every vector was asked: a fault says why */
  double seconds;
} record;

/* The runner's findings, as a record. Everything in source is borrowed by the record. */
typedef struct record_source {
  const run_settings *settings;
  const run_implementation *implementation;
  const run_results *results;
  const adapter *adapter;
  const expected_list *expected; /* or NULL */
  const char *label, *command;   /* or NULL */
  bool picked;                   /* not every vector was to be asked */
} record_source;

record record_of_run(const record_source *source);
void record_deinit(record *r);

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
/* Whether everything was as expected. */
bool record_good(const record *r);
