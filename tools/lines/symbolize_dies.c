/* dloc symbolize: stacks by DIEs and rows. spec/lines.md 14 */
#include "document/memory.h"
#include "symbolize.h"

#include <stdlib.h>

bool symbolize_read(line_file *file, const char *name, dloc_line_dialect dialect) {
  if (!line_file_section(file, name, 0, &file->section))
    return false;
  line_file_read(file, dialect);
  return true;
}

dloc_text symbolize_path(line_file *file, const dloc_line_unit *unit, uint64_t number) {
  dloc_text path = {"", 0};
  if (dloc_line_unit_path_text(file->table, unit, number, &path) != DLOC_OK)
    memory_exhausted();
  return path;
}

/* A dloc_section_problem. */
static dloc_status problem(void *user, dloc_reason reason, dloc_text section, size_t at) {
  line_file *file = user;
  file->section = (dloc_object_section){.name = section};
  return line_file_problem(file, reason, at);
}

dloc_symbolizer *symbolize_open(line_file *file, dloc_symbolizer_parts parts) {
  const dloc_symbolizer_options options = {
      .profile = &file->profile, .parts = parts, .on_problem = problem, .user = file};
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_symbolizer *symbolizer = NULL;
  line_file_require(file, dloc_symbolizer_open(file->object, &options, &diagnostic, &symbolizer), &diagnostic);
  return symbolizer;
}

/* ---- Sources ---- */

typedef struct source {
  line_file *file;
  dloc_symbolizer *symbolizer;
} source;

static void ask(void *user, const symbolize_address *asked, symbolize_frames *ret) {
  const source *s = user;
  dloc_symbol symbol;
  if (asked->kernel.size)
    return;
  tool_require(dloc_symbolizer_ask(s->symbolizer, asked->offset, &symbol), s->file->input.name);
  *ret = (symbolize_frames){symbol.frames, symbol.frame_count, symbol.layers, symbol.layer_count};
}

static void close_source(void *user) {
  source *s = user;
  dloc_symbolizer_close(s->symbolizer);
  free(s);
}

static void *open_source(line_file *file, dloc_symbolizer_parts parts,
                         bool has_part(const dloc_symbolizer *symbolizer)) {
  source *s = memory_allocate(1, sizeof *s);
  *s = (source){.file = file, .symbolizer = symbolize_open(file, parts)};
  if (has_part(s->symbolizer))
    return s;
  close_source(s);
  return NULL;
}

static void *open_dies(line_file *file) {
  dloc_object_section section;
  return line_file_section(file, ".debug_info", 0, &section)
             ? open_source(file, DLOC_SYMBOLIZE_ALL, dloc_symbolizer_has_units)
             : NULL;
}

static void *open_rows(line_file *file) { return open_source(file, DLOC_SYMBOLIZE_ROWS, dloc_symbolizer_has_rows); }

const symbolize_source symbolize_dies = {"dies", open_dies, ask, close_source, NULL, true};
const symbolize_source symbolize_rows = {"rows", open_rows, ask, close_source, NULL, true};
