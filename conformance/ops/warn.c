/* warn.c - `warn`: what a tool warns of when it is asked to. SPEC.md 3.1 */
#include "declare.h"

typedef struct warnings {
  value_arena *arena;
  term *value;
} warnings;

static bool take(void *user, const dloc_violation *warning) {
  const warnings *w = user;
  term *taken = term_add(w->arena, w->value, "warnings");
  term_set_text(w->arena, taken, "reason", dloc_text_of(dloc_reason_name(warning->reason)));
  if (warning->instruction != DLOC_NO_INDEX)
    term_set_number(taken, "at", warning->instruction);
  return true;
}

static dloc_status ask(query *q, term *value) {
  term_set_list(q->arena, value, "warnings", 0);
  q->reason = DLOC_REASON_SHAPE_TUPLE_REJECTED; /* with DLOC_INVALID */
  return dloc_warn(q->module, q->profile, take, &(warnings){q->arena, value});
}

const operation op_warn = {
    .name = "warn",
    .forms = {{NULL, MAP(NULL, FIELD("warnings", LIST(MAP("a warning", FIELD_AS("reason", TEXT, "%\n"),
                                                          OPTIONAL_AS("at", NUMBER, "at %\n")))))}},
    .module = MODULE_WHOLE,
    .takes_any_node = true,
    .ask = ask,
};
