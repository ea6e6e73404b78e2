/* reveal_full.c - `dloc reveal --full` of objects: the lines of one object for each kind become the layers of another. */
#include "full.h"

#include <stdlib.h>

/* A kind at hand. */
typedef struct kind_object {
  const char *kind;
  line_file file;
  dloc_full *full;
  bool lost; /* layers of a function */
} kind_object;

/* Code that differs has no layers. */
static dloc_status take_function(void *user, const dloc_edit_function *function, const dloc_edit_function *other) {
  kind_object *k = user;
  if (other)
    return dloc_full_function(k->full, function, other);
  full_tell_lost(&k->file.input, function->name, k->kind);
  k->lost = true;
  return DLOC_OK;
}

static void add_lines(kind_object *k, dloc_object_edit *primary, dloc_object_edit *edit) {
  dloc_diagnostic diagnostic;
  uint32_t line = 0;
  line_file_require(&k->file, dloc_object_edit_lines(edit, &diagnostic, &line), &diagnostic);
  if (!line_file_section(&k->file, ".debug_line", 0, &k->file.section))
    tool_exit(tool_reject(&k->file.input, NULL, DLOC_REASON_OBJECT_LINES));
  line_file_read(&k->file, DLOC_DIALECT_STANDARD);
  if (k->file.errors || k->file.section.unapplied)
    tool_exit(TOOL_VIOLATION);
  line_file_require(&k->file, dloc_full_kind(k->full, dloc_text_of(k->kind)), NULL);
  line_file_require(&k->file, dloc_full_object(k->full, edit, line, k->file.table, &diagnostic), &diagnostic);
  line_file_require(&k->file, dloc_object_edit_functions(primary, edit, &diagnostic, take_function, k), &diagnostic);
}

/* False: a function has lost layers. */
static bool add_kind(dloc_full *full, const dloc_profile *profile, dloc_object_edit *primary, const full_kind *kind,
                     const char *directory) {
  dloc_diagnostic diagnostic;
  char *path = full_path(directory, kind->name, ".o");
  kind_object k = {.kind = kind->kind, .full = full, .file = line_file_open(path, profile)};
  dloc_object_edit *edit = NULL;
  line_file_require(&k.file, dloc_object_edit_open(k.file.context, k.file.input.text, &diagnostic, &edit), &diagnostic);
  add_lines(&k, primary, edit);
  dloc_object_edit_close(edit);
  (void)line_file_close(&k.file);
  free(path);
  return !k.lost;
}

bool full_number_object(line_file *primary, dloc_object_edit *edit, uint32_t line, dloc_hidden *hidden,
                        const char *directory) {
  dloc_diagnostic diagnostic;
  dloc_full *full = NULL;
  bool whole = true;
  if (dloc_hidden_where(hidden) != DLOC_HIDDEN_IN_DISCRIMINATOR)
    tool_exit(tool_reject(&primary->input, NULL, DLOC_REASON_LAYER_LINES_COLUMN));
  full_kinds kinds = full_kinds_of(&primary->input, primary->context, hidden, &primary->profile);
  line_file_require(primary, dloc_full_create(primary->context, hidden, &full), NULL);
  for (size_t i = 0; i < kinds.count; i++)
    whole &= add_kind(full, &primary->profile, edit, &kinds.items[i], directory);
  line_file_require(primary, dloc_full_number_object(full, edit, line, primary->table, &diagnostic), &diagnostic);
  dloc_full_destroy(full);
  full_kinds_free(&kinds);
  return whole;
}
