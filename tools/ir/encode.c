/* encode.c - `dloc encode`: the numbers of metadata and the records of locations that a writer of bitcode gives a
 * module. */
#include "shell/tools.h"

#include "document/memory.h"
#include "ops/encoded.h"

#include <inttypes.h>
#include <stdlib.h>

static const tool_usage usage = {
    "dloc encode [OPTION...] FILE",
    "List what a bitcode writer makes of FILE (a .ll or .bc module; `-` is standard input): the module's\n"
    "metadata by number, then for each function its own metadata, and the records that locate its\n"
    "instructions. A line for metadata has its number, what it is, and the numbers of its operands; behind\n"
    "`:` that of a location, layer or list has its record. A line for an instruction has `N:` and its\n"
    "records. A record is its name, `*` when it is abbreviated, and its values.\n",
    "dloc encode --profile llvm-22 tests/lit/Inputs/sources.ll\n"
    "dloc encode --written tests/lit/Inputs/layers.bc\n",
    1, 1};

typedef struct listing {
  const tool_module *input;
  dloc_numbers *numbers; /* says what the operands are */
  uint64_t *number_of;   /* by node: number + 1; of those that there are when the listing begins */
  uint32_t node_count;
  FILE *file;
} listing;

static dloc_status print_operands(const listing *l, dloc_node node) {
  uint32_t cursor = 0;
  dloc_node operand = DLOC_NULL;
  for (;;) {
    TRY(dloc_numbers_operand(l->numbers, node, &cursor, &operand));
    if (!operand)
      return DLOC_OK;
    if (operand < l->node_count && l->number_of[operand])
      fprintf(l->file, " %" PRIu64, l->number_of[operand] - 1);
    else
      fputs(" ?", l->file);
  }
}

static dloc_status print_metadata(const listing *l, dloc_node node) {
  const dloc_context *context = l->input->context;
  dloc_text class = dloc_node_class(context, node);
  switch (dloc_node_kind(context, node)) {
  case DLOC_KIND_STRING:
    fputc('!', l->file);
    return dloc_print_string(dloc_node_text(context, node), tool_file_sink(l->file));
  case DLOC_KIND_CONSTANT:
    tool_print_name(l->file, dloc_node_text(context, node), "");
    return DLOC_OK;
  default:
    fprintf(l->file, "%s%.*s", dloc_node_is_distinct(context, node) ? "distinct " : "",
            class.size ? (int)class.size : 5, class.size ? class.bytes : "tuple");
    return print_operands(l, node);
  }
}

static void print_record(const listing *l, const char *name, const encoded_record *record) {
  fprintf(l->file, " %s%s", name, record->abbreviated ? "*" : "");
  for (size_t i = 0; i < record->count; i++)
    fprintf(l->file, " %" PRIu64, dloc_location_record_value(record, i));
}

static const char *record_name(uint32_t code) {
  return code == ENCODED_LOCATION ? "LOCATION" : code == ENCODED_LAYERLOC ? "LAYERLOC" : "LAYERLOCLIST";
}

static bool has_record(const listing *l, dloc_node node) {
  dloc_kind kind = dloc_node_kind(l->input->context, node);
  return kind == DLOC_KIND_LOCATION || kind == DLOC_KIND_LAYER || kind == DLOC_KIND_LAYER_LIST;
}

static dloc_status list_metadata(const listing *l, const encoded_part *part, uint64_t first) {
  size_t next = 0;
  for (size_t i = 0; i < part->metadata_count; i++)
    l->number_of[part->metadata[i]] = first + i + 1;
  for (size_t i = 0; i < part->metadata_count; i++) {
    fprintf(l->file, "  %" PRIu64 " ", first + i);
    TRY(print_metadata(l, part->metadata[i]));
    if (has_record(l, part->metadata[i]) && next < part->location_count) {
      const encoded_record *record = &part->locations[next++];
      fputc(':', l->file);
      print_record(l, record_name(record->code), record);
    }
    fputc('\n', l->file);
  }
  return DLOC_OK;
}

static void list_instruction(const listing *l, size_t number, const encoded_instruction *instruction) {
  fprintf(l->file, "  %zu:", number);
  for (size_t i = 0; i < instruction->count; i++) {
    const encoded_record *record = &instruction->records[i];
    print_record(l, record->code == DLOC_RECORD_DEBUG_LOC ? "DEBUG_LOC" : "DEBUG_LOC_AGAIN", record);
  }
  fputc('\n', l->file);
}

static dloc_status list_all(const listing *l, const encoded *encoded) {
  fputs("module\n", l->file);
  TRY(list_metadata(l, &encoded->parts[0], 0));
  for (size_t i = 1; i < encoded->count; i++) {
    const encoded_part *part = &encoded->parts[i];
    const dloc_function *function = dloc_module_function(l->input->module, i - 1);
    if (!(function->flags & DLOC_FUNCTION_DEFINITION))
      continue;
    fputs("function ", l->file);
    tool_print_name(l->file, dloc_node_text(l->input->context, function->name), "\n");
    TRY(list_metadata(l, part, encoded->parts[0].metadata_count));
    for (size_t j = 0; j < part->instruction_count; j++)
      if (part->instructions[j].count)
        list_instruction(l, j, &part->instructions[j]);
  }
  return DLOC_OK;
}

static int list_encoded(const tool_module *input, const encoded *encoded, const char *path) {
  tool_output output = tool_output_open(path);
  listing l = {.input = input, .file = output.file};
  dloc_status status = dloc_numbers_create(input->module, input->profile, &l.numbers);
  l.node_count = dloc_node_limit(input->context);
  l.number_of = memory_allocate(l.node_count, sizeof *l.number_of);
  if (status == DLOC_OK)
    status = list_all(&l, encoded);
  free(l.number_of);
  dloc_numbers_destroy(l.numbers);
  return tool_output_finish(&output, status, input->input.name);
}

static int encode_module(const tool_module *input, bool written, const char *path) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_reason reason = DLOC_REASON_NONE;
  value_arena arena = {0};
  encoded made;
  dloc_status status = written
                           ? encoded_file(input->context, input->profile, input->input.text, &arena, &diagnostic, &made)
                           : encoded_model(input->module, input->profile, &arena, &reason, &made);
  int result = status == DLOC_OK                    ? list_encoded(input, &made, path)
               : status == DLOC_INVALID && !written ? tool_reject(&input->input, NULL, reason)
                                                    : tool_explain(status, &input->input, &diagnostic);
  value_arena_deinit(&arena);
  return result;
}

int tool_encode(int argc, char **argv) {
  dloc_profile profile = {0};
  const char *path = NULL;
  bool written = false;
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&profile),
      {TOOL_FLAG, "written", NULL, "show the numbers and records found in FILE (bitcode)", &written},
      {TOOL_OUTPUT, "o", "FILE", "write to FILE instead of standard output", &path},
      {0}};
  tool_module input = tool_parse_module(argc, argv, &usage, options, &profile);
  if (written && !dloc_is_bitcode(input.input.text))
    tool_fail("%s is no bitcode: --written shows what is written there", argv[0]);
  return tool_module_close(&input, encode_module(&input, written, path));
}
