/* lines.c - `lines`: the rows of a line number program. spec/lines.md 12 */
#include "declare.h"
#include "line_terms.h"

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_rows) dloc_rows *rows = NULL;
  const term *program = term_list(q->args, "program");
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  line_problems problems = {q->arena, value};
  size_t count;
  TRY(dloc_rows_create(q->context, &rows));
  TRY(dloc_line_run(q->profile, &parameters, line_program_of(program, q->arena), program->count,
                    term_flag(q->args, "problems") ? line_problem_add : NULL, &problems, rows));
  const dloc_row *list = dloc_rows_list(rows, &count);
  line_rows_describe(q->arena, value, "rows", list, dloc_rows_calls(rows), count);
  if (!term_flag(q->args, "sequences"))
    return DLOC_OK;
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &count);
  term *numbers = term_set_list(q->arena, value, "sequences", count);
  for (size_t i = 0; i < count; i++)
    term_be_number(&numbers[i], sequences[i].count);
  return DLOC_OK;
}

const operation op_lines = {
    .name = "lines",
    .forms = {{CHECKED_MAP(NULL, NULL, line_program_check, OPTIONAL("header", &line_header_type),
                           FIELD("program", &line_program_type), OPTIONAL("problems", FLAG_ON),
                           OPTIONAL("sequences", FLAG)),
               MAP(NULL, FIELD("rows", &line_rows_type), OPTIONAL_AS("sequences", LIST(NUMBER), "sequence %\n"),
                   LINE_PROBLEMS)}},
    .ask = ask,
};
