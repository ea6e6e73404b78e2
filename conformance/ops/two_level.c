/* two_level.c - `two-level`: the rows of both programs of a two-level line table, and the inline stacks of some.
 * spec/lines.md 15 */
#include "declare.h"
#include "line_terms.h"

#define FUNCTION MAP("a function", FIELD("number", NUMBER), FIELD("name", TEXT))
#define ARGS                                                                                                           \
  MAP(NULL, FIELD("header", &line_header_type), FIELD("logicals", &line_program_type),                                 \
      OPTIONAL("actuals", &line_program_type), OPTIONAL("functions", LIST(FUNCTION)), OPTIONAL("symbol", TEXT),        \
      OPTIONAL("stacks", LIST(NUMBER)))
#define FRAME                                                                                                          \
  MAP("a frame", FIELD_AS("function", TEXT, " %"), FIELD_AS("file", NUMBER, " file %"),                                \
      FIELD_AS("line", NUMBER, " line %"), FIELD_AS("column", NUMBER, " column %\n"))
#define STACK LIST_AS("an inline stack", "stack #\n", FRAME)

static dloc_line_program program_of(query *q, const char *key) {
  const term *program = term_list(q->args, key);
  return (dloc_line_program){line_program_of(program, q->arena), program->count};
}

/* ---- Stacks ---- */

static dloc_text name_of(const void *user, uint32_t function) {
  const term *functions = user;
  for (uint32_t i = 0; i < functions->count; i++)
    if (term_number(&functions->of.items[i], "number") == function)
      return term_text(&functions->of.items[i], "name");
  return (dloc_text){NULL, 0};
}

/* A stack that is being written down. */
typedef struct stack {
  value_arena *arena;
  term *list;
} stack;

static dloc_status add_frame(void *user, const dloc_frame *frame) {
  const stack *s = user;
  term *ret = term_add_item(s->arena, s->list);
  term_set_text(s->arena, ret, "function", frame->function);
  term_set_number(ret, "file", frame->file);
  term_set_number(ret, "line", frame->line);
  term_set_number(ret, "column", frame->column);
  return DLOC_OK;
}

/* The stack of a row of the actuals, or of the only table, by its number in program order. */
static dloc_status describe_stack(query *q, const dloc_logicals *logicals, const dloc_rows *actuals, uint64_t number,
                                  line_problems *problems, term *ret) {
  size_t count, row = (size_t)number - 1;
  const dloc_row *list = dloc_rows_list(actuals, &count);
  dloc_reason reason = DLOC_REASON_TWO_LEVEL_ACTUAL;
  bool is_there = row < (count ? count : logicals->count);
  if (is_there && count)
    is_there = dloc_logical_find(logicals, list[row].line, &row);
  if (is_there)
    TRY(dloc_logical_stack(logicals, row, term_text(q->args, "symbol"), add_frame, &(stack){q->arena, ret}, &reason));
  return reason == DLOC_REASON_NONE ? DLOC_OK : line_problem_add(problems, reason, (size_t)number);
}

static dloc_status describe_stacks(query *q, const dloc_rows *logicals, const dloc_rows *actuals,
                                   line_problems *problems, term *value) {
  const term *asked = term_list(q->args, "stacks");
  dloc_logicals table = {
      .calls = dloc_rows_calls(logicals), .name_of = name_of, .user = term_list(q->args, "functions")};
  table.rows = dloc_rows_list(logicals, &table.count);
  term *stacks = asked->count ? term_set_list(q->arena, value, "stacks", asked->count) : NULL;
  for (uint32_t i = 0; i < asked->count; i++)
    TRY(describe_stack(q, &table, actuals, asked->of.items[i].of.number, problems, &stacks[i]));
  return DLOC_OK;
}

/* ---- Answers ---- */

static void describe_rows(query *q, const char *key, const dloc_rows *rows, term *value) {
  size_t count;
  const dloc_row *list = dloc_rows_list(rows, &count);
  line_rows_describe(q->arena, value, key, list, dloc_rows_calls(rows), count);
}

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_rows) dloc_rows *logicals = NULL, *actuals = NULL;
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  dloc_line_program first = program_of(q, "logicals"), second = program_of(q, "actuals");
  bool is_single = !term_get(q->args, "actuals");
  line_problems problems = {q->arena, value};
  TRY(dloc_rows_create(q->context, &logicals));
  TRY(dloc_rows_create(q->context, &actuals));
  TRY(dloc_two_level_run(q->profile, &parameters, &first, is_single ? NULL : &second, line_problem_add, &problems,
                         logicals, actuals));
  describe_rows(q, "logicals", logicals, value);
  if (!is_single)
    describe_rows(q, "actuals", actuals, value);
  return describe_stacks(q, logicals, actuals, &problems, value);
}

const operation op_two_level = {
    .name = "two-level",
    .forms = {{ARGS, MAP(NULL, FIELD("logicals", LIST_AS("logicals", "logicals\n", &line_row_type)),
                         OPTIONAL("actuals", LIST_AS("actuals", "actuals\n", &line_row_type)),
                         OPTIONAL("stacks", LIST(STACK)), LINE_PROBLEMS)}},
    .ask = ask,
};
