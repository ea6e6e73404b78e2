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

dloc_status dloc_full_object(dloc_full *full, dloc_object_edit *edit, uint32_t line, const dloc_line_table *table,
                             dloc_diagnostic *diagnostic) {
  full_table t = {.edit = edit, .table = table, .full = full};
  const dloc_rows *rows = table->rows;
  TRY(edit_relocations(edit, line, diagnostic, &t.relocations, &t.count));
  for (size_t i = 0; i < table->units.count; i++) {
    t.unit = &table->units.items[i];
    for (size_t j = 0; j < t.unit->sequence_count; j++) {
      const dloc_sequence *s = &rows->sequences.items[t.unit->first_sequence + j];
      uint32_t section = section_at(&t, s->set_address);
      if (section)
        TRY(dloc_full_rows(full, section, rows->rows.items + s->first, s->count, name_of, &t));
    }
  }
  return DLOC_OK;
}

static dloc_status number_sequence(void *user, const dloc_rows *rows, size_t index, dloc_rows *made) {
  const full_table *t = user;
  const dloc_sequence *s = &rows->sequences.items[index];
  return dloc_full_number(t->full, section_at(t, s->set_address), rows->rows.items + s->first, s->count, made);
}

dloc_status dloc_full_number_object(dloc_full *full, dloc_object_edit *edit, uint32_t line, dloc_line_table *table,
                                    dloc_diagnostic *diagnostic) {
  full_table t = {.edit = edit, .table = table, .full = full};
  TRY(edit_relocations(edit, line, diagnostic, &t.relocations, &t.count));
  return table_make_rows(table, number_sequence, &t);
}
