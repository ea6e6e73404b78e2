/* script.h - the parts of the program that are Python: conformance/pages, installed as share/dloc/pages. */
#ifndef DLOC_TOOLS_SCRIPT_H
#define DLOC_TOOLS_SCRIPT_H

#include "tools.h"

/* Go on as a script. It gets the path of this program, a JSON object with the options of a command by their names, and
 * the operands: conformance/pages/program.py. Returns, with the exit status after a message, when that is impossible.
 */
int script_become(const char *name, const tool_option *options, char *const *operands, int count);

/* Run a script that makes an HTML page ("report.py") with the lines that conformance/pages/README.md describes, and
 * write its page to path. address is its argument, or NULL. Returns TOOL_FINE, or TOOL_UNUSABLE after a message. */
int script_write_page(const char *name, const char *address, dloc_text lines, const char *path);

#endif
