/* contexts.c - `contexts`: the inline stacks that the contexts of rows give. spec/lines.md 15 and 16 */
#include "declare.h"
#include "line_terms.h"

#define FRAME                                                                                                          \
  MAP("a frame", FIELD_AS("row", NUMBER, " row %"), FIELD_AS("line", NUMBER, " line %"),                               \
      OPTIONAL_AS("function", NUMBER, " function %"))

/* A stack that is being written down. */
typedef struct stack {
  value_arena *arena;
  const dloc_row *rows;
  term *value;
} stack;

static dloc_status take_frame(void *user, size_t row, const uint32_t *function) {
  stack *s = user;
  term *frame = term_add(s->arena, s->value, "frames");
  term_set_number(frame, "row", row + 1);
  term_set_number(frame, "line", s->rows[row].line);
  if (function)
    term_set_number(frame, "function", *function);
  return DLOC_OK;
}

/* The stack of each row that has a context. */
static dloc_status describe(query *q, dloc_line_dialect dialect, const dloc_rows *rows, const size_t *callers,
                            term *value) {
  size_t count;
  stack s = {.arena = q->arena, .rows = dloc_rows_list(rows, &count)};
  const dloc_row_call *calls = dloc_rows_calls(rows);
  term_set_list(q->arena, value, "stacks", 0);
  for (size_t i = 0; calls && i < count; i++) {
    if (!calls[i].context)
      continue;
    s.value = term_add(q->arena, value, "stacks");
    TRY(dloc_row_frames(dialect, calls, callers, i, take_frame, &s));
  }
  return DLOC_OK;
}

static dloc_status number_problem(void *user, dloc_reason reason, size_t row) {
  return line_problem_add(user, reason, row + 1);
}

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_rows) dloc_rows *rows = NULL;
  const term *program = term_list(q->args, "program");
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  TRY(dloc_rows_create(q->context, &rows));
  TRY(dloc_line_run(q->profile, &parameters, line_program_of(program, q->arena), program->count, NULL, NULL, rows));
  size_t count, sequence_count;
  (void)dloc_rows_list(rows, &count);
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &sequence_count);
  size_t *callers = value_arena_alloc(q->arena, count, sizeof *callers);
  TRY(dloc_rows_callers(q->profile, parameters.dialect, rows, sequences, sequence_count, number_problem,
                        &(line_problems){q->arena, value}, callers));
  return describe(q, parameters.dialect, rows, callers, value);
}

const operation op_contexts = {
    .name = "contexts",
    .forms = {{CHECKED_MAP(NULL, NULL, line_program_check, OPTIONAL("header", &line_header_type),
                           FIELD("program", &line_program_type)),
               MAP(NULL, FIELD("stacks", LIST(MAP_AS("a stack", "\nstack", FIELD("frames", LIST(FRAME))))),
                   LINE_PROBLEMS)}},
    .ask = ask,
};
