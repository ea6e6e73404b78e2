/* report.h - what a run found, for people and for machines. */
#ifndef DLOC_REPORT_H
#define DLOC_REPORT_H

#include "runner.h"

/* What a report speaks about. */
typedef struct report {
  const run_settings *settings;
  const run_implementation *implementation;
  const run_results *results;
  const adapter *adapter;
  const expected_list *expected; /* or NULL */
  size_t most_shown;             /* differences shown in full */
} report;

/* Each writes a whole report; DLOC_STOPPED when the sink stopped. */
dloc_status report_text(const report *r, dloc_sink sink);
dloc_status report_junit(const report *r, dloc_sink sink);
dloc_status report_json(const report *r, dloc_sink sink); /* JSON Lines: the run, each result, the totals */

#endif
