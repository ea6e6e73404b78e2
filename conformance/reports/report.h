/* report.h - what a run found, for people and for machines. */
#ifndef DLOC_REPORTS_REPORT_H
#define DLOC_REPORTS_REPORT_H

#include "record.h"

/* Each writes a whole report; DLOC_STOPPED when the sink stopped. */
dloc_status report_text(const record *r, size_t most_shown, dloc_sink sink); /* most_shown: differences in full */
dloc_status report_json(const record *r, dloc_sink sink);                    /* JSON Lines; record_read reads them */

#endif
