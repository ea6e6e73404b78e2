/* graph_diff.h - in which lines two canonical texts (vector_answer_text) differ, as graphs.
 *
 * Numbers of nodes say nothing: a node more at the top shifts all of them. So the second graph is numbered like the
 * first one before they are compared: from what is not a node on, operands of the same name are the same node. */
#ifndef DLOC_REPORTS_GRAPH_DIFF_H
#define DLOC_REPORTS_GRAPH_DIFF_H

#include "dloc.h"

/* Called for each line, without its line end: sign is ' ' in both texts, '-' in the first, '+' in the second one. */
typedef void graph_diff_line(void *user, char sign, dloc_text line);

/* Lines of the second text are told with the first one's numbers; nodes that are only in the second have new numbers. A
 * text that is no such graph is told as it is. */
void graph_diff(dloc_text expected, dloc_text actual, graph_diff_line *line, void *user);

#endif
