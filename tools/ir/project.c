/* project.c - `dloc project`: one channel of a module as its only location. */
#include "shell/tools.h"

static const tool_usage usage = {
    "dloc project --primary | --layer KIND [OPTION...] FILE",
    "Print FILE (a .ll module; `-` is standard input) with one channel as the only location of each\n"
    "instruction: its primary, or the location of its layer of that KIND, or none when it has no such layer. No\n"
    "location has layers then, and !llvm.intermediate_level_source is gone, so that any LLVM reads the module.\n"
    "Nodes that nothing uses any more stay in the text; LLVM drops them.\n\n"
    "With --layer, LLVM's rules need some care:\n"
    "- A call that must have a location (`verify.call`) and has no such layer gets line 0 of the function's\n"
    "  subprogram.\n"
    "- Debug records and calls of llvm.dbg functions keep their location, which places a variable, not an\n"
    "  instruction.\n"
    "- Of the locations in loop metadata, composites become their layer's location, or their primary without\n"
    "  one; others stay.\n"
    "- A layer whose scope belongs to another function, as after inlining, stays as it is: LLVM may refuse\n"
    "  it.\n",
    "dloc project --primary tests/lit/Inputs/layers.ll\n"
    "dloc project --layer TileIR tests/lit/Inputs/layers.ll | dloc print --locations -\n",
    1, 1};

int tool_project(int argc, char **argv) {
  const char *layer = NULL, *output = NULL;
  bool primary = false;
  const tool_option options[] = {{TOOL_FLAG, "primary", NULL, "the primaries", &primary},
                                 {TOOL_TEXT, "layer", "KIND", "the layers of that kind", &layer},
                                 {TOOL_OUTPUT, "o", "OUT", "write to OUT instead of standard output", &output},
                                 {0}};
  tool_parse(argc, argv, &usage, options);
  if (primary == (layer != NULL))
    tool_fail("say which channel: --primary or --layer KIND");
  tool_module input = tool_module_open_text(argv[0]);
  const dloc_projection projection = {.kind = layer ? dloc_text_of(layer) : (dloc_text){NULL, 0}};
  dloc_status status = dloc_project(input.module, &projection);
  return tool_module_close(&input, status == DLOC_OK ? tool_write_module(&input, output)
                                                     : tool_failure(status, input.input.name));
}
