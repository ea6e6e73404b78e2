/* Rows about line tables: of dloc_lines.h and dloc_dwarf.h. Each call makes what it needs. */
#include "contract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Rows at 0x1004 and 0x1008, and the end of their sequence. */
static const char line_bytes[] = "\x33\0\0\0\4\0\x1b\0\0\0\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1\0a.c\0\0\0\0\0"
                                 "\0\x09\2\0\x10\0\0\0\0\0\0\x4b\x4b\2\4\0\1\1";

static dloc_status read_lines(world *w, dloc_line_table **ret) {
  const dloc_line_sections sections = {.line = {line_bytes, sizeof line_bytes - 1},
                                       .str = {"f\0g", 4},
                                       .address_size = 8,
                                       .dialect = DLOC_DIALECT_NVIDIA};
  return dloc_line_table_read(w->context, &w->profile, &sections, NULL, NULL, ret);
}
static const dloc_line_unit *only_unit(const dloc_line_table *table) {
  size_t count;
  const dloc_line_unit *unit = dloc_line_table_units(table, &count);
  assert_int_equal(count, 1);
  return unit;
}
/* With a table for the call; result: of what is called. */
#define WITH_TABLE(result)                                                                                             \
  dloc_line_table *table = NULL;                                                                                       \
  dloc_status status = read_lines(w, &table);                                                                          \
  if (status == DLOC_OK)                                                                                               \
    status = (result);                                                                                                 \
  dloc_line_table_destroy(table);                                                                                      \
  return status

MEMORY_CALL(dloc_rows_create) { MADE(dloc_rows_create(w->context, ret), dloc_rows_destroy(*(dloc_rows **)ret)); }
CALL(dloc_row_flags) { return found(w && dloc_row_flags(word(wrong, "sE"), ret)); }
CALL(dloc_opcode_find) { return found(w && dloc_opcode_find(word(wrong, "copy"), ret)); }
MEMORY_CALL(dloc_line_table_read) { MADE(read_lines(w, ret), dloc_line_table_destroy(*(dloc_line_table **)ret)); }
CALL(dloc_line_unit_function) {
  WITH_TABLE(found(dloc_line_unit_function(table, only_unit(table), wrong ? 4 : 2, ret)));
}
MEMORY_CALL(dloc_line_unit_path_text) { WITH_TABLE(dloc_line_unit_path_text(table, only_unit(table), 1, ret)); }

static dloc_status make_index(world *w, const dloc_line_table *table, dloc_row_index **ret) {
  const dloc_code code = {.address_size = 8};
  const dloc_rows *rows = dloc_line_table_rows(table);
  size_t count;
  return dloc_row_index_create(w->context, &w->profile, &code, rows, dloc_rows_sequences(rows, &count), 1, ret);
}
static dloc_status destroy_index(dloc_status made, dloc_row_index **index) {
  if (made == DLOC_OK)
    dloc_row_index_destroy(*index);
  return made;
}
MEMORY_CALL(dloc_row_index_create) {
  dloc_row_index **index = ret;
  WITH_TABLE(destroy_index(make_index(w, table, index), index));
}
static dloc_status find_row(world *w, const dloc_line_table *table, bool wrong, void *ret) {
  dloc_row_index *index = NULL;
  dloc_status made = make_index(w, table, &index);
  if (made == DLOC_OK)
    made = found(dloc_row_index_find(index, wrong ? 0x2000 : 0x1004, ret));
  dloc_row_index_destroy(index);
  return made;
}
CALL(dloc_row_index_find) { WITH_TABLE(find_row(w, table, wrong, ret)); }

static const dloc_die unit_die = {
    .tag = DLOC_DIE_UNIT, .high_form = DLOC_HIGH_ADDRESS, .parent = DLOC_NO_DIE, .origin = DLOC_NO_DIE, .high_pc = 9};
static const dloc_die function_die = {.tag = DLOC_DIE_SUBPROGRAM,
                                      .high_form = DLOC_HIGH_ADDRESS,
                                      .parent = DLOC_NO_DIE,
                                      .origin = DLOC_NO_DIE,
                                      .name = {"f", 1},
                                      .low_pc = 1,
                                      .high_pc = 9};
static dloc_status dies_of(void *user, uint32_t unit, const dloc_die **ret, uint32_t *ret_count) {
  assert_true(!user && unit == 0);
  *ret = &function_die;
  *ret_count = 1;
  return DLOC_OK;
}
static dloc_status make_stacks(world *w, dloc_stacks **ret) {
  const dloc_code code = {.address_size = 8};
  return dloc_stacks_create(w->context, &w->profile, &code, &unit_die, 1, dies_of, NULL, NULL, ret);
}
MEMORY_CALL(dloc_stacks_create) { MADE(make_stacks(w, ret), dloc_stacks_destroy(*(dloc_stacks **)ret)); }
MEMORY_CALL(dloc_stacks_frames) {
  dloc_stacks *stacks = NULL;
  const dloc_frame **frames = ret;
  dloc_status status = make_stacks(w, &stacks);
  if (status == DLOC_OK)
    status = dloc_stacks_frames(stacks, 0, 4, NULL, frames, (size_t *)(frames + 1));
  dloc_stacks_destroy(stacks);
  return status;
}

