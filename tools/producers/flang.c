/* flang.c - `dloc flang`: from Fortran to a layered module, by the tools of Flang. */
#include "document/memory.h"
#include "lower.h"

#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc flang [OPTION...] FILE",
    "Compile FILE (Fortran) to LLVM IR with layers: the program as HLFIR, as FIR, and as FIR without structured control\n"
    "flow (cfg). Runs flang and fir-opt 19 to 22, and prints a module (.ll), not optimized.\n"
    "\n"
    "Flang's locations are input of its lowering: calls of its runtime have file and line as arguments. So layers are\n"
    "joined onto the untouched compile. Constants may differ in the module that has numbers; --counts tells how many.\n"
    "If the blocks of the code come in another order, a warning says so, and the layer cfg is left out.\n"
    "The texts are embedded as KIND of FILE: dgemm.hlfir.mlir.\n"
    "\n"
    "Exit status: 0 fine; 1 the lowering that has layers makes other code; 2 bad usage, a tool that is missing or\n"
    "refuses the program, unreadable or unwritable files.\n",
    "dloc flang tests/producers/programs/dot.f90 --llvm /usr/lib/llvm-22/bin -o dot.ll\n", 1, 1};

typedef struct request {
  tool_list flags; /* of the compiler */
  lower_tools tools;
  const char *compiler;
  join_request join;
} request;

static char *const stages[] = {(char[]){"hlfir"}, (char[]){"fir"}, (char[]){"cfg"}};
enum { STAGES = sizeof stages / sizeof *stages };

#define TO_FIR                                                                                                         \
  "@hlfir", "inline-elementals", "lower-hlfir-ordered-assignments", "lower-hlfir-intrinsics", "bufferize-hlfir",       \
      "convert-hlfir-to-fir", "@fir"

/* Flang's own work between the stages; the compiler goes on from the last one, with all of its passes. Those that
 * it takes before cfg-conversion run twice then, or in another order: either may move blocks. */
static const char *const direct[] = {TO_FIR, "cfg-conversion", "@cfg"};
static const char *const canonical[] = {TO_FIR,
                                        "cse",
                                        "array-value-copy",
                                        "character-conversion",
                                        "canonicalize",
                                        "simplify-region-lite",
                                        "cse",
                                        "memory-allocation-opt",
                                        "inline",
                                        "simplify-region-lite",
                                        "cse",
                                        "fir-polymorphic-op",
                                        "fir-assumed-rank-op",
                                        "stack-reclaim",
                                        "cfg-conversion",
                                        "@cfg"};
enum { DIRECT = sizeof direct / sizeof *direct, PASSES = sizeof canonical / sizeof *canonical };

/* The first one that makes the same code is taken. */
static const struct way {
  const char *const *passes;
  size_t pass_count, stage_count;
} ways[] = {{direct, DIRECT, STAGES}, {canonical, PASSES, STAGES}, {direct, DIRECT - 2, STAGES - 1}};
enum { WAYS = sizeof ways / sizeof *ways };

static const dloc_text nothing = {"", 0};

/* Run the compiler's front end, with the flags of the user. more ends with NULL; output NULL: what it writes is
 * returned. */
static dloc_buffer compile(const request *request, const char *const *more, const char *input, const char *output) {
  const char **arguments = NULL;
  size_t count = 0;
  *MEMORY_ADD(arguments, count) = "-fc1";
  for (; *more; more++)
    *MEMORY_ADD(arguments, count) = *more;
  for (size_t i = 0; i < request->flags.count; i++)
    *MEMORY_ADD(arguments, count) = request->flags.items[i];
  *MEMORY_ADD(arguments, count) = input;
  *MEMORY_ADD(arguments, count) = "-o";
  *MEMORY_ADD(arguments, count) = output ? output : "-";
  *MEMORY_ADD(arguments, count) = NULL;
  dloc_buffer written = lower_run(&request->tools, request->compiler, arguments, nothing);
  free(arguments);
  return written;
}

static dloc_buffer to_module(const request *request, const char *input) {
  return compile(request, (const char *const[]){"-emit-llvm", "-debug-info-kind=standalone", NULL}, input, NULL);
}

