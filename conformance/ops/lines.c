/* lines.c - `lines`: the rows of a line number program. spec/lines.md 12 */
#include "declare.h"
#include "line_terms.h"

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  (void)module;
  return value ? DLOC_OK : line_program_check_bytes(r, term_get(args, "header"), term_list(args, "program"));
}

static void describe_sequences(value_arena *arena, term *value, const dloc_rows *rows) {
  size_t count;
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &count);
  term *list = term_set_list(arena, value, "sequences", count);
  for (size_t i = 0; i < count; i++)
    term_be_number(&list[i], sequences[i].count);
}

static dloc_status run(query *q, term *value, line_problems *problems, dloc_rows *rows) {
  const term *program = term_list(q->args, "program");
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  TRY(dloc_line_run(q->profile, &parameters, line_program_of(program, q->arena), program->count, line_problem_add,
                    problems, rows));
  size_t count;
  const dloc_row *list = dloc_rows_list(rows, &count);
  line_rows_describe(q->arena, value, "rows", list, dloc_rows_calls(rows), count);
  if (term_flag(q->args, "sequences"))
    describe_sequences(q->arena, value, rows);
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  line_problems problems = {NULL, 0};
  dloc_rows *rows = NULL;
  TRY(dloc_rows_create(q->context, &rows));
  dloc_status status = run(q, value, &problems, rows);
  if (!term_flag(q->args, "problems"))
    problems.count = 0;
  line_problems_describe(q->arena, value, &problems);
  dloc_rows_destroy(rows);
  return status;
}

const operation op_lines = {
    .name = "lines",
    .forms = {{MAP(NULL, OPTIONAL("header", &line_header_type), FIELD("program", &line_program_type),
                   OPTIONAL("problems", FLAG_ON), OPTIONAL("sequences", FLAG)),
               MAP(NULL, FIELD("rows", &line_rows_type),
                   {.key = "sequences", .of = LIST(NUMBER), .optional = true, .text = "sequence %\n"}, LINE_PROBLEMS)}},
    .check = check,
    .ask = ask,
    .args_cell =
        "`{header: {version: 4, line_base: \"-5\", ...}, program: [set_address 4096, special 75, end_sequence]}` (every field of "
        "the header has a default: version 4, dialect standard, 1 byte an instruction, 1 operation, is_stmt, -5, 14, all opcodes; "
        "opcode_lengths are DWARF's); `problems: false`: they are not asked for; `sequences: true`: they are",
    .value_cell =
        "`rows: [{address, line, file, column, discriminator, op_index, isa, context, function, flags}]` (absent when 0, a file when "
        "1; flags: letters of s b p e E); `sequences: [3, 2]`: how many rows each has; `problems: [{reason, at}]` if there are any",
};
