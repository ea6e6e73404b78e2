/* program.c - `program`: the line number program that an assembler writes for rows. spec/lines.md 12.7 */
#include "declare.h"
#include "document/buffer.h"
#include "line_terms.h"

void line_program_describe(value_arena *arena, term *value, const dloc_line_instruction *program, size_t count,
                           const dloc_buffer *bytes) {
  term *list = term_set_list(arena, value, "program", count);
  for (size_t i = 0; i < count; i++) {
    dloc_buffer text = {0};
    line_instruction_write(&program[i], &text);
    term_be_text(arena, &list[i], buffer_text(&text));
    dloc_buffer_deinit(&text);
  }
  if (bytes)
    line_bytes_describe(arena, value, buffer_text(bytes));
}

static dloc_status write(query *q, const dloc_line_parameters *parameters, dloc_line_list *program,
                         dloc_buffer *bytes) {
  const dloc_row_call *calls;
  const term *list = term_list(q->args, "rows");
  const dloc_row *rows = line_rows_of(list, q->arena, &calls);
  TRY(dloc_line_assemble(q->profile, parameters, term_flag(q->args, "fixed"), rows, calls, list->count,
                         dloc_line_list_take, program));
  dloc_status status =
      dloc_line_program_write(parameters, false, program->items, program->count, dloc_buffer_sink(bytes));
  if (status == DLOC_INVALID)
    q->reason = DLOC_REASON_LINES_WRITE_BYTES;
  return status;
}

static dloc_status ask(query *q, term *value) {
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  dloc_line_list program = {.context = q->context};
  dloc_buffer bytes = {0};
  dloc_status status = write(q, &parameters, &program, &bytes);
  if (status == DLOC_OK)
    line_program_describe(q->arena, value, program.items, program.count, term_flag(q->args, "bytes") ? &bytes : NULL);
  dloc_line_list_deinit(&program);
  dloc_buffer_deinit(&bytes);
  return status;
}

const operation op_program = {
    .name = "program",
    .forms = {{MAP(NULL, OPTIONAL("header", &line_header_type), FIELD("rows", &line_rows_type), OPTIONAL("fixed", FLAG),
                   OPTIONAL("bytes", FLAG)),
               MAP(NULL, {.key = "program", .of = LIST(TEXT), .text = "%\n"},
                   {.key = "bytes", .of = TEXT, .optional = true, .text = "bytes %\n"})}},
    .check = line_rows_check,
    .ask = ask,
    .args_cell =
        "`{header: ..., rows: [{address, line, ...}]}` as of `lines`; `fixed: true`: a linker may change distances; `bytes: true`: the "
        "bytes as well (both default false)",
    .value_cell =
        "`program: [set_address 4096, ...]`: the instructions that an assembler writes; `bytes: \"0009...\"` if asked for",
};
