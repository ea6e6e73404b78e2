/* dloc lines: a file, its sections, problems, paths. */
#include "document/buffer.h"
#include "lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The paths of a unit that were asked for, as they are printed. Forgotten when they grow too many: a table can name
 * long directories a million times. */
struct line_paths {
  size_t unit; /* its offset, and 1 */
  size_t count;
  dloc_text *files; /* bytes NULL: not made yet */
  size_t bytes;
};
enum { PATH_BYTES = 1 << 24, MOST_PROBLEMS = 1000 };

/* ---- Files ---- */

void line_file_require(const line_file *file, dloc_status status, const dloc_diagnostic *diagnostic) {
  if (status == DLOC_INVALID)
    tool_diagnose(&file->input, NULL, "error", diagnostic->message, dloc_reason_name(diagnostic->reason));
  if (status != DLOC_OK)
    tool_exit(status == DLOC_INVALID ? tool_reason_status(diagnostic->reason) : tool_failure(status, file->input.name));
}

line_file line_file_of(tool_input *input, const dloc_profile *profile) {
  line_file file = {.input = *input, .profile = *profile};
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  *input = (tool_input){.mapped = false};
  file.context = memory_context();
  line_file_require(&file, dloc_object_open(file.context, file.input.text, &diagnostic, &file.object), &diagnostic);
  file.kind = dloc_object_kind_of(file.object);
  return file;
}

line_file line_file_open(const char *path, const dloc_profile *profile) {
  tool_input input = tool_input_required(path);
  return line_file_of(&input, profile);
}

static void forget_paths(line_paths *paths) {
  for (size_t i = 0; i < paths->count; i++)
    free((char *)paths->files[i].bytes);
  free(paths->files);
  *paths = (line_paths){.unit = 0};
}

void line_file_forget(line_file *file) {
  if (file->paths)
    forget_paths(file->paths);
  dloc_line_table_destroy(file->table);
  free(file->paths);
  file->paths = NULL;
  file->table = NULL;
}

int line_file_close(line_file *file) {
  if (file->problems > MOST_PROBLEMS) {
    OWNED(memory_release) char *text = text_format("%zu more problems are not shown", file->problems - MOST_PROBLEMS);
    tool_diagnose(&file->input, NULL, "note", text, NULL);
  }
  line_file_forget(file);
  dloc_object_close(file->object);
  dloc_context_destroy(file->context);
  tool_input_close(&file->input);
  return file->errors ? TOOL_VIOLATION : TOOL_FINE;
}

char *line_file_label(const line_file *file) {
  OWNED(memory_release) char *name = memory_copy(file->section.name);
  char *label =
      file->several ? text_format("%s[%" PRIu32 "]", name, file->section.index) : memory_copy(file->section.name);
  return label;
}

bool line_file_section(line_file *file, const char *name, uint32_t after, dloc_object_section *ret) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  bool found = false;
  dloc_object_section section;
  line_file_require(file,
                    dloc_object_section_next(file->object, dloc_text_of(name), after, &diagnostic, &section, &found),
                    &diagnostic);
  *ret = section;
  return found;
}

/* gdb and others look there for the file of a build ID, behind 16 bytes of a note. */
static char *build_id_path(dloc_text note) {
  enum { BEFORE = 16 };
  OWNED(dloc_buffer_deinit) dloc_buffer path = {0};
  buffer_put(&path, dloc_text_of("/usr/lib/debug/.build-id/"));
  for (size_t i = BEFORE; i < note.size && i < BEFORE + 20; i++) {
    char byte[4];
    snprintf(byte, sizeof byte, "%02x%s", (uint8_t)note.bytes[i], i == BEFORE ? "/" : "");
    buffer_put(&path, dloc_text_of(byte));
  }
  return text_format("%.*s.debug", (int)path.size, path.bytes);
}

void line_file_tell_elsewhere(line_file *file) {
  dloc_object_section section;
  if (line_file_section(file, ".debug_info", 0, &section))
    return;
  const bool linked = line_file_section(file, ".gnu_debuglink", 0, &section);
  if (!linked && !line_file_section(file, ".note.gnu.build-id", 0, &section))
    return;
  OWNED(memory_release) char *name = linked ? memory_copy(section.bytes) : build_id_path(section.bytes);
  OWNED(memory_release)
  char *text =
      text_format("debugging information of this file is elsewhere: ask %s%s", name, linked ? "" : ", if it is there");
  tool_diagnose(&file->input, NULL, "note", text, NULL);
}

