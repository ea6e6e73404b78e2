/* hide_full.c - `dloc hide --full`: a module's primaries, and each kind of
 * its layers, as modules that any LLVM reads. */
#include "full.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int write_channel(const tool_module *input, const dloc_projection *projection, const char *path) {
  tool_module module = {.input = input->input};
  dloc_diagnostic diagnostic;
  dloc_status status = tool_module_read(&module, NULL, &diagnostic);
  if (status == DLOC_OK)
    status = dloc_project(module.module, projection);
  if (status == DLOC_OK)
    status = dloc_drop_layers(module.module);
  int result = status == DLOC_OK ? tool_write_module(&module, path) : tool_failure(status, input->input.name);
  dloc_module_destroy(module.module);
  dloc_context_destroy(module.context);
  return result;
}

static int write_table(const tool_module *input, const dloc_hidden *hidden, const char *path) {
  dloc_module *table = NULL;
  dloc_status status = dloc_hidden_write(hidden, &table);
  if (status != DLOC_OK)
    return tool_failure(status, input->input.name);
  tool_output output = tool_output_open(path);
  status = dloc_write_ll(table, tool_file_sink(output.file));
  dloc_module_destroy(table);
  return tool_output_finish(&output, status, path);
}

int full_hide(const tool_module *input, dloc_hidden *hidden, const char *directory) {
  full_kinds kinds = full_kinds_of(&input->input, input->context, hidden, tool_profile("rfc+ld"));
  if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    tool_error("cannot make %s: %s", directory, strerror(errno)); /* writing into it fails below */
  char *path = full_path(directory, FULL_TABLE, "");
  int result = write_table(input, hidden, path);
  free(path);
  for (size_t i = 0; result == TOOL_FINE && i <= kinds.count; i++) {
    bool primary = i == kinds.count;
    dloc_projection projection = {.like_primary = true};
    if (!primary)
      projection.kind = dloc_text_of(kinds.items[i].kind);
    path = full_path(directory, primary ? FULL_PRIMARY : kinds.items[i].name, ".ll");
    result = write_channel(input, &projection, path);
    free(path);
  }
  full_kinds_free(&kinds);
  return result;
}
