/* dloc two-level: make a two-level line table of a file's rows and DIEs. */
#include "two_level.h"
#include "document/buffer.h"
#include "help/two_level.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

dloc_line_dialect two_level_form_of(const char *word) {
  if (strcmp(word, "issue") != 0 && strcmp(word, "prototype") != 0)
    tool_fail("'%.60s' is no form of two-level line tables: issue or prototype", word);
  return word[0] == 'i' ? DLOC_DIALECT_ISSUE : DLOC_DIALECT_LOGICALS;
}

/* ---- Parts of a unit ---- */

/* Directories of version 5 are relative to the first, which the forms of two levels do not list apart: they become
 * whole. */
static dloc_text *directories_of(const line_file *file, const dloc_line_unit *unit) {
  const dloc_text *from = dloc_line_unit_directories(file->table, unit);
  dloc_text *list = memory_allocate(unit->directory_count, sizeof *list);
  for (size_t i = 0; i < unit->directory_count; i++) {
    OWNED(dloc_buffer_deinit) dloc_buffer path = {0};
    bool joins = i > 0 && unit->parameters.version >= 5 && !dloc_path_is_absolute(from[i]);
    if (joins)
      buffer_put(&path, from[0]);
    if (joins && from[0].size && from[0].bytes[from[0].size - 1] != '/')
      buffer_put(&path, dloc_text_of("/"));
    buffer_put(&path, from[i]);
    list[i] = (dloc_text){memory_copy(buffer_text(&path)), path.size};
  }
  return list;
}

static dloc_line_file *files_of(const line_file *file, const dloc_line_unit *unit) {
  dloc_line_file *list = memory_allocate(unit->file_count, sizeof *list);
  for (size_t i = 0; i < unit->file_count; i++) {
    list[i] = dloc_line_unit_files(file->table, unit)[i];
    list[i].directory += unit->parameters.version >= 5;
    list[i].has_md5 = false;
  }
  return list;
}

static void write_unit(line_file *file, const dloc_line_unit *unit, const dloc_line_parameters *parameters,
                       const dloc_two_level_made *made, two_level_table *ret) {
  OWNED(dloc_line_list_deinit) dloc_line_list logicals = {.context = file->context}, actuals = logicals;
  tool_require(dloc_two_level_write_logicals(&file->profile, parameters, made, dloc_line_list_take, &logicals),
               file->input.name);
  tool_require(dloc_two_level_write_actuals(&file->profile, parameters, made, dloc_line_list_take, &actuals),
               file->input.name);
  OWNED(memory_release) dloc_text *directories = directories_of(file, unit);
  OWNED(memory_release) dloc_line_file *files = files_of(file, unit);
  const dloc_two_level_parts parts = {.unit = {.parameters = *parameters,
                                               .big_endian = file->kind.big_endian,
                                               .offset_size = unit->offset_size,
                                               .directories = directories,
                                               .directory_count = unit->directory_count,
                                               .files = files,
                                               .file_count = unit->file_count,
                                               .program = logicals.items,
                                               .count = logicals.count},
                                      .actuals = actuals.items,
                                      .actual_count = actuals.count,
                                      .subprograms = made->functions,
                                      .subprogram_count = made->function_count};
  tool_require(dloc_two_level_write(&parts, buffer_sink(&ret->line)), file->input.name);
  for (size_t i = 0; i < unit->directory_count; i++)
    free((char *)directories[i].bytes);
}

/* ---- Tables ---- */

/* Rows are added for each sequence, so that those of sequences that lie in each other do not fill the memory. A row
 * takes at least a byte of a file in which code has one. */
static void make_sequences(const line_file *file, const dloc_line_unit *unit, dloc_stacks *stacks,
                           const two_level_table *before, dloc_two_level_maker *maker) {
  enum { MOST_ROWS = 4 }; /* for each byte of the file, which may be compressed */
  const dloc_code code = dloc_object_code(file->object);
  for (size_t i = unit->first_sequence; i < unit->first_sequence + unit->sequence_count; i++) {
    tool_require(dloc_two_level_make(maker, stacks, &code, dloc_line_table_rows(file->table), i, 1,
                                     unit->parameters.version >= 5),
                 file->input.name);
    const dloc_two_level_made made = dloc_two_level_made_of(maker);
    size_t rows = before->logicals + before->actuals + made.logical_count + made.actual_count;
    if (rows / MOST_ROWS > file->input.text.size)
      tool_fail("%s: sequences of its line table lie in each other: there would be too many rows", file->input.name);
  }
}

/* Each unit has tables of its own. In the issue's form its names stand in
 * .debug_str behind those of the units before. */
static void make_unit(line_file *file, const dloc_line_unit *unit, dloc_line_dialect form, dloc_stacks *stacks,
                      two_level_table *ret) {
  dloc_line_parameters parameters = dloc_two_level_parameters(unit->parameters, form);
  dloc_two_level_maker *maker;
  tool_require(dloc_two_level_maker_create(file->context, &file->profile, &parameters, ret->str.size, &maker),
               file->input.name);
  make_sequences(file, unit, stacks, ret, maker);
  const dloc_two_level_made made = dloc_two_level_made_of(maker);
  write_unit(file, unit, &parameters, &made, ret);
  for (size_t i = 0; form == DLOC_DIALECT_ISSUE && i < made.function_count; i++) {
    buffer_put(&ret->str, made.functions[i]);
    buffer_put(&ret->str, (dloc_text){"", 1});
  }
  ret->rows += unit->row_count;
  ret->logicals += made.logical_count;
  ret->actuals += made.actual_count;
  dloc_two_level_maker_destroy(maker);
}

