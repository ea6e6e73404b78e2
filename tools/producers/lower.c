/* lower.c - `dloc mlir FILE --pipeline PASSES` and `dloc flang`: from a program to a layered module. mlir.py and flang.py
 * run the tools of MLIR and Flang, and the other actions of `dloc mlir`. `dloc triton`: from what a compiler has left. */
#include "mlir.h"
#include "shell/script.h"

typedef struct request {
  const char *directory, *output;
  uint64_t timeout;
  bool counts, verbose;
  dloc_profile profile;
} request;

/* r is a request *. */
#define LOWER_OPTIONS(r)                                                                                               \
  {TOOL_OUTPUT, "o", NULL, &(r)->output}, {TOOL_FLAG, "counts", NULL, &(r)->counts},                                   \
      {TOOL_TEXT, "llvm", NULL, &(r)->directory},                                                                      \
      {TOOL_NUMBER, "timeout", "for each run of a tool; default: 300", &(r)->timeout},                                 \
      {TOOL_FLAG, "v", NULL, &(r)->verbose}, TOOL_PROFILE_OPTIONS(&(r)->profile)
enum { TIMEOUT = 300 };

static const tool_usage mlir_usage = {
    "dloc mlir FILE --pipeline PASSES [OPTION...], dloc mlir ids|primary|join ...",
    "Lower FILE (MLIR) to LLVM IR with layers. A layer is a place in the program's text at one stage of the lowering.\n"
    "dloc runs mlir-opt and mlir-translate 19 to 22, and prints a module (.ll).\n"
    "\n"
    "PASSES is the producer's pipeline for the builtin.module, as mlir-opt takes it, down to the LLVM dialect. A\n"
    "mark @NAME between two passes is a stage: dloc takes the text that the program has there. NAME is the kind of\n"
    "its layers, and the text of matmul.mlir is embedded as matmul.NAME.mlir.\n"
    "\n"
    "The primary is the location that the module has without layers. spec/hidden.md, chapter 19, says what layers are.\n"
    "\n"
    "If you run these tools yourself, take the steps one by one; `dloc mlir ACTION --help` tells more:\n"
    "  primary   write the lowered text without the places of stages: it becomes the module that gets layers\n"
    "  ids       write the lowered text with a number for each location, and a table of the numbers\n"
    "  join      give the module the layers that the numbers stand for\n"
    "\n"
    "Exit status: 0 fine; 1 the locations changed the code; 2 bad usage, a tool that is missing or refuses the\n"
    "program, unreadable or unwritable files.\n",
    "dloc mlir tests/producers/programs/inlining.mlir --llvm /usr/lib/llvm-22/bin -o cubes.ll --pipeline '@before, inline, "
    "@after, convert-arith-to-llvm, convert-func-to-llvm, @llvm'\n",
    1, 1};

static const tool_usage flang_usage = {
    "dloc flang [OPTION...] FILE",
    "Compile FILE (Fortran) to LLVM IR with layers: the program as HLFIR, as FIR, and as FIR without structured control\n"
    "flow (cfg). dloc runs flang and fir-opt 19 to 22, and prints a module (.ll), not optimized.\n"
    "\n"
    "Flang lowers its locations to code: calls of its runtime have file and line as arguments. dloc therefore compiles\n"
    "FILE once untouched, and joins the layers onto that module. Constants may differ in the module that has numbers;\n"
    "--counts tells how many. If the blocks of the code come in another order, dloc warns and leaves out the layer cfg.\n"
    "The texts are embedded under names like dgemm.hlfir.mlir.\n"
    "\n"
    "Exit status: 0 fine; 1 the lowering that has layers makes other code; 2 bad usage, a tool that is missing or\n"
    "refuses the program, unreadable or unwritable files.\n",
    "dloc flang tests/producers/programs/dot.f90 --llvm /usr/lib/llvm-22/bin -o dot.ll\n", 1, 1};

static const tool_usage triton_usage = {
    "dloc triton [OPTION...] FOLDER",
    "Make one HTML page of what Triton's compiler leaves of a kernel in FOLDER (its cache, or TRITON_DUMP_DIR): Python,\n"
    "TTIR, TTGIR, LLVM IR and PTX side by side, from NAME.ttir, .ttgir, .llir, .ptx and .json. No Triton is needed.\n"
    "\n"
    "An instruction gets the op that has its place in the Python source, or the last of several; dloc counts both\n"
    "(spec/hidden.md, chapter 20). --located takes LLVM IR, PTX and a text of a second dump of the kernel, which was made\n"
    "with USE_IR_LOC=ttgir (or ttir) in the environment: each instruction then has its op exactly.\n"
    "\n"
    "Exit status: 0 fine; 1 the files are of different kernels, or something in the samples is wrong; 2 bad usage, a file\n"
    "that is missing, unreadable or malformed, an unwritable one.\n",
    "dloc triton tests/producers/triton/rowsum -o rowsum.html\n"
    "dloc triton tests/producers/triton/rowsum --located tests/producers/triton/rowsum-ttgir --ll -o rowsum.ll\n",
    1, 1};

int tool_triton(int argc, char **argv) {
  const char *located = NULL, *kernel = NULL, *samples = NULL, *output = NULL;
  tool_list folders = {0};
  bool module = false;
  dloc_profile profile;
  const tool_option options[] = {{TOOL_TEXT, "located", NULL, &located},
                                 {TOOL_TEXT, "kernel", NULL, &kernel},
                                 {TOOL_FLAG, "ll", NULL, &module},
                                 {TOOL_TEXT, "samples", "CSV, LINE,COUNT by line of the PTX", &samples},
                                 {TOOL_LIST, "source-dir", NULL, &folders},
                                 {TOOL_OUTPUT, "o", NULL, &output},
                                 TOOL_PROFILE_OPTIONS(&profile),
                                 {0}};
  int count = tool_parse(argc, argv, &triton_usage, options);
  return script_become("producers/triton.py", options, argv, count);
}

int mlir_lower(int argc, char **argv) {
  request request = {.timeout = TIMEOUT};
  const char *pipeline = NULL, *stages = NULL, *module = NULL;
  const tool_option options[] = {{TOOL_TEXT, "pipeline", NULL, &pipeline},
                                 {TOOL_TEXT, "stages", NULL, &stages},
                                 {TOOL_TEXT, "module", NULL, &module},
                                 LOWER_OPTIONS(&request),
                                 {0}};
  int count = tool_parse(argc, argv, &mlir_usage, options);
  if (!pipeline)
    tool_fail("option '--pipeline' is missing: the passes that lower FILE, with marks @NAME");
  return script_become("producers/mlir.py", options, argv, count);
}

int tool_flang(int argc, char **argv) {
  request request = {.timeout = TIMEOUT};
  tool_list flags = {0};
  const tool_option options[] = {{TOOL_LIST, "flag", NULL, &flags}, LOWER_OPTIONS(&request), {0}};
  int count = tool_parse(argc, argv, &flang_usage, options);
  return script_become("producers/flang.py", options, argv, count);
}
