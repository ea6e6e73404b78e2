/* assemble.c - `dloc assemble`: real bitcode with layers, of a module's text. */
#include "tools.h"

#include "document/buffer.h"
#include "run/process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const tool_usage usage = {
    "dloc assemble -o OUT [OPTION...] FILE",
    "Make bitcode of FILE (a .ll module; `-` is standard input), with the layers of its locations. A stock\n"
    "llvm-as encodes the module without layers; then dloc puts in their records, corrects what moves, and\n"
    "leaves all else as llvm-as wrote it. A reader of the result must know the extension, as `dloc print`\n"
    "and the patched LLVM do. With --choice bitcode.layout=again any other LLVM reads the module without\n"
    "layers. A module of the form irlayers needs a profile that knows it, such as pr215666.\n"
    "\n"
    "dloc verifies the module no further than llvm-as does. The location of a debug record or of a call of\n"
    "an llvm.dbg function places a variable: it is its primary alone. Loop metadata stays as it is.\n"
    "\n"
    "Exit status: 0 fine; 1 a location breaks a rule; 2 bad usage, unreadable or unwritable files, or\n"
    "llvm-as rejects the module or makes other instructions of it.\n",
    "dloc assemble --llvm /usr/lib/llvm-22/bin tests/lit/Inputs/layers.ll -o /tmp/layers.bc\n"
    "dloc bitcode /tmp/layers.bc\n",
    1, 1};

typedef struct request {
  dloc_profile profile;
  const char *directory; /* of llvm-as; NULL: it is searched in PATH */
  const char *output;
  uint64_t timeout;
} request;

#define ASSEMBLER "llvm-as"
#define BITCODE_LIMIT ((size_t)1 << 31)

/* ---- The assembler ---- */

/* The first line that it wrote to stderr, or the one behind when that only says that something is wrong. */
static dloc_text first_error(const process *child) {
  static const char empty[] = "does not verify as correct!\n";
  dloc_text rest = {child->errors.bytes ? child->errors.bytes : "", child->errors.size};
  for (;;) {
    const char *newline = memchr(rest.bytes, '\n', rest.size);
    size_t size = newline ? (size_t)(newline + 1 - rest.bytes) : rest.size;
    if (size == rest.size || size < sizeof empty ||
        memcmp(rest.bytes + size - (sizeof empty - 1), empty, sizeof empty - 1) != 0)
      return (dloc_text){rest.bytes, size < 1000 ? size - (newline != NULL) : 1000};
    rest = (dloc_text){rest.bytes + size, rest.size - size};
  }
}

static bool ended_well(const process *child) {
  char end[100];
  dloc_text said = first_error(child);
  bool fine = !child->overflowed && !child->timed_out && WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
  process_describe_end(child, end, sizeof end);
  if (!fine)
    tool_error(ASSEMBLER " does not assemble the module: %s%s%.*s", child->overflowed ? "too much output" : end,
               said.size ? ": " : "", (int)said.size, said.bytes);
  else if (said.size)
    tool_error(ASSEMBLER " says: %.*s", (int)said.size, said.bytes);
  return fine;
}

/* Its output is the child's, which the caller ends, also after a failure. */
static bool run_assembler(const request *request, dloc_text text, process *ret) {
  const char *directory = request->directory ? request->directory : "";
  char *path = text_format("%s%s" ASSEMBLER, directory, request->directory ? "/" : "");
  char *argv[] = {path, (char[]){"-"}, (char[]){"-o"}, (char[]){"-"}, NULL};
  int error = process_run(argv, text, (double)request->timeout, BITCODE_LIMIT, ret);
  if (error)
    tool_error("cannot run %s: %s", path, strerror(error));
  free(path);
  return !error && ended_well(ret);
}

/* ---- The command ---- */

static int write_bitcode(const tool_module *module, const request *request, dloc_assembly *assembly, dloc_text bytes) {
  tool_output output = tool_output_open(request->output);
  dloc_diagnostic diagnostic;
  dloc_status status = dloc_assembly_bitcode(assembly, bytes, &diagnostic, tool_file_sink(output.file));
  if (status != DLOC_INVALID)
    return tool_output_finish(&output, status, module->input.name);
  /* The bitcode that llvm-as made is an input that no user has seen; its place says at which bit. */
  return tool_output_close(&output, false) ? tool_explain(status, &module->input, &diagnostic) : TOOL_UNUSABLE;
}

static int run(const tool_module *module, const request *request) {
  dloc_assembly *assembly = NULL;
  dloc_buffer text = {0};
  process child = {0};
  int result = TOOL_UNUSABLE;
  dloc_status status = dloc_assembly_create(module->module, &request->profile, &assembly);
  if (status == DLOC_OK)
    status = dloc_write_ll(module->module, buffer_sink(&text));
  if (status != DLOC_OK)
    result = tool_failure(status, module->input.name);
  else if (run_assembler(request, buffer_text(&text), &child))
    result = write_bitcode(module, request, assembly, buffer_text(&child.output));
  process_end(&child);
  dloc_buffer_deinit(&text);
  dloc_assembly_destroy(assembly);
  return result;
}

int tool_assemble(int argc, char **argv) {
  request request = {.timeout = 300};
  const tool_option options[] = {{TOOL_TEXT, "o", "OUT", "write to OUT; `-` is standard output", &request.output},
                                 {TOOL_TEXT, "llvm", "DIR", "where llvm-as is; default: PATH", &request.directory},
                                 {TOOL_NUMBER, "timeout", "SECONDS", "for llvm-as; default: 300", &request.timeout},
                                 TOOL_PROFILE_OPTIONS(&request.profile),
                                 {0}};
  tool_parse(argc, argv, &usage, options);
  if (!request.output)
    tool_fail("option '-o' is missing: where the bitcode goes");
  process_forward_signals();
  tool_module module = tool_module_open_text(argv[0]);
  return tool_module_close(&module, run(&module, &request));
}
