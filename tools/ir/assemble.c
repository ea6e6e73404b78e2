/* assemble.c - `dloc assemble`: real bitcode with layers, of a module's text. */
#include "shell/llvm.h"

static const tool_usage usage = {
    "dloc assemble -o OUT [OPTION...] FILE",
    "Make bitcode of FILE (a .ll module; `-` is standard input), with the layers of its locations. A stock\n"
    "llvm-as encodes the module without layers; then dloc puts in their records, corrects what moves, and\n"
    "leaves all else as llvm-as wrote it. A reader of the result must know the extension, as `dloc print`\n"
    "and the patched LLVM do. With --choice bitcode.layout=again any other LLVM reads the module without\n"
    "layers.\n"
    "\n"
    "Lists of layers become metadata with the numbers and records that `dloc encode` shows. For such a module\n"
    "llvm-as runs twice: it verifies the module without lists, and encodes one with nodes that stand for them,\n"
    "which no verifier accepts. So it must be a build without assertions, as packages have it. Any other LLVM\n"
    "reads the module without layers if each list belongs to one function and no call site has one.\n"
    "\n"
    "dloc verifies the module no further than llvm-as does: what `dloc verify` calls malformed is no layer\n"
    "and is not written. The location of a debug record or of a call of an llvm.dbg function places a\n"
    "variable: it is its primary alone. Loop metadata stays as it is.\n"
    "\n"
    "Exit status: 0 fine; 1 a location breaks a rule; 2 bad usage, unreadable or unwritable files, or\n"
    "llvm-as rejects the module or makes other instructions of it.\n",
    "dloc assemble --llvm /usr/lib/llvm-22/bin tests/lit/Inputs/layers.ll -o /tmp/layers.bc\n"
    "dloc bitcode /tmp/layers.bc\n",
    1, 1};

int tool_assemble(int argc, char **argv) {
  dloc_profile profile = {0};
  const char *output = NULL;
  llvm_tools llvm = {.timeout = LLVM_TOOLS_TIMEOUT};
  const tool_option options[] = {
      {TOOL_OUTPUT, "o", NULL, &output}, LLVM_TOOLS_OPTIONS(&llvm), TOOL_PROFILE_OPTIONS(&profile), {0}};
  tool_parse(argc, argv, &usage, options);
  if (!output)
    tool_fail("option '-o' is missing: where the bitcode goes");
  tool_module module = tool_module_open_text(argv[0], &profile);
  return tool_module_close(&module, llvm_write_bitcode(&module, module.profile, &llvm, output));
}
