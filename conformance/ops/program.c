/* program.c - `program`: the line number program that an assembler writes for rows. spec/lines.md 12.7 */
#include "declare.h"
#include "document/buffer.h"
#include "line_terms.h"

static dloc_status ask(query *q, term *value) {
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  OWNED(dloc_line_list_deinit) dloc_line_list program = {.context = q->context};
  OWNED(dloc_buffer_deinit) dloc_buffer bytes = {0};
  const term *list = term_list(q->args, "rows");
  const dloc_row_call *calls;
  const dloc_row *rows = line_rows_of(list, q->arena, &calls);
  TRY(dloc_line_assemble(q->profile, &parameters, term_flag(q->args, "fixed"), rows, calls, list->count,
                         dloc_line_list_take, &program));
  q->reason = DLOC_REASON_LINES_WRITE_BYTES; /* with DLOC_INVALID */
  TRY(dloc_line_program_write(&parameters, false, program.items, program.count, dloc_buffer_sink(&bytes)));
  line_program_describe(q->arena, value, "program", program.items, program.count);
  if (term_flag(q->args, "bytes"))
    line_bytes_describe(q->arena, value, buffer_text(&bytes));
  return DLOC_OK;
}

const operation op_program = {
    .name = "program",
    .forms = {{MAP(NULL, OPTIONAL("header", &line_header_type), FIELD("rows", &line_given_rows_type),
                   OPTIONAL("fixed", FLAG), OPTIONAL("bytes", FLAG)),
               MAP(NULL, FIELD_AS("program", LIST(TEXT), "%\n"), OPTIONAL_AS("bytes", TEXT, "bytes %\n"))}},
    .ask = ask,
};
