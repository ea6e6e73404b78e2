/* Any bytes as an ELF file: the row and the frames at the addresses that its rows and units name. */
#include "objects/dloc_dwarf.h"
#include "require.h"

enum { MOST_ADDRESSES = 64 };

static dloc_status on_problem(void *user, dloc_reason reason, size_t at) {
  (void)user, (void)at;
  require(reason != DLOC_REASON_NONE && dloc_reason_text(reason)[0]);
  return DLOC_OK;
}

static void ask(const dloc_row_index *index, const dloc_row *rows, dloc_stacks *stacks, uint64_t address) {
  size_t row = 0, count;
  const dloc_frame *frames;
  bool found = dloc_row_index_find(index, address, &row);
  require(!found || !(rows[row].flags & DLOC_ROW_END_SEQUENCE));
  require(!found || rows[row].address <= address);
  if (!stacks)
    return;
  require(dloc_stacks_frames(stacks, dloc_stacks_unit(stacks, address), address, found ? &rows[row] : NULL, &frames,
                             &count) == DLOC_OK);
  require(!found || (count && frames[0].line == rows[row].line));
  for (size_t i = 0; i < count; i++)
    require(!frames[i].function.size || frames[i].function.bytes[0]);
}

static void ask_all(dloc_context *context, dloc_object *object, const dloc_line_table *table, dloc_stacks *stacks) {
  const dloc_code code = dloc_object_code(object);
  const dloc_rows *rows = dloc_line_table_rows(table);
  dloc_row_index *index = NULL;
  size_t count, sequences;
  const dloc_row *row = dloc_rows_list(rows, &count);
  const dloc_sequence *list = dloc_rows_sequences(rows, &sequences);
  require(dloc_row_index_create(context, dloc_profile_at(0), &code, rows, list, sequences, &index) == DLOC_OK);
  for (size_t i = 0; i < MOST_ADDRESSES; i++) {
    ask(index, row, stacks, i < count ? row[i].address : i);
    ask(index, row, stacks, i < count ? row[i].address + 1 : 0x1000 * i);
  }
  dloc_row_index_destroy(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_context *context = dloc_context_create(NULL);
  dloc_object *object = NULL;
  dloc_object_section section;
  dloc_debug_info *info = NULL;
  bool found;
  if (context && dloc_object_open(context, (dloc_text){(const char *)data, size}, &diagnostic, &object) == DLOC_OK &&
      dloc_object_section_find(object, dloc_text_of(".debug_line"), &diagnostic, &section, &found) == DLOC_OK) {
    const dloc_line_sections sections = {.line = section.bytes,
                                         .big_endian = dloc_object_kind_of(object).big_endian,
                                         .address_size = dloc_object_kind_of(object).address_size};
    dloc_line_table *table = NULL;
    require(dloc_line_table_read(context, dloc_profile_at(0), &sections, NULL, NULL, &table) == DLOC_OK);
    dloc_status status = dloc_debug_info_open(object, dloc_profile_at(0), on_problem, NULL, &diagnostic, &info);
    require(status == DLOC_OK || (status == DLOC_INVALID && diagnostic.message[0]));
    ask_all(context, object, table, info ? dloc_debug_info_stacks(info) : NULL);
    dloc_debug_info_close(info);
    dloc_line_table_destroy(table);
  }
  dloc_object_close(object);
  dloc_context_destroy(context);
  return 0;
}
