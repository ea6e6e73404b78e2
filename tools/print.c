/* print.c - `dloc print`: a module printed back, or a list of its locations. */
#include "tools.h"

static const tool_usage usage = {
    .synopsis = "dloc print [OPTION...] FILE",
    .about =
        "Read a module in LLVM's textual form and print it back, its metadata from the model. With --locations, print "
        "a line for\n"
        "each instruction that has a location instead: function, number of the instruction, location in LLVM's form.\n",
    .example = "dloc print --locations tests/lit/Inputs/layers.ll\n",
    .least = 1,
    .most = 1,
};

static dloc_status print_location(const tool_module *input, const dloc_function *function, uint32_t number,
                                  FILE *file) {
  const dloc_instruction *instruction =
      dloc_module_instruction(input->module, (size_t)function->first_instruction + number);
  if (!instruction->debug_loc)
    return DLOC_OK;
  dloc_text name = dloc_node_text(input->context, function->name);
  fprintf(file, "%.*s %lu ", (int)name.size, name.bytes, (unsigned long)number);
  dloc_status status = dloc_debug_loc_print(input->context, instruction->debug_loc, tool_file_sink(file));
  if (status == DLOC_INVALID) {
    fputs("no location", file);
    status = DLOC_OK;
  }
  fputc('\n', file);
  return status;
}

static dloc_status print_locations(const tool_module *input, FILE *file) {
  for (size_t i = 0; i < dloc_module_function_count(input->module); i++) {
    const dloc_function *function = dloc_module_function(input->module, i);
    for (uint32_t number = 0; number < function->instruction_count; number++) {
      dloc_status status = print_location(input, function, number, file);
      if (status != DLOC_OK)
        return status;
    }
  }
  return DLOC_OK;
}

static int print_module(const tool_module *input, const char *path, bool locations) {
  tool_output output;
  if (!tool_output_open(path, &output))
    return TOOL_UNUSABLE;
  dloc_status status =
      locations ? print_locations(input, output.file) : dloc_write_ll(input->module, tool_file_sink(output.file));
  if (!tool_output_close(&output, status == DLOC_OK))
    return TOOL_UNUSABLE;
  /* DLOC_STOPPED: the stream failed, which closing it reported, or main does for stdout. */
  return status == DLOC_OK        ? TOOL_FINE
         : status == DLOC_STOPPED ? TOOL_UNUSABLE
                                  : tool_failure(status, input->input.name);
}

int tool_print(int argc, char **argv) {
  bool locations = false;
  const char *path = NULL;
  int count = 0;
  const tool_option options[] = {
      {TOOL_FLAG, "locations", NULL, "list the locations instead of printing the module", &locations},
      {TOOL_TEXT, "o", "FILE", "write to FILE instead of standard output", &path},
      {0, NULL, NULL, NULL, NULL},
  };
  int status = tool_parse(argc, argv, &usage, options, &count);
  if (status != TOOL_CONTINUE)
    return status;
  tool_module input;
  status = tool_module_open(argv[0], &input);
  if (status != TOOL_CONTINUE)
    return status;
  status = print_module(&input, path, locations);
  tool_module_close(&input);
  return status;
}
