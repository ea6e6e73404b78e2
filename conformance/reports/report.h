/* report.h - what a run found, for people and for machines. */
#pragma once

#include "record.h"
#include "writer.h"

/* The whole run as JSON Lines. */
void report_json(writer *w, const record *r);

/* ---- What texts and pages are made of, as sections of JSON lines: tools/pages/README.md describes them ---- */

/* The lines that follow belong to the section of this name. */
void page_section(writer *w, const char *name);
/* The section `clauses`. */
void page_clauses(writer *w);
/* The model's tables: the sections `clauses`, `choices`, `profiles`, `ops`, `reasons` and `mutants`. */
void page_tables(writer *w);
/* The section `run`. */
void page_run(writer *w, const record *r);
