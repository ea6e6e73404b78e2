/* Any bytes as an ELF file: a diagnostic, or sections whose line tables can be read. */
#include "formats/dloc_dwarf.h"

#include <stdlib.h>

static void check(bool condition) {
  if (!condition)
    abort();
}

static void check_failure(dloc_status status, const dloc_diagnostic *diagnostic) {
  check(status == DLOC_INVALID && diagnostic->reason != DLOC_REASON_NONE && diagnostic->message[0]);
}

static void read_table(dloc_context *context, dloc_object *object, const dloc_object_section *section) {
  const dloc_object_kind kind = dloc_object_kind_of(object);
  const dloc_line_sections sections = {
      .line = section->bytes, .big_endian = kind.big_endian, .address_size = kind.address_size};
  dloc_line_table *table = NULL;
  size_t count;
  check(dloc_line_table_read(context, dloc_profile_at(0), &sections, NULL, NULL, &table) == DLOC_OK);
  const dloc_sequence *sequences = dloc_rows_sequences(dloc_line_table_rows(table), &count);
  for (size_t i = 0; i < count; i++)
    (void)dloc_object_relocation_name(object, section->index, sequences[i].set_address);
  dloc_line_table_destroy(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {".debug_line", ".debug_str", ".debug_line.dwo"};
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_context *context = dloc_context_create(NULL);
  dloc_object *object = NULL;
  check(context != NULL);
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
      check(!found || section.index > after);
      if (found)
        read_table(context, object, &section);
    }
  }
  dloc_object_close(object);
  dloc_context_destroy(context);
  return 0;
}
