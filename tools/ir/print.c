/* print.c - `dloc print`: a module printed back, or a list of its locations. */
#include "document/buffer.h"
#include "help/print.h"
#include "shell/tools.h"

/* ---- Scopes ---- */

/* Chains end; one that is cyclic, which `dloc verify` reports, is cut. */
enum { CHAIN_SHOWN = 10000 };

static void print_text(const char *before, dloc_text text, FILE *file) {
  if (text.size) {
    fputs(before, file);
    tool_print_name(file, text, "");
  }
}

static void print_number(const char *before, uint64_t number, FILE *file) {
  if (number)
    fprintf(file, "%s%llu", before, (unsigned long long)number);
}

static void print_scope(const dloc_context *context, dloc_node scope, FILE *file) {
  dloc_node source = dloc_scope_file(context, scope);
  fputs(dloc_node_is_distinct(context, scope) ? "distinct " : "", file);
  print_text("", dloc_node_class(context, scope), file);
  print_text(" ", dloc_node_text(context, dloc_field_value(context, scope, "name")), file);
  print_text(" ", dloc_node_text(context, dloc_field_value(context, scope, "linkageName")), file);
  print_text(" ", dloc_node_text(context, dloc_field_value(context, source, "directory")), file);
  print_text(" ", dloc_node_text(context, dloc_field_value(context, source, "filename")), file);
  print_number(" line ", dloc_field_number(context, scope, "line"), file);
  print_number(" column ", dloc_field_number(context, scope, "column"), file);
  print_number(" discriminator ", dloc_field_number(context, scope, "discriminator"), file);
}

/* A location and what it is inlined at, each with its scopes up to the subprogram. */
static void print_scopes(const dloc_context *context, dloc_node location, FILE *file) {
  for (unsigned frames = 0; location && frames < CHAIN_SHOWN; frames++) {
    dloc_location content = dloc_location_get(context, location);
    dloc_node scope = content.scope;
    fprintf(file, frames ? " @ %s%u:%u" : "; %s%u:%u", dloc_node_is_distinct(context, location) ? "distinct " : "",
            (unsigned)content.line, (unsigned)content.column);
    fputs(content.implicit ? " implicit" : "", file);
    print_number(" atom ", content.atom_group, file);
    print_number(" rank ", content.atom_rank, file);
    for (unsigned depth = 0; scope && depth < CHAIN_SHOWN; depth++) {
      fputs(depth ? " < " : " in ", file);
      print_scope(context, scope, file);
      scope = dloc_is_local_scope(context, scope) && dloc_node_kind(context, scope) != DLOC_KIND_SUBPROGRAM
                  ? dloc_scope_parent(context, scope)
                  : DLOC_NULL;
    }
    location = content.inlined_at;
  }
}

/* The lists of a chain, where there is one: ` {low: soft.mlir:3:1} @ {}`. */
static void print_lists(const dloc_context *context, dloc_node location, FILE *file) {
  bool any = dloc_innermost_layers(context, location);
  for (unsigned frames = 0; any && location && frames < CHAIN_SHOWN; frames++) {
    dloc_layer layer;
    fputs(frames ? " @ {" : " {", file);
    for (size_t cursor = 0, first = 1; dloc_next_layer(context, location, &cursor, &layer); first = 0) {
      dloc_node source = dloc_scope_file(context, layer.location);
      fputs(first ? "" : ", ", file);
      tool_print_name(file, dloc_node_text(context, layer.kind), ": ");
      print_text("", dloc_node_text(context, dloc_field_value(context, source, "filename")), file);
      fprintf(file, ":%llu", (unsigned long long)dloc_field_number(context, layer.location, "line"));
      print_number(":", dloc_field_number(context, layer.location, "column"), file);
    }
    fputs("}", file);
    location = dloc_location_get(context, location).inlined_at;
  }
}

static void print_all_scopes(const dloc_context *context, dloc_node debug_loc, FILE *file) {
  print_scopes(context, dloc_primary(context, debug_loc), file);
  dloc_layer layer;
  bool tuple = dloc_debug_loc_shape(context, debug_loc) == DLOC_SHAPE_COMPOSITE;
  for (size_t cursor = 0; tuple && dloc_next_layer(context, debug_loc, &cursor, &layer);) {
    print_text("; ", dloc_node_text(context, layer.kind), file);
    print_scopes(context, layer.location, file);
  }
}

/* ---- Locations ---- */

static dloc_status print_location(const tool_module *input, const dloc_function *function, uint32_t number, bool scopes,
                                  FILE *file) {
  const dloc_instruction *instruction =
      dloc_module_instruction(input->module, (size_t)function->first_instruction + number);
  if (!instruction->debug_loc)
    return DLOC_OK;
  tool_print_name(file, dloc_node_text(input->context, function->name), " ");
  fprintf(file, "%lu ", (unsigned long)number);
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  dloc_status status = dloc_debug_loc_print(input->context, input->profile, instruction->debug_loc, buffer_sink(&text));
  tool_print_name(file, buffer_text(&text), "");
  if (status == DLOC_INVALID) {
    fputs("no location", file);
    status = DLOC_OK;
  } else {
    print_lists(input->context, dloc_primary(input->context, instruction->debug_loc), file);
    if (scopes)
      print_all_scopes(input->context, instruction->debug_loc, file);
  }
  fputc('\n', file);
  return status;
}

static dloc_status print_locations(const tool_module *input, bool scopes, FILE *file) {
  for (size_t i = 0; i < dloc_module_function_count(input->module); i++) {
    const dloc_function *function = dloc_module_function(input->module, i);
    for (uint32_t number = 0; number < function->instruction_count; number++)
      TRY(print_location(input, function, number, scopes, file));
  }
  return DLOC_OK;
}

static int list_locations(const tool_module *input, const char *path, bool scopes) {
  tool_output output = tool_output_open(path);
  return tool_output_finish(&output, print_locations(input, scopes, output.file), input->input.name);
}

int tool_print(int argc, char **argv) {
  bool locations = false, scopes = false;
  const char *path = NULL;
  dloc_profile profile = {0};
  const tool_option options[] = {{TOOL_FLAG, "locations", NULL, &locations},
                                 {TOOL_FLAG, "scopes", NULL, &scopes},
                                 {TOOL_OUTPUT, "o", NULL, &path},
                                 TOOL_PROFILE_OPTIONS(&profile),
                                 {0}};
  tool_module input = tool_parse_module(argc, argv, &print_usage, options, &profile);
  return tool_module_close(&input, locations || scopes ? list_locations(&input, path, scopes)
                                                       : tool_write_module(&input, path));
}
