/* untestable.c - reads the clauses that no test can reach. */
#include "untestable.h"

#include "vectors.h"

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
  *ret = (untestable){.list = {NULL, 0}};
  if (!path)
    return;
  ret->list = vectors_read_expected(path, &ret->input);
  keep_reasons(ret);
}

void untestable_close(untestable *u) {
  expected_deinit(&u->list);
  if (u->input.name)
    tool_input_close(&u->input);
}
