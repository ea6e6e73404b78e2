/* page.h - the frame of the HTML pages and parts that they share: one file each, with style and script inside, that
 * asks nothing of the network. */
#ifndef DLOC_REPORTS_PAGE_H
#define DLOC_REPORTS_PAGE_H

#include "record.h"
#include "writer.h"

void page_begin(writer *w, const char *title);
void page_end(writer *w);

/* ---- Parts that pages share ---- */

/* "LLVM 22.1.8, profile llvm-22" */
void html_run_name(writer *w, const record *r);
/* The class of a verdict, which is also what the filter calls it: expected, different, known, skipped or not-judged. */
const char *html_verdict_class(const record_result *result);
const char *html_verdict_sign(const record_result *result);
void html_counts(writer *w, const record_counts *counts);
/* A link to the place `KIND-NAME` of this page. */
void html_link(writer *w, const char *kind, const char *name);

#endif
