/* ptx.c - `ptx`: which rules of PTX ISA 9.4 a text breaks, and where. spec/lines.md 8.5 */
#include "declare.h"
#include "document/memory.h"
#include "objects/ptx/ptx.h"

#define FINDING                                                                                                        \
  MAP("a finding", FIELD_AS("reason", TEXT, "% "), FIELD_AS("line", NUMBER, "%:"), FIELD_AS("column", NUMBER, "%\n"))

typedef struct findings {
  value_arena *arena;
  term *value;
  dloc_text text;
  dloc_place place;
} findings;

static dloc_status on_broken(void *user, dloc_reason reason, uint64_t at) {
  findings *f = user;
  term *finding = term_add(f->arena, f->value, "broken");
  ptx_move(f->text, at, &f->place);
  term_set_text(f->arena, finding, "reason", dloc_text_of(dloc_reason_name(reason)));
  term_set_number(finding, "line", f->place.line);
  term_set_number(finding, "column", f->place.column);
  return DLOC_OK;
}

OWNER(ptx_checker)

static dloc_status ask(query *q, term *value) {
  OWNED(release_ptx_checker) ptx_checker *checker = NULL;
  findings found = {.arena = q->arena, .value = value, .text = term_text(q->args, "text")};
  term_set_list(q->arena, value, "broken", 0);
  TRY(ptx_checker_create(q->context, on_broken, &found, &checker));
  return ptx_read(q->context, found.text, ptx_check, checker, &q->diagnostic);
}

const operation op_ptx = {
    .name = "ptx",
    .forms = {{MAP(NULL, FIELD("text", TEXT)), MAP(NULL, FIELD("broken", LIST(FINDING)))}},
    .ask = ask,
};
