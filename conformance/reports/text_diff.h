/* text_diff.h - the lines in which two texts differ. */
#ifndef DLOC_REPORTS_TEXT_DIFF_H
#define DLOC_REPORTS_TEXT_DIFF_H

#include "dloc.h"

typedef enum text_diff_kind { TEXT_DIFF_SAME, TEXT_DIFF_REMOVED, TEXT_DIFF_ADDED } text_diff_kind;

/* Called for each line, without its line end, in the order of a unified diff. */
typedef void text_diff_line(void *user, text_diff_kind kind, dloc_text line);

/* Texts whose changed parts are too large for a shortest difference are told as removed and added as a whole. */
void text_diff(dloc_text before, dloc_text after, text_diff_line *line, void *user);

#endif
