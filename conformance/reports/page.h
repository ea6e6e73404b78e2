/* page.h - what the HTML pages are made of, as sections of JSON lines: conformance/pages/README.md describes them. */
#ifndef DLOC_REPORTS_PAGE_H
#define DLOC_REPORTS_PAGE_H

#include "record.h"
#include "writer.h"

/* The lines that follow belong to the section of this name. */
void page_section(writer *w, const char *name);
/* The sections `clauses` and `choices`. untestable: by clause, why no test can reach it, or empty; may be NULL. */
void page_tables(writer *w, const dloc_text *untestable);
/* The section `mutants`. */
void page_mutants(writer *w);
/* The section `run`. */
void page_run(writer *w, const record *r);
/* The section `differences`: where results differ from what is expected. */
void page_differences(writer *w, const record *r);
/* The sections `earlier` and `changes`. */
void page_changes(writer *w, const record *before, const record *now);

#endif
