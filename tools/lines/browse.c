/* dloc browse: source, layers and machine code of a program side by side. browse.py makes the page. */
#include "shell/script.h"

static const tool_usage usage = {
    "dloc browse [OPTION...] FILE",
    "Make one HTML page of FILE, a linked ELF file, a cubin or PTX (.ptx): its source, the text of each layer and its code\n"
    "side by side. The page marks lines that belong together. With samples of its runs, the page shows where they fell, and has\n"
    "only functions with samples. The page asks nothing of the network.\n"
    "\n"
    "A file of the source is read if it is below the current folder, FILE's folder or a DIR of --source-dir: a program may\n"
    "name any file of yours. The page has the lines of it that code has, and 15 around each.\n"
    "\n"
    "SAMPLES is the output of `perf script --show-mmap-events`, the file of valgrind's callgrind with --dump-instr=yes, or\n"
    "lines `ADDRESS [COUNT]` with addresses of FILE, and comments (`#`) for the page; `-` is standard input. Of PTX, it is\n"
    "CSV, `LINE,COUNT`, by line of FILE; with a first row of names, the columns `line` or `#` and the first with `samples`.\n"
    "Of a cubin, SAMPLES are lines `KERNEL+ADDRESS [COUNT]`, its layer is the PTX that ptxas read, and its code is SASS if\n"
    "nvdisasm is in PATH or CUDA_HOME/bin, or else bytes. ptxas keeps no other layers yet.\n"
    "\n"
    "Exit status: 0 fine; 1 something in the samples or in FILE is wrong; 2 bad usage, unreadable or unwritable\n"
    "files, no disassembler.\n",
    "dloc browse -o dloc.html --function main build/dloc\n"
    "dloc browse -o layers.html tests/lit/Inputs/layers.ptx\n",
    1, 1};

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
  int count = tool_parse(argc, argv, &usage, options);
  tool_require_rereadable(argv[0]);
  return script_become("lines/browse.py", options, argv, count);
}
