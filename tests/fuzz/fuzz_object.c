/* Any bytes as an ELF file: a diagnostic, or sections whose line tables can be read. */
#include "objects/elf/edit.h"
#include "require.h"

static void check_failure(dloc_status status, const dloc_diagnostic *diagnostic) {
  require(status == DLOC_INVALID && diagnostic->reason != DLOC_REASON_NONE && diagnostic->message[0]);
}

static void read_table(dloc_context *context, dloc_object *object, const dloc_object_section *section) {
  const dloc_object_kind kind = dloc_object_kind_of(object);
  const dloc_line_sections sections = {
      .line = section->bytes, .big_endian = kind.big_endian, .address_size = kind.address_size};
  dloc_line_table *table = NULL;
  size_t count;
  require(dloc_line_table_read(context, dloc_profile_at(0), &sections, NULL, NULL, &table) == DLOC_OK);
  const dloc_sequence *sequences = dloc_rows_sequences(dloc_line_table_rows(table), &count);
  for (size_t i = 0; i < count; i++)
    (void)dloc_object_relocation_name(object, section->index, sequences[i].set_address);
  dloc_line_table_destroy(table);
}

/* What is written can be opened again, and then has a section more and a group. */
static void change(dloc_context *context, dloc_text bytes) {
  const dloc_text name = dloc_text_of(".debug_txt.fuzz");
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_object_edit *edit = NULL, *again = NULL;
  dloc_buffer written = {NULL, 0, 0};
  const edit_relocation *relocations, one = {.offset = 0};
  size_t relocation_count;
  uint32_t added;
  dloc_status status = dloc_object_edit_open(context, bytes, &diagnostic, &edit);
  if (status != DLOC_OK) {
    check_failure(status, &diagnostic);
    return;
  }
  uint32_t count = edit_count(edit);
  for (uint32_t i = 1; i < count; i++) {
    status = edit_relocations(edit, i, &diagnostic, &relocations, &relocation_count);
    if (status == DLOC_OK)
      status = edit_relocate(edit, i, relocations, relocation_count, &diagnostic);
    if (status != DLOC_OK)
      check_failure(status, &diagnostic);
  }
  status = edit_add_group(edit, name, name, name, &diagnostic, &added);
  if (status == DLOC_OK)
    status = edit_relocate(edit, added, &one, 1, &diagnostic);
  if (status == DLOC_OK)
    status = dloc_object_edit_write(edit, &diagnostic, dloc_buffer_sink(&written));
  if (status == DLOC_OK) {
    dloc_text all = {written.bytes, written.size};
    require(dloc_object_edit_open(context, all, &diagnostic, &again) == DLOC_OK);
    require(edit_count(again) >= count + 2);
    require(dloc_text_equal(edit_name(again, added), name));
  } else {
    check_failure(status, &diagnostic);
  }
  dloc_object_edit_close(again);
  dloc_object_edit_close(edit);
  dloc_buffer_deinit(&written);
}

static dloc_status see_value(void *user, const dloc_die_value *value) {
  const dloc_text *info = user;
  require(value->at <= info->size && value->size <= info->size - value->at);
  return DLOC_OK;
}

static void read_dies(dloc_context *context, dloc_object *object) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_object_section info, abbrev;
  bool found, complete;
  if (dloc_object_section_find(object, dloc_text_of(".debug_info"), &diagnostic, &info, &found) != DLOC_OK ||
      dloc_object_section_find(object, dloc_text_of(".debug_abbrev"), &diagnostic, &abbrev, &found) != DLOC_OK)
    return;
  const dloc_die_sections sections = {info.bytes, abbrev.bytes, dloc_object_kind_of(object).big_endian, false};
  require(dloc_die_values(context, &sections, see_value, &info.bytes, &complete) == DLOC_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {".debug_line", ".debug_str", ".debug_line.dwo"};
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_context *context = dloc_context_create(NULL);
  dloc_object *object = NULL;
  require(context != NULL);
  dloc_status status = dloc_object_open(context, (dloc_text){(const char *)data, size}, &diagnostic, &object);
  if (status != DLOC_OK)
    check_failure(status, &diagnostic);
  for (size_t i = 0; status == DLOC_OK && i < sizeof names / sizeof *names; i++) {
    dloc_object_section section = {.index = 0};
    for (bool found = true; found;) {
      uint32_t after = section.index;
      dloc_status read = dloc_object_section_next(object, dloc_text_of(names[i]), after, &diagnostic, &section, &found);
      if (read != DLOC_OK) {
        check_failure(read, &diagnostic);
        break;
      }
      require(!found || section.index > after);
      if (found)
        read_table(context, object, &section);
    }
  }
  if (status == DLOC_OK)
    read_dies(context, object);
  dloc_object_close(object);
  change(context, (dloc_text){(const char *)data, size});
  dloc_context_destroy(context);
  return 0;
}
