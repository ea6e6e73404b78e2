/* dloc lines --two-level: the logicals and the actuals of a two-level line table, in the words of its document.
 * spec/lines.md, chapter 15. */
#include "two_level.h"

#include <inttypes.h>

static void print_function(const line_file *file, const dloc_line_unit *unit, uint32_t function) {
  printf("%" PRIu32, function);
  dloc_text name = dloc_logical_function(file->table, unit, function);
  if (name.size) {
    fputs(" ", stdout);
    tool_print_name(stdout, name, "");
  }
}

static void print_logicals(line_file *file, const dloc_line_unit *unit) {
  const dloc_rows *all = dloc_line_table_rows(file->table);
  size_t count;
  const dloc_row *rows = dloc_rows_list(all, &count) + unit->first_row;
  const dloc_row_call *calls = dloc_rows_calls(all);
  bool is_issue = unit->two_level.form == DLOC_DIALECT_ISSUE;
  printf("logicals\n  row\taddress\tfile\tline\tcolumn\tdiscriminator\tflags\tcontext\t%s\n",
         is_issue ? "function_name" : "subprogram");
  for (size_t i = 0; i < unit->row_count; i++) {
    const dloc_row *r = &rows[i];
    dloc_row_call call = calls ? calls[unit->first_row + i] : (dloc_row_call){0, 0};
    char letters[6];
    dloc_row_letters(r->flags, letters);
    dloc_text path = line_file_path(file, unit, r->file);
    printf("  %zu\t%016" PRIx64 "\t%.*s\t%" PRIu32 "\t%u\t%" PRIu32 "\t%s\t%" PRIu32 "\t", i + 1, r->address,
           (int)path.size, path.bytes, r->line, (unsigned)r->column, r->discriminator, letters, call.context);
    print_function(file, unit, call.function);
    puts("");
  }
}

static void print_actuals(const line_file *file, const dloc_line_unit *unit) {
  size_t count;
  const dloc_row *rows = dloc_rows_list(dloc_line_table_actuals(file->table), &count) + unit->two_level.first_actual;
  puts("actuals\n  address\top_index\tlogical\tisa\tflags");
  for (size_t i = 0; i < unit->two_level.actual_count; i++) {
    char letters[6];
    dloc_row_letters(rows[i].flags & (DLOC_ROW_BASIC_BLOCK | DLOC_ROW_END_SEQUENCE), letters);
    printf("  %016" PRIx64 "\t%u\t%" PRIu32 "\t%u\t%s\n", rows[i].address, (unsigned)rows[i].op_index, rows[i].line,
           (unsigned)rows[i].isa, letters);
  }
}

void lines_two_level(line_file *file) {
  OWNED(two_level_deinit) two_level_table made = {.rows = 0};
  dloc_line_dialect form = two_level_form_of(file->argument);
  size_t count;
  line_file_read(file, form == DLOC_DIALECT_ISSUE ? form : DLOC_DIALECT_STANDARD);
  bool is_made = !two_level_has(file);
  if (is_made)
    two_level_replace(file, form, &made);
  const dloc_line_unit *units = dloc_line_table_units(file->table, &count);
  for (size_t i = 0; i < count; i++) {
    if (units[i].two_level.form == DLOC_DIALECT_STANDARD)
      continue;
    printf("%sunit at 0x%zx%s\n", i ? "\n" : "", units[i].offset, is_made ? ", made of rows and DIEs" : "");
    print_logicals(file, &units[i]);
    if (units[i].two_level.has_actuals)
      print_actuals(file, &units[i]);
  }
  line_file_forget(file);
}
