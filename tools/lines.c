/* dloc lines: the line table of an object file. */
#include "document/memory.h"
#include "formats/dloc_dwarf.h"
#include "tools.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc lines [OPTION...] FILE",
    "Show the line table of FILE, an ELF file: executable, shared library, object, cubin.\n"
    "\n"
    "Exit status: 0 fine; 1 something in the table is wrong; 2 bad usage, unreadable files.\n",
    "dloc lines --tsv build/dloc\n", 1, 1};

typedef struct request {
  const char *section;
  bool tsv;
} request;

/* What is read of a file. */
typedef struct line_file {
  tool_input input;
  dloc_context *context;
  dloc_object *object;
  dloc_line_sections sections;
  dloc_line_table *table;
  const char *section;
  size_t problems;
} line_file;

static dloc_status on_problem(void *user, dloc_reason reason, size_t at) {
  line_file *file = user;
  file->problems++;
  fprintf(stderr, "%s: %s+0x%zx: error: %s [%s]\n", file->input.name, file->section, at, dloc_reason_text(reason),
          dloc_reason_name(reason));
  return DLOC_OK;
}

static dloc_text section_of(line_file *file, const char *name) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_object_section section;
  bool found;
  dloc_status status = dloc_object_section_find(file->object, dloc_text_of(name), &diagnostic, &section, &found);
  if (status != DLOC_OK)
    tool_exit(tool_explain(status, &file->input, &diagnostic));
  return section.bytes;
}

static void read_file(line_file *file, const char *path, const request *request) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_profile profile = *dloc_profile_find(dloc_text_of("rfc"));
  if (!tool_input_open(path, &file->input))
    tool_exit(TOOL_UNUSABLE);
  file->context = memory_context();
  file->section = request->section;
  dloc_status status = dloc_object_open(file->context, file->input.text, &diagnostic, &file->object);
  if (status != DLOC_OK)
    tool_exit(tool_explain(status, &file->input, &diagnostic));
  dloc_object_kind kind = dloc_object_kind_of(file->object);
  file->sections = (dloc_line_sections){.line = section_of(file, request->section),
                                        .str = section_of(file, ".debug_str"),
                                        .line_str = section_of(file, ".debug_line_str"),
                                        .big_endian = kind.big_endian,
                                        .address_size = kind.address_size};
  status = dloc_line_table_read(file->context, &profile, &file->sections, on_problem, file, &file->table);
  if (status != DLOC_OK)
    tool_exit(tool_failure(status, path));
}

/* ---- Rows as lines with tabs ---- */

static void print_row(const line_file *file, const dloc_line_unit *unit, const dloc_row *row) {
  char letters[6];
  dloc_row_letters(row->flags, letters);
  printf("%016" PRIx64 "\t", row->address);
  dloc_buffer path = {0};
  (void)dloc_line_unit_path(file->table, unit, row->file, dloc_buffer_sink(&path));
  tool_print_name(stdout, (dloc_text){path.bytes, path.size}, "\t");
  dloc_buffer_deinit(&path);
  printf("%" PRIu32 "\t%u\t%" PRIu32 "\t%s\n", row->line, (unsigned)row->column, row->discriminator, letters);
}

static void print_tsv(const line_file *file) {
  size_t units, rows;
  const dloc_line_unit *unit = dloc_line_table_units(file->table, &units);
  const dloc_row *row = dloc_rows_list(dloc_line_table_rows(file->table), &rows);
  for (size_t i = 0; i < units; i++)
    for (size_t j = 0; j < unit[i].row_count; j++)
      print_row(file, &unit[i], &row[unit[i].first_row + j]);
}

int tool_lines(int argc, char **argv) {
  request request = {.section = ".debug_line"};
  const tool_option options[] = {
      {TOOL_FLAG, "tsv", NULL, "a row a line: address, file, line, column, discriminator, flags", &request.tsv},
      {TOOL_TEXT, "section", "NAME", "the section to read; .debug_line by default", &request.section},
      {0}};
  line_file file = {.problems = 0};
  tool_parse(argc, argv, &usage, options);
  read_file(&file, argv[0], &request);
  print_tsv(&file);
  dloc_line_table_destroy(file.table);
  dloc_object_close(file.object);
  dloc_context_destroy(file.context);
  tool_input_close(&file.input);
  return file.problems ? TOOL_VIOLATION : TOOL_FINE;
}
