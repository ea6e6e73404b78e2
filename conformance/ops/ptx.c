/* ptx.c - `ptx`: which rules of PTX ISA 9.4 a text breaks, and where. spec/lines.md 8.5 */
#include "objects/ptx/ptx.h"
#include "declare.h"

#define FINDING                                                                                                        \
  MAP("a finding", {.key = "reason", .of = TEXT, .text = "% "}, {.key = "line", .of = NUMBER, .text = "%:"},           \
      {.key = "column", .of = NUMBER, .text = "%\n"})

typedef struct finding_list {
  query *q;
  term *value; /* NULL: they are only counted */
  size_t count;
  dloc_text text;
  dloc_place place;
} finding_list;

static dloc_status on_broken(void *user, dloc_reason reason, uint64_t at) {
  finding_list *found = user;
  if (found->value) {
    term *finding = &found->value[found->count];
    ptx_move(found->text, at, &found->place);
    term_set_text(found->q->arena, finding, "reason", dloc_text_of(dloc_reason_name(reason)));
    term_set_number(finding, "line", found->place.line);
    term_set_number(finding, "column", found->place.column);
  }
  found->count++;
  return DLOC_OK;
}

static dloc_status check(finding_list *found) {
  ptx_checker *checker = NULL;
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  TRY(ptx_checker_create(found->q->context, on_broken, found, &checker));
  dloc_status status = ptx_read(found->q->context, found->text, ptx_check, checker, &diagnostic);
  ptx_checker_destroy(checker);
  found->q->reason = diagnostic.reason;
  return status;
}

static dloc_status ask(query *q, term *value) {
  finding_list found = {.q = q, .text = term_text(q->args, "text")};
  TRY(check(&found));
  found.value = term_set_list(q->arena, value, "broken", found.count);
  found.count = 0;
  return check(&found);
}

const operation op_ptx = {
    .name = "ptx",
    .forms = {{MAP(NULL, FIELD("text", TEXT)), MAP(NULL, FIELD("broken", LIST(FINDING)))}},
    .ask = ask,
    .args_cell = "`{text: \".version 9.4\\n...\"}`",
    .value_cell =
        "`broken: [{reason, line, column}]`: the rules of PTX ISA 9.4 that the text breaks, in the order in which "
        "they are noticed",
};
