/* page.h - what the HTML pages are made of, as sections of JSON lines: tools/pages/README.md describes them. */
#ifndef DLOC_REPORTS_PAGE_H
#define DLOC_REPORTS_PAGE_H

#include "record.h"
#include "writer.h"

/* The lines that follow belong to the section of this name. */
void page_section(writer *w, const char *name);
/* The model's tables: the sections `clauses`, `choices`, `profiles`, `ops`, `reasons` and `mutants`. */
void page_tables(writer *w);
/* The section `run`. */
void page_run(writer *w, const record *r);
/* The section `earlier`. */
void page_earlier(writer *w, const record *before);

#endif
