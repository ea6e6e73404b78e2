/* units.c - `units`: what a section of line tables says. spec/lines.md 12.4 to 12.6 */
#include "declare.h"
#include "document/buffer.h"
#include "line_terms.h"

/* ---- What is read ---- */

static void describe_file(query *q, const dloc_line_table *table, const dloc_line_unit *unit, size_t index, term *ret) {
  const dloc_line_file *file = &dloc_line_unit_files(table, unit)[index];
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  (void)dloc_line_unit_path(table, unit, index + (unit->parameters.version < 5), buffer_sink(&text));
  term_set_number(ret, "number", index + (unit->parameters.version < 5));
  term_set_text(q->arena, ret, "path", buffer_text(&text));
  text.size = 0;
  term_set_unless(ret, "directory", file->directory, 0);
  term_set_unless(ret, "time", file->time, 0);
  term_set_unless(ret, "size", file->size, 0);
  for (size_t i = 0; file->has_md5 && i < sizeof file->md5; i++)
    buffer_format(&text, "%02x", (unsigned)file->md5[i]);
  if (file->has_md5)
    term_set_text(q->arena, ret, "md5", buffer_text(&text));
  if (file->has_source)
    term_set_text(q->arena, ret, "source", file->source);
}

/* The actuals, and the name of each logical's function. */
static void describe_two_level(query *q, const dloc_line_table *table, const dloc_line_unit *unit,
                               const dloc_row_call *calls, term *ret) {
  size_t count = unit->two_level.actual_count, all;
  if (unit->two_level.has_actuals)
    line_rows_describe(q->arena, ret, "actuals",
                       dloc_rows_list(dloc_line_table_actuals(table), &all) + unit->two_level.first_actual, NULL,
                       count);
  term *names = calls ? term_set_list(q->arena, ret, "functions", unit->row_count) : NULL;
  for (size_t i = 0; names && i < unit->row_count; i++)
    term_be_text(q->arena, &names[i], dloc_logical_function(table, unit, calls[i].function));
}

static void describe_unit(query *q, const dloc_line_table *table, const dloc_line_unit *unit, term *ret) {
  size_t count;
  const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(table), &count);
  const dloc_row_call *calls = dloc_rows_calls(dloc_line_table_rows(table));
  term_set_number(ret, "offset", unit->offset);
  term_set_number(ret, "end", unit->end);
  term_set_number(ret, "version", unit->parameters.version);
  term_set_unless(ret, "offset_size", unit->offset_size, 4);
  if (unit->parameters.version == 5)
    term_set_number(ret, "address_size", unit->parameters.address_size);
  term_set_unless(ret, "segment_selector_size", unit->segment_selector_size, 0);
  term_set_number(ret, "program", unit->program);
  if (unit->directory_count)
    term_set_texts(q->arena, ret, "directories", dloc_line_unit_directories(table, unit), unit->directory_count);
  for (size_t i = 0; i < unit->file_count; i++)
    describe_file(q, table, unit, i, term_add(q->arena, ret, "files"));
  if (unit->two_level.form != DLOC_DIALECT_STANDARD)
    describe_two_level(q, table, unit, calls ? calls + unit->first_row : NULL, ret);
  if (unit->row_count)
    line_rows_describe(q->arena, ret, "rows", rows + unit->first_row, calls ? calls + unit->first_row : NULL,
                       unit->row_count);
}

/* The paths of files of the first unit, by their numbers. */
static void describe_names(query *q, const dloc_line_table *table, const dloc_line_unit *unit, term *value) {
  const term *asked = term_get(q->args, "names");
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  term *list = asked ? term_set_list(q->arena, value, "names", asked->count) : NULL;
  for (uint32_t i = 0; list && i < asked->count; i++) {
    text.size = 0;
    (void)dloc_line_unit_path(table, unit, asked->of.items[i].of.number, buffer_sink(&text));
    term_be_text(q->arena, &list[i], buffer_text(&text));
  }
}

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_line_table) dloc_line_table *table = NULL;
  const dloc_line_sections from = {.line = line_bytes_of(q->arena, q->args, "bytes"),
                                   .str = line_bytes_of(q->arena, q->args, "str"),
                                   .line_str = line_bytes_of(q->arena, q->args, "line_str"),
                                   .big_endian = term_flag(q->args, "big_endian"),
                                   .address_size = (uint8_t)term_number_or(q->args, "address_size", 8),
                                   .dialect = (dloc_line_dialect)term_word(q->args, "dialect")};
  size_t count;
  TRY(dloc_line_table_read(q->context, q->profile, &from, line_problem_add, &(line_problems){q->arena, value}, &table));
  const dloc_line_unit *units = dloc_line_table_units(table, &count);
  term *list = term_set_list(q->arena, value, "units", count);
  for (size_t i = 0; i < count; i++)
    describe_unit(q, table, &units[i], &list[i]);
  if (count)
    describe_names(q, table, &units[0], value);
  return DLOC_OK;
}

#define FILE_TYPE                                                                                                      \
  MAP("a file", FIELD_AS("number", LONG, "file %\n"), FIELD_AS("path", TEXT, "path %\n"),                              \
      OPTIONAL_AS("directory", LONG, "directory %\n"), OPTIONAL_AS("time", LONG, "time %\n"),                          \
      OPTIONAL_AS("size", LONG, "size %\n"), OPTIONAL_AS("md5", TEXT, "md5 %\n"),                                      \
      OPTIONAL_AS("source", TEXT, "source %\n"))
#define UNIT                                                                                                           \
  MAP("a unit", FIELD_AS("offset", LONG, "unit at %"), FIELD_AS("end", LONG, " end %"),                                \
      FIELD_AS("version", NUMBER, " version %"), OPTIONAL_AS("offset_size", NUMBER, " offset_size %"),                 \
      OPTIONAL_AS("address_size", NUMBER, " address_size %"),                                                          \
      OPTIONAL_AS("segment_selector_size", NUMBER, " segment_selector_size %"),                                        \
      FIELD_AS("program", LONG, " program %\n"), OPTIONAL_AS("directories", LIST(TEXT), "directory %\n"),              \
      OPTIONAL("files", LIST(FILE_TYPE)), OPTIONAL("rows", &line_rows_type),                                           \
      OPTIONAL("actuals", LIST_AS("actuals", "actuals\n", &line_row_type)),                                            \
      OPTIONAL_AS("functions", LIST(TEXT), "function %\n"))

const operation op_units = {
    .name = "units",
    .forms = {{MAP(NULL, FIELD("bytes", &line_bytes_type), OPTIONAL("str", &line_bytes_type),
                   OPTIONAL("line_str", &line_bytes_type), OPTIONAL("big_endian", FLAG),
                   OPTIONAL("address_size", NUMBER), OPTIONAL("dialect", &line_dialect_type),
                   OPTIONAL("names", LIST(NUMBER))),
               MAP(NULL, FIELD("units", LIST(UNIT)), OPTIONAL_AS("names", LIST(TEXT), "name %\n"), LINE_PROBLEMS)}},
    .ask = ask,
};
