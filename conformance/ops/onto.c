/* onto.c - `reveal` with `onto`: layers for a module that has none. spec/hidden.md 17.4 */
#include "hiding.h"

static dloc_status compare(void *user, size_t base, size_t made, dloc_code_difference *ret) {
  const term *given = user;
  (void)base, (void)made;
  *ret = (dloc_code_difference){.same = !term_flag(given, "differs")};
  return DLOC_OK;
}

static dloc_exact_options options_of(const onto *o, const term *differs) {
  const term *given = term_get(o->q->args, "onto");
  return (dloc_exact_options){.compare = compare,
                              .comparer = (void *)differs,
                              .strict = term_flag(given, "strict"),
                              .line_0 = term_flag(given, "line-0"),
                              .on_problem = o->on_problem,
                              .user = o->user};
}

/* A refusal is no problem of a location. */
static dloc_status refused(query *q, dloc_status status, const dloc_exact_report *report) {
  if (status == DLOC_INVALID && !report->first.same)
    q->reason = DLOC_REASON_REVEAL_FUNCTION;
  return status;
}

static dloc_status add_kind(const onto *o, const term *given, dloc_module *base) {
  OWNED(release_dloc_module) dloc_module *made = NULL;
  dloc_exact_report report = {.first.same = true};
  const dloc_exact_options options = options_of(o, given);
  TRY(hiding_module(o->q, given, term_list(given, "locations"), &made));
  return refused(o->q, dloc_reveal_kind(base, made, o->hidden, term_text(given, "kind"), &options, &report), &report);
}

static dloc_status add_all(const onto *o, dloc_module *base) {
  const term *kinds = term_list(o->q->args, "kinds");
  dloc_exact_report report = {.first.same = true};
  const dloc_exact_options options = options_of(o, term_get(o->q->args, "onto"));
  if (!term_get(o->q->args, "kinds"))
    return refused(o->q, dloc_reveal_exact(base, o->made, o->hidden, &options, &report), &report);
  for (uint32_t i = 0; i < kinds->count; i++)
    TRY(add_kind(o, &kinds->of.items[i], base));
  return DLOC_OK;
}

dloc_status onto_reveal(const onto *o, term *value) {
  const term *given = term_get(o->q->args, "onto"), *locations = term_list(given, "locations");
  OWNED(release_dloc_module) dloc_module *base = NULL;
  TRY(hiding_module(o->q, given, locations, &base));
  TRY(add_all(o, base));
  hiding_describe(o->q, given, locations->count, base, value);
  return DLOC_OK;
}
