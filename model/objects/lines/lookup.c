/* spec/lines.md 14.1: the row that an instruction belongs to. */
#include "machine.h"
#include "spans.h"

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
  const dloc_sequence *sequences;
  span_list spans; /* of the sequences */
  span_map sequence_map;
  ARRAY(row_place) sorted; /* the rows of sequences whose addresses do not only rise */
  map sorted_from;         /* of each of them: where its rows begin there */
} row_sorter;

void dloc_row_index_destroy(dloc_row_index *index) {
  if (!index)
    return;
  span_map_deinit(index->context, &index->map);
  context_free(index->context, index);
}

/* ---- Sequences ---- */

static int by_address(const void *a, const void *b) {
  const row_place *left = a, *right = b;
  return left->address != right->address ? (left->address > right->address) - (left->address < right->address)
                                         : (left->row > right->row) - (left->row < right->row);
}

/* `stack.row.order` */
static dloc_status sort_rows(row_sorter *w, uint32_t number) {
  const dloc_sequence *s = &w->sequences[number];
  size_t from = w->sorted.count;
  TRY(map_add(w->index->context, &w->sorted_from, number, 0, (uint32_t)from, NULL));
  for (size_t i = s->first; i < s->first + s->count; i++)
    PUSH(w->index->context, w->sorted, (row_place){w->index->rows->rows.items[i].address, i});
  if (s->count)
    qsort(&w->sorted.items[from], s->count, sizeof *w->sorted.items, by_address);
  return DLOC_OK;
}

/* The addresses of a sequence: from its first row to its end_sequence (`stack.row.end`). `stack.row.order` */
static dloc_status add_sequence(row_sorter *w, const dloc_code *code, uint32_t number) {
  const dloc_profile *profile = w->index->profile;
  const dloc_sequence *s = &w->sequences[number];
  const dloc_row *row = &w->index->rows->rows.items[s->first];
  uint64_t low = row->address, high = low;
  bool ordered = true;
  for (size_t i = 1; i < s->count; i++) {
    ordered = ordered && row[i - 1].address <= row[i].address;
    low = row[i].address < low ? row[i].address : low;
    high = row[i].address > high ? row[i].address : high;
  }
  if (!ordered)
    TRY(sort_rows(w, number));
  uint64_t rank = DLOC_TAKES(profile, STACK_OVERLAP, FIRST) ? UINT32_MAX - number : number;
  return span_add(w->index->context, profile, code, &w->spans, (span){low, high, rank, number});
}

/* ---- Rows ---- */

/* A row of a sequence, in the order of addresses. */
static inline row_place place_at(const row_sorter *w, const dloc_sequence *s, const row_place *sorted, size_t i) {
  return sorted ? sorted[i] : (row_place){w->index->rows->rows.items[s->first + i].address, s->first + i};
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

/* `stack.row.last`: the rows of a sequence between two addresses, which it covers: of those at or below the first the
 * last, and of several at one address the last. */
static void add_rows(row_sorter *w, uint32_t number, uint64_t start, uint64_t end) {
  const dloc_sequence *s = &w->sequences[number];
  uint32_t from;
  const row_place *sorted = map_get(&w->sorted_from, number, 0, &from) ? &w->sorted.items[from] : NULL;
  size_t i = 0;
  for (size_t count = s->count; count > 1;) {
    size_t half = count / 2;
    i += place_at(w, s, sorted, i + half).address <= start ? half : 0;
    count -= half;
  }
  bool is_first = true;
  for (row_place place = place_at(w, s, sorted, i); i < s->count && place.address < end; i++) {
    row_place next = i + 1 < s->count ? place_at(w, s, sorted, i + 1) : place;
    bool ends = w->index->rows->rows.items[place.row].flags & DLOC_ROW_END_SEQUENCE;
    bool near = !sorted && !is_first && !ends && is_near(&w->index->map, place);
    if (!near && (i + 1 == s->count || next.address != place.address)) {
      span_map_add(&w->index->map, place.address > start ? place.address : start,
                   ends ? SPAN_NOBODY : (uint32_t)place.row);
      is_first = false;
    }
    place = next;
  }
}

static dloc_status add_all(row_sorter *w, const dloc_code *code, size_t count) {
  dloc_row_index *index = w->index;
  const span_map *map = &w->sequence_map;
  if (count >= UINT32_MAX || index->rows->rows.count >= UINT32_MAX - 1)
    return DLOC_LIMIT;
  size_t rows = 0;
  for (size_t i = 0; i < count; i++) {
    rows += w->sequences[i].count;
    TRY(add_sequence(w, code, (uint32_t)i));
  }
  TRY(span_map_build(index->context, index->profile, &w->spans, &w->sequence_map));
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
  row_sorter w = {.index = index, .sequences = sequences};
  dloc_status status = add_all(&w, code, count);
  span_map_deinit(context, &w.sequence_map);
  map_deinit(context, &w.sorted_from);
  CONTEXT_FREE(context, w.spans.items, w.sorted.items);
  if (status != DLOC_OK) {
    dloc_row_index_destroy(index);
    return status;
  }
  *ret = index;
  return DLOC_OK;
}

/* `stack.row.line-0`: the last row at or before one that has a line, if there is any in its sequence. */
static size_t row_with_line(const dloc_rows *rows, size_t row) {
  size_t i = row;
  BISECT(sequence, 1, rows->sequences.count, j, rows->sequences.items[j].first <= row); /* 0 has what no other has */
  while (i > rows->sequences.items[sequence - 1].first && !rows->rows.items[i].line)
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
