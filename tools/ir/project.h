/* project.h - one channel of a module as its only location, for the commands that write such modules. */
#ifndef DLOC_TOOLS_PROJECT_H
#define DLOC_TOOLS_PROJECT_H

#include "shell/tools.h"

typedef struct projection {
  dloc_text layer;   /* its kind; bytes NULL: the primary */
  bool like_primary; /* each location is in the subprogram of its primary and inlined where that is, as LLVM wants it;
                        where the layer is missing, it has line 0, so that no line table goes on with the line before */
} projection;

dloc_status tool_project_module(const tool_module *module, const projection *projection);

/* The scope of a layer in a file, in the subprogram of its primary. */
dloc_status tool_layer_scope(dloc_context *context, dloc_node primary, dloc_node file, dloc_node *ret);

/* Make each location a primary without layers, its call sites too, and drop the texts. */
dloc_status tool_drop_layers(const tool_module *module);

#endif
