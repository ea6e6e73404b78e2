/* differences.h - the results that differ, for people. */
#ifndef DLOC_REPORTS_DIFFERENCES_H
#define DLOC_REPORTS_DIFFERENCES_H

#include "report.h"
#include "writer.h"

/* Writes the differences by clause and level, then each result with what helps to look into it; returns how many differ.
 * Those with layers on an implementation that has none are told in one sentence, elsewhere. */
size_t write_differences(writer *w, const record *r, const report_text_options *options);

#endif
