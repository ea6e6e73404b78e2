/* html_internal.h - what the files of the HTML report share. */
#ifndef DLOC_REPORTS_HTML_INTERNAL_H
#define DLOC_REPORTS_HTML_INTERNAL_H

#include "html.h"
#include "writer.h"

/* A vector with its result in each run. */
typedef struct html_row {
  const char *id;
  const record_result *any;            /* the first run's that has it */
  const record_result *const *results; /* one for each run; NULL: it has none */
  const html_vector *vector;           /* NULL: not given */
} html_row;

/* "LLVM 22.1.8, profile llvm-22" */
void html_run_name(writer *w, const record *r);
/* The class of a verdict, which is also what the filter calls it: expected, different, known, skipped or not-judged. */
const char *html_verdict_class(const record_result *result);
const char *html_verdict_sign(const record_result *result);
void html_counts(writer *w, const record_counts *counts);
/* One sign for each run. */
void html_marks(writer *w, const html_report *report, const html_row *row);
void html_link(writer *w, const char *kind, const char *name);

/* The body of a vector. */
dloc_status html_write_vector(writer *w, const html_report *report, const html_row *row);

#endif
