/* spec/lines.md, chapter 12: the rows of programs, and a machine at the start of one. */
#include "machine.h"

#include <string.h>

/* ---- Rows ---- */

dloc_status dloc_rows_create(dloc_context *context, dloc_rows **ret) {
  CREATE(context, dloc_rows, rows, .context = context);
  *ret = rows;
  return DLOC_OK;
}

void dloc_rows_destroy(dloc_rows *rows) {
  if (rows)
    CONTEXT_FREE(rows->context, rows->rows.items, rows->sequences.items, rows->runs.items, rows->calls, rows);
}

/* The beginning of an empty list. */
static const dloc_row no_row;
static const dloc_sequence no_sequence;

const dloc_row *dloc_rows_list(const dloc_rows *rows, size_t *ret_count) {
  *ret_count = rows->rows.count;
  return rows->rows.count ? rows->rows.items : &no_row;
}

const dloc_sequence *dloc_rows_sequences(const dloc_rows *rows, size_t *ret_count) {
  *ret_count = rows->sequences.count;
  return rows->sequences.count ? rows->sequences.items : &no_sequence;
}

const dloc_row_call *dloc_rows_calls(const dloc_rows *rows) { return rows->calls; }

/* As many calls as there is room for rows. Those before the first that a program sets are 0. */
static dloc_status reserve_calls(dloc_rows *rows, size_t old) {
  RESERVE_ITEMS(rows->context, rows->calls, rows->call_capacity, rows->rows.capacity);
  memset(rows->calls + old, 0, (rows->call_capacity - old) * sizeof *rows->calls);
  return DLOC_OK;
}

dloc_status line_reserve(dloc_rows *rows, size_t more) {
  if (more > SIZE_MAX - rows->rows.count)
    return DLOC_LIMIT;
  RESERVE(rows->context, rows->rows, rows->rows.count + more);
  return rows->calls && rows->call_capacity < rows->rows.capacity ? reserve_calls(rows, rows->call_capacity) : DLOC_OK;
}

dloc_status line_begin_run(dloc_rows *rows, row_run run) {
  row_run *last = rows->runs.count ? &rows->runs.items[rows->runs.count - 1] : NULL;
  if (run.place == (last ? last->place : CODE_ANYWHERE))
    return DLOC_OK;
  if (last && last->first == run.first)
    last->place = run.place;
  else
    PUSH(rows->context, rows->runs, run);
  return DLOC_OK;
}

/* `lines.opcode.set-address`, `two-level.address.op-index`, `stack.discarded` */
dloc_status line_set_address(line_machine *m, uint64_t address, code_place place) {
  TRY(line_begin_run(m->rows, (row_run){m->rows->rows.count, m->row.address, place}));
  m->row.address = address;
  m->row.op_index = 0;
  return DLOC_OK;
}

/* ---- The machine ---- */

/* `nvidia.registers.initial`, `lines.discriminator.initial` */
void line_begin_sequence(line_machine *m) {
  m->row = line_initial_row(m->parameters);
  m->call = (dloc_row_call){0, 0};
  m->sequence = m->rows->rows.count;
  m->set_address = 0;
}

line_machine line_machine_start(const dloc_profile *profile, const dloc_line_parameters *parameters, dloc_rows *rows) {
  line_machine m = {.profile = profile,
                    .parameters = parameters,
                    .rows = rows,
                    .first = rows->rows.count,
                    .first_sequence = rows->sequences.count};
  line_begin_sequence(&m);
  return m;
}

/* A context or function that does not fit is none: nobody lets it wrap. */
static uint32_t fit_call(uint64_t value, dloc_reason *ret_reason) {
  if (value > UINT32_MAX)
    *ret_reason = DLOC_REASON_LINES_WIDTH;
  return value > UINT32_MAX ? 0 : (uint32_t)value;
}

/* `nvidia.inlined-call` */
dloc_status line_set_call(line_machine *m, uint64_t context, uint64_t function, dloc_reason *ret_reason) {
  if (!m->rows->calls)
    TRY(reserve_calls(m->rows, 0));
  m->call.context = fit_call(context, ret_reason);
  m->call.function = fit_call(function, ret_reason);
  return DLOC_OK;
}
