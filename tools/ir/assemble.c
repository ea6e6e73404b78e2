/* assemble.c - `dloc assemble`: real bitcode with layers, of a module's text. */
#include "help/assemble.h"
#include "shell/llvm.h"

int tool_assemble(int argc, char **argv) {
  dloc_profile profile = {0};
  const char *output = NULL;
  llvm_tools llvm = {.timeout = LLVM_TOOLS_TIMEOUT};
  const tool_option options[] = {
      {TOOL_OUTPUT, "o", NULL, &output}, LLVM_TOOLS_OPTIONS(&llvm), TOOL_PROFILE_OPTIONS(&profile), {0}};
  tool_parse(argc, argv, &assemble_usage, options);
  if (!output)
    tool_fail("option '-o' is missing: where the bitcode goes");
  tool_module module = tool_module_open_text(argv[0], &profile);
  return tool_module_close(&module, llvm_write_bitcode(&module, module.profile, &llvm, output));
}
