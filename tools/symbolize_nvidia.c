/* dloc symbolize: stacks by the contexts of NVIDIA's extended line map. SPEC.md, chapter 16 */
#include "document/memory.h"
#include "symbolize.h"

#include <stdlib.h>

/* A sequence of rows. */
typedef struct kernel {
  dloc_text name;
  size_t unit;
  size_t sequence;
  dloc_row_index *rows; /* NULL: not asked for yet */
} kernel;

typedef struct source {
  line_file *file;
  const dloc_line_unit *units;
  const dloc_row *rows;       /* all */
  const dloc_row_call *calls; /* of all rows, or NULL */
  size_t *callers;            /* of all rows, each from the first row of its unit */
  kernel *kernels;            /* by name */
  size_t count;
  symbolize_paths paths;
  bool told; /* that an address is one of several kernels */
} source;

static void require(const source *s, dloc_status status) {
  if (status != DLOC_OK)
    tool_exit(tool_failure(status, s->file->input.name));
}

/* ---- Kernels ---- */

static int by_name(const void *a, const void *b) {
  const kernel *x = a, *y = b;
  int order = dloc_text_compare(x->name, y->name);
  return order ? order : (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

static void take_kernels(source *s, size_t unit) {
  const dloc_line_unit *u = &s->units[unit];
  size_t count;
  const dloc_sequence *sequences = dloc_rows_sequences(dloc_line_table_rows(s->file->table), &count);
  for (size_t i = u->first_sequence; i < u->first_sequence + u->sequence_count; i++) {
    dloc_text symbol = dloc_object_relocation_name(s->file->object, s->file->section.index, sequences[i].set_address);
    s->kernels[s->count++] = (kernel){dloc_kernel_name(symbol), unit, i, NULL};
  }
}

static bool find_row(const source *s, kernel *k, uint64_t offset, size_t *ret) {
  const dloc_code code = {.address_size = s->file->kind.address_size, .begins_at_0 = true};
  if (!k->rows)
    require(s, dloc_row_index_create(s->file->context, &s->file->profile, &code, dloc_line_table_rows(s->file->table),
                                     k->sequence, 1, &k->rows));
  return dloc_row_index_find(k->rows, offset, ret);
}

/* The first of that name, or the count. */
static size_t first_named(const source *s, dloc_text name) {
  size_t low = 0;
  for (size_t high = s->count; low < high;) {
    size_t middle = low + (high - low) / 2;
    if (dloc_text_compare(s->kernels[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The kernel that an address is in; NULL: none, or one of several. */
static kernel *find_kernel(source *s, const symbolize_address *address, size_t *ret_row) {
  const dloc_text name = address->kernel;
  kernel *found = NULL;
  for (size_t i = name.size ? first_named(s, name) : 0; i < s->count; i++) {
    kernel *k = &s->kernels[i];
    size_t row;
    if (name.size && !dloc_text_equal(k->name, name))
      break;
    if (!find_row(s, k, address->offset, &row))
      continue;
    if (found && !dloc_text_equal(found->name, k->name)) {
      if (!s->told)
        tool_error("%s: several kernels have such an address: ask for KERNEL+OFFSET", s->file->input.name);
      s->told = true;
      return NULL;
    }
    found = k;
    *ret_row = row;
  }
  return found;
}

/* ---- Frames ---- */

typedef struct answer {
  source *source;
  const kernel *kernel;
  const dloc_line_unit *unit;
  symbolize_frames *frames;
} answer;

/* The outermost frame is in the kernel. */
static dloc_status add_frame(void *user, size_t row, const uint32_t *number) {
  const answer *a = user;
  const source *s = a->source;
  const dloc_row *r = &s->rows[a->unit->first_row + row];
  dloc_text function = a->kernel->name;
  if (number)
    (void)dloc_line_unit_function(s->file->table, a->unit, *number, &function);
  *MEMORY_ADD(a->frames->items, a->frames->count) =
      (symbolize_frame){.function = function,
                        .directory = {"", 0},
                        .path = symbolize_path(&a->source->paths, s->file, a->kernel->unit, r->file),
                        .line = r->line,
                        .column = r->column};
  return DLOC_OK;
}

static void ask(void *user, const symbolize_address *address, symbolize_frames *ret) {
  source *s = user;
  size_t row;
  const kernel *k = find_kernel(s, address, &row);
  if (!k)
    return;
  const size_t first = s->units[k->unit].first_row;
  answer a = {s, k, &s->units[k->unit], ret};
  (void)dloc_row_frames(DLOC_DIALECT_NVIDIA, s->calls ? s->calls + first : NULL, s->callers + first, row - first,
                        add_frame, &a);
}

/* ---- Source ---- */

static void close_source(void *user) {
  source *s = user;
  symbolize_paths_deinit(&s->paths, s->file);
  for (size_t i = 0; i < s->count; i++)
    dloc_row_index_destroy(s->kernels[i].rows);
  free(s->kernels);
  free(s->callers);
  free(s);
}

static void *open_source(line_file *file) {
  if (dloc_line_dialect_of(file->kind) != DLOC_DIALECT_NVIDIA ||
      !symbolize_read(file, ".debug_line", DLOC_DIALECT_NVIDIA))
    return NULL;
  const dloc_rows *rows = dloc_line_table_rows(file->table);
  size_t row_count, sequence_count, unit_count;
  source *s = memory_allocate(1, sizeof *s);
  *s = (source){.file = file, .units = dloc_line_table_units(file->table, &unit_count)};
  s->rows = dloc_rows_list(rows, &row_count);
  s->calls = dloc_rows_calls(rows);
  s->callers = memory_allocate(row_count, sizeof *s->callers);
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &sequence_count);
  s->kernels = memory_allocate(sequence_count, sizeof *s->kernels);
  for (size_t i = 0; i < unit_count; i++) {
    const dloc_line_unit *u = &s->units[i];
    require(s, dloc_rows_callers(&file->profile, DLOC_DIALECT_NVIDIA, rows, sequences + u->first_sequence,
                                 u->sequence_count, NULL, NULL, s->callers + u->first_row));
    take_kernels(s, i);
  }
  qsort(s->kernels, s->count, sizeof *s->kernels, by_name);
  return s;
}

const symbolize_source symbolize_nvidia = {"nvidia", open_source, ask, close_source};
