/* lines.c - `lines`: the rows of a line number program. SPEC.md 12 */
#include "declare.h"
#include "line_terms.h"
#include "operation.h"

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  (void)module;
  return value ? DLOC_OK : line_program_check(r, term_list(args, "program"));
}

static dloc_status run(query *q, term *value, line_problems *problems, dloc_rows *rows) {
  const term *program = term_list(q->args, "program");
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"));
  TRY(dloc_line_run(q->profile, &parameters, line_program_of(program, q->arena), program->count, line_problem_add,
                    problems, rows));
  size_t count;
  const dloc_row *list = dloc_rows_list(rows, &count);
  line_rows_describe(q->arena, value, "rows", list, dloc_rows_calls(rows), count);
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  line_problems problems = {NULL, 0};
  dloc_rows *rows = NULL;
  TRY(dloc_rows_create(q->context, &rows));
  dloc_status status = run(q, value, &problems, rows);
  line_problems_describe(q->arena, value, &problems);
  dloc_rows_destroy(rows);
  return status;
}

const operation op_lines = {
    .name = "lines",
    .forms = {{MAP(NULL, OPTIONAL("header", &line_header_type), FIELD("program", &line_program_type)),
               MAP(NULL, FIELD("rows", &line_rows_type), LINE_PROBLEMS)}},
    .check = check,
    .ask = ask,
    .args_cell =
        "`{header: {version: 4, line_base: \"-5\", ...}, program: [set_address 4096, special 75, end_sequence]}` (every field of "
        "the header has a default: version 4, dialect standard, 1 byte an instruction, 1 operation, is_stmt, -5, 14, 13)",
    .value_cell =
        "`rows: [{address, line, file, column, discriminator, op_index, isa, context, function, flags}]` (absent when 0, a file when "
        "1; flags: letters of s b p e E); `problems: [{reason, at}]` if there are any",
};
