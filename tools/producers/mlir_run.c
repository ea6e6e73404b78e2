/* mlir_run.c - `dloc mlir FILE --pipeline PASSES`: from MLIR to a layered module, by the tools of MLIR. */
#include "lower.h"
#include "mlir.h"
#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc mlir FILE --pipeline PASSES [OPTION...], dloc mlir ids|primary|join ...",
    "Lower FILE (MLIR) to LLVM IR with layers, which are places in the program's text at stages of the lowering.\n"
    "Runs mlir-opt and mlir-translate 19 to 22, and prints a module (.ll).\n"
    "\n"
    "PASSES is the producer's pipeline for the builtin.module, as mlir-opt takes it, down to the LLVM dialect. A\n"
    "mark @NAME between two passes is a stage: the text that the program has there is taken. NAME is the kind of\n"
    "its layers, and the text is embedded: of matmul.mlir as matmul.NAME.mlir.\n"
    "\n"
    "The primary is the location that the module has without layers. spec/hidden.md, chapter 19, says what layers are.\n"
    "\n"
    "If you run these tools yourself, take the steps one by one; `dloc mlir ACTION --help` tells more:\n"
    "  primary   the lowered text without the places of stages: it makes the module that gets layers\n"
    "  ids       the same with a number for each location, and a table of what the numbers stand for\n"
    "  join      the layers of the numbers onto the module\n"
    "\n"
    "Exit status: 0 fine; 1 the locations changed the code; 2 bad usage, a tool that is missing or refuses the\n"
    "program, unreadable or unwritable files.\n",
    "dloc mlir tests/producers/programs/inlining.mlir --llvm /usr/lib/llvm-22/bin -o cubes.ll --pipeline '@before, inline, "
    "@after, convert-arith-to-llvm, convert-func-to-llvm, @llvm'\n",
    1, 1};

typedef struct request {
  const char *pipeline, *stages, *module;
  lower_tools tools;
  join_request join;
} request;

/* ---- Nested modules ---- */

/* Where the operation's line begins, such as `gpu.module @kernels {`. */
static size_t find_module(dloc_text text, const char *name) {
  char *wanted = text_format("module @%s ", name);
  const char *found = strstr(text.bytes, wanted);
  free(wanted);
  if (!found)
    tool_fail("--module: the lowered program has no module @%s", name);
  while (found > text.bytes && found[-1] != '\n')
    found--;
  return (size_t)(found - text.bytes);
}

/* The text with a nested module in place of the one around it. MLIR begins the line of an operation's end as that of
 * its begin; aliases stand before and behind the whole. */
static dloc_buffer take_module(dloc_text text, const char *name) {
  dloc_buffer taken = {0};
  const char *head = text.bytes + find_module(text, name), *body = strchr(head, '\n');
  char *closing = text_format("\n%.*s}", (int)strspn(head, " "), head);
  const char *close = body ? strstr(body, closing) : NULL, *end = close ? strstr(close, "\n}") : NULL;
  if (!end)
    tool_fail("--module: @%s is no nested module", name);
  for (const char *line = text.bytes; line < head; line = strchr(line, '\n') + 1)
    if (*line == '#')
      buffer_put(&taken, (dloc_text){line, strcspn(line, "\n") + 1});
  buffer_put(&taken, dloc_text_of("module {"));
  buffer_put(&taken, (dloc_text){body, (size_t)(close - body)});
  buffer_put(&taken, (dloc_text){end, (size_t)(text.bytes + text.size - end)});
  free(closing);
  return taken;
}

/* ---- Lowering ---- */

static const dloc_text nothing = {"", 0};

/* The program behind the pipeline, as text. Bytecode keeps locations out of the texts of stages (MLIR 19), and those of
 * a block's arguments right. */
static dloc_buffer lower(const request *request, const char *source, const char *passes) {
  char *bytecode = lower_path(&request->tools, "lowered.mlirbc"), *option = text_format("--pass-pipeline=%s", passes);
  dloc_buffer none = lower_run(&request->tools, "mlir-opt",
                               (const char *const[]){source, option, "--emit-bytecode", "-o", bytecode, NULL}, nothing);
  dloc_buffer text =
      lower_run(&request->tools, "mlir-opt", (const char *const[]){bytecode, "--mlir-print-debuginfo", NULL}, nothing);
  dloc_buffer_deinit(&none);
  free(bytecode);
  free(option);
  if (!request->module)
    return text;
  dloc_buffer taken = take_module(buffer_text(&text), request->module);
  dloc_buffer_deinit(&text);
  return taken;
}

/* Without subprograms mlir-translate writes no locations. */
static dloc_buffer translate(const request *request, const dloc_buffer *text) {
  dloc_buffer scoped =
      lower_run(&request->tools, "mlir-opt",
                (const char *const[]){"-", "--ensure-debug-info-scope-on-llvm-func", "--mlir-print-debuginfo", NULL},
                buffer_text(text));
  dloc_buffer module = lower_run(&request->tools, "mlir-translate",
                                 (const char *const[]){"--mlir-to-llvmir", "-", NULL}, buffer_text(&scoped));
  dloc_buffer_deinit(&scoped);
  return module;
}

static int run(request *request, const char *source) {
  lower_begin(&request->tools, "mlir-opt", "mlir-%u-tools", source);
  pipeline pipeline = pipeline_expand(request->pipeline, request->stages, request->tools.folder);
  dloc_buffer text = lower(request, source, pipeline.passes);
  lowered lowered = lower_read(&request->tools, buffer_text(&text), source, pipeline.stages, pipeline.count);
  dloc_buffer_deinit(&text);
  dloc_buffer base = translate(request, &lowered.primary), numbered = translate(request, &lowered.numbered);
  int result = lower_join(&lowered, &request->join, &base, &numbered);
  dloc_buffer_deinit(&base);
  dloc_buffer_deinit(&numbered);
  pipeline_free(&pipeline);
  lower_end(&request->tools);
  return result;
}

int mlir_run(int argc, char **argv) {
  request request = {.tools.timeout = LOWER_TIMEOUT};
  const tool_option options[] = {
      {TOOL_TEXT, "pipeline", "PASSES", "MLIR's passes, with a mark @NAME for each stage", &request.pipeline},
      {TOOL_TEXT, "stages", "NAME,...", "the stages that become layers; default: all", &request.stages},
      {TOOL_TEXT, "module", "NAME", "translate this nested module alone, such as a gpu.module", &request.module},
      {TOOL_OUTPUT, "o", "OUT", "write to OUT instead of standard output", &request.join.output},
      {TOOL_FLAG, "counts", NULL, "tell how many instructions got which layers", &request.join.counts},
      LOWER_OPTIONS(&request.tools),
      TOOL_PROFILE_OPTIONS(&request.join.profile),
      {0}};
  tool_parse(argc, argv, &usage, options);
  if (!request.pipeline)
    tool_fail("option '--pipeline' is missing: the passes that lower FILE, with marks @NAME");
  return run(&request, argv[0]);
}
