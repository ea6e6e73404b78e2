/* html_internal.h - what the files of the HTML report share. */
#ifndef DLOC_REPORTS_HTML_INTERNAL_H
#define DLOC_REPORTS_HTML_INTERNAL_H

#include "html.h"
#include "page.h"

/* A vector with its result in each run. */
typedef struct html_row {
  const char *id;
  const record_result *any;            /* the first run's that has it */
  const record_result *const *results; /* one for each run; NULL: it has none */
  const html_vector *vector;           /* NULL: not given */
} html_row;

/* One sign for each run. */
void html_marks(writer *w, const html_report *report, const html_row *row);

/* The body of a vector. headed, by clause: the page has a heading for it. */
dloc_status html_write_vector(writer *w, const html_report *report, const html_row *row, const bool *headed);

#endif
