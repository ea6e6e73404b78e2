/* html.h - runs as one page: a matrix of clause families by implementation, down to each vector with its input, what is
 * expected, what was answered, and how these differ; the choices each implementation follows; what changed since
 * earlier runs. */
#ifndef DLOC_REPORTS_HTML_H
#define DLOC_REPORTS_HTML_H

#include "record.h"

/* What the page shows of a vector, besides its results. */
typedef struct html_vector {
  const char *id;
  const char *digest; /* empty: none */
  const char *note;   /* the same */
  const char *text;   /* YAML */
} html_vector;

typedef struct html_report {
  const record *const *runs;
  const record *const *before; /* as many; NULL where there is no earlier run */
  size_t count;
  const html_vector *vectors; /* sorted by id; may be none */
  size_t vector_count;
  const char *cost; /* address of the page that tells what layers cost; NULL: none */
} html_report;

/* DLOC_STOPPED when the sink stopped. */
dloc_status report_html(const html_report *report, dloc_sink sink);

#endif
