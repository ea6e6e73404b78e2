/* layer_text.c - `layer-text`: what assembler text and PTX become whose discriminators or columns are numbers.
 * spec/hidden.md 18.1 */
#include "declare.h"
#include "document/buffer.h"
#include "document/text.h"
#include "objects/asm/asm.h"
#include "hiding.h"
#include "line_terms.h"

static size_t lines_before(dloc_text text, size_t at) {
  size_t count = 0;
  for (size_t i = 0; i < at && i < text.size; i++)
    count += text.bytes[i] == '\n';
  return count;
}

typedef struct telling {
  dloc_text text;
  line_problems problems;
} telling;

static dloc_status tell(void *user, dloc_reason reason, size_t at) {
  telling *t = user;
  return line_problem_add(&t->problems, reason, lines_before(t->text, at));
}

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_hidden) dloc_hidden *hidden = NULL;
  OWNED(dloc_buffer_deinit) dloc_buffer given = {0}, made = {0};
  const term *lines = term_list(q->args, "text");
  TRY(hidden_table(q, &hidden));
  OWNED(asm_deinit) asm_text text; /* asm_read makes it empty */
  for (uint32_t i = 0; i < lines->count; i++) {
    buffer_put(&given, lines->of.items[i].of.text);
    buffer_put(&given, dloc_text_of("\n"));
  }
  TRY(asm_read(q->context, buffer_text(&given), &q->diagnostic, &text));
  asm_reveal *reveal = dloc_hidden_where(hidden) == DLOC_HIDDEN_IN_COLUMN ? asm_reveal_columns : asm_reveal_rows;
  telling t = {.text = text.text, .problems = {q->arena, value}};
  TRY(reveal(&text, q->profile, hidden, tell, &t, &q->reason, dloc_buffer_sink(&made)));
  term_set_list(q->arena, value, "text", 0);
  for (dloc_text rest = buffer_text(&made); rest.size;)
    term_be_text(q->arena, term_add(q->arena, value, "text"), text_take_line(&rest));
  return DLOC_OK;
}

const operation op_layer_text = {
    .name = "layer-text",
    .forms = {{MAP(NULL, FIELD("text", LIST(TEXT))),
               MAP(NULL, FIELD_AS("text", LIST_AS(NULL, "line\n", TEXT), "%\n"), LINE_PROBLEMS)}},
    .module = MODULE_NAMED_ONLY,
    .ask = ask,
};
