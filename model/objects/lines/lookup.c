/* spec/lines.md 14.1: the row that an instruction belongs to. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

typedef struct row_place {
  uint64_t address;
  size_t row;
} row_place;

struct dloc_row_index {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_rows *rows;
  span_map map; /* the row of each address */
};

/* The state of making an index. */
typedef struct row_sorter {
  dloc_row_index *index;
  ARRAY(row_piece) pieces;
  span_list spans; /* of the pieces */
  span_map piece_map;
  ARRAY(row_place) sorted; /* the rows of pieces whose addresses do not only rise, and their ends */
  map sorted_from;         /* of each of them: where its rows begin there */
} row_sorter;
#define THE_END SPAN_NOBODY /* no row: what is behind a piece */

void dloc_row_index_destroy(dloc_row_index *index) {
  if (!index)
    return;
  span_map_deinit(index->context, &index->map);
  context_free(index->context, index);
}

/* ---- Pieces ---- */

size_t row_runs(const dloc_rows *rows, size_t row) {
  BISECT(runs, 0, rows->runs.count, i, rows->runs.items[i].first <= row);
  return runs;
}

/* `stack.row.wrap`: whether an address went on behind the greatest one. */
static bool wraps(uint64_t from, uint64_t to) { return to < from && to - from <= INT64_MAX; }

/* `stack.row.piece`, `stack.row.end`: the next rows that no other run divides whose code was dropped; false: there are
 * none. */
static bool find_kept(const dloc_profile *profile, const dloc_code *code, const dloc_rows *rows,
                      const dloc_sequence *sequence, row_piece *p) {
  const row_run *run = rows->runs.items;
  const size_t end = sequence->first + sequence->count;
  size_t at = row_runs(rows, p->next);
  for (; at && p->next < end && code_is_dropped(profile, code, run[at - 1].place); at++)
    p->next = at < rows->runs.count ? run[at].first : end;
  while (at < rows->runs.count && run[at].first < end && !code_is_dropped(profile, code, run[at].place))
    at++;
  const bool cut = at < rows->runs.count && run[at].first < end;
  p->behind = cut ? run[at].first : end - 1;
  if (p->next >= end || p->next >= p->behind)
    return false;
  p->reached = cut ? run[at].reached : rows->rows.items[p->behind].address;
  p->broken_off = !cut && !(rows->rows.items[p->behind].flags & DLOC_ROW_END_SEQUENCE);
  return true;
}

/* `stack.row.piece`, `stack.row.wrap` */
bool row_piece_next(const dloc_profile *profile, const dloc_code *code, const dloc_rows *rows,
                    const dloc_sequence *sequence, row_piece *p) {
  const dloc_row *row = rows->rows.items;
  if (p->next >= p->behind && !find_kept(profile, code, rows, sequence, p))
    return false;
  p->first = p->next++;
  while (p->next < p->behind && !wraps(row[p->next - 1].address, row[p->next].address))
    p->next++;
  p->count = p->next - p->first;
  p->end = p->next < p->behind || wraps(row[p->next - 1].address, p->reached) ? UINT64_MAX : p->reached;
  return true;
}

static int by_address(const void *a, const void *b) {
  const row_place *left = a, *right = b;
  return left->address != right->address ? (left->address > right->address) - (left->address < right->address)
                                         : (left->row > right->row) - (left->row < right->row);
}

/* `stack.row.order` */
static dloc_status sort_rows(row_sorter *w, const row_piece *p) {
  size_t from = w->sorted.count;
  TRY(map_add(w->index->context, &w->sorted_from, w->pieces.count, 0, (uint32_t)from, NULL));
  for (size_t i = p->first; i < p->first + p->count; i++)
    PUSH(w->index->context, w->sorted, (row_place){w->index->rows->rows.items[i].address, i});
  PUSH(w->index->context, w->sorted, (row_place){p->end, THE_END});
  qsort(&w->sorted.items[from], p->count + 1, sizeof *w->sorted.items, by_address);
  return DLOC_OK;
}

/* `stack.row.order`, `stack.row.end` */
static dloc_status add_piece(row_sorter *w, const row_piece *p, uint64_t rank) {
  const dloc_row *row = &w->index->rows->rows.items[p->first];
  uint64_t low = p->end, high = p->end;
  bool ordered = true;
  for (size_t i = 0; i < p->count; i++) {
    ordered = ordered && row[i].address <= (i + 1 < p->count ? row[i + 1].address : p->end);
    low = row[i].address < low ? row[i].address : low;
    high = row[i].address > high ? row[i].address : high;
  }
  if (!ordered)
    TRY(sort_rows(w, p));
  PUSH(w->index->context, w->spans, (span){low, high, rank, (uint32_t)w->pieces.count});
  PUSH(w->index->context, w->pieces, *p);
  return DLOC_OK;
}

/* ---- Rows ---- */

/* A row of a piece or its end, in the order of addresses. */
static inline row_place place_at(const row_sorter *w, const row_piece *p, const row_place *sorted, size_t i) {
  if (sorted)
    return sorted[i];
  return i < p->count ? (row_place){w->index->rows->rows.items[p->first + i].address, p->first + i}
                      : (row_place){p->end, THE_END};
}

