/* numbers.h - numbers for layers: where those of a table begin, at --first or at a hash of what they are numbers of, and
 * a module whose layers they hide. */
#pragma once

#include "shell/tools.h"

#include "objects/dloc_hidden.h"

#define NUMBERS_BY_CONTENT UINT64_MAX
#define NUMBERS_OPTION(ret)                                                                                            \
  { TOOL_NUMBER, "first", NULL, (ret) }

/* `hide.number`: numbers of two modules differ, so that each tells whose it is. Most of the room is left for the
 * numbers that follow. Ends the program when first, of the option, is no number for a table. */
uint32_t numbers_begin(uint64_t first, dloc_text content, uint32_t room);
/* The table as a file; the exit status. */
int numbers_write(const dloc_hidden *hidden, const char *path);
/* `dloc hide` of a module that was read from text, with numbers in discriminators; the exit status. */
int numbers_hide(tool_module *input, const char *table, const char *output);
