/* annotate.c - `dloc annotate`: a layer for every instruction of a real module: its own place in the module's text, or
 * that of the op with its place of the source (spec/hidden.md, chapter 20). */
#include "help/annotate.h"
#include "objects/mlir/places.h"

#include "document/buffer.h"
#include "numbers.h"

#include <string.h>

typedef struct request {
  dloc_annotation annotation;
  const char *layer;
  const char *file; /* the name of the DIFile */
  const char *unit; /* or what stands in it behind the name of the unit's file */
  const char *output;
  const char *ops;   /* a file */
  const char *table; /* the module is hidden at once */
  dloc_profile profile;
  bool embed, functions, counts;
} request;

/* ---- Ops by their places ---- */

typedef struct op_finder {
  const request *request;
  const tool_module *input;
  tool_input text;
  place_ops *ops;
  size_t exact, several, none;
} op_finder;

static dloc_place place_of_op(void *user, uint32_t function, uint32_t instruction) {
  (void)function;
  op_finder *f = user;
  dloc_context *context = f->input->context;
  dloc_node place = dloc_primary(context, dloc_module_instruction(f->input->module, instruction)->debug_loc);
  tool_require(place_of(context, place, &place), f->input->input.name);
  uint32_t line = place_in(context, place, dloc_text_of(f->request->ops));
  place_op op = line ? place_ops_at(f->ops, line) : place_ops_find(f->ops, &f->request->profile, place);
  f->none += !op.line;
  f->exact += op.line && op.exact;
  f->several += op.line && !op.exact;
  return (dloc_place){.line = op.line, .column = op.column};
}

static void open_ops(op_finder *f, const request *request, dloc_annotation *annotation) {
  dloc_diagnostic diagnostic;
  *f = (op_finder){.request = request, .input = f->input, .text = tool_input_required(request->ops)};
  dloc_status status = place_ops_create(f->input->context, f->text.text, &diagnostic, &f->ops);
  if (status != DLOC_OK)
    tool_exit(tool_explain(status, &f->text, &diagnostic));
  annotation->place = place_of_op;
  annotation->user = f;
}

static void close_ops(op_finder *f, bool tell) {
  if (tell)
    fprintf(stderr, "%s: %zu instructions with their op exactly, %zu with the last of several, %zu without\n",
            f->request->layer, f->exact, f->several, f->none);
  place_ops_destroy(f->ops);
  tool_input_close(&f->text);
}

/* ---- The command ---- */

/* FILE as far as the end of its last function: layers name no line behind it. */
static dloc_text as_far_as_functions(const tool_module *input) {
  dloc_text text = input->input.text;
  size_t last = 0;
  for (size_t i = 0; i < dloc_module_function_count(input->module); i++) {
    const dloc_function *function = dloc_module_function(input->module, i);
    if (function->instruction_count && function->text > last)
      last = function->text;
  }
  while (last < text.size && strncmp(text.bytes + last, "\n}\n", text.size - last < 3 ? text.size - last : 3) != 0)
    last++;
  return last + 3 < text.size ? (dloc_text){text.bytes, last + 3} : text;
}

/* The first unit's file, which the compiler has called as the user wants outputs to call it (-ffile-prefix-map); empty: there is none. */
static dloc_text name_of_unit(const tool_module *input) {
  dloc_named_metadata units = {0};
  bool found = dloc_module_find_named(input->module, dloc_text_of(DLOC_UNIT_LIST), &units) && units.operand_count;
  dloc_node unit = found ? dloc_module_named_operand(input->module, &units, 0) : DLOC_NULL;
  dloc_node file = dloc_field_value(input->context, unit, "file");
  return dloc_node_text(input->context, dloc_field_value(input->context, file, "filename"));
}

/* The rest of a text behind its first line, if that begins with the prefix. */
static bool take_line(dloc_text *text, const char *prefix) {
  size_t size = strlen(prefix);
  const char *end =
      text->size > size && memcmp(text->bytes, prefix, size) == 0 ? memchr(text->bytes, '\n', text->size) : NULL;
  if (end)
    *text = (dloc_text){end + 1, text->size - (size_t)(end + 1 - text->bytes)};
  return end;
}

/* The compiler read the module under a name that no output is to have: the first lines of the text get the other name.
 * Lines keep their numbers. */
