/* dloc lines: rows, for people and for programs. Ten million rows are printed here, so no stdio formats below. */
#include "lines.h"

#include <inttypes.h>
#include <string.h>

/* A line that is made up; no number of a row needs more. */
typedef struct line {
  char text[192];
  size_t size;
} line;

static void put_hexadecimal(line *l, uint64_t number) {
  for (int shift = 60; shift >= 0; shift -= 4)
    l->text[l->size++] = "0123456789abcdef"[number >> shift & 15];
}

/* Right in so many columns. */
static void put_decimal(line *l, uint64_t number, size_t width) {
  char digits[20];
  size_t count = 0;
  do
    digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  for (; width > count; width--)
    l->text[l->size++] = ' ';
  while (count)
    l->text[l->size++] = digits[--count];
}

static void put_text(line *l, const char *text) {
  size_t size = strlen(text);
  memcpy(l->text + l->size, text, size);
  l->size += size;
}

static void flush(line *l) {
  fwrite(l->text, 1, l->size, stdout);
  l->size = 0;
}

static void put_path(line *l, line_file *file, const dloc_line_unit *unit, const dloc_row *row) {
  flush(l);
  dloc_text path = line_file_path(file, unit, row->file);
  fwrite(path.bytes, 1, path.size, stdout);
}

/* ---- Lines with tabs ---- */

static void print_tsv_row(line_file *file, const dloc_line_unit *unit, const dloc_row *row) {
  char letters[6];
  line l = {.size = 0};
  put_hexadecimal(&l, row->address);
  put_text(&l, "\t");
  put_path(&l, file, unit, row);
  put_text(&l, "\t");
  put_decimal(&l, row->line, 0);
  put_text(&l, "\t");
  put_decimal(&l, row->column, 0);
  put_text(&l, "\t");
  put_decimal(&l, row->discriminator, 0);
  put_text(&l, "\t");
  dloc_row_letters(row->flags, letters);
  put_text(&l, letters);
  put_text(&l, "\n");
  flush(&l);
}

/* ---- A table for people ---- */

static void print_row(line_file *file, const dloc_line_unit *unit, const dloc_row *row) {
  char letters[6];
  line l = {.size = 0};
  put_text(&l, "  ");
  put_hexadecimal(&l, row->address);
  put_decimal(&l, row->line, 11);
  put_decimal(&l, row->column, 7);
  put_decimal(&l, row->discriminator, 6);
  dloc_row_letters(row->flags, letters);
  put_text(&l, " ");
  put_text(&l, letters);
  for (size_t size = strlen(letters); size < 6; size++)
    put_text(&l, " ");
  put_path(&l, file, unit, row);
  if (row->op_index) {
    put_text(&l, ", operation ");
    put_decimal(&l, row->op_index, 0);
  }
  if (row->isa) {
    put_text(&l, ", isa ");
    put_decimal(&l, row->isa, 0);
  }
  put_text(&l, "\n");
  flush(&l);
}

static void print_count(size_t count, const char *what) { printf(", %zu %s%s", count, what, count == 1 ? "" : "s"); }

static void print_unit(line_file *file, const char *label, const dloc_line_unit *unit) {
  size_t count;
  const dloc_rows *rows = dloc_line_table_rows(file->table);
  const dloc_row *row = dloc_rows_list(rows, &count);
  const dloc_sequence *sequence = dloc_rows_sequences(rows, &count) + unit->first_sequence;
  bool is_prototype = unit->two_level.form == DLOC_DIALECT_LOGICALS;
  printf(is_prototype ? "%s+0x%zx: version 0x%x, logicals" : "%s+0x%zx: version %u", label, unit->offset,
         (unsigned)unit->version);
  print_count(unit->file_count, "file");
  print_count(unit->sequence_count, "sequence");
  print_count(unit->row_count, "row");
  puts(unit->row_count ? "\n  address                line column discr flags file" : "");
  for (size_t i = 0; i < unit->sequence_count; i++) {
    dloc_text symbol = dloc_object_relocation_name(file->object, file->section.index, sequence[i].set_address);
    if (sequence[i].set_address && symbol.size) {
      fputs("  ", stdout);
      tool_print_name(stdout, symbol, ":\n");
    }
    for (size_t j = 0; j < sequence[i].count; j++)
      print_row(file, unit, &row[sequence[i].first + j]);
    puts("");
  }
}

/* ---- Views ---- */

void lines_text(line_file *file) {
  size_t count;
  OWNED(memory_release) char *label = line_file_label(file);
  const dloc_line_unit *unit = dloc_line_table_units(file->table, &count);
  for (size_t i = 0; i < count; i++)
    print_unit(file, label, &unit[i]);
}

void lines_tsv(line_file *file) {
  size_t units, rows;
  const dloc_line_unit *unit = dloc_line_table_units(file->table, &units);
  const dloc_row *row = dloc_rows_list(dloc_line_table_rows(file->table), &rows);
  for (size_t i = 0; i < units; i++)
    for (size_t j = 0; j < unit[i].row_count; j++)
      print_tsv_row(file, &unit[i], &row[unit[i].first_row + j]);
}
