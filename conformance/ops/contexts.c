/* contexts.c - `contexts`: the inline stacks that the contexts of rows give. spec/lines.md 15 and 16 */
#include "declare.h"
#include "line_terms.h"

#define FRAME                                                                                                          \
  MAP("a frame", {.key = "row", .of = NUMBER, .text = " row %"}, {.key = "line", .of = NUMBER, .text = " line %"},     \
      {.key = "function", .of = NUMBER, .optional = true, .text = " function %"})

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  (void)module;
  return value ? DLOC_OK : line_program_check_bytes(r, term_get(args, "header"), term_list(args, "program"));
}

/* A stack that is being written down; frames of NULL are only counted. */
typedef struct stack {
  const dloc_row *rows;
  term *frames;
  size_t count;
} stack;

static dloc_status take_frame(void *user, size_t row, const uint32_t *function) {
  stack *s = user;
  term *frame = s->frames ? &s->frames[s->count] : NULL;
  s->count++;
  if (!frame)
    return DLOC_OK;
  term_set_number(frame, "row", row + 1);
  term_set_number(frame, "line", s->rows[row].line);
  if (function)
    term_set_number(frame, "function", *function);
  return DLOC_OK;
}

/* The stack of each row that has a context. */
static dloc_status describe(query *q, dloc_line_dialect dialect, const dloc_rows *rows, const size_t *callers,
                            term *value) {
  size_t count, inlined = 0;
  stack s = {.rows = dloc_rows_list(rows, &count)};
  const dloc_row_call *calls = dloc_rows_calls(rows);
  for (size_t i = 0; calls && i < count; i++)
    inlined += calls[i].context != 0;
  term *stacks = term_set_list(q->arena, value, "stacks", inlined);
  for (size_t i = 0; calls && i < count; i++) {
    if (!calls[i].context)
      continue;
    s.frames = NULL, s.count = 0;
    TRY(dloc_row_frames(dialect, calls, callers, i, take_frame, &s));
    s.frames = term_set_list(q->arena, stacks++, "frames", s.count), s.count = 0;
    TRY(dloc_row_frames(dialect, calls, callers, i, take_frame, &s));
  }
  return DLOC_OK;
}

static dloc_status number_problem(void *user, dloc_reason reason, size_t row) {
  return line_problem_add(user, reason, row + 1);
}

static dloc_status run(query *q, term *value, line_problems *problems, dloc_rows *rows) {
  const term *program = term_list(q->args, "program");
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  TRY(dloc_line_run(q->profile, &parameters, line_program_of(program, q->arena), program->count, NULL, NULL, rows));
  size_t count, sequence_count;
  (void)dloc_rows_list(rows, &count);
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &sequence_count);
  size_t *callers = value_arena_alloc(q->arena, count, sizeof *callers);
  TRY(dloc_rows_callers(q->profile, parameters.dialect, rows, sequences, sequence_count, number_problem, problems,
                        callers));
  return describe(q, parameters.dialect, rows, callers, value);
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

const operation op_contexts = {
    .name = "contexts",
    .forms = {{MAP(NULL, OPTIONAL("header", &line_header_type), FIELD("program", &line_program_type)),
               MAP(NULL, FIELD("stacks", LIST(MAP_AS("a stack", "\nstack", FIELD("frames", LIST(FRAME))))),
                   LINE_PROBLEMS)}},
    .check = check,
    .ask = ask,
    .args_cell =
        "as those of `lines`: `{header: {dialect: nvidia}, program: [copy, NVIDIA_inlined_call 1 0, copy, end_sequence]}`",
    .value_cell =
        "`stacks: [{frames: [{row, line, function}]}]`: of each row with a context, itself and its call sites, innermost first "
        "(rows count from 1; function absent when the table does not name it); `problems: [{reason, at}]` if there are any, at "
        "being a row",
};
