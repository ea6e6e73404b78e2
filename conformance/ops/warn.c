/* warn.c - `warn`: what a tool warns of when it is asked to. SPEC.md 3.1 */
#include "declare.h"
#include "document/memory.h"

#include <stdlib.h>

typedef struct warnings {
  dloc_violation *items;
  size_t count;
} warnings;

static bool take(void *user, const dloc_violation *warning) {
  warnings *list = user;
  *MEMORY_ADD(list->items, list->count) = *warning;
  return true;
}

static dloc_status ask(query *q, term *value) {
  warnings found = {NULL, 0};
  dloc_status status = dloc_warn(q->module, q->profile, take, &found);
  q->reason = DLOC_REASON_SHAPE_TUPLE_REJECTED; /* with DLOC_INVALID */
  term *list = term_set_list(q->arena, value, "warnings", found.count);
  for (size_t i = 0; i < found.count; i++) {
    term_set_text(q->arena, &list[i], "reason", dloc_text_of(dloc_reason_name(found.items[i].reason)));
    if (found.items[i].instruction != DLOC_NO_INDEX)
      term_set_number(&list[i], "at", found.items[i].instruction);
  }
  free(found.items);
  return status;
}

const operation op_warn = {
    .name = "warn",
    .forms = {{NULL, MAP(NULL, FIELD("warnings",
                                     LIST(MAP("a warning", {.key = "reason", .of = TEXT, .text = "%\n"},
                                              {.key = "at", .of = NUMBER, .optional = true, .text = "at %\n"}))))}},
    .module = MODULE_WHOLE,
    .takes_any_node = true,
    .ask = ask,
    .args_cell = "none; `module`",
    .value_cell = "`warnings: [{reason, at}]`: `at`, the index of an instruction; absent of an entry",
};
