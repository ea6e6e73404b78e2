/* reveal_tables.c - the tables that `dloc reveal` is given. */
#include "reveal.h"

#include "document/buffer.h"

static const char *const last_numbers[] = {[DLOC_HIDDEN_IN_DISCRIMINATOR] = "discriminator is 4294967295",
                                           [DLOC_HIDDEN_IN_COLUMN] = "column is 65535",
                                           [DLOC_HIDDEN_IN_LINE] = "line is 4294967295"};

/* taken: entries of the table that have numbers. */
static int reject_number(const tool_input *input, dloc_hidden_in in, size_t taken) {
  OWNED(memory_release)
  char *text =
      text_format("entry %zu of !dloc.hidden.layers has no number: the largest %s", taken + 1, last_numbers[in]);
  tool_diagnose(input, NULL, "error", text, dloc_reason_name(DLOC_REASON_HIDE_LIMIT));
  return TOOL_VIOLATION;
}

static void read_table(const char *path, dloc_context *context, dloc_hidden *hidden) {
  OWNED(tool_input_close) tool_input input = tool_input_required(path);
  dloc_diagnostic diagnostic;
  OWNED(release_dloc_module) dloc_module *table = NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_status status = dloc_read_ll(context, input.text, &diagnostic, &table);
  if (status != DLOC_OK) {
    int ends = tool_explain(status, &input, &diagnostic);
    if (status == DLOC_INVALID)
      tool_error("%s is no table: `dloc hide` and `dloc mlir ids` write these", path);
    tool_exit(ends);
  }
  size_t before = dloc_hidden_count(hidden);
  status = dloc_hidden_read(hidden, table, &reason);
  if (status == DLOC_LIMIT)
    tool_exit(reject_number(&input, dloc_hidden_where(hidden), dloc_hidden_count(hidden) - before));
  if (status != DLOC_OK)
    tool_exit(status == DLOC_INVALID ? tool_reject(&input, NULL, reason) : tool_failure(status, path));
}

dloc_hidden *reveal_tables(const reveal_request *request, dloc_context *context) {
  dloc_hidden *hidden = NULL;
  tool_require(dloc_hidden_create(context, &hidden), NULL);
  for (size_t i = 0; i < request->tables.count; i++)
    read_table(request->tables.items[i], context, hidden);
  return hidden;
}
