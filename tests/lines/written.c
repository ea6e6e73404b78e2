/* usage: written WORDS FILE...
 *
 * Each unit of .debug_line of FILE, an object, is read, and written again from its rows, directories and files, by the
 * rules of spec/lines.md 12.7. The bytes must be those that the assembler has written. WORDS are letters: f: code that
 * a linker relaxes; s: equal strings stand once in .debug_line_str. Prints a line for each unit that differs, and exits
 * with 1 if there is one, 2 if a file has no unit. */
#include "objects/dloc_dwarf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct program {
  dloc_line_instruction *items;
  size_t count, capacity;
} program;

typedef struct input {
  const char *path;
  dloc_context *context;
  dloc_object *object;
  dloc_line_sections sections;
  dloc_line_table *table;
  dloc_buffer line_str; /* what is written */
} input;

static void stop(const input *in, const char *what) {
  fprintf(stderr, "%s: %s\n", in->path, what);
  exit(2);
}

static dloc_text section_of(const input *in, const char *name) {
  dloc_diagnostic diagnostic;
  dloc_object_section section;
  bool found;
  if (dloc_object_section_find(in->object, dloc_text_of(name), &diagnostic, &section, &found) != DLOC_OK)
    stop(in, name);
  return section.bytes;
}

static dloc_text bytes_of(const input *in) {
  FILE *file = fopen(in->path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    stop(in, "cannot be opened");
  size_t size = (size_t)ftell(file);
  char *bytes = malloc(size + 1);
  rewind(file);
  if (!bytes || fread(bytes, 1, size, file) != size)
    stop(in, "cannot be read");
  fclose(file);
  return (dloc_text){bytes, size};
}

static dloc_status on_problem(void *user, dloc_reason reason, size_t at) {
  const input *in = user;
  (void)at;
  stop(in, dloc_reason_text(reason));
  return DLOC_STOPPED;
}

static void open_input(input *in) {
  dloc_text bytes = bytes_of(in);
  dloc_diagnostic diagnostic;
  in->context = dloc_context_create(NULL);
  if (dloc_object_open(in->context, bytes, &diagnostic, &in->object) != DLOC_OK)
    stop(in, "no ELF file");
  free((char *)(uintptr_t)bytes.bytes);
  dloc_object_kind kind = dloc_object_kind_of(in->object);
  in->sections = (dloc_line_sections){.line = section_of(in, ".debug_line"),
                                      .line_str = section_of(in, ".debug_line_str"),
                                      .big_endian = kind.big_endian,
                                      .address_size = kind.address_size};
  if (dloc_line_table_read(in->context, dloc_profile_at(0), &in->sections, on_problem, in, &in->table) != DLOC_OK)
    stop(in, "its line table cannot be read");
}

static void close_input(input *in) {
  dloc_line_table_destroy(in->table);
  dloc_object_close(in->object);
  dloc_context_destroy(in->context);
  dloc_buffer_deinit(&in->line_str);
}

static dloc_status take(void *user, const dloc_line_instruction *instruction) {
  program *to = user;
  if (to->count == to->capacity) {
    to->capacity = 2 * to->capacity + 64;
    to->items = realloc(to->items, to->capacity * sizeof *to->items);
    if (!to->items)
      return DLOC_NO_MEMORY;
  }
  to->items[to->count++] = *instruction;
  return DLOC_OK;
}

/* A compiler may have put strings of its own before those of the first unit. */
static void copy_earlier_strings(input *in, const dloc_line_unit *unit) {
  const dloc_text *directory = dloc_line_unit_directories(in->table, unit);
  size_t size = unit->directory_count && in->sections.line_str.size && !in->line_str.size
                    ? (size_t)(directory->bytes - in->sections.line_str.bytes)
                    : 0;
  dloc_sink to = dloc_buffer_sink(&in->line_str);
  if (size && !to.write(to.user, in->sections.line_str.bytes, size))
    stop(in, "no memory");
}

static void write_unit(input *in, const dloc_line_unit *unit, const char *words, dloc_buffer *ret) {
  program written = {NULL, 0, 0};
  size_t count;
  copy_earlier_strings(in, unit);
  const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(in->table), &count);
  dloc_line_unit_parts parts = {.parameters = unit->parameters,
                                .big_endian = in->sections.big_endian,
                                .offset_size = unit->offset_size,
                                .directories = dloc_line_unit_directories(in->table, unit),
                                .directory_count = unit->directory_count,
                                .files = dloc_line_unit_files(in->table, unit),
                                .file_count = unit->file_count,
                                .line_str = in->sections.line_str.size ? &in->line_str : NULL,
                                .share_strings = strchr(words, 's') != NULL};
  dloc_status status = dloc_line_assemble(dloc_profile_at(0), &parts.parameters, strchr(words, 'f') != NULL,
                                          rows + unit->first_row, NULL, unit->row_count, take, &written);
  parts.program = written.items;
  parts.count = written.count;
  if (status != DLOC_OK || dloc_line_unit_write(&parts, dloc_buffer_sink(ret)) != DLOC_OK)
    stop(in, "a unit cannot be written");
  free(written.items);
}

/* How many units differ. */
static size_t check_file(const char *path, const char *words) {
  input in = {.path = path};
  open_input(&in);
  size_t units, different = 0;
  const dloc_line_unit *unit = dloc_line_table_units(in.table, &units);
  if (!units)
    stop(&in, "it has no line table");
  for (size_t i = 0; i < units; i++) {
    dloc_buffer bytes = {0};
    write_unit(&in, &unit[i], words, &bytes);
    const char *wanted = in.sections.line.bytes + unit[i].offset;
    size_t size = unit[i].end - unit[i].offset, same = 0;
    while (same < size && same < bytes.size && wanted[same] == bytes.bytes[same])
      same++;
    if (same < size || size != bytes.size) {
      printf("%s: the unit at 0x%zx differs from offset 0x%zx on; its program begins at 0x%zx\n", path, unit[i].offset,
             unit[i].offset + same, unit[i].program);
      different++;
    }
    dloc_buffer_deinit(&bytes);
  }
  close_input(&in);
  return different;
}

int main(int argc, char **argv) {
  size_t different = 0;
  for (int i = 2; i < argc; i++)
    different += check_file(argv[i], argv[1]);
  return different > 0;
}
