/* full.c - the files of the mode --full. */
#include "full.h"

#include "document/buffer.h"
#include "dloc_formats.h"

#include <stdlib.h>
#include <string.h>

char *full_path(const char *directory, const char *name, const char *ending) {
  return text_format("%s/%s%s", directory, name, ending);
}

/* No kind leads out of the directory, or is taken for the primary. */
static void check_name(const tool_input *input, const char *name) {
  if (!strchr(name, '/') && name[0] != '.' && strcmp(name, FULL_PRIMARY) != 0)
    return;
  OWNED(memory_release)
  char *text = text_format("a kind of layer has the name '%s', which no file of a kind can have", name);
  tool_diagnose(input, NULL, "error", text, NULL);
  tool_exit(TOOL_VIOLATION);
}

/* The names belong to the caller. */
static dloc_status name_kinds(dloc_context *context, dloc_hidden *hidden, const dloc_profile *profile,
                              dloc_reason *ret_reason, const dloc_node **ret, dloc_node **ret_names,
                              size_t *ret_count) {
  TRY(dloc_hidden_kinds(hidden, ret, ret_count));
  *ret_names = memory_allocate(*ret_count + 1, sizeof **ret_names);
  return dloc_section_names(context, profile, *ret, *ret_count, ret_reason, *ret_names);
}

dloc_reason full_kinds_reason(dloc_context *context, dloc_hidden *hidden, const dloc_profile *profile) {
  size_t count;
  dloc_reason reason = DLOC_REASON_NONE;
  const dloc_node *kinds;
  OWNED(memory_release) dloc_node *names = NULL;
  dloc_status status = name_kinds(context, hidden, profile, &reason, &kinds, &names, &count);
  if (status == DLOC_NO_MEMORY)
    tool_exit(tool_failure(status, NULL));
  return reason;
}

full_kinds full_kinds_of(const tool_input *input, dloc_context *context, dloc_hidden *hidden,
                         const dloc_profile *profile) {
  full_kinds kinds = {NULL, 0};
  size_t count = 0;
  dloc_reason reason = DLOC_REASON_NONE;
  const dloc_node *nodes = NULL;
  OWNED(memory_release) dloc_node *names = NULL;
  dloc_status status = name_kinds(context, hidden, profile, &reason, &nodes, &names, &count);
  if (status == DLOC_INVALID)
    tool_exit(tool_reject(input, NULL, reason));
  tool_require(status, NULL);
  for (size_t i = 0; i < count; i++) {
    full_kind *kind = MEMORY_ADD(kinds.items, kinds.count);
    *kind = (full_kind){memory_copy(dloc_node_text(context, nodes[i])), memory_copy(dloc_node_text(context, names[i]))};
    check_name(input, kind->name);
  }
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
  OWNED(memory_release)
  char *text = text_format("function %.*s has other code there than without layers: it has no layers of kind %s",
                           (int)(function.size < 200 ? function.size : 200), function.bytes, kind);
  tool_diagnose(input, NULL, "warning", text, dloc_reason_name(DLOC_REASON_REVEAL_FUNCTION));
}
