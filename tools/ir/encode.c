/* encode.c - `dloc encode`: the numbers of metadata and the records of locations that a writer of bitcode gives a
 * module. */
#include "help/encode.h"
#include "shell/tools.h"

#include "ops/encoded.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct listing {
  const tool_module *input;
  const encoded *written; /* what the file has; NULL: what the model says, which nobody keeps */
  dloc_encoder *encoder;
  bool checks;           /* the instructions, before anything is written */
  dloc_reason reason;    /* why an instruction has no records */
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

static void print_record(const listing *l, const encoded_record *record) {
  fprintf(l->file, " %s%s", encoded_name(record->code), record->abbreviated ? "*" : "");
  for (size_t i = 0; i < record->count; i++)
    fprintf(l->file, " %" PRIu64, dloc_location_record_value(record, i));
}

static bool has_record(const listing *l, dloc_node node) {
  dloc_kind kind = dloc_node_kind(l->input->context, node);
  return kind == DLOC_KIND_LOCATION || kind == DLOC_KIND_LAYER || kind == DLOC_KIND_LAYER_LIST;
}

/* The record of the next node in metadata; NULL: it has none. */
static dloc_status next_record(const listing *l, const encoded_part *written, size_t *next, dloc_node node,
                               const encoded_record **ret) {
  if (!written)
    return dloc_encode_node(l->encoder, node, ret);
  *ret = has_record(l, node) && *next < written->location_count ? &written->locations[(*next)++] : NULL;
  return DLOC_OK;
}

static dloc_status list_metadata(const listing *l, const encoded_part *written, const dloc_node *nodes, size_t count,
                                 uint64_t first) {
  const encoded_record *record;
  for (size_t i = 0; i < count; i++)
    l->number_of[nodes[i]] = first + i + 1;
  for (size_t i = 0, next = 0; i < count; i++) {
    fprintf(l->file, "  %" PRIu64 " ", first + i);
    TRY(print_metadata(l, nodes[i]));
    TRY(next_record(l, written, &next, nodes[i], &record));
    if (record) {
      fputc(':', l->file);
      print_record(l, record);
    }
    fputc('\n', l->file);
  }
  return DLOC_OK;
}

static void list_instruction(const listing *l, size_t number, const encoded_record *records, size_t count) {
  if (count)
    fprintf(l->file, "  %zu:", number);
  for (size_t i = 0; i < count; i++)
    print_record(l, &records[i]);
  if (count)
    fputc('\n', l->file);
}

static dloc_status list_instructions(listing *l, const dloc_function *function) {
  const encoded_record *records;
  size_t count, number = 0;
  dloc_encoder_begin_function(l->encoder);
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    const dloc_instruction *instruction =
        dloc_module_instruction(l->input->module, (size_t)function->first_instruction + i);
    if (instruction->flags & DLOC_INSTRUCTION_RECORD)
      continue;
    TRY(dloc_encode_instruction(l->encoder, instruction->debug_loc, &l->reason, &records, &count));
    if (!l->checks)
      list_instruction(l, number++, records, count);
  }
  return DLOC_OK;
}

/* What the model says of a function, or of the module itself: DLOC_NO_INDEX; or what the file has. */
static dloc_status list_part(listing *l, uint32_t index, uint64_t first, size_t *ret_count) {
  const encoded_part *written = l->written ? &l->written->parts[index == DLOC_NO_INDEX ? 0 : index + 1] : NULL;
  const dloc_node *nodes = written ? written->metadata : dloc_numbers_bucket(l->numbers, index, ret_count);
  if (written)
    *ret_count = written->metadata_count;
  TRY(list_metadata(l, written, nodes, *ret_count, first));
  for (size_t i = 0; written && i < written->instruction_count; i++)
    list_instruction(l, i, written->instructions[i].records, written->instructions[i].count);
  return written || index == DLOC_NO_INDEX ? DLOC_OK
                                           : list_instructions(l, dloc_module_function(l->input->module, index));
}

static dloc_status list_all(listing *l) {
  size_t first, count;
  l->checks = !l->written;
  for (uint32_t i = 0; l->checks && i < dloc_module_function_count(l->input->module); i++)
    TRY(list_instructions(l, dloc_module_function(l->input->module, i)));
  l->checks = false;
  fputs("module\n", l->file);
  TRY(list_part(l, DLOC_NO_INDEX, 0, &first));
  for (uint32_t i = 0; i < dloc_module_function_count(l->input->module); i++) {
    const dloc_function *function = dloc_module_function(l->input->module, i);
    if (!(function->flags & DLOC_FUNCTION_DEFINITION))
      continue;
    fputs("function ", l->file);
    tool_print_name(l->file, dloc_node_text(l->input->context, function->name), "\n");
    TRY(list_part(l, i, first, &count));
  }
  return DLOC_OK;
}

static int list_encoded(const tool_module *input, const encoded *written, const char *path) {
  tool_output output = tool_output_open(path);
  listing l = {.input = input, .written = written, .file = output.file};
  dloc_status status = dloc_numbers_create(input->module, input->profile, &l.numbers);
  if (status == DLOC_OK)
    status = dloc_encoder_create(input->context, input->profile, dloc_number_of, l.numbers, &l.encoder);
  l.node_count = dloc_node_limit(input->context);
  l.number_of = memory_allocate(l.node_count, sizeof *l.number_of);
  if (status == DLOC_OK)
    status = list_all(&l);
  free(l.number_of);
  dloc_encoder_destroy(l.encoder);
  dloc_numbers_destroy(l.numbers);
  if (status != DLOC_INVALID)
    return tool_output_finish(&output, status, input->input.name);
  tool_output_close(&output, false);
  return tool_reject(&input->input, NULL, l.reason);
}

static int encode_module(const tool_module *input, bool written, const char *path) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  OWNED(value_arena_deinit) value_arena arena = {0};
  encoded found;
  if (!written)
    return list_encoded(input, NULL, path);
  dloc_status status = encoded_file(input->context, input->profile, input->input.text, &arena, &diagnostic, &found);
  return status == DLOC_OK ? list_encoded(input, &found, path) : tool_explain(status, &input->input, &diagnostic);
}

int tool_encode(int argc, char **argv) {
  dloc_profile profile = {0};
  const char *path = NULL;
  bool written = false;
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&profile), {TOOL_FLAG, "written", NULL, &written}, {TOOL_OUTPUT, "o", NULL, &path}, {0}};
  tool_module input = tool_parse_module(argc, argv, &encode_usage, options, &profile);
  if (written && !dloc_is_bitcode(input.input.text))
    tool_fail("%s is no bitcode: --written shows what is written there", argv[0]);
  return tool_module_close(&input, encode_module(&input, written, path));
}
