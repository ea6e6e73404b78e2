/* full.c - the files of the mode --full. */
#include "full.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "dloc_formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *full_path(const char *directory, const char *name, const char *ending) {
  size_t size = strlen(directory) + strlen(name) + strlen(ending) + 2;
  char *path = memory_allocate(size, 1);
  snprintf(path, size, "%s/%s%s", directory, name, ending);
  return path;
}

/* Of each entry's layers; the caller frees them. */
static dloc_node *list_kinds(const dloc_context *context, const dloc_hidden *hidden, size_t *ret_count) {
  bool *known = memory_allocate(dloc_node_limit(context), sizeof *known);
  dloc_node *kinds = NULL;
  dloc_layer layer;
  *ret_count = 0;
  for (size_t i = 0; i < dloc_hidden_count(hidden); i++)
    for (size_t cursor = 0; dloc_next_layer(context, dloc_hidden_at(hidden, i).layers, &cursor, &layer);)
      if (layer.kind && !known[layer.kind]) {
        known[layer.kind] = true;
        *MEMORY_ADD(kinds, *ret_count) = layer.kind;
      }
  free(known);
  return kinds;
}

/* No kind leads out of the directory, or is taken for the primary. */
static void check_name(const tool_input *input, const char *name) {
  if (!strchr(name, '/') && name[0] != '.' && strcmp(name, FULL_PRIMARY) != 0)
    return;
  char *text = text_format("a kind of layer has the name '%s', which no file of a kind can have", name);
  tool_diagnose(input, NULL, "error", text, NULL);
  free(text);
  tool_exit(TOOL_VIOLATION);
}

dloc_reason full_kinds_reason(dloc_context *context, const dloc_hidden *hidden, const dloc_profile *profile) {
  size_t count;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_node *nodes = list_kinds(context, hidden, &count);
  dloc_node *names = memory_allocate(count + 1, sizeof *names);
  dloc_status status = dloc_section_names(context, profile, nodes, count, &reason, names);
  free(nodes);
  free(names);
  if (status == DLOC_NO_MEMORY)
    tool_exit(tool_failure(status, NULL));
  return reason;
}

full_kinds full_kinds_of(const tool_input *input, dloc_context *context, const dloc_hidden *hidden,
                         const dloc_profile *profile) {
  full_kinds kinds = {NULL, 0};
  size_t count;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_node *nodes = list_kinds(context, hidden, &count);
  dloc_node *names = memory_allocate(count + 1, sizeof *names);
  dloc_status status = dloc_section_names(context, profile, nodes, count, &reason, names);
  if (status == DLOC_INVALID)
    tool_exit(tool_reject(input, NULL, reason));
  if (status != DLOC_OK)
    tool_exit(tool_failure(status, NULL));
  for (size_t i = 0; i < count; i++) {
    full_kind *kind = MEMORY_ADD(kinds.items, kinds.count);
    *kind = (full_kind){memory_copy(dloc_node_text(context, nodes[i])), memory_copy(dloc_node_text(context, names[i]))};
    check_name(input, kind->name);
  }
  free(nodes);
  free(names);
  return kinds;
}

void full_kinds_free(full_kinds *kinds) {
  for (size_t i = 0; i < kinds->count; i++) {
    free(kinds->items[i].kind);
    free(kinds->items[i].name);
  }
  free(kinds->items);
}

void full_tell_lost(const tool_input *input, dloc_text function, const char *kind) {
  char *text = text_format("function %.*s has other code there than without layers: it has no layers of kind %s",
                           (int)(function.size < 200 ? function.size : 200), function.bytes, kind);
  tool_diagnose(input, NULL, "warning", text, dloc_reason_name(DLOC_REASON_REVEAL_FUNCTION));
  free(text);
}
