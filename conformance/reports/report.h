/* report.h - what a run found, for people and for machines. */
#pragma once

#include "record.h"
#include "writer.h"

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
/* Its first part: the differences by clause and level, then each result with what helps to look into it; returns how
 * many differ. Those with layers on an implementation that has none are told in one sentence, elsewhere. */
size_t write_differences(writer *w, const record *r, const report_text_options *options);

/* ---- What HTML pages are made of, as sections of JSON lines: tools/pages/README.md describes them ---- */

/* The lines that follow belong to the section of this name. */
void page_section(writer *w, const char *name);
/* The model's tables: the sections `clauses`, `choices`, `profiles`, `ops`, `reasons` and `mutants`. */
void page_tables(writer *w);
/* The section `run`, or `earlier`. */
void page_run(writer *w, const char *section, const record *r);
