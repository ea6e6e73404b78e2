/* spec/lines.md, chapter 16: what stands beside the rows of NVIDIA's extended line map: names of functions, kernels,
 * and the table from code to PTX. */
#include "table.h"

#include "nodes/text.h"

#include <stdlib.h>

enum { MACHINE_CUDA = 190 };

/* `nvidia.dialect` */
dloc_line_dialect dloc_line_dialect_of(dloc_object_kind kind) {
  return kind.machine == MACHINE_CUDA ? DLOC_DIALECT_NVIDIA : DLOC_DIALECT_STANDARD;
}

/* `nvidia.header.word`: what is left between the table of files and the program. */
void nvidia_read_word(const dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c) {
  unit->has_names = bytes_left(c) == 4 && (unit->parameters.dialect == DLOC_DIALECT_NVIDIA ||
                                           DLOC_TAKES(table->profile, NVIDIA_HEADER_WORD, ALWAYS));
  unit->names = unit->has_names ? (uint32_t)bytes_fixed(c, 4) : 0;
}

/* `nvidia.function.base`, `nvidia.function.range` */
bool dloc_line_unit_function(const dloc_line_table *table, const dloc_line_unit *unit, uint32_t number,
                             dloc_text *ret) {
  dloc_text name;
  bool found = entries_string_at(table->sections.str, (uint64_t)unit->names + number, &name);
  if (found)
    *ret = name;
  return found;
}

/* `nvidia.kernel`: a symbol, or a section that has the name of one. */
dloc_text dloc_kernel_name(dloc_text symbol) {
  const size_t size = strlen(".text.");
  bool is_section = symbol.size > size && text_begins(symbol, ".text.");
  return is_section ? (dloc_text){symbol.bytes + size, symbol.size - size} : symbol;
}

/* ---- Kernels ---- */

typedef struct kernel_rows {
  dloc_text kernel;
  const dloc_line_unit *unit;
  const dloc_row *rows;
  size_t count;
} kernel_rows;

struct dloc_kernels {
  dloc_context *context;
  kernel_rows *sequences; /* by kernel, then by address */
  size_t count;
};

static int compare(const kernel_rows *x, const kernel_rows *y) {
  int order = dloc_text_compare(x->kernel, y->kernel);
  return order ? order : ORDER(x->rows->address, y->rows->address);
}

/* Ties: program order. */
static int by_place(const void *a, const void *b) {
  const kernel_rows *x = a, *y = b;
  int order = compare(x, y);
  return order ? order : ORDER(x->rows, y->rows);
}

dloc_status dloc_kernels_create(dloc_context *context, const dloc_line_table *table, dloc_symbol_at *symbol_at,
                                void *user, dloc_kernels **ret) {
  size_t count;
  const dloc_sequence *sequences = dloc_rows_sequences(table->rows, &count);
  CREATE(context, dloc_kernels, kernels, .context = context,
         .sequences = context_realloc(context, NULL, (count + 1) * sizeof *kernels->sequences));
  if (!kernels->sequences) {
    dloc_kernels_destroy(kernels);
    return DLOC_NO_MEMORY;
  }
  for (size_t i = 0; i < table->units.count; i++) {
    const dloc_line_unit *unit = &table->units.items[i];
    for (size_t j = unit->first_sequence; j < unit->first_sequence + unit->sequence_count; j++)
      kernels->sequences[kernels->count++] =
          (kernel_rows){dloc_kernel_name(symbol_at(user, sequences[j].set_address)), unit,
                        table->rows->rows.items + sequences[j].first, sequences[j].count};
  }
  qsort(kernels->sequences, kernels->count, sizeof *kernels->sequences, by_place);
  *ret = kernels;
  return DLOC_OK;
}

void dloc_kernels_destroy(dloc_kernels *kernels) {
  if (kernels)
    CONTEXT_FREE(kernels->context, kernels->sequences, kernels);
}

/* `nvidia.ptx.layer`, and so of any table: the last sequence of the kernel, and the last row in it, that begin at or
 * before the address. */
bool dloc_kernels_find(const dloc_kernels *kernels, dloc_text name, uint64_t address, const dloc_line_unit **ret_unit,
                       const dloc_row **ret_row) {
  const dloc_row at = {.address = address};
  const kernel_rows wanted = {.kernel = name, .rows = &at};
  BISECT(sequences, 0, kernels->count, i, compare(&kernels->sequences[i], &wanted) <= 0);
  if (!sequences || !dloc_text_equal(kernels->sequences[sequences - 1].kernel, name))
    return false;
  const kernel_rows *s = &kernels->sequences[sequences - 1];
  BISECT(rows, 0, s->count, i, s->rows[i].address <= address);
  if (!rows || s->rows[rows - 1].flags & DLOC_ROW_END_SEQUENCE)
    return false;
  *ret_unit = s->unit;
  *ret_row = &s->rows[rows - 1];
  return true;
}

bool dloc_kernels_only(const dloc_kernels *kernels, dloc_text *ret) {
  const kernel_rows *first = kernels->sequences, *last = first + kernels->count;
  if (!kernels->count || !dloc_text_equal(first->kernel, last[-1].kernel))
    return false;
  *ret = first->kernel;
  return true;
}

/* ---- The layer PTX ---- */

/* `nvidia.ptx.file`: a table without files means the only text there is. */
dloc_text dloc_ptx_section(const dloc_line_table *table, const dloc_line_unit *unit, const dloc_row *row) {
  const dloc_line_file *named = table_file(table, unit, row->file);
  return named ? named->name : dloc_text_of(".nv_debug_ptx_txt");
}

/* `nvidia.ptx.text` */
size_t dloc_ptx_lines(dloc_text section, size_t limit, dloc_text *ret) {
  const uint8_t *bytes = (const uint8_t *)(section.size ? section.bytes : "");
  byte_cursor c = {.at = bytes, .end = bytes + section.size};
  size_t count = 0;
  for (; bytes_left(&c); count++) {
    dloc_text line = bytes_string(&c);
    if (count < limit)
      ret[count] = line;
  }
  return count;
}
