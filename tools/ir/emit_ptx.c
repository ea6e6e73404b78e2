/* emit_ptx.c - `dloc emit --json` of a file in PTX: what locates its instructions, as it stands there. */
#include "document/memory.h"
#include "document/value.h"
#include "emit.h"
#include "objects/ptx/ptx.h"

#include <string.h>

typedef struct listing {
  const tool_input *input;
  FILE *file;
  dloc_place place; /* of the item at hand */
} listing;

static const struct {
  const char *name; /* NULL: not listed */
  unsigned numbers; /* of a file; and of a line and a column */
} items[PTX_KINDS] = {[PTX_FILE] = {"file", 1},
                      [PTX_LOC] = {"loc", 3},
                      [PTX_LOC_INTERMEDIATE] = {"loc_intermediate", 3},
                      [PTX_INSTRUCTION] = {"instruction", 0},
                      [PTX_FUNCTION] = {"function", 0},
                      [PTX_IR_NAME] = {"ir_name", 0},
                      [PTX_SOURCE_FILE] = {"source_file", 1},
                      [PTX_TEXT] = {"source", 0}};

static dloc_status list_item(void *user, const ptx_item *item) {
  listing *l = user;
  value_arena arena = {0};
  value line = {.kind = VALUE_MAP};
  const uint32_t numbers[] = {item->number, item->line, item->column};
  static const char *const keys[] = {"number", "line", "column"};
  if (!items[item->kind].name)
    return DLOC_OK;
  ptx_move(l->input->text, item->at, &l->place);
  value_put_number(&arena, &line, "at", l->place.line);
  value_put_word(&arena, &line, "item", items[item->kind].name);
  for (unsigned i = 0; i < items[item->kind].numbers; i++)
    value_put_number(&arena, &line, keys[i], numbers[i]);
  if (item->text.size)
    value_put_text(&arena, &line, "text", item->text);
  dloc_status status = value_write_json(&line, tool_file_sink(l->file));
  value_arena_deinit(&arena);
  return status == DLOC_OK && putc('\n', l->file) == EOF ? DLOC_STOPPED : status;
}

bool emit_is_ptx(const tool_input *input) {
  const char *suffix = strrchr(input->name, '.');
  return (suffix && strcmp(suffix, ".ptx") == 0) || ptx_is_text(input->text);
}

int emit_ptx(tool_input *input, const char *path) {
  dloc_diagnostic diagnostic;
  dloc_context *context = memory_context();
  tool_output output = tool_output_open(path);
  listing l = {.input = input, .file = output.file};
  dloc_status status = ptx_read(context, input->text, list_item, &l, &diagnostic);
  dloc_context_destroy(context);
  int result = status == DLOC_INVALID ? tool_explain(status, input, &diagnostic) : TOOL_FINE;
  if (result == TOOL_FINE)
    result = tool_output_finish(&output, status, input->name);
  else
    tool_output_close(&output, false);
  tool_input_close(input);
  return result;
}
