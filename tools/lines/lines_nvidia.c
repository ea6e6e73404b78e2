/* dloc lines --nvidia: NVIDIA's extended line map by kernel, with the layer PTX. spec/lines.md, chapter 16. */
#include "document/buffer.h"
#include "nvidia_ptx.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct nvidia_view {
  line_file *file;
  nvidia_ptx ptx;
  const dloc_line_unit *unit;
  const dloc_row *rows; /* of the unit */
  const dloc_row_call *calls;
  size_t *callers;
  const dloc_sequence *sequence;
} nvidia_view;

/* ---- The layer PTX ---- */

static void print_ptx(nvidia_view *v, dloc_text kernel, uint64_t address) {
  dloc_layer_line found;
  if (!nvidia_ptx_find(&v->ptx, kernel, address, &found))
    return;
  printf("; PTX %" PRIu32, found.line);
  if (found.has != DLOC_LAYER_TEXT_LINE)
    return;
  fputs(": ", stdout);
  tool_print_name(stdout, found.source, "");
}

/* ---- Rows ---- */

static dloc_text kernel_of(nvidia_view *v) {
  return dloc_kernel_name(nvidia_symbol_at(v->file, v->sequence->set_address));
}

/* A dloc_line_problem of a row of the unit. Rows come in their order, and count in their sequence, as contexts do. */
static dloc_status row_problem(void *user, dloc_reason reason, size_t row) {
  nvidia_view *v = user;
  while (v->unit->first_row + row >= v->sequence->first + v->sequence->count)
    v->sequence++;
  OWNED(memory_release) char *kernel = memory_copy(kernel_of(v));
  OWNED(memory_release)
  char *name = text_format("%s: %s: row %zu", v->file->input.name, *kernel ? kernel : "code",
                           v->unit->first_row + row - v->sequence->first + 1);
  const tool_input where = {.name = name, .text = v->file->input.text};
  tool_diagnose(&where, NULL, "warning", dloc_reason_text(reason), dloc_reason_name(reason));
  return DLOC_OK;
}

static void print_path(nvidia_view *v, const dloc_row *row) {
  dloc_text path = line_file_path(v->file, v->unit, row->file);
  fwrite(path.bytes, 1, path.size, stdout);
}

/* `, in FUNCTION from CALL SITE` */
static void print_call(nvidia_view *v, size_t row) {
  dloc_text function;
  if (dloc_line_unit_function(v->file->table, v->unit, v->calls[row].function, &function)) {
    fputs(", in ", stdout);
    tool_print_name(stdout, function, "");
  } else {
    (void)row_problem(v, DLOC_REASON_NVIDIA_FUNCTION_RANGE, row);
  }
  if (v->callers[row] == DLOC_NO_ROW)
    return;
  fputs(" from ", stdout);
  print_path(v, &v->rows[v->callers[row]]);
  printf(":%" PRIu32, v->rows[v->callers[row]].line);
}

static void print_row(nvidia_view *v, dloc_text kernel, size_t row) {
  const dloc_row *r = &v->rows[row];
  const uint32_t context = v->calls ? v->calls[row].context : 0;
  printf("%7zu  %016" PRIx64 " %8" PRIu32, v->unit->first_row + row - v->sequence->first + 1, r->address, r->line);
  printf(context ? " %7" PRIu32 " " : "         ", context);
  print_path(v, r);
  if (context)
    print_call(v, row);
  if (r->flags & DLOC_ROW_END_SEQUENCE)
    fputs(", end", stdout);
  else
    print_ptx(v, kernel, r->address);
  puts("");
}

static void print_sequence(nvidia_view *v) {
  dloc_text kernel = kernel_of(v);
  fputs(kernel.size ? "kernel " : "code", stdout);
  tool_print_name(stdout, kernel, "");
  printf(": ");
  tool_print_name(stdout, v->file->section.name, "");
  printf("+0x%zx", v->unit->offset);
  if (v->unit->has_names)
    printf(", names from .debug_str+0x%" PRIx32, v->unit->names);
  puts("\n    row  address              line context file");
  for (size_t i = 0; i < v->sequence->count; i++)
    print_row(v, kernel, v->sequence->first - v->unit->first_row + i);
  puts("");
}

static void print_unit(nvidia_view *v) {
  size_t count;
  if (!v->unit->row_count)
    return;
  const dloc_rows *rows = dloc_line_table_rows(v->file->table);
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &count) + v->unit->first_sequence;
  const dloc_row_call *calls = dloc_rows_calls(rows);
  v->rows = dloc_rows_list(rows, &count) + v->unit->first_row;
  v->calls = calls ? calls + v->unit->first_row : NULL;
  v->callers = memory_allocate(v->unit->row_count, sizeof *v->callers);
  v->sequence = sequences;
  tool_require(dloc_rows_callers(&v->file->profile, DLOC_DIALECT_NVIDIA, rows, sequences, v->unit->sequence_count,
                                 row_problem, v, v->callers),
               v->file->input.name);
  for (size_t i = 0; i < v->unit->sequence_count; i++) {
    v->sequence = &sequences[i];
    print_sequence(v);
  }
  free(v->callers);
}

void lines_nvidia(line_file *file) {
  nvidia_view v = {.file = file};
  size_t units;
  if (dloc_line_dialect_of(file->kind) != DLOC_DIALECT_NVIDIA) {
    tool_diagnose(&file->input, NULL, "note", "this is no cubin, so it has no line map of NVIDIA's", NULL);
    return;
  }
  nvidia_ptx_open(&v.ptx, file);
  const dloc_line_unit *unit = dloc_line_table_units(file->table, &units);
  for (size_t i = 0; i < units; i++) {
    v.unit = &unit[i];
    print_unit(&v);
  }
  nvidia_ptx_close(&v.ptx);
}
