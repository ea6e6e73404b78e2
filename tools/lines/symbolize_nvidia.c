/* dloc symbolize: stacks by the contexts of NVIDIA's extended line map, and the layer PTX. spec/lines.md, chapter 16 */
#include "document/memory.h"
#include "nvidia_ptx.h"
#include "symbolize.h"

#include <stdlib.h>

typedef struct source {
  line_file *file;
  const dloc_line_unit *units;
  const dloc_row *rows;       /* all */
  const dloc_row_call *calls; /* of all rows, or NULL */
  size_t *callers;            /* of all rows, each from the first row of its unit */
  dloc_kernels *kernels;
  nvidia_ptx ptx;
  dloc_symbol_frame *frames; /* the answer's */
  dloc_layer_line layer;
} source;

/* ---- Frames ---- */

typedef struct answer {
  source *source;
  dloc_text kernel;
  const dloc_line_unit *unit;
  symbolize_frames *frames;
} answer;

/* The outermost frame is in the kernel. */
static dloc_status add_frame(void *user, size_t row, const uint32_t *number) {
  const answer *a = user;
  const source *s = a->source;
  const dloc_row *r = &s->rows[a->unit->first_row + row];
  dloc_text function = a->kernel;
  if (number)
    (void)dloc_line_unit_function(s->file->table, a->unit, *number, &function);
  *MEMORY_ADD(a->source->frames, a->frames->count) =
      (dloc_symbol_frame){.function = function,
                          .directory = {"", 0},
                          .path = symbolize_path(s->file, a->unit, r->file),
                          .line = r->line,
                          .column = r->column};
  return DLOC_OK;
}

/* Each kernel begins at 0, so an address alone will do where there is one kernel. */
static const char *refuse(const void *user, const symbolize_address *address) {
  const source *s = user;
  dloc_text kernel = address->kernel;
  const dloc_line_unit *unit;
  const dloc_row *row;
  if (!kernel.size && !dloc_kernels_only(s->kernels, &kernel))
    return "there are several kernels: ask for KERNEL+OFFSET";
  return dloc_kernels_find(s->kernels, kernel, 0, &unit, &row) ? NULL : "there is no kernel of that name";
}

static void ask(void *user, const symbolize_address *address, symbolize_frames *ret) {
  source *s = user;
  answer a = {.source = s, .kernel = address->kernel, .frames = ret};
  const dloc_row *row;
  if (!a.kernel.size)
    (void)dloc_kernels_only(s->kernels, &a.kernel); /* refuse asks whether there is one */
  if (nvidia_ptx_find(&s->ptx, a.kernel, address->offset, &s->layer) && s->layer.line) {
    ret->layers = &s->layer;
    ret->layer_count = 1;
  }
  if (!dloc_kernels_find(s->kernels, a.kernel, address->offset, &a.unit, &row))
    return;
  const size_t first = a.unit->first_row;
  (void)dloc_row_frames(DLOC_DIALECT_NVIDIA, s->calls ? s->calls + first : NULL, s->callers + first,
                        (size_t)(row - s->rows) - first, add_frame, &a);
  ret->items = s->frames;
}

/* ---- Source ---- */

static void close_source(void *user) {
  source *s = user;
  nvidia_ptx_close(&s->ptx);
  dloc_kernels_destroy(s->kernels);
  free(s->callers);
  free(s->frames);
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
  for (size_t i = 0; i < unit_count; i++) {
    const dloc_line_unit *u = &s->units[i];
    if (!u->row_count)
      continue;
    tool_require(dloc_rows_callers(&file->profile, DLOC_DIALECT_NVIDIA, rows, sequences + u->first_sequence,
                                   u->sequence_count, NULL, NULL, s->callers + u->first_row),
                 file->input.name);
  }
  tool_require(dloc_kernels_create(file->context, file->table, nvidia_symbol_at, file, &s->kernels), file->input.name);
  nvidia_ptx_open(&s->ptx, file);
  return s;
}

const symbolize_source symbolize_nvidia = {"nvidia", open_source, ask, close_source, refuse, true};
