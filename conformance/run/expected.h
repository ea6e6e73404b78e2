/* expected.h - lists of expected failures: which vectors are known to fail, and why.
 *
 * One entry a line, `ID: ANSWER: REASON`; empty lines and lines that start with # are skipped. A reason is mandatory.
 * The answer is that of the failure which is expected: its outcome and, of ok and reject, a digest; `ok 1d2f... or
 * hang` are two. Without one (`ID: REASON`) any failure is expected. A line `[PROFILE...]` says that the entries below
 * it are for runs under these built-in profiles only; behind a name `?` says that not every implementation which follows
 * the profile fails so. Any other entry whose vector does not fail is stale and fails the run,
 * so that a list can only shrink with the faults it excuses. */
#pragma once

#include "dloc.h"

typedef struct expected_entry {
  dloc_text id;
  dloc_text answers; /* empty: any */
  dloc_text reason;
  uint32_t line;
  uint32_t profiles; /* 1 << index of a built-in profile */
  uint32_t perhaps;  /* alike: it may pass under these */
  bool seen;         /* its vector was run */
  bool failed;       /* and failed */
} expected_entry;

typedef struct expected_list {
  expected_entry *entries; /* sorted by id */
  size_t count;
} expected_list;

/* Read a list; text is borrowed. DLOC_INVALID with the line and a message when it is malformed or names an id twice. */
dloc_status expected_read(dloc_text text, uint32_t *ret_line, const char **ret_message, expected_list *ret);
void expected_deinit(expected_list *list);
/* Whether the failure is the one that is expected; answer is a run_result's. */
bool expected_answers(const expected_entry *entry, const char *answer);
/* The list, rewritten so that it expects what a whole run found: the answers of failures that it lists, other failures
 * behind them, without those that are gone. Appended to ret. */
typedef struct expected_failure {
  dloc_text id;
  const char *answer;
} expected_failure;

void expected_update(const expected_list *list, dloc_text text, const dloc_profile *profile,
                     const expected_failure *failures, size_t count, dloc_buffer *ret);
/* NULL when it is not listed for that profile. list may be NULL. */
expected_entry *expected_find(expected_list *list, const dloc_profile *profile, dloc_text id);
/* After a run under that profile: an entry for it whose vector did not fail. */
bool expected_is_stale(const expected_entry *entry, const dloc_profile *profile);