/* Of file->table, which has one level. Ends the program when it cannot be made. */
static void two_level_make(line_file *file, dloc_line_dialect form, two_level_table *ret) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_debug_info *info;
  dloc_object_section lines = file->section;
  size_t count;
  *ret = (two_level_table){.rows = 0};
  (void)dloc_rows_sequences(dloc_line_table_rows(file->table), &count);
  if (count > 1 && dloc_object_kind_of(file->object).type == ET_REL)
    tool_fail("%s: it has code in several sections, which all begin at address 0: link it first", file->input.name);
  if (!line_file_section(file, ".debug_info", 0, &file->section)) /* problems from here on are of the DIEs */
    tool_fail("%s: there are no DIEs: no section .debug_info", file->input.name);
  dloc_status status = dloc_debug_info_open(file->object, &file->profile, line_file_problem, file, &diagnostic, &info);
  if (status != DLOC_OK)
    tool_exit(tool_explain(status, &file->input, &diagnostic));
  buffer_put(&ret->str, (dloc_text){"", 1});
  const dloc_line_unit *units = dloc_line_table_units(file->table, &count);
  for (size_t i = 0; i < count; i++)
    make_unit(file, &units[i], form, dloc_debug_info_stacks(info), ret);
  dloc_debug_info_close(info);
  file->section = lines;
}

void two_level_deinit(two_level_table *table) {
  dloc_buffer_deinit(&table->line);
  dloc_buffer_deinit(&table->str);
}

void two_level_replace(line_file *file, dloc_line_dialect form, two_level_table *made) {
  two_level_make(file, form, made);
  line_file_forget(file);
  file->sections.line = buffer_text(&made->line);
  file->sections.str = buffer_text(&made->str);
  file->sections.dialect = form;
  tool_require(
      dloc_line_table_read(file->context, &file->profile, &file->sections, line_file_problem, file, &file->table),
      file->input.name);
}

bool two_level_has(const line_file *file) {
  size_t count;
  const dloc_line_unit *units = dloc_line_table_units(file->table, &count);
  for (size_t i = 0; i < count; i++)
    if (units[i].two_level.form != DLOC_DIALECT_STANDARD)
      return true;
  return false;
}

static dloc_text name_of(const void *user, uint32_t function) {
  const two_level_unit *of = user;
  return dloc_logical_function(of->file->table, of->unit, function);
}

dloc_logicals two_level_logicals(const two_level_unit *user) {
  const dloc_rows *rows = dloc_line_table_rows(user->file->table);
  size_t count;
  const dloc_row_call *calls = dloc_rows_calls(rows);
  return (dloc_logicals){.rows = dloc_rows_list(rows, &count) + user->unit->first_row,
                         .calls = calls ? calls + user->unit->first_row : NULL,
                         .count = user->unit->row_count,
                         .name_of = name_of,
                         .user = user};
}

/* ---- Command ---- */

static size_t size_of(line_file *file, const char *name) {
  dloc_object_section section;
  return line_file_section(file, name, 0, &section) ? section.bytes.size : 0;
}

static void write_file(const char *path, const dloc_buffer *bytes) {
  if (path && !tool_write_text(path, buffer_text(bytes)))
    tool_exit(TOOL_UNUSABLE);
}

int tool_two_level(int argc, char **argv) {
  dloc_profile profile;
  const char *form = "prototype", *output = NULL, *strings = NULL;
  const tool_option options[] = {{TOOL_TEXT, "to", "issue, or prototype by default", &form},
                                 {TOOL_OUTPUT, "o", "write the section .debug_line to this file", &output},
                                 {TOOL_OUTPUT, "strings", NULL, &strings},
                                 TOOL_PROFILE_OPTIONS(&profile),
                                 {0}};
  tool_parse(argc, argv, &two_level_usage, options);
  dloc_line_dialect dialect = two_level_form_of(form);
  line_file file = line_file_open(argv[0], &profile);
  if (!line_file_section(&file, ".debug_line", 0, &file.section))
    tool_fail("%s: there is no section .debug_line", argv[0]);
  line_file_read(&file, DLOC_DIALECT_STANDARD);
  OWNED(two_level_deinit) two_level_table made;
  two_level_make(&file, dialect, &made);
  tool_outputs_begin();
  write_file(strings, &made.str); /* the line table names functions by it */
  write_file(output, &made.line);
  if (tool_outputs_end(TOOL_FINE) != TOOL_FINE)
    tool_exit(TOOL_UNUSABLE);
  printf("rows\t%zu\nlogicals\t%zu\nactuals\t%zu\ntwo-level\t%zu\nnames\t%zu\n.debug_line\t%zu\n.debug_info\t%zu\n",
         made.rows, made.logicals, made.actuals, made.line.size, dialect == DLOC_DIALECT_ISSUE ? made.str.size : 0,
         file.section.bytes.size, size_of(&file, ".debug_info"));
  return line_file_close(&file);
}
