/* pages.h - HTML pages: the programs of conformance/pages make them, in Python. */
#ifndef DLOC_TOOLS_PAGES_H
#define DLOC_TOOLS_PAGES_H

#include "tools.h"

/* Run such a program ("report.py") with the lines that its README.md describes, and write its page to path. address is
 * its argument, or NULL. Returns TOOL_FINE, or TOOL_UNUSABLE after a message. */
int pages_write(const char *program, const char *address, dloc_text lines, const char *path);

#endif
