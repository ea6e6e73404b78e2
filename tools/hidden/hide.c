/* hide.c - `dloc hide`: a module whose layers any LLVM carries, and the table of them. */
#include "full.h"
#include "shell/llvm.h"
#include "numbers.h"
#include "help/hide.h"

#include <string.h>

typedef struct request {
  const char *table;
  const char *output;
  const char *in;
  const char *base;
  const char *full;
  uint64_t first;
  llvm_tools llvm;
} request;

/* ---- Modules without layers ---- */

/* projection: NULL for the module as it is. */
static int write_plain(const tool_module *input, const request *request, const dloc_projection *projection,
                       const char *path) {
  tool_module plain = {.input = tool_input_lend(&input->input)};
  dloc_diagnostic diagnostic;
  dloc_status status = tool_module_read(&plain, NULL, &diagnostic);
  if (status == DLOC_OK && projection)
    status = dloc_project(plain.module, projection);
  if (status == DLOC_OK)
    status = dloc_drop_layers(plain.module);
  int result = status == DLOC_OK ? llvm_write_module(&plain, tool_profile("rfc"), &request->llvm, path)
                                 : tool_failure(status, input->input.name);
  return tool_module_close(&plain, result);
}

/* ---- A module for each kind: --full ---- */

static int write_full(tool_module *input, const request *request, dloc_hidden *hidden) {
  const char *directory = request->full;
  OWNED(full_kinds_free)
  full_kinds kinds = full_kinds_of(&input->input, input->context, hidden, tool_profile("rfc+ld"));
  tool_make_folder(directory);
  OWNED(memory_release) char *table = full_path(directory, FULL_TABLE, "");
  int result = numbers_write(hidden, table);
  for (size_t i = 0; result == TOOL_FINE && i <= kinds.count; i++) {
    bool primary = i == kinds.count;
    dloc_projection projection = {.like_primary = true};
    if (!primary)
      projection.kind = dloc_text_of(kinds.items[i].kind);
    OWNED(memory_release) char *path = full_path(directory, primary ? FULL_PRIMARY : kinds.items[i].name, ".ll");
    result = write_plain(input, request, &projection, path);
  }
  return result;
}

/* ---- The command ---- */

/* Objects have a section for each kind. */
static void check_names(const tool_module *input, dloc_hidden *hidden) {
  dloc_reason reason = full_kinds_reason(input->context, hidden, tool_profile("rfc+ld"));
  if (reason)
    tool_diagnose(&input->input, NULL, "warning", dloc_reason_text(reason), dloc_reason_name(reason));
}

/* `hide.step`: all numbers have BASE in the bits of the base discriminator. A pass that writes another one there makes a
 * number that the table does not have. */
static void number_discriminators(dloc_hide_options *options) {
  enum { STEP = 128, BASE = 31 << 1 };
  const uint32_t last = UINT32_MAX / STEP * STEP + BASE;
  options->step = STEP;
  options->first = options->first > last ? last : last - (last - options->first) / STEP * STEP;
}

static int hide(tool_module *input, const request *request) {
  dloc_hide_options options = {.on_problem = tool_diagnose_node, .user = input};
  dloc_hidden *hidden = NULL;
  if (strcmp(request->in, "column") == 0)
    options.in = DLOC_HIDDEN_IN_COLUMN;
  options.first =
      numbers_begin(request->first, input->input.text, options.in == DLOC_HIDDEN_IN_COLUMN ? 1U << 14 : 1U << 31);
  if (options.in == DLOC_HIDDEN_IN_DISCRIMINATOR)
    number_discriminators(&options);
  dloc_status status = dloc_hide(input->module, &options, &hidden);
  if (status == DLOC_INVALID)
    return TOOL_VIOLATION;
  if (status != DLOC_OK)
    return tool_failure(status, input->input.name);
  if (!request->full && options.in == DLOC_HIDDEN_IN_DISCRIMINATOR)
    check_names(input, hidden);
  tool_outputs_begin();
  int result = request->full ? write_full(input, request, hidden) : numbers_write(hidden, request->table);
  if (result == TOOL_FINE && !request->full)
    result = llvm_write_module(input, tool_profile("rfc"), &request->llvm, request->output);
  if (result == TOOL_FINE && request->base)
    result = write_plain(input, request, NULL, request->base);
  dloc_hidden_destroy(hidden);
  return tool_outputs_end(result);
}

int numbers_hide(tool_module *input, const char *table, const char *output) {
  const request request = {.table = table, .output = output, .in = "discriminator", .first = NUMBERS_BY_CONTENT};
  return hide(input, &request);
}

int tool_hide(int argc, char **argv) {
  request request = {.in = "discriminator", .first = NUMBERS_BY_CONTENT, .llvm.timeout = LLVM_TOOLS_TIMEOUT};
  const tool_option options[] = {
      {TOOL_OUTPUT, "table", "where the table goes", &request.table},
      {TOOL_TEXT, "in", NULL, &request.in},
      {TOOL_OUTPUT, "exact", "write the module without layers, too, for `dloc reveal --exact`", &request.base},
      {TOOL_TEXT, "full", "write the primaries and each kind of layer as modules of their own, and the table",
       &request.full},
      NUMBERS_OPTION(&request.first),
      {TOOL_OUTPUT, "o", NULL, &request.output},
      LLVM_TOOLS_OPTIONS(&request.llvm),
      {0}};
  tool_parse(argc, argv, &hide_usage, options);
  if (request.full && (request.table || request.base || request.output))
    tool_fail("--full: all files go into its directory");
  if (!request.table && !request.full)
    tool_fail("option '--table' is missing: where the table goes");
  if (strcmp(request.in, "column") != 0 && strcmp(request.in, "discriminator") != 0)
    tool_fail("--in %s: numbers stand in the discriminator or in the column", request.in);
  tool_module input = llvm_module_open(&request.llvm, argv[0]);
  return tool_module_close(&input, hide(&input, &request));
}
