/* layer_text.c - `layer-text`: what assembler text and PTX become whose discriminators or columns are numbers.
 * spec/hidden.md 18.1 */
#include "declare.h"
#include "objects/asm/asm.h"
#include "hiding.h"
#include "line_terms.h"

#include <string.h>

static dloc_text joined(value_arena *arena, const term *lines) {
  size_t size = 0;
  for (uint32_t i = 0; i < lines->count; i++)
    size += lines->of.items[i].of.text.size + 1;
  char *bytes = value_arena_alloc(arena, size, 1), *at = bytes;
  for (uint32_t i = 0; i < lines->count; i++) {
    const dloc_text line = lines->of.items[i].of.text;
    memcpy(at, line.bytes, line.size);
    at += line.size;
    *at++ = '\n';
  }
  return (dloc_text){bytes, size};
}

static size_t lines_before(dloc_text text, size_t at) {
  size_t count = 0;
  for (size_t i = 0; i < at && i < text.size; i++)
    count += text.bytes[i] == '\n';
  return count;
}

static void describe(value_arena *arena, term *value, dloc_text text) {
  term *lines = term_set_list(arena, value, "text", lines_before(text, text.size));
  for (size_t at = 0, end; at < text.size; at = end + 1, lines++) {
    end = (size_t)((const char *)memchr(text.bytes + at, '\n', text.size - at) - text.bytes);
    term_be_text(arena, lines, (dloc_text){text.bytes + at, end - at});
  }
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
  OWNED(dloc_buffer_deinit) dloc_buffer made = {0};
  TRY(hidden_table(q, &hidden));
  OWNED(asm_deinit) asm_text text; /* asm_read makes it empty */
  TRY(asm_read(q->context, joined(q->arena, term_list(q->args, "text")), &q->diagnostic, &text));
  asm_reveal *reveal = dloc_hidden_where(hidden) == DLOC_HIDDEN_IN_COLUMN ? asm_reveal_columns : asm_reveal_rows;
  telling t = {.text = text.text, .problems = {q->arena, value}};
  TRY(reveal(&text, q->profile, hidden, tell, &t, &q->reason, dloc_buffer_sink(&made)));
  describe(q->arena, value, (dloc_text){made.bytes, made.size});
  return DLOC_OK;
}

const operation op_layer_text = {
    .name = "layer-text",
    .forms = {{MAP(NULL, FIELD("text", LIST(TEXT))),
               MAP(NULL, FIELD_AS("text", LIST_AS(NULL, "line\n", TEXT), "%\n"), LINE_PROBLEMS)}},
    .module = MODULE_NAMED_ONLY,
    .ask = ask,
    .args_cell =
        "`{text: [...]}`: the lines of an assembler text for ELF or, when numbers stand in columns, of PTX; `module` as of "
        "`layer-lines`",
    .value_cell =
        "`text: [...]`: its lines with layers; `problems: [{reason, at}]` if there are any, at being the index of a line",
};
