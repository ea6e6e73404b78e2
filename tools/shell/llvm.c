/* llvm.c - modules as bitcode, by way of the llvm-as and llvm-dis of an LLVM. */
#include "llvm.h"

#include "document/buffer.h"
#include "run/process.h"

#include <string.h>

#define OUTPUT_LIMIT ((size_t)1 << 32)

/* ---- Running a tool ---- */

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

static bool ended_well(const process *child, const char *name) {
  char end[100];
  dloc_text said = first_error(child);
  bool fine = process_ended_well(child);
  process_describe_end(child, end, sizeof end);
  if (!fine)
    tool_error("%s does not take the module: %s%s%.*s", name, child->overflowed ? "too much output" : end,
               said.size ? ": " : "", (int)said.size, said.bytes);
  else if (said.size)
    tool_error("%s says: %.*s", name, (int)said.size, said.bytes);
  return fine;
}

/* Its output is the child's, which the caller ends, also after a failure. option may be NULL. */
static bool start_tool(const llvm_tools *tools, const char *name, char *option, dloc_text input, process *ret) {
  const char *directory = tools->directory ? tools->directory : "";
  OWNED(memory_release) char *path = text_format("%s%s%s", directory, tools->directory ? "/" : "", name);
  char *argv[] = {path, (char[]){"-"}, (char[]){"-o"}, (char[]){"-"}, option, NULL};
  int error = process_run(argv, input, (double)tools->timeout, OUTPUT_LIMIT, ret);
  if (error)
    tool_error("cannot run %s: %s", path, strerror(error));
  return !error;
}

static bool run_tool(const llvm_tools *tools, const char *name, char *option, dloc_text input, process *ret) {
  return start_tool(tools, name, option, input, ret) && ended_well(ret, name);
}

/* ---- Writing ---- */

static int write_assembled(const tool_module *module, dloc_assembly *assembly, dloc_text bytes, const char *path) {
  tool_output output = tool_output_open(path);
  dloc_diagnostic diagnostic;
  dloc_status status = dloc_assembly_bitcode(assembly, bytes, &diagnostic, tool_file_sink(output.file));
  if (status != DLOC_INVALID)
    return tool_output_finish(&output, status, module->input.name);
  /* The bitcode that llvm-as made is an input that no user has seen; its place says at which bit. */
  return tool_output_close(&output, false) ? tool_explain(status, &module->input, &diagnostic) : TOOL_UNUSABLE;
}

/* llvm-as's bitcode of the module's text as it is now. */
static int run_assembler(const tool_module *module, const llvm_tools *tools, char *option, process *child) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  dloc_status status = dloc_write_ll(module->module, buffer_sink(&text));
  return status != DLOC_OK                                               ? tool_failure(status, module->input.name)
         : run_tool(tools, "llvm-as", option, buffer_text(&text), child) ? TOOL_FINE
                                                                         : TOOL_UNUSABLE;
}

static bool has_lists(const tool_module *module) {
  dloc_node limit = dloc_node_limit(module->context);
  for (dloc_node node = 1; node < limit; node++)
    if (dloc_node_kind(module->context, node) == DLOC_KIND_LAYER_LIST)
      return true;
  return false;
}

/* LLVM 24 writes lists itself, in its own records (`bitcode.list.codes`), and reads no text with nodes that stand for locations. */
static bool assembles_lists(const tool_module *module, const dloc_profile *profile, const llvm_tools *tools,
                            process *child) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  return DLOC_TAKES(profile, BITCODE_IRLAYERS_CODES, 51_52) && has_lists(module) &&
         dloc_write_ll(module->module, buffer_sink(&text)) == DLOC_OK &&
         start_tool(tools, "llvm-as", NULL, buffer_text(&text), child) && process_ended_well(child) &&
         !child->errors.size;
}

static int write_bytes(const tool_module *module, const process *child, const char *path) {
  tool_output output = tool_output_open(path);
  dloc_sink sink = tool_file_sink(output.file);
  bool written = sink.write(sink.user, child->output.bytes, child->output.size);
  return tool_output_finish(&output, written ? DLOC_OK : DLOC_STOPPED, module->input.name);
}

int llvm_write_bitcode(tool_module *module, const dloc_profile *profile, const llvm_tools *tools, const char *path) {
  dloc_assembly *assembly = NULL;
  OWNED(process_end) process itself = {0}, plain = {0}, child = {0};
  bool stands_in = false;
  if (assembles_lists(module, profile, tools, &itself))
    return write_bytes(module, &itself, path);
  dloc_status status = dloc_assembly_create(module->module, profile, &assembly);
  int result = status == DLOC_OK ? run_assembler(module, tools, NULL, &plain) : TOOL_FINE;
  if (status == DLOC_OK && result == TOOL_FINE)
    status = dloc_assembly_stand_in(assembly, &stands_in);
  if (status == DLOC_INVALID)
    tool_error("%s: a location names a string as irlayers", module->input.name);
  if (status != DLOC_OK)
    result = status == DLOC_INVALID ? TOOL_UNUSABLE : tool_failure(status, module->input.name);
  else if (result == TOOL_FINE && stands_in)
    result = run_assembler(module, tools, (char[]){"-disable-verify"}, &child);
  if (result == TOOL_FINE)
    result = write_assembled(module, assembly, buffer_text(stands_in ? &child.output : &plain.output), path);
  dloc_assembly_destroy(assembly);
  return result;
}

int llvm_write_module(tool_module *module, const dloc_profile *profile, const llvm_tools *tools, const char *path) {
  size_t size = path ? strlen(path) : 0;
  return !tools->text && size > 3 && strcmp(path + size - 3, ".bc") == 0
             ? llvm_write_bitcode(module, profile, tools, path)
             : tool_write_module(module, path);
}

/* ---- Reading ---- */

bool llvm_disassemble(const llvm_tools *tools, tool_input *input) {
  OWNED(process_end) process child = {0};
  if (!dloc_is_bitcode(input->text))
    return true;
  bool fine = run_tool(tools, "llvm-dis", NULL, input->text, &child);
  if (fine) {
    tool_input text = {.name = input->name, .text = buffer_text(&child.output)};
    tool_input_close(input);
    *input = text;
    child.output = (dloc_buffer){0};
  }
  return fine;
}

static size_t count_layers(const tool_module *module) {
  size_t count = 0;
  for (size_t i = 0; i < dloc_module_instruction_count(module->module); i++)
    count += dloc_layer_count(module->context, dloc_module_instruction(module->module, i)->debug_loc);
  return count;
}

tool_module llvm_module_open(const llvm_tools *tools, const char *path) {
  tool_module module = tool_module_open(path, NULL);
  if (!dloc_is_bitcode(module.input.text))
    return module;
  size_t layers = count_layers(&module);
  dloc_module_destroy(module.module);
  dloc_context_destroy(module.context);
  if (!llvm_disassemble(tools, &module.input))
    tool_exit(TOOL_UNUSABLE);
  tool_module_require(&module, NULL);
  if (count_layers(&module) < layers)
    tool_fail("%s has layers that llvm-dis does not print; --llvm names an LLVM that knows them", path);
  return module;
}
