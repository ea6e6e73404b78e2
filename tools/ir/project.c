/* project.c - `dloc project`: one channel of a module as its only location. */
#include "shell/tools.h"

static const tool_usage usage = {
    "dloc project --primary | --layer KIND [OPTION...] FILE",
    "Print FILE (a .ll module; `-` is standard input) with one channel as the only location of each\n"
    "instruction: its primary, or the location of its layer of that KIND, or none when it has no such layer. The result has\n"
    "no layers and no !llvm.intermediate_level_source, so that any LLVM reads it.\n"
    "Nodes that nothing uses any more stay in the text, unless it had lists; LLVM drops them.\n\n"
    "With --layer, LLVM's rules need some care:\n"
    "- A call that must have a location (`verify.call`) and has no such layer gets line 0 of the function's\n"
    "  subprogram.\n"
    "- Debug records and calls of llvm.dbg functions keep their location, which places a variable, not an\n"
    "  instruction.\n"
    "- A composite in loop metadata becomes its layer's location, or its primary if it has no such layer; other\n"
    "  locations there stay.\n"
    "- After inlining the scope of a layer may belong to another function. Such a layer stays as it is, and LLVM\n"
    "  may refuse it.\n",
    "dloc project --primary tests/lit/Inputs/layers.ll\n"
    "dloc project --layer TileIR tests/lit/Inputs/layers.ll | dloc print --locations -\n",
    1, 1};

int tool_project(int argc, char **argv) {
  const char *layer = NULL, *output = NULL;
  bool primary = false;
  const tool_option options[] = {{TOOL_FLAG, "primary", NULL, &primary},
                                 {TOOL_TEXT, "layer", NULL, &layer},
                                 {TOOL_OUTPUT, "o", NULL, &output},
                                 {0}};
  tool_parse(argc, argv, &usage, options);
  if (primary == (layer != NULL))
    tool_fail("say which channel: --primary or --layer KIND");
  tool_module input = tool_module_open_text(argv[0], NULL);
  const dloc_projection projection = {.kind = layer ? dloc_text_of(layer) : (dloc_text){NULL, 0}};
  dloc_status status = dloc_project(input.module, &projection);
  return tool_module_close(&input, status == DLOC_OK ? tool_write_module(&input, output)
                                                     : tool_failure(status, input.input.name));
}
