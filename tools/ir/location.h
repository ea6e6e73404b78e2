/* location.h - the locations of a module that a user names. */
#pragma once

#include "shell/tools.h"

/* The node that `!20` names, or DLOC_NULL for `none`. Ends the program when there is none. */
dloc_node tool_node_named(const tool_module *module, const char *text);
/* tool_node_named for a location: ends the program, behind a diagnostic, for a node that can be no DebugLoc. */
dloc_node tool_location_named(tool_module *module, const char *text);
