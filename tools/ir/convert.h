/* convert.h - layers in the other form. */
#pragma once

#include "shell/tools.h"

/* Write the module with its layers in a form; lossy: what the form cannot say is lost, with a warning. output is as for
 * tool_output_open. Returns the exit status of the command. */
int convert_write(tool_module *input, dloc_form to, bool lossy, const char *output);
