/* untestable.c - reads the clauses that no test can reach. */
#include "untestable.h"

static int keep_reasons(untestable *u) {
  int status = TOOL_CONTINUE;
  for (size_t i = 0; i < u->list.count; i++) {
    const expected_entry *entry = &u->list.entries[i];
    dloc_clause clause;
    if (dloc_clause_find(entry->id, &clause)) {
      u->reasons[clause] = entry->reason;
    } else {
      fprintf(stderr, "%s:%u: error: no clause is named '%.*s'\n", u->input.name, (unsigned)entry->line,
              (int)entry->id.size, entry->id.bytes);
      status = TOOL_VIOLATION;
    }
  }
  return status;
}

int untestable_open(const char *path, untestable *ret) {
  uint32_t line = 0;
  const char *message = NULL;
  *ret = (untestable){.list = {NULL, 0}};
  if (!path)
    return TOOL_CONTINUE;
  if (!tool_input_open(path, &ret->input))
    return TOOL_UNUSABLE;
  dloc_status status = expected_read(ret->input.text, &line, &message, &ret->list);
  if (status == DLOC_OK)
    return keep_reasons(ret);
  if (status != DLOC_INVALID)
    return tool_failure(status, path);
  fprintf(stderr, "%s:%u: error: %s\n", ret->input.name, (unsigned)line, message);
  return TOOL_UNUSABLE;
}

void untestable_close(untestable *u) {
  expected_deinit(&u->list);
  if (u->input.name)
    tool_input_close(&u->input);
}
