/* The rows of an object with numbers, beside those of the one without layers that gets them. spec/hidden.md 17.4 */
#include "table.h"

#include "objects/dloc_hidden.h"

static bool is_before(const dloc_row *a, const dloc_row *b) {
  return a->address != b->address ? a->address < b->address : a->op_index < b->op_index;
}

/* Where the row of base that holds at a place stands, counted from 1; 0: there is none. */
static size_t row_at(const dloc_row *base, size_t count, size_t from, const dloc_row *place) {
  while (from < count && !is_before(place, &base[from]))
    from++;
  return from;
}

static bool agree(const dloc_row *row, const dloc_row *base) {
  uint32_t line = row->line == DLOC_HIDDEN_LINE_0 ? 0 : row->line;
  bool same_column = !line || row->column == base->column;
  return line == base->line && same_column;
}

static dloc_status add(dloc_rows *to, dloc_row row, const dloc_row *base) {
  if (!(row.flags & DLOC_ROW_END_SEQUENCE) && !(base && agree(&row, base)))
    row.discriminator = 0;
  PUSH(to->context, to->rows, row);
  return DLOC_OK;
}

/* `mode.exact.row` */
dloc_status dloc_exact_rows(const dloc_row *rows, size_t count, const dloc_row *base, size_t base_count,
                            dloc_rows *to) {
  size_t held = 0;
  for (size_t i = 0; i < count; i++) {
    held = row_at(base, base_count, held, &rows[i]);
    TRY(add(to, rows[i], held ? &base[held - 1] : NULL));
    for (; i + 1 < count && held < base_count && is_before(&base[held], &rows[i + 1]); held++) {
      dloc_row row = rows[i];
      row.address = base[held].address;
      row.op_index = base[held].op_index;
      row.flags = 0;
      TRY(add(to, row, &base[held]));
    }
  }
  return DLOC_OK;
}

/* Sequences of equal code stand in one order, and are as long. */
static const dloc_sequence *same_sequence(const dloc_rows *rows, const dloc_rows *base, size_t index) {
  if (rows->sequences.count != base->sequences.count)
    return NULL;
  const dloc_sequence *a = &rows->sequences.items[index], *b = &base->sequences.items[index];
  if (!a->count || !b->count)
    return NULL;
  const dloc_row *first = rows->rows.items + a->first, *other = base->rows.items + b->first;
  bool same = first->address == other->address && first[a->count - 1].address == other[b->count - 1].address;
  return same ? b : NULL;
}

static dloc_status compare_sequence(void *user, const dloc_rows *rows, size_t index, dloc_rows *made) {
  const dloc_rows *base = user;
  const dloc_sequence *s = &rows->sequences.items[index], *other = same_sequence(rows, base, index);
  const dloc_row *first = s->count ? rows->rows.items + s->first : NULL;
  return dloc_exact_rows(first, s->count, other ? base->rows.items + other->first : first,
                         other ? other->count : s->count, made);
}

dloc_status dloc_exact_table(dloc_line_table *table, const dloc_line_table *base) {
  return table_make_rows(table, compare_sequence, base->rows);
}