/* ---- Problems ---- */

static void say(const line_file *file, const char *level, size_t at, const char *text, const char *reason) {
  OWNED(memory_release) char *label = line_file_label(file);
  OWNED(memory_release) char *name = text_format("%s: %s+0x%zx", file->input.name, label, at);
  tool_diagnose(&(tool_input){.name = name, .text = file->input.text}, NULL, level, text, reason);
}

dloc_status line_file_problem(void *file, dloc_reason reason, size_t at) {
  line_file_problems(file, reason, at, 1);
  return DLOC_OK;
}

void line_file_problems(line_file *file, dloc_reason reason, size_t at, size_t count) {
  bool soft = dloc_reason_severity(reason) == DLOC_SEVERITY_SOFT;
  const dloc_text missing = reason == DLOC_REASON_STACK_SPLIT ? dloc_object_missing(file->object) : dloc_text_of("");
  OWNED(memory_release) char *counted = tool_counted(reason, count), *package = text_format("%s.dwp", file->input.name);
  const bool packed = missing.size && tool_is_regular(package); /* libdw reads them from elfutils 0.191 on, if asked */
  OWNED(memory_release)
  char *text = text_format("%s%s%.*s%s%s%s", counted, missing.size ? ": " : "", (int)missing.size, missing.bytes,
                           packed ? " (and " : "", packed ? package : "", packed ? " is not read)" : "");
  file->errors += !soft;
  if (++file->problems <= MOST_PROBLEMS)
    say(file, soft ? "warning" : "error", at, text, dloc_reason_name(reason));
}

/* ---- Tables ---- */

static dloc_text bytes_of(line_file *file, const char *name) {
  dloc_object_section section;
  (void)line_file_section(file, name, 0, &section);
  return section.bytes;
}

/* Split DWARF keeps the strings of its own line table in sections of its own. */
void line_file_read(line_file *file, dloc_line_dialect dialect) {
  dloc_text name = file->section.name;
  bool split = name.size > 4 && strncmp(name.bytes + name.size - 4, ".dwo", 4) == 0;
  file->sections =
      (dloc_line_sections){.line = file->section.bytes,
                           .str = bytes_of(file, split ? ".debug_str.dwo" : ".debug_str"),
                           .line_str = bytes_of(file, split ? ".debug_line_str.dwo" : ".debug_line_str"),
                           .big_endian = file->kind.big_endian,
                           .address_size = file->kind.address_size,
                           .dialect = dialect == DLOC_DIALECT_STANDARD ? dloc_line_dialect_of(file->kind) : dialect};
  if (file->section.unapplied) {
    OWNED(memory_release)
    char *text = text_format("relocations that cannot be applied: %zu, the first of type %" PRIu64,
                             file->section.unapplied, file->section.unapplied_type);
    say(file, "warning", (size_t)file->section.unapplied_at, text, NULL);
  }
  tool_require(
      dloc_line_table_read(file->context, &file->profile, &file->sections, line_file_problem, file, &file->table),
      file->input.name);
}

/* ---- Paths ---- */

static dloc_text make_path(const line_file *file, const dloc_line_unit *unit, uint64_t number) {
  OWNED(dloc_buffer_deinit) dloc_buffer path = {0}, shown = {0};
  (void)dloc_line_unit_path(file->table, unit, number, buffer_sink(&path));
  (void)tool_write_name(buffer_text(&path), buffer_sink(&shown));   /* memory.h: it cannot fail */
  return (dloc_text){memory_copy(buffer_text(&shown)), shown.size}; /* an empty one has bytes, too */
}

dloc_text line_file_path(line_file *file, const dloc_line_unit *unit, uint64_t number) {
  if (!file->paths)
    file->paths = memory_allocate(1, sizeof *file->paths);
  line_paths *paths = file->paths;
  if (paths->unit != unit->offset + 1 || paths->bytes > PATH_BYTES) {
    forget_paths(paths);
    paths->unit = unit->offset + 1;
    paths->count = unit->file_count + 1; /* from 1, or from 0 */
    paths->files = memory_allocate(paths->count, sizeof *paths->files);
  }
  if (number >= paths->count)
    return (dloc_text){"", 0};
  dloc_text *path = &paths->files[number];
  if (!path->bytes) {
    *path = make_path(file, unit, number);
    paths->bytes += path->size;
  }
  return *path;
}
