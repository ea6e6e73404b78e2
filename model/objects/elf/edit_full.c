/* The lines of the objects of `--full`, by the sections and functions of their files. spec/hidden.md 17.4 */
#include "edit.h"

#include "objects/dwarf/table.h"

/* A line table, and the unit at hand. */
typedef struct full_table {
  dloc_object_edit *edit;
  const dloc_line_table *table;
  const dloc_line_unit *unit;
  const edit_relocation *relocations;
  size_t count;
  dloc_full *full;
} full_table;

/* The section that the operand of a set_address leads to; 0: not known. */
static uint32_t section_at(const full_table *t, size_t set_address) {
  size_t i = edit_first_relocation(t->relocations, t->count, set_address);
  edit_symbol symbol;
  bool found = i < t->count && t->relocations[i].offset == set_address &&
               edit_symbol_at(t->edit, t->relocations[i].symbol, &symbol);
  return found ? symbol.section : 0;
}

/* A line table has a file by its directory, or without that of the compilation, by which it may have split the name. */
static bool name_of(void *user, uint32_t number, dloc_file_name *ret) {
  const full_table *t = user;
  const dloc_line_file *file = table_file(t->table, t->unit, number);
  if (!file)
    return false;
  *ret = (dloc_file_name){.directory = table_directory(t->table, t->unit, file->directory), .name = file->name};
  if (t->unit->parameters.version >= 5)
    ret->compilation = table_directory(t->table, t->unit, 0);
  return true;
}

static dloc_status take_rows(full_table *t) {
  const dloc_rows *rows = t->table->rows;
  for (size_t i = 0; i < t->table->units.count; i++) {
    t->unit = &t->table->units.items[i];
    for (size_t j = 0; j < t->unit->sequence_count; j++) {
      const dloc_sequence *s = &rows->sequences.items[t->unit->first_sequence + j];
      uint32_t section = section_at(t, s->set_address);
      if (section)
        TRY(dloc_full_rows(t->full, section, rows->rows.items + s->first, s->count, name_of, t));
    }
  }
  return DLOC_OK;
}

dloc_status dloc_full_object(dloc_full *full, dloc_object_edit *edit, uint32_t line, const dloc_line_table *table,
                             dloc_diagnostic *diagnostic) {
  full_table t = {.edit = edit, .table = table, .full = full};
  TRY(edit_relocations(edit, line, diagnostic, &t.relocations, &t.count));
  return take_rows(&t);
}

static dloc_status number_rows(const full_table *t, dloc_line_unit *units, dloc_rows *made) {
  const dloc_rows *rows = t->table->rows;
  for (size_t i = 0; i < t->table->units.count; i++) {
    units[i].first_row = made->rows.count;
    for (size_t j = 0; j < units[i].sequence_count; j++) {
      dloc_sequence s = rows->sequences.items[units[i].first_sequence + j];
      const dloc_row *first = rows->rows.items + s.first;
      s.first = made->rows.count;
      TRY(dloc_full_number(t->full, section_at(t, s.set_address), first, s.count, made));
      s.count = made->rows.count - s.first;
      PUSH(made->context, made->sequences, s);
    }
    units[i].row_count = made->rows.count - units[i].first_row;
  }
  return DLOC_OK;
}

dloc_status dloc_full_number_object(dloc_full *full, dloc_object_edit *edit, uint32_t line, dloc_line_table *table,
                                    dloc_diagnostic *diagnostic) {
  full_table t = {.edit = edit, .table = table, .full = full};
  dloc_rows *made = NULL;
  TRY(edit_relocations(edit, line, diagnostic, &t.relocations, &t.count));
  TRY(dloc_rows_create(table->context, &made));
  dloc_status status = number_rows(&t, table->units.items, made);
  dloc_rows_destroy(status == DLOC_OK ? table->rows : made);
  if (status == DLOC_OK)
    table->rows = made;
  return status;
}
