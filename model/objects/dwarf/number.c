/* A line table whose discriminators become the numbers of something else. */
#include "table.h"

typedef struct numbering {
  const dloc_line_table *table;
  dloc_rows *rows; /* that are made */
  dloc_number_at *at;
  void *user;
} numbering;

static dloc_status add_row(numbering *n, dloc_row row, uint64_t address, uint32_t number) {
  row.address = address;
  row.discriminator = number;
  PUSH(n->rows->context, n->rows->rows, row);
  return DLOC_OK;
}

/* A row, and one more wherever the number changes before the address of the next. */
static dloc_status number_row(numbering *n, size_t set_address, const dloc_row *row, uint64_t next) {
  uint64_t address = row->address, until = UINT64_MAX;
  uint32_t number = 0;
  TRY(n->at(n->user, set_address, address, &number, &until));
  TRY(add_row(n, *row, address, number));
  while (until > address && until < next) {
    address = until;
    TRY(n->at(n->user, set_address, address, &number, &until));
    TRY(add_row(n, *row, address, number));
  }
  return DLOC_OK;
}

static dloc_status number_sequence(numbering *n, const dloc_sequence *old) {
  const dloc_row *rows = n->table->rows->rows.items + old->first;
  dloc_sequence made = {.first = n->rows->rows.count, .set_address = old->set_address};
  for (size_t i = 0; i < old->count; i++)
    if (rows[i].flags & DLOC_ROW_END_SEQUENCE || i + 1 == old->count)
      TRY(add_row(n, rows[i], rows[i].address, 0));
    else
      TRY(number_row(n, old->set_address, &rows[i], rows[i + 1].address));
  made.count = n->rows->rows.count - made.first;
  PUSH(n->rows->context, n->rows->sequences, made);
  return DLOC_OK;
}

static dloc_status number_units(numbering *n, dloc_line_unit *units) {
  for (size_t i = 0; i < n->table->units.count; i++) {
    dloc_line_unit *unit = &units[i];
    unit->first_row = n->rows->rows.count;
    for (size_t j = 0; j < unit->sequence_count; j++)
      TRY(number_sequence(n, &n->table->rows->sequences.items[unit->first_sequence + j]));
    unit->row_count = n->rows->rows.count - unit->first_row;
  }
  return DLOC_OK;
}

dloc_status dloc_line_table_number(dloc_line_table *table, dloc_number_at *at, void *user) {
  numbering n = {.table = table, .at = at, .user = user};
  TRY(dloc_rows_create(table->context, &n.rows));
  dloc_status status = number_units(&n, table->units.items);
  dloc_rows_destroy(status == DLOC_OK ? table->rows : n.rows);
  if (status == DLOC_OK)
    table->rows = n.rows;
  return status;
}
