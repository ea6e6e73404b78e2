/* usage: edited same|more IN OUT
 *
 * IN is a relocatable file. Exit status 2 when it cannot be changed.
 *
 *   same  Reads and writes its relocations, and writes it to OUT.
 *   more  Gives .debug_line a copy under another name with its relocations, and adds two texts in COMDAT groups. Then
 *         `.debug_line` gets its own bytes and relocations again. */
#include "objects/elf/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dloc_diagnostic diagnostic;

static void require(dloc_status status, const char *path) {
  if (status == DLOC_OK)
    return;
  fprintf(stderr, "%s: status %d %s\n", path, (int)status, diagnostic.message);
  exit(2);
}

static dloc_text bytes_of(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    exit(2);
  size_t size = (size_t)ftell(file);
  char *bytes = malloc(size + 1);
  rewind(file);
  if (!bytes || fread(bytes, 1, size, file) != size)
    exit(2);
  fclose(file);
  return (dloc_text){bytes, size};
}

static bool write_file(void *user, const char *bytes, size_t size) { return fwrite(bytes, 1, size, user) == size; }

static uint32_t find(const dloc_object_edit *edit, const char *name) {
  for (uint32_t i = 1; i < edit_count(edit); i++)
    if (dloc_text_equal(edit_name(edit, i), dloc_text_of(name)))
      return i;
  return 0;
}

/* Contents and relocations of a section for another, which may be itself. */
static void copy(dloc_object_edit *edit, uint32_t from, uint32_t to, const char *path) {
  const edit_relocation *relocations;
  dloc_text bytes;
  size_t count;
  require(dloc_object_edit_bytes(edit, from, &diagnostic, &bytes), path);
  char *kept = malloc(bytes.size + 1);
  if (!kept)
    exit(2);
  memcpy(kept, bytes.bytes, bytes.size);
  require(edit_relocations(edit, from, &diagnostic, &relocations, &count), path);
  require(dloc_object_edit_set(edit, to, (dloc_text){kept, bytes.size}), path);
  require(edit_relocate(edit, to, relocations, count, &diagnostic), path);
  free(kept);
}

static void add(dloc_object_edit *edit, const char *path) {
  static const char *const texts[] = {".debug_txt.test.11", ".debug_txt.test.22"};
  uint32_t line = find(edit, ".debug_line"), added;
  require(edit_add(edit, dloc_text_of(".debug_line_test"), dloc_text_of(""), &added), path);
  copy(edit, line ? line : find(edit, ".zdebug_line"), added, path);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    require(edit_add_group(edit, dloc_text_of(texts[i]), dloc_text_of(texts[i]),
                                       dloc_text_of("a text\nof two lines\n"), &diagnostic, &added),
            path);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  dloc_context *context = dloc_context_create(NULL);
  dloc_object_edit *edit = NULL;
  dloc_text bytes = bytes_of(argv[2]);
  FILE *out = fopen(argv[3], "wb");
  if (!context || !out)
    return 2;
  require(dloc_object_edit_open(context, bytes, &diagnostic, &edit), argv[2]);
  if (strcmp(argv[1], "more") == 0)
    add(edit, argv[2]);
  else
    for (uint32_t i = 1, count = edit_count(edit); i < count; i++)
      if (strncmp(edit_name(edit, i).bytes, ".debug", 6) == 0)
        copy(edit, i, i, argv[2]);
  require(dloc_object_edit_write(edit, &diagnostic, (dloc_sink){write_file, out}), argv[3]);
  if (fclose(out))
    return 2;
  dloc_object_edit_close(edit);
  dloc_context_destroy(context);
  free((char *)bytes.bytes);
  return 0;
}