static dloc_text renamed(dloc_text text, dloc_text name, dloc_buffer *buffer) {
  dloc_buffer quoted = {0};
  (void)dloc_print_string(name, buffer_sink(&quoted));
  if (take_line(&text, "; ModuleID = '"))
    buffer_format(buffer, "; ModuleID = '%.*s'\n", (int)quoted.size - 2, quoted.bytes + 1);
  if (take_line(&text, "source_filename = "))
    buffer_format(buffer, "source_filename = %s\n", quoted.bytes);
  dloc_buffer_deinit(&quoted);
  buffer_put(buffer, text);
  return buffer_text(buffer);
}

static int refuse(const tool_module *input, uint32_t index, dloc_reason reason) {
  dloc_place place = {0};
  const dloc_violation violation = {.instruction = index, .function = DLOC_NO_INDEX};
  dloc_violation_place(input->module, &violation, &place);
  tool_diagnose(&input->input, &place, "error",
                reason == DLOC_REASON_OPERAND_NOT_DEBUG_LOC
                    ? "the `!dbg` of this instruction is no location"
                    : "the location has a layer of that kind already; --replace replaces it",
                NULL);
  return TOOL_VIOLATION;
}

static int run(tool_module *input, const request *request) {
  dloc_annotation annotation = request->annotation;
  uint32_t refused = 0;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_buffer file = {0}, text = {0};
  dloc_text unit = request->unit ? name_of_unit(input) : (dloc_text){0};
  buffer_put(&file, unit.size ? unit : dloc_text_of(request->file));
  buffer_put_string(&file, request->unit ? request->unit : "");
  annotation.kind = dloc_text_of(request->layer);
  annotation.file = buffer_text(&file);
  op_finder finder = {.input = input};
  if (request->ops)
    open_ops(&finder, request, &annotation);
  if (request->embed)
    annotation.text = request->ops         ? finder.text.text
                      : request->functions ? as_far_as_functions(input)
                                           : input->input.text;
  if (annotation.text.size && unit.size)
    annotation.text = renamed(annotation.text, unit, &text);
  dloc_status status = dloc_annotate(input->module, &annotation, &reason, &refused);
  close_ops(&finder, request->counts && status == DLOC_OK);
  dloc_buffer_deinit(&file);
  dloc_buffer_deinit(&text);
  if (status == DLOC_INVALID)
    return refuse(input, refused, reason);
  if (status != DLOC_OK)
    return tool_failure(status, input->input.name);
  return request->table ? numbers_hide(input, request->table, request->output)
                        : tool_write_module(input, request->output);
}

int tool_annotate(int argc, char **argv) {
  request request = {.layer = NULL};
  const tool_option options[] = {
      {TOOL_TEXT, "layer", "the kind of the new layers", &request.layer},
      {TOOL_TEXT, "file", "what to call the layers' file (default: FILE as given)", &request.file},
      {TOOL_TEXT, "unit-file", NULL, &request.unit},
      {TOOL_FLAG, "all", "also instructions without location, in functions with a subprogram", &request.annotation.all},
      {TOOL_FLAG, "loops", NULL, &request.annotation.loops},
      {TOOL_FLAG, "by-function", NULL, &request.annotation.origin},
      {TOOL_FLAG, "replace", NULL, &request.annotation.replace},
      {TOOL_FLAG, "embed", NULL, &request.embed},
      {TOOL_FLAG, "functions", NULL, &request.functions},
      {TOOL_TEXT, "dump", NULL, &request.ops},
      {TOOL_FLAG, "counts", NULL, &request.counts},
      {TOOL_OUTPUT, "hide", NULL, &request.table},
      {TOOL_OUTPUT, "o", NULL, &request.output},
      TOOL_PROFILE_OPTIONS(&request.profile),
      {0}};
  tool_parse(argc, argv, &annotate_usage, options);
  if (request.ops ? request.annotation.origin || request.functions : request.counts)
    tool_fail(request.ops ? "--dump does not go with --by-function and --functions" : "--counts goes with --dump");
  if (!request.layer || !*request.layer)
    tool_fail(request.layer ? "a kind is not empty" : "option '--layer' is missing: the kind of the new layers");
  tool_module input = tool_module_open_text(argv[0], NULL);
  if (!request.file)
    request.file = request.ops ? request.ops : input.input.name;
  return tool_module_close(&input, run(&input, &request));
}
