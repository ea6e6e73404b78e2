/* emit.c - `dloc emit`: the directives and embedded texts that a back end writes for a module. */
#include "tools.h"

#include <inttypes.h>

static const tool_usage usage = {
    "dloc emit [OPTION...] FILE",
    "List the line directives that a back end writes for FILE (a .ll module; `-` is standard input), each\n"
    "function as one straight line of instructions. Each directive has a line: function, number of the\n"
    "instruction, `primary` or `layer`, FILE:LINE:COLUMN, separated by tabs. Then each embedded text that is\n"
    "written has a line: `text`, kind, file, size in bytes.\n",
    "dloc emit tests/lit/Inputs/layers.ll\n", 1, 1};

typedef struct listing {
  const tool_module *input;
  dloc_emitter *emitter;
  FILE *file;
} listing;

static void print_directive(const listing *l, const dloc_function *function, uint32_t number, const char *what,
                            const dloc_directive *directive) {
  tool_print_name(l->file, dloc_node_text(l->input->context, function->name), "\t");
  fprintf(l->file, "%" PRIu32 "\t%s\t", number, what);
  tool_print_name(l->file, dloc_node_text(l->input->context, directive->file), ":");
  fprintf(l->file, "%" PRIu32 ":%" PRIu32 "\n", directive->line, directive->column);
}

static dloc_status list_instruction(const listing *l, const dloc_function *function, uint32_t number) {
  const dloc_instruction *instruction =
      dloc_module_instruction(l->input->module, (size_t)function->first_instruction + number);
  dloc_emitted emitted;
  dloc_reason reason;
  if (instruction->flags & DLOC_INSTRUCTION_DEBUG) /* no instruction of the machine */
    return DLOC_OK;
  dloc_status status = dloc_emit_instruction(l->emitter, instruction->debug_loc, &reason, &emitted);
  if (status == DLOC_INVALID) /* what is no location has no directive; `dloc verify` says what is wrong */
    return DLOC_OK;
  TRY(status);
  if (emitted.has_primary)
    print_directive(l, function, number, "primary", &emitted.primary);
  for (size_t i = 0; i < emitted.layer_count; i++)
    print_directive(l, function, number, "layer", &emitted.layers[i]);
  return DLOC_OK;
}

static dloc_status list_texts(const listing *l) {
  const dloc_emitted_text *texts;
  size_t count;
  TRY(dloc_emit_texts(l->emitter, &texts, &count));
  for (size_t i = 0; i < count; i++) {
    const dloc_context *context = l->input->context;
    fputs("text\t", l->file);
    tool_print_name(l->file, dloc_node_text(context, dloc_operand(context, texts[i].entry, 0)), "\t");
    tool_print_name(l->file, dloc_node_text(context, texts[i].file), "\t");
    fprintf(l->file, "%zu\n", dloc_node_text(context, dloc_operand(context, texts[i].entry, 2)).size);
  }
  return DLOC_OK;
}

static dloc_status list_all(const listing *l) {
  for (size_t i = 0; i < dloc_module_function_count(l->input->module); i++) {
    const dloc_function *function = dloc_module_function(l->input->module, i);
    dloc_emitter_begin_function(l->emitter);
    for (uint32_t number = 0; number < function->instruction_count; number++)
      TRY(list_instruction(l, function, number));
  }
  return list_texts(l);
}

static int emit_module(const tool_module *input, const dloc_profile *profile, const char *path) {
  tool_output output = tool_output_open(path);
  listing l = {.input = input, .file = output.file};
  dloc_status status = dloc_emitter_create(input->context, profile, input->module, NULL, &l.emitter);
  if (status == DLOC_OK)
    status = list_all(&l);
  dloc_emitter_destroy(l.emitter);
  return tool_output_finish(&output, status, input->input.name);
}

int tool_emit(int argc, char **argv) {
  dloc_profile profile = {0};
  const char *path = NULL;
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&profile), {TOOL_TEXT, "o", "FILE", "write to FILE instead of standard output", &path}, {0}};
  tool_module input = tool_parse_module(argc, argv, &usage, options, &profile);
  return tool_module_close(&input, emit_module(&input, &profile, path));
}
