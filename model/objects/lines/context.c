/* spec/lines.md 16.3: contexts, which row is the call site of each row, and the stacks that this gives. */
#include "machine.h"

#include <stdlib.h>

/* Rows among which contexts count, from 1: those of a sequence or of a unit. */
typedef struct counted_rows {
  size_t first; /* from the start of the unit */
  size_t count;
  struct sorted_row *sorted; /* NULL: they stand in program order */
} counted_rows;

/* ---- `nvidia.context.sorted` ---- */

typedef struct sorted_row {
  uint64_t address;
  bool goes_on; /* has no end_sequence */
  size_t row;
} sorted_row;

/* `nvidia.context.sorted` */
static int compare(const void *left, const void *right) {
  const sorted_row *a = left, *b = right;
  int order = ORDER(a->address, b->address);
  if (!order)
    order = ORDER(a->goes_on, b->goes_on);
  return order ? order : ORDER(a->row, b->row);
}

static dloc_status sort_rows(dloc_context *context, const dloc_row *rows, counted_rows *counted) {
  ALLOCATE(context, sorted_row, sorted, counted->count + 1);
  for (size_t i = 0; i < counted->count; i++)
    sorted[i] = (sorted_row){rows[i].address, !(rows[i].flags & DLOC_ROW_END_SEQUENCE), i};
  qsort(sorted, counted->count, sizeof *sorted, compare);
  counted->sorted = sorted;
  return DLOC_OK;
}

/* ---- Callers ---- */

/* `nvidia.context.row`: the row of that number, or DLOC_NO_ROW (`nvidia.context.range`). */
static size_t row_of(const counted_rows *counted, uint32_t context) {
  if (counted->sorted)
    return context < counted->count ? counted->sorted[context - 1].row : DLOC_NO_ROW;
  return context <= counted->count ? counted->first + context - 1 : DLOC_NO_ROW;
}

/* The new contexts of a unit. */
typedef struct resolution {
  const dloc_profile *profile;
  const dloc_row_call *calls;
  size_t *callers;
  size_t *outer; /* NULL: callers are earlier rows. Else for each row one further out, or itself, if it has no caller */
  dloc_line_problem *on_problem;
  void *user;
} resolution;

static size_t outermost(size_t *outer, size_t row) {
  while (outer[row] != row)
    row = outer[row] = outer[outer[row]];
  return row;
}

/* `nvidia.context.order`, `nvidia.context.cycle`: why a row cannot be the caller of one that has none yet. */
static dloc_reason check_order(const resolution *r, size_t row, size_t caller) {
  if (!r->outer)
    return caller < row ? DLOC_REASON_NONE : DLOC_REASON_NVIDIA_CONTEXT_ORDER;
  return outermost(r->outer, caller) == row ? DLOC_REASON_NVIDIA_CONTEXT_CYCLE : DLOC_REASON_NONE;
}

static dloc_status set_callers(const resolution *r, const counted_rows *counted) {
  for (size_t row = counted->first; row < counted->first + counted->count; row++) {
    if (!r->calls[row].context)
      continue;
    size_t caller = row_of(counted, r->calls[row].context);
    dloc_reason reason = caller == DLOC_NO_ROW ? DLOC_REASON_NVIDIA_CONTEXT_RANGE : check_order(r, row, caller);
    if (reason == DLOC_REASON_NONE) {
      r->callers[row] = caller;
      if (r->outer)
        r->outer[row] = caller;
    } else if (r->on_problem) {
      TRY(r->on_problem(r->user, reason, row));
    }
  }
  return DLOC_OK;
}

/* `nvidia.context.sequence` */
static dloc_status resolve(const resolution *r, dloc_line_dialect dialect, const dloc_rows *rows,
                           const dloc_sequence *sequences, size_t count, size_t row_count) {
  const size_t first = sequences[0].first;
  if (dialect == DLOC_DIALECT_NVIDIA && DLOC_TAKES(r->profile, NVIDIA_CONTEXT_BASE, SEQUENCE)) {
    for (size_t i = 0; i < count; i++) {
      counted_rows counted = {sequences[i].first - first, sequences[i].count, NULL};
      TRY(set_callers(r, &counted));
    }
    return DLOC_OK;
  }
  counted_rows counted = {0, row_count, NULL};
  OWNED_MEMORY(rows->context, &counted.sorted);
  if (dialect == DLOC_DIALECT_NVIDIA && DLOC_TAKES(r->profile, NVIDIA_CONTEXT_BASE, SORTED))
    TRY(sort_rows(rows->context, rows->rows.items + first, &counted));
  return set_callers(r, &counted);
}

dloc_status dloc_rows_callers(const dloc_profile *profile, dloc_line_dialect dialect, const dloc_rows *rows,
                              const dloc_sequence *sequences, size_t count, dloc_line_problem *on_problem, void *user,
                              size_t *ret_callers) {
  const size_t end = count ? sequences[count - 1].first + sequences[count - 1].count - sequences[0].first : 0;
  for (size_t i = 0; i < end; i++)
    ret_callers[i] = DLOC_NO_ROW;
  if (!rows->calls || !count)
    return DLOC_OK;
  resolution r = {profile, rows->calls + sequences[0].first, ret_callers, NULL, on_problem, user};
  OWNED_MEMORY(rows->context, &r.outer);
  if (DLOC_TAKES(profile, NVIDIA_CONTEXT_ORDER, ANY)) {
    ALLOCATE(rows->context, size_t, outer, end);
    for (size_t i = 0; i < end; i++)
      outer[i] = i;
    r.outer = outer;
  }
  return resolve(&r, dialect, rows, sequences, count, end);
}

/* ---- Stacks ---- */

/* `nvidia.context.chain`; `nvidia.function.context`: which frames have the name of a function. */
dloc_status dloc_row_frames(dloc_line_dialect dialect, const dloc_row_call *calls, const size_t *callers, size_t row,
                            dloc_row_frame *visit, void *user) {
  for (; row != DLOC_NO_ROW; row = callers[row]) {
    dloc_row_call call = calls ? calls[row] : (dloc_row_call){0, 0};
    bool named = dialect == DLOC_DIALECT_NVIDIA ? call.context != 0 : call.function != 0;
    TRY(visit(user, row, named ? &call.function : NULL));
  }
  return DLOC_OK;
}
