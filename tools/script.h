/* script.h - the parts of the program that are Python: conformance/pages, installed as share/dloc/pages. */
#ifndef DLOC_TOOLS_SCRIPT_H
#define DLOC_TOOLS_SCRIPT_H

#include "tools.h"

/* The path of this program. False, with a message, when the system does not tell. */
bool script_program(char *ret, size_t size);
/* The path of a script: in the folder DLOC_PAGES if that is set, else beside this program, installed or in its build
 * folder. False, with a message, when it is not there. */
bool script_find(const char *name, char *ret, size_t size);
/* Replace this process by python3 with a script and these arguments. Returns, with the exit status after a message,
 * when that is impossible. */
int script_become(const char *name, const char *const *arguments, size_t count);

/* Run a script that makes an HTML page ("report.py") with the lines that conformance/pages/README.md describes, and
 * write its page to path. address is its argument, or NULL. Returns TOOL_FINE, or TOOL_UNUSABLE after a message. */
int script_write_page(const char *name, const char *address, dloc_text lines, const char *path);

#endif
