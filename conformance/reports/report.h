/* report.h - what a run found, for people and for machines. */
#pragma once

#include "record.h"
#include "writer.h"

/* Each writes a whole report; DLOC_STOPPED when the sink stopped. */
dloc_status report_json(const record *r, dloc_sink sink); /* JSON Lines; record_read reads them */

/* ---- What texts and pages are made of, as sections of JSON lines: tools/pages/README.md describes them ---- */

/* The lines that follow belong to the section of this name. */
void page_section(writer *w, const char *name);
/* The section `clauses`. */
void page_clauses(writer *w);
/* The model's tables: the sections `clauses`, `choices`, `profiles`, `ops`, `reasons` and `mutants`. */
void page_tables(writer *w);
/* The section `run`, or `earlier`. */
void page_run(writer *w, const char *section, const record *r);