/* A row behind the one before it, whose place tells of it, too, if there is room. So the map is small. */
static bool is_near(const span_map *map, row_place row) {
  span_place *last = &map->places[map->count - 1];
  const size_t number = row.row - last->owner - 1;
  const uint64_t distance = row.address - last->start;
  if (number >= SPAN_NEXT || distance >= SPAN_FAR)
    return false;
  last->next[number] = (uint8_t)distance;
  return true;
}

/* `stack.row.last`: the rows of a piece between two addresses, which it covers: of those at or below the first the
 * last, and of several at one address the last. */
static void add_rows(row_sorter *w, uint32_t number, uint64_t start, uint64_t end) {
  const row_piece *p = &w->pieces.items[number];
  const size_t count = p->count + 1;
  uint32_t from;
  const row_place *sorted = map_get(&w->sorted_from, number, 0, &from) ? &w->sorted.items[from] : NULL;
  size_t i = 0;
  for (size_t left = count; left > 1;) {
    size_t half = left / 2;
    i += place_at(w, p, sorted, i + half).address <= start ? half : 0;
    left -= half;
  }
  bool is_first = true;
  for (row_place place = place_at(w, p, sorted, i); i < count && place.address < end; i++) {
    row_place next = i + 1 < count ? place_at(w, p, sorted, i + 1) : place;
    bool ends = place.row == THE_END;
    bool near = !sorted && !is_first && !ends && is_near(&w->index->map, place);
    if (!near && (i + 1 == count || next.address != place.address)) {
      span_map_add(&w->index->map, place.address > start ? place.address : start, (uint32_t)place.row);
      is_first = false;
    }
    place = next;
  }
}

static dloc_status add_all(row_sorter *w, const dloc_code *code, const dloc_sequence *sequences, size_t count) {
  dloc_row_index *index = w->index;
  const span_map *map = &w->piece_map;
  if (count >= UINT32_MAX || index->rows->rows.count >= UINT32_MAX - 1)
    return DLOC_LIMIT;
  const bool first_counts = DLOC_TAKES(index->profile, STACK_OVERLAP, FIRST);
  size_t rows = 0;
  for (size_t i = 0; i < count; i++)
    for (row_piece p = {.next = sequences[i].first};
         row_piece_next(index->profile, code, index->rows, &sequences[i], &p); rows += p.count + 1)
      TRY(add_piece(w, &p, first_counts ? UINT32_MAX - i : i));
  TRY(span_map_build(index->context, index->profile, &w->spans, &w->piece_map));
  TRY(span_map_begin(index->context, rows + map->count, &index->map));
  for (size_t i = 0; i < map->count; i++)
    if (map->places[i].owner == SPAN_NOBODY)
      span_map_add(&index->map, map->places[i].start, SPAN_NOBODY);
    else
      add_rows(w, map->places[i].owner, map->places[i].start, map->places[i + 1].start); /* the last owner is nobody */
  return span_map_finish(index->context, &index->map);
}

dloc_status dloc_row_index_create(dloc_context *context, const dloc_profile *profile, const dloc_code *code,
                                  const dloc_rows *rows, const dloc_sequence *sequences, size_t count,
                                  dloc_row_index **ret) {
  ALLOCATE(context, dloc_row_index, index, 1);
  *index = (dloc_row_index){.context = context, .profile = profile, .rows = rows};
  row_sorter w = {.index = index};
  dloc_status status = add_all(&w, code, sequences, count);
  span_map_deinit(context, &w.piece_map);
  map_deinit(context, &w.sorted_from);
  CONTEXT_FREE(context, w.pieces.items, w.spans.items, w.sorted.items);
  if (status != DLOC_OK) {
    dloc_row_index_destroy(index);
    return status;
  }
  *ret = index;
  return DLOC_OK;
}

/* `stack.row.line-0`: the last row at or before one that has a line, if there is any in its sequence and its run. */
static size_t row_with_line(const dloc_rows *rows, size_t row) {
  size_t i = row, runs = row_runs(rows, row);
  BISECT(sequence, 1, rows->sequences.count, j, rows->sequences.items[j].first <= row); /* 0 has what no other has */
  const size_t begin = rows->sequences.items[sequence - 1].first, run = runs ? rows->runs.items[runs - 1].first : 0;
  while (i > begin && i > run && !rows->rows.items[i].line)
    i--;
  return rows->rows.items[i].line ? i : row;
}

/* How many rows behind that of a place begin at or before a distance: four bytes at a time, of which the highest bit
 * stays where one is no more than the distance. */
static size_t begun(const span_place *place, uint64_t distance) {
  const uint32_t each = UINT32_MAX / 255, high = each * 0x80;
  const uint32_t near = (uint32_t)(distance < SPAN_FAR ? distance : SPAN_FAR - 1) * each | high;
  uint32_t sums = 0;
  for (size_t i = 0; i < SPAN_NEXT; i += sizeof sums) {
    uint32_t four;
    memcpy(&four, &place->next[i], sizeof four);
    sums += ((near - four) & high) >> 7;
  }
  return sums * each >> 24;
}

/* `stack.row.last`, `stack.row.line-0` */
bool dloc_row_index_find(const dloc_row_index *index, uint64_t address, size_t *ret) {
  const span_place *place = span_map_place(&index->map, address);
  if (!place)
    return false;
  size_t row = place->owner + begun(place, address - place->start);
  *ret = DLOC_TAKES(index->profile, STACK_LINE_0, BEFORE) ? row_with_line(index->rows, row) : row;
  return true;
}
