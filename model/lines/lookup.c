/* SPEC.md 14.1: the row that an instruction belongs to. */
#include "lines/machine.h"
#include "lines/spans.h"

#include <stdlib.h>

/* A row of a sequence whose addresses do not only rise. */
typedef struct row_place {
  uint64_t address;
  size_t row;
} row_place;

struct dloc_row_index {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_rows *rows;
  size_t first_sequence;
  span_map sequences;
  ARRAY(row_place) sorted;
  map sorted_from; /* a sequence: where its rows begin there */
};

void dloc_row_index_destroy(dloc_row_index *index) {
  if (!index)
    return;
  span_map_deinit(index->context, &index->sequences);
  map_deinit(index->context, &index->sorted_from);
  CONTEXT_FREE(index->context, index->sorted.items, index);
}

static int by_address(const void *a, const void *b) {
  const row_place *left = a, *right = b;
  return left->address != right->address ? (left->address > right->address) - (left->address < right->address)
                                         : (left->row > right->row) - (left->row < right->row);
}

/* `stack.row.order` */
static dloc_status sort_rows(dloc_row_index *index, uint32_t number, const dloc_sequence *s) {
  size_t from = index->sorted.count;
  if (from > UINT32_MAX)
    return DLOC_LIMIT;
  TRY(map_add(index->context, &index->sorted_from, number, 0, (uint32_t)from, NULL));
  for (size_t i = s->first; i < s->first + s->count; i++)
    PUSH(index->context, index->sorted, (row_place){index->rows->rows.items[i].address, i});
  qsort(index->sorted.items + from, s->count, sizeof *index->sorted.items, by_address);
  return DLOC_OK;
}

/* The addresses of a sequence: from its first row to its end_sequence (`stack.row.end`). */
static dloc_status add_sequence(dloc_row_index *index, const dloc_code *code, uint32_t number, span_list *spans) {
  const dloc_sequence *s = &index->rows->sequences.items[index->first_sequence + number];
  const dloc_row *row = &index->rows->rows.items[s->first];
  uint64_t low = row->address, high = low;
  bool ordered = true;
  for (size_t i = 1; i < s->count; i++) {
    ordered = ordered && row[i - 1].address <= row[i].address;
    low = row[i].address < low ? row[i].address : low;
    high = row[i].address > high ? row[i].address : high;
  }
  if (!ordered)
    TRY(sort_rows(index, number, s));
  uint64_t rank = DLOC_TAKES(index->profile, STACK_OVERLAP, FIRST) ? UINT32_MAX - number : number;
  return span_add(index->context, index->profile, code, spans, (span){low, high, rank, number});
}

static dloc_status build(dloc_row_index *index, const dloc_code *code, size_t count) {
  span_list spans = {NULL, 0, 0};
  dloc_status status = count < UINT32_MAX ? DLOC_OK : DLOC_LIMIT;
  for (size_t i = 0; i < count && status == DLOC_OK; i++)
    status = add_sequence(index, code, (uint32_t)i, &spans);
  if (status == DLOC_OK)
    status = span_map_build(index->context, index->profile, &spans, &index->sequences);
  context_free(index->context, spans.items);
  return status;
}

dloc_status dloc_row_index_create(dloc_context *context, const dloc_profile *profile, const dloc_code *code,
                                  const dloc_rows *rows, size_t first_sequence, size_t sequence_count,
                                  dloc_row_index **ret) {
  ALLOCATE(context, dloc_row_index, index, 1);
  *index = (dloc_row_index){.context = context, .profile = profile, .rows = rows, .first_sequence = first_sequence};
  dloc_status status = build(index, code, sequence_count);
  if (status != DLOC_OK) {
    dloc_row_index_destroy(index);
    return status;
  }
  *ret = index;
  return DLOC_OK;
}

/* `stack.row.last`: the last row at or below the address, of rows that begin there or before and end behind it.
 * Addresses are spread evenly, more or less: so every other guess is by proportion, and the others halve what is left.
 */
static size_t last_row(const dloc_row *row, size_t count, uint64_t address) {
  size_t low = 0, high = count - 1;
  for (bool proportional = true; high - low > 1; proportional = !proportional) {
    double part = (double)(address - row[low].address) / (double)(row[high].address - row[low].address);
    size_t guess = low + (proportional ? (size_t)(part * (double)(high - low)) : (high - low) / 2);
    guess = guess <= low ? low + 1 : guess >= high ? high - 1 : guess;
    if (row[guess].address <= address)
      low = guess;
    else
      high = guess;
  }
  return low;
}

static size_t last_place(const row_place *place, size_t count, uint64_t address) {
  size_t low = 0;
  for (size_t high = count; high - low > 1;) {
    size_t middle = low + (high - low) / 2;
    if (place[middle].address <= address)
      low = middle;
    else
      high = middle;
  }
  return place[low].row;
}

bool dloc_row_index_find(const dloc_row_index *index, uint64_t address, size_t *ret) {
  uint32_t number = span_map_find(&index->sequences, address), from;
  if (number == SPAN_NOBODY)
    return false;
  const dloc_sequence *s = &index->rows->sequences.items[index->first_sequence + number];
  const dloc_row *rows = index->rows->rows.items;
  size_t row = map_get(&index->sorted_from, number, 0, &from)
                   ? last_place(&index->sorted.items[from], s->count, address)
                   : s->first + last_row(&rows[s->first], s->count, address);
  if (rows[row].flags & DLOC_ROW_END_SEQUENCE)
    return false;
  if (DLOC_TAKES(index->profile, STACK_LINE_0, BEFORE)) /* `stack.row.line-0` */
    for (size_t i = row; i > s->first && !rows[row].line; i--)
      row = rows[i - 1].line ? i - 1 : row;
  *ret = row;
  return true;
}
