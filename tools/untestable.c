/* untestable.c - reads the clauses that no test can reach. */
#include "untestable.h"

static void keep_reasons(untestable *u) {
  bool known = true;
  for (size_t i = 0; i < u->list.count; i++) {
    const expected_entry *entry = &u->list.entries[i];
    dloc_clause clause;
    if (dloc_clause_find(entry->id, &clause)) {
      u->reasons[clause] = entry->reason;
    } else {
      fprintf(stderr, "%s:%u: error: no clause is named '%.*s'\n", u->input.name, (unsigned)entry->line,
              (int)entry->id.size, entry->id.bytes);
      known = false;
    }
  }
  if (!known)
    tool_exit(TOOL_VIOLATION);
}

void untestable_open(const char *path, untestable *ret) {
  uint32_t line = 0;
  const char *message = NULL;
  *ret = (untestable){.list = {NULL, 0}};
  if (!path)
    return;
  if (!tool_input_open(path, &ret->input))
    tool_exit(TOOL_UNUSABLE);
  if (expected_read(ret->input.text, &line, &message, &ret->list) != DLOC_OK) {
    fprintf(stderr, "%s:%u: error: %s\n", ret->input.name, (unsigned)line, message);
    tool_exit(TOOL_UNUSABLE);
  }
  keep_reasons(ret);
}

void untestable_close(untestable *u) {
  expected_deinit(&u->list);
  if (u->input.name)
    tool_input_close(&u->input);
}
