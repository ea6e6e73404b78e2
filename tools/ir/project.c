/* project.c - `dloc project`: one channel of a module as its only location. */
#include "help/project.h"
#include "shell/tools.h"

int tool_project(int argc, char **argv) {
  const char *layer = NULL, *output = NULL;
  bool primary = false;
  const tool_option options[] = {{TOOL_FLAG, "primary", NULL, &primary},
                                 {TOOL_TEXT, "layer", NULL, &layer},
                                 {TOOL_OUTPUT, "o", NULL, &output},
                                 {0}};
  tool_parse(argc, argv, &project_usage, options);
  if (primary == (layer != NULL))
    tool_fail("say which channel: --primary or --layer KIND");
  tool_module input = tool_module_open_text(argv[0], NULL);
  const dloc_projection projection = {.kind = layer ? dloc_text_of(layer) : (dloc_text){NULL, 0}};
  dloc_status status = dloc_project(input.module, &projection);
  return tool_module_close(&input, status == DLOC_OK ? tool_write_module(&input, output)
                                                     : tool_failure(status, input.input.name));
}
