/* two_level_make.c - `two-level-make`: the two-level line table that is made of rows and inline stacks.
 * spec/lines.md 15.6 */
#include "declare.h"
#include "document/buffer.h"
#include "document/memory.h"
#include "objects/dloc_dwarf.h"
#include "line_terms.h"

#include <stdlib.h>
#include <string.h>

#define LONG (&(const type){.kind = TYPE_NUMBER, .limit = UINT64_MAX})
#define FRAME                                                                                                          \
  MAP("a frame", FIELD("function", TEXT), OPTIONAL("file", NUMBER), FIELD("line", NUMBER), OPTIONAL("column", NUMBER), \
      OPTIONAL("discriminator", NUMBER))
#define PART MAP("a part of the code", FIELD("address", LONG), OPTIONAL("flags", TEXT), OPTIONAL("frames", LIST(FRAME)))

static const char *const dialects[] = {"issue", "logicals", NULL};

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  const term *parts = term_list(args, "parts");
  uint8_t ignored;
  (void)module;
  for (uint32_t i = 0; !value && i < parts->count; i++) {
    const term *flags = term_get(&parts->of.items[i], "flags");
    if (flags && !dloc_row_flags(flags->of.text, &ignored))
      return WRONG(r, flags->from, "vector.field", "flags are letters of s b p e E");
  }
  return DLOC_OK;
}

static dloc_frame frame_of(const term *frame) {
  const term *file = term_get(frame, "file");
  return (dloc_frame){.function = term_text(frame, "function"),
                      .file = file ? (uint32_t)term_number(frame, "file") : 1,
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

static void describe_program(query *q, const char *key, const dloc_line_list *p, term *value) {
  term *list = term_set_list(q->arena, value, key, p->count);
  dloc_buffer text = {0};
  for (size_t i = 0; i < p->count; i++) {
    text.size = 0;
    line_instruction_write(&p->items[i], &text);
    term_be_text(q->arena, &list[i], buffer_text(&text));
  }
  dloc_buffer_deinit(&text);
}

/* The bytes of a unit without files. */
static dloc_status describe_bytes(query *q, const dloc_line_parameters *parameters, const dloc_two_level_made *made,
                                  const dloc_line_list *logicals, const dloc_line_list *actuals, term *value) {
  const dloc_two_level_parts parts = {
      .unit = {.parameters = *parameters, .offset_size = 4, .program = logicals->items, .count = logicals->count},
      .actuals = actuals->items,
      .actual_count = actuals->count,
      .subprograms = made->functions,
      .subprogram_count = made->function_count};
  dloc_buffer bytes = {0};
  dloc_status status = dloc_two_level_write(&parts, dloc_buffer_sink(&bytes));
  if (status == DLOC_OK)
    line_bytes_describe(q->arena, value, buffer_text(&bytes));
  dloc_buffer_deinit(&bytes);
  return status;
}

static dloc_status describe(query *q, const dloc_line_parameters *parameters, const dloc_two_level_maker *maker,
                            term *value) {
  const dloc_two_level_made made = dloc_two_level_made_of(maker);
  dloc_line_list logicals = {.context = q->context}, actuals = logicals;
  term *functions = term_set_list(q->arena, value, "functions", made.function_count);
  for (size_t i = 0; i < made.function_count; i++)
    term_be_text(q->arena, &functions[i], made.functions[i]);
  dloc_status status = dloc_two_level_write_logicals(q->profile, parameters, &made, dloc_line_list_take, &logicals);
  if (status == DLOC_OK)
    status = dloc_two_level_write_actuals(q->profile, parameters, &made, dloc_line_list_take, &actuals);
  describe_program(q, "logicals", &logicals, value);
  describe_program(q, "actuals", &actuals, value);
  if (status == DLOC_OK && term_flag(q->args, "bytes"))
    status = describe_bytes(q, parameters, &made, &logicals, &actuals, value);
  dloc_line_list_deinit(&logicals);
  dloc_line_list_deinit(&actuals);
  return status;
}

static dloc_status ask(query *q, term *value) {
  dloc_line_dialect dialect = term_word(q->args, "dialect") ? DLOC_DIALECT_LOGICALS : DLOC_DIALECT_ISSUE;
  const dloc_line_parameters parameters = dloc_two_level_parameters(line_header_of(NULL, q->arena), dialect);
  const term *parts = term_list(q->args, "parts");
  dloc_two_level_maker *maker;
  TRY(dloc_two_level_maker_create(q->context, q->profile, &parameters, 1, &maker));
  dloc_status status = DLOC_OK;
  for (uint32_t i = 0; i < parts->count && status == DLOC_OK; i++)
    status = add_part(q, &parts->of.items[i], maker);
  if (status == DLOC_OK)
    status = describe(q, &parameters, maker, value);
  dloc_two_level_maker_destroy(maker);
  return status;
}

const operation op_two_level_make = {
    .name = "two-level-make",
    .forms = {{MAP(NULL,
                   {.key = "dialect", .of = &(const type){.kind = TYPE_WORD, .what = "a dialect", .words = dialects}},
                   FIELD("parts", LIST(PART)), OPTIONAL("bytes", FLAG)),
               MAP(NULL, {.key = "functions", .of = LIST(TEXT), .text = "function %\n"},
                   {.key = "logicals", .of = LIST(TEXT), .text = "logicals: %\n"},
                   {.key = "actuals", .of = LIST(TEXT), .text = "actuals: %\n"},
                   {.key = "bytes", .of = TEXT, .optional = true, .text = "bytes %\n"})}},
    .check = check,
    .ask = ask,
    .args_cell =
        "`{dialect: logicals, parts: [{address: 4096, frames: [{function: g, file: 1, line: 3, column: 0, discriminator: 0}]}, "
        "{address: 4100, flags: E}]}`: from each address on, the frames of the code, innermost first; flags of the row (default s), "
        "E ends the sequence; file 1, column 0 and discriminator 0 may be left out",
    .value_cell =
        "`functions: [g]`: names by number from 1, or for the issue one behind the other behind an empty string; `logicals`, "
        "`actuals`: the programs, as for `lines`; `bytes`: hexadecimal digits of the unit, without files, if asked for by `bytes: true`",
};
