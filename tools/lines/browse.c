/* dloc browse: source, layers and machine code of a program side by side. browse.py makes the page. */
#include "help/browse.h"
#include "shell/script.h"

int tool_browse(int argc, char **argv) {
  const char *samples = NULL, *base = NULL, *output = NULL, *llvm = NULL, *module = NULL;
  tool_list functions = {0}, folders = {0};
  uint64_t most = 20000;
  bool json = false, mangled = false;
  const tool_option options[] = {
      {TOOL_TEXT, "samples", NULL, &samples},
      {TOOL_TEXT, "base", "where it was loaded, if `perf script` does not say so (PIE, shared library)", &base},
      {TOOL_OUTPUT, "o", NULL, &output},
      {TOOL_LIST, "function", NULL, &functions},
      {TOOL_NUMBER, "most", "so many instructions, of the hottest functions; 20000 by default", &most},
      {TOOL_LIST, "source-dir", NULL, &folders},
      {TOOL_TEXT, "layered", NULL, &module},
      {TOOL_TEXT, "llvm", "where llvm-objdump is; default: DLOC_LLVM, or llvm-objdump or objdump of PATH", &llvm},
      {TOOL_FLAG, "no-demangle", NULL, &mangled},
      {TOOL_FLAG, "json", "what the page is made of (tools/pages/README.md)", &json},
      {0}};
  int count = tool_parse(argc, argv, &browse_usage, options);
  tool_require_rereadable(argv[0]);
  return script_become("lines/browse.py", options, argv, count);
}
