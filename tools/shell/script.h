/* script.h - the parts of the program that are Python, in the rooms of tools/, copied to share/dloc/tools. A script's
 * name is ROOM/FILE. */
#pragma once

#include "document/value.h"
#include "run/process.h"
#include "tools.h"

/* The folder of the vectors where none is named: DLOC_VECTORS if that is set, `vectors` here, or those beside this
 * program, installed as share/dloc/vectors. Static storage. */
const char *script_vectors(void);

/* The path of a file of the program's, here, beside it or in share/dloc; NULL when it is not there. Static storage. */
const char *script_part(const char *name);

/* Go on as a script. It gets the path of this program, a JSON object with the options of a command by their names, and
 * the operands: pages/program.py. Returns, with the exit status after a message, when that is impossible. */
int script_become(const char *name, const tool_option *options, char *const *operands, int count);

/* Run a script that makes a file ("suite/tap.py") from the lines that tools/pages/README.md describes, and write that
 * to path, NULL for stdout. argument may be NULL. Returns TOOL_FINE, TOOL_VIOLATION when the script says so, or
 * TOOL_UNUSABLE after a message. */
int script_write(const char *name, const char *argument, dloc_text lines, const char *path);

/* A script's answer to a question, until the next one; empty, after a message, when it does not answer. It reads a line
 * of JSON for each question, and ends its answer with a NUL byte. The first question starts it: zero-initialise the
 * process, and end it. */
dloc_text script_answer(const char *name, process *script, const value *question);

/* In which lines two canonical texts differ, as text: suite/difference.py. Until the next call; script is as above. */
dloc_text script_difference(process *script, dloc_text expected, dloc_text actual);
