/* report.h - what a run found, for people and for machines. */
#ifndef DLOC_REPORTS_REPORT_H
#define DLOC_REPORTS_REPORT_H

#include "record.h"

/* Each writes a whole report; DLOC_STOPPED when the sink stopped. */
dloc_status report_json(const record *r, dloc_sink sink); /* JSON Lines; record_read reads them */

typedef struct report_text_options {
  size_t most_shown; /* differences in full */
  /* In which lines two canonical texts differ, each indented and behind `-` or `+`; empty: it cannot be told. Until the
   * next call. May be NULL. */
  dloc_text (*difference)(void *user, const char *expected, const char *actual);
  void *user;
} report_text_options;

dloc_status report_text(const record *r, const report_text_options *options, dloc_sink sink);

#endif