/* `@STAGE` takes the text of a stage. */
static char *option_of(const request *request, const char *pass) {
  return *pass == '@' ? text_format("--snapshot-op-locations=filename=%s/%s.mlir tag=%s", request->tools.folder,
                                    pass + 1, pass + 1)
                      : text_format("--%s", pass);
}

/* The program behind these passes, as text: in the syntax that keeps the locations of a block's arguments, by way of
 * bytecode, which keeps locations out of the texts of stages. */
static dloc_buffer take_stages(const request *request, const char *source, const struct way *way) {
  char *hlfir = lower_path(&request->tools, "compiled.mlir"), *bytecode = lower_path(&request->tools, "lowered.mlirbc");
  const char *arguments[PASSES + 5] = {hlfir};
  const char *const generic[] = {"-emit-hlfir", "-mmlir", "--mlir-print-debuginfo", "-mmlir", "--mlir-print-op-generic",
                                 NULL};
  dloc_buffer none = compile(request, generic, source, hlfir);
  dloc_buffer_deinit(&none);
  for (size_t i = 0; i < way->pass_count; i++)
    arguments[1 + i] = option_of(request, way->passes[i]);
  memcpy(&arguments[1 + way->pass_count], (const char *const[]){"--emit-bytecode", "-o", bytecode},
         3 * sizeof *arguments);
  none = lower_run(&request->tools, "fir-opt", arguments, nothing);
  dloc_buffer_deinit(&none);
  for (size_t i = 0; i < way->pass_count; i++)
    free((char *)(uintptr_t)arguments[1 + i]);
  dloc_buffer text =
      lower_run(&request->tools, "fir-opt",
                (const char *const[]){bytecode, "--mlir-print-debuginfo", "--mlir-print-op-generic", NULL}, nothing);
  free(hlfir);
  free(bytecode);
  return text;
}

/* The layers of the stages, onto the untouched compile. */
static int join_stages(request *request, const char *source, const dloc_buffer *base, const struct way *way) {
  dloc_buffer text = take_stages(request, source, way);
  lowered lowered = lower_read(&request->tools, buffer_text(&text), source, stages, way->stage_count);
  char *path = lower_path(&request->tools, "numbered.fir");
  tool_output output = tool_output_open(path);
  fwrite(lowered.numbered.bytes, 1, lowered.numbered.size, output.file);
  if (!tool_output_close(&output, true))
    tool_exit(TOOL_UNUSABLE);
  dloc_buffer numbered = to_module(request, path);
  int result = lower_join(&lowered, &request->join, base, &numbered);
  dloc_buffer_deinit(&text);
  dloc_buffer_deinit(&numbered);
  free(path);
  return result;
}

static int run(request *request, const char *source) {
  lower_begin(&request->tools, "fir-opt", "flang-%u", source);
  request->compiler = request->tools.release < 20 ? "flang-new" : "flang";
  dloc_buffer base = to_module(request, source);
  int result = TOOL_VIOLATION;
  for (size_t i = 0; i < WAYS && result == TOOL_VIOLATION; i++) {
    request->join.may_fail = i + 1 < WAYS;
    if (ways[i].stage_count < STAGES)
      tool_error("warning: the layer cfg is left out, as it changes the code");
    result = join_stages(request, source, &base, &ways[i]);
  }
  dloc_buffer_deinit(&base);
  lower_end(&request->tools);
  return result;
}

int tool_flang(int argc, char **argv) {
  request request = {.tools.timeout = LOWER_TIMEOUT, .join.constants_may_differ = true};
  const tool_option options[] = {
      {TOOL_LIST, "flag", "FLAG", "for flang -fc1, such as -I/usr/include (may be repeated)", &request.flags},
      {TOOL_OUTPUT, "o", "OUT", "write to OUT instead of standard output", &request.join.output},
      {TOOL_FLAG, "counts", NULL, "tell how many instructions got which layers", &request.join.counts},
      LOWER_OPTIONS(&request.tools),
      TOOL_PROFILE_OPTIONS(&request.join.profile),
      {0}};
  tool_parse(argc, argv, &usage, options);
  int result = run(&request, argv[0]);
  free(request.flags.items);
  return result;
}