static dloc_text no_name(const void *user, uint32_t function) {
  assert_true(!user || function);
  return (dloc_text){NULL, 0};
}
static const dloc_row logical_row = {.line = 1, .file = 1};
static const dloc_logicals logicals = {.rows = &logical_row, .count = 1, .name_of = no_name};
CALL(dloc_logical_find) { return found(w && dloc_logical_find(&logicals, wrong ? 2 : 1, ret)); }
static dloc_status on_frame(void *user, const dloc_frame *frame) { return !user && frame ? DLOC_OK : DLOC_STOPPED; }
MEMORY_CALL(dloc_logical_stack) {
  return w ? dloc_logical_stack(&logicals, 0, dloc_text_of("f"), on_frame, NULL, ret) : DLOC_INVALID;
}
MEMORY_CALL(dloc_two_level_maker_create) {
  static const dloc_line_parameters parameters = {.dialect = DLOC_DIALECT_LOGICALS};
  MADE(dloc_two_level_maker_create(w->context, &w->profile, &parameters, 1, ret),
       dloc_two_level_maker_destroy(*(dloc_two_level_maker **)ret));
}

static dloc_text symbol_at(void *user, size_t offset) {
  assert_true(user || offset);
  return dloc_text_of("k");
}
static dloc_status destroy_kernels(dloc_status made, dloc_kernels **kernels) {
  if (made == DLOC_OK)
    dloc_kernels_destroy(*kernels);
  return made;
}
MEMORY_CALL(dloc_kernels_create) {
  dloc_kernels **kernels = ret;
  WITH_TABLE(destroy_kernels(dloc_kernels_create(w->context, table, symbol_at, w, kernels), kernels));
}
static dloc_status find_kernel(world *w, const dloc_line_table *table, bool wrong, void *ret) {
  dloc_kernels *kernels = NULL;
  const dloc_line_unit **unit = ret;
  dloc_status made = dloc_kernels_create(w->context, table, symbol_at, w, &kernels);
  if (made == DLOC_OK)
    made = found(dloc_kernels_find(kernels, word(wrong, "k"), 0x1004, unit, (const dloc_row **)(unit + 1)));
  dloc_kernels_destroy(kernels);
  return made;
}
CALL(dloc_kernels_find) { WITH_TABLE(find_kernel(w, table, wrong, ret)); }
CALL(dloc_kernels_only) {
  const dloc_line_sections none = {.address_size = 8};
  dloc_line_table *table = NULL;
  dloc_kernels *kernels = NULL;
  dloc_status status =
      wrong ? dloc_line_table_read(w->context, &w->profile, &none, NULL, NULL, &table) : read_lines(w, &table);
  if (status == DLOC_OK)
    status = dloc_kernels_create(w->context, table, symbol_at, w, &kernels);
  if (status == DLOC_OK)
    status = found(dloc_kernels_only(kernels, ret));
  dloc_kernels_destroy(kernels);
  dloc_line_table_destroy(table);
  return status;
}

/* A row with a discriminator whose sequence has no address. */
static const char unwritable_lines[] =
    "\x29\0\0\0\4\0\x1b\0\0\0\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1\0a.c\0\0\0\0\0"
    "\0\2\4\1\x4b\0\1\1";

CALL(dloc_layer_tables_make) {
  const dloc_line_sections sections = {
      .line = {wrong ? unwritable_lines : line_bytes, wrong ? sizeof unwritable_lines - 1 : sizeof line_bytes - 1},
      .address_size = 8};
  dloc_line_table *table = NULL;
  dloc_hidden *hidden = NULL;
  dloc_layer_tables **tables = ret;
  dloc_status status = dloc_line_table_read(w->context, &w->profile, &sections, NULL, NULL, &table);
  if (status == DLOC_OK)
    status = dloc_hidden_create(w->context, &hidden);
  if (status == DLOC_OK)
    status = dloc_layer_tables_make(w->context, &w->profile, table, hidden, NULL, NULL, NULL, tables);
  if (status == DLOC_OK)
    dloc_layer_tables_destroy(*tables);
  dloc_hidden_destroy(hidden);
  dloc_line_table_destroy(table);
  return status;
}

static const contract_row rows[] = {
    MEMORY_ROW(dloc_rows_create),
    ROW(dloc_row_flags),
    ROW(dloc_opcode_find),
    MEMORY_ROW(dloc_line_table_read),
    ROW(dloc_line_unit_function),
    MEMORY_ROW(dloc_line_unit_path_text),
    MEMORY_ROW(dloc_row_index_create),
    ROW(dloc_row_index_find),
    MEMORY_ROW(dloc_stacks_create),
    MEMORY_ROW(dloc_stacks_frames),
    ROW(dloc_logical_find),
    MEMORY_ROW(dloc_logical_stack),
    MEMORY_ROW(dloc_two_level_maker_create),
    MEMORY_ROW(dloc_kernels_create),
    ROW(dloc_kernels_find),
    ROW(dloc_kernels_only),
    ROW(dloc_layer_tables_make),
};
const contract_rows contract_of_lines = {rows, sizeof rows / sizeof *rows};
