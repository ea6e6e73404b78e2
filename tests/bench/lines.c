/* usage: lines FILE ROUNDS: times dloc_line_table_read. */
#include "objects/dloc_dwarf.h"

#include "timing.h"

static void check(dloc_status status, const char *what) {
  if (status != DLOC_OK)
    timing_fail(what, dloc_status_text(status));
}

static dloc_text read_file(const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    timing_fail(name, "unreadable");
  size_t size = (size_t)ftell(file);
  char *bytes = malloc(size);
  rewind(file);
  if (!bytes || fread(bytes, 1, size, file) != size)
    timing_fail(name, "unreadable");
  fclose(file);
  return (dloc_text){bytes, size};
}

static dloc_text section(dloc_object *object, const char *name) {
  dloc_object_section found;
  dloc_diagnostic diagnostic;
  bool there;
  check(dloc_object_section_find(object, dloc_text_of(name), &diagnostic, &found, &there), name);
  return there ? found.bytes : (dloc_text){NULL, 0};
}

int main(int argc, char **argv) {
  int rounds = timing_rounds(argc, argv);
  dloc_context *context = dloc_context_create(NULL);
  dloc_object *object = NULL;
  dloc_diagnostic diagnostic;
  if (!context)
    timing_fail(argv[0], "out of memory");
  check(dloc_object_open(context, read_file(argv[1]), &diagnostic, &object), argv[1]);
  dloc_line_sections sections = {.line = section(object, ".debug_line"),
                                 .str = section(object, ".debug_str"),
                                 .line_str = section(object, ".debug_line_str"),
                                 .address_size = dloc_object_kind_of(object).address_size};
  timing t = {0};
  for (int i = 0; i < rounds; i++) {
    dloc_line_table *table = NULL;
    timing_start(&t);
    check(dloc_line_table_read(context, dloc_profile_find(dloc_text_of("rfc")), &sections, NULL, NULL, &table),
          argv[1]);
    timing_stop(&t);
    dloc_rows_list(dloc_line_table_rows(table), &t.rows);
    dloc_line_table_destroy(table);
  }
  dloc_object_close(object);
  dloc_context_destroy(context);
  timing_print(&t, rounds);
  return 0;
}
