/* two_level_make.c - `two-level-make`: the two-level line table that is made of rows and inline stacks.
 * spec/lines.md 15.6 */
#include "declare.h"
#include "document/buffer.h"
#include "line_terms.h"

#define FRAME                                                                                                          \
  MAP("a frame", FIELD("function", TEXT), OPTIONAL("file", NUMBER), FIELD("line", NUMBER), OPTIONAL("column", NUMBER), \
      OPTIONAL("discriminator", NUMBER))
#define PART                                                                                                           \
  MAP("a part of the code", FIELD("address", LONG), OPTIONAL("flags", &line_flags_type),                               \
      OPTIONAL("frames", LIST(FRAME)))

static dloc_frame frame_of(const term *frame) {
  return (dloc_frame){.function = term_text(frame, "function"),
                      .file = term_number_or(frame, "file", 1),
                      .line = (uint32_t)term_number(frame, "line"),
                      .column = (uint32_t)term_number(frame, "column"),
                      .discriminator = (uint32_t)term_number(frame, "discriminator")};
}

/* A part whose flags have E ends the sequence. */
static dloc_status add_part(query *q, const term *part, dloc_two_level_maker *maker) {
  const term *list = term_list(part, "frames"), *flags = term_get(part, "flags");
  dloc_row row = {.address = term_number(part, "address"), .file = 1, .flags = DLOC_ROW_IS_STMT};
  if (flags)
    (void)dloc_row_flags(flags->of.text, &row.flags);
  if (row.flags & DLOC_ROW_END_SEQUENCE)
    return dloc_two_level_end(maker, row.address);
  dloc_frame *frames = value_arena_alloc(q->arena, list->count, sizeof *frames);
  for (uint32_t i = 0; i < list->count; i++)
    frames[i] = frame_of(&list->of.items[i]);
  if (list->count) {
    row.file = frames[0].file & DLOC_ROW_MOST_FILE;
    row.line = frames[0].line;
    row.column = (uint16_t)frames[0].column;
    row.discriminator = frames[0].discriminator;
  }
  return dloc_two_level_add(maker, &row, frames, list->count);
}

/* ---- Answers ---- */

/* The bytes of a unit without files. */
static dloc_status describe_bytes(query *q, const dloc_line_parameters *parameters, const dloc_two_level_made *made,
                                  const dloc_line_list *logicals, const dloc_line_list *actuals, term *value) {
  const dloc_two_level_parts parts = {
      .unit = {.parameters = *parameters, .offset_size = 4, .program = logicals->items, .count = logicals->count},
      .actuals = actuals->items,
      .actual_count = actuals->count,
      .subprograms = made->functions,
      .subprogram_count = made->function_count};
  OWNED(dloc_buffer_deinit) dloc_buffer bytes = {0};
  TRY(dloc_two_level_write(&parts, dloc_buffer_sink(&bytes)));
  line_bytes_describe(q->arena, value, buffer_text(&bytes));
  return DLOC_OK;
}

static dloc_status describe(query *q, const dloc_line_parameters *parameters, const dloc_two_level_maker *maker,
                            term *value) {
  const dloc_two_level_made made = dloc_two_level_made_of(maker);
  OWNED(dloc_line_list_deinit) dloc_line_list logicals = {.context = q->context}, actuals = logicals;
  term_set_texts(q->arena, value, "functions", made.functions, made.function_count);
  TRY(dloc_two_level_write_logicals(q->profile, parameters, &made, dloc_line_list_take, &logicals));
  TRY(dloc_two_level_write_actuals(q->profile, parameters, &made, dloc_line_list_take, &actuals));
  line_program_describe(q->arena, value, "logicals", logicals.items, logicals.count);
  line_program_describe(q->arena, value, "actuals", actuals.items, actuals.count);
  return term_flag(q->args, "bytes") ? describe_bytes(q, parameters, &made, &logicals, &actuals, value) : DLOC_OK;
}

OWNER(dloc_two_level_maker)

static dloc_status ask(query *q, term *value) {
  dloc_line_dialect dialect = term_word(q->args, "dialect") ? DLOC_DIALECT_LOGICALS : DLOC_DIALECT_ISSUE;
  const dloc_line_parameters parameters = dloc_two_level_parameters(line_header_of(NULL, q->arena), dialect);
  const term *parts = term_list(q->args, "parts");
  OWNED(release_dloc_two_level_maker) dloc_two_level_maker *maker = NULL;
  TRY(dloc_two_level_maker_create(q->context, q->profile, &parameters, 1, &maker));
  for (uint32_t i = 0; i < parts->count; i++)
    TRY(add_part(q, &parts->of.items[i], maker));
  return describe(q, &parameters, maker, value);
}

const operation op_two_level_make = {
    .name = "two-level-make",
    .forms = {{MAP(NULL, FIELD("dialect", WORD("a dialect", "issue", "logicals")), FIELD("parts", LIST(PART)),
                   OPTIONAL("bytes", FLAG)),
               MAP(NULL, FIELD_AS("functions", LIST(TEXT), "function %\n"),
                   FIELD_AS("logicals", LIST(TEXT), "logicals: %\n"), FIELD_AS("actuals", LIST(TEXT), "actuals: %\n"),
                   OPTIONAL_AS("bytes", TEXT, "bytes %\n"))}},
    .ask = ask,
};
