/* dloc symbolize: stacks by DIEs and rows. SPEC.md 14 */
#include "document/buffer.h"
#include "document/memory.h"
#include "symbolize.h"

#include <stdlib.h>

#define NO_UNIT SIZE_MAX

typedef struct source {
  line_file *file;
  dloc_code code;
  dloc_debug_info *info;       /* NULL: rows alone */
  const dloc_line_unit *units; /* of the line table; none when there is none */
  size_t unit_count;
  dloc_row_index *rows;       /* all */
  dloc_row_index **unit_rows; /* of a unit of the line table, or NULL: not asked for yet */
  size_t *line_units;         /* of a unit of DIEs, or NO_UNIT */
  symbolize_paths paths;
} source;

static void require(const source *s, dloc_status status) {
  if (status != DLOC_OK)
    tool_exit(tool_failure(status, s->file->input.name));
}

/* ---- Line tables ---- */

bool symbolize_read(line_file *file, const char *name, dloc_line_dialect dialect) {
  if (!line_file_section(file, name, 0, &file->section))
    return false;
  line_file_read(file, dialect);
  return true;
}

dloc_text symbolize_path(symbolize_paths *paths, const line_file *file, size_t unit, uint64_t number) {
  size_t count;
  const dloc_line_unit *of = &dloc_line_table_units(file->table, &count)[unit];
  if (!paths->units) {
    paths->units = memory_allocate(count, sizeof *paths->units);
    paths->count = count;
  }
  if (number > of->file_count) /* from 1, or from 0 */
    return (dloc_text){"", 0};
  if (!paths->units[unit])
    paths->units[unit] = memory_allocate(of->file_count + 1, sizeof **paths->units);
  dloc_text *path = &paths->units[unit][number];
  if (!path->bytes) {
    dloc_buffer made = {0};
    (void)dloc_line_unit_path(file->table, of, number, buffer_sink(&made));
    *path = (dloc_text){memory_copy(buffer_text(&made)), made.size};
    dloc_buffer_deinit(&made);
  }
  return *path;
}

void symbolize_paths_deinit(symbolize_paths *paths, const line_file *file) {
  size_t count;
  for (size_t i = 0; i < paths->count; i++) {
    for (size_t j = 0; paths->units[i] && j <= dloc_line_table_units(file->table, &count)[i].file_count; j++)
      free((char *)paths->units[i][j].bytes);
    free(paths->units[i]);
  }
  free(paths->units);
}

/* The rows of some sequences, by address. */
static dloc_row_index *index_rows(const source *s, size_t first, size_t count) {
  dloc_row_index *index = NULL;
  require(s, dloc_row_index_create(s->file->context, &s->file->profile, &s->code, dloc_line_table_rows(s->file->table),
                                   first, count, &index));
  return index;
}

static void read_table(source *s) {
  size_t sequences;
  if (!symbolize_read(s->file, ".debug_line", DLOC_DIALECT_STANDARD))
    return;
  s->units = dloc_line_table_units(s->file->table, &s->unit_count);
  (void)dloc_rows_sequences(dloc_line_table_rows(s->file->table), &sequences);
  s->rows = index_rows(s, 0, sequences);
  s->unit_rows = memory_allocate(s->unit_count, sizeof *s->unit_rows);
}

/* Units stand in the order of their offsets; NO_UNIT: none has the row, or begins there. */
static size_t find_unit(const source *s, uint64_t what, bool is_row) {
  size_t low = 0;
  for (size_t high = s->unit_count; low < high;) {
    size_t middle = low + (high - low) / 2;
    const dloc_line_unit *unit = &s->units[middle];
    if (is_row ? unit->first_row + unit->row_count <= what : unit->offset < what)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->unit_count && (is_row || s->units[low].offset == what) ? low : NO_UNIT;
}

/* The row of an address in a unit of the line table; NO_UNIT: in any. *ret_unit: the unit that has it. */
static const dloc_row *find_row(source *s, uint64_t address, size_t *unit) {
  size_t row, count;
  const dloc_row_index *rows = s->rows;
  if (*unit != NO_UNIT) {
    const dloc_line_unit *of = &s->units[*unit];
    if (!s->unit_rows[*unit])
      s->unit_rows[*unit] = index_rows(s, of->first_sequence, of->sequence_count);
    rows = s->unit_rows[*unit];
  }
  if (!rows || !dloc_row_index_find(rows, address, &row))
    return NULL;
  *unit = find_unit(s, row, true);
  return &dloc_rows_list(dloc_line_table_rows(s->file->table), &count)[row];
}

/* ---- Frames ---- */

static void add_frame(source *s, const dloc_frame *frame, dloc_text directory, size_t unit, symbolize_frames *ret) {
  bool has_file = frame->file != DLOC_NO_FILE && unit != NO_UNIT;
  *MEMORY_ADD(ret->items, ret->count) =
      (symbolize_frame){.function = frame->function,
                        .directory = directory,
                        .path = has_file ? symbolize_path(&s->paths, s->file, unit, frame->file) : (dloc_text){"", 0},
                        .line = frame->line,
                        .column = frame->column,
                        .discriminator = frame->discriminator};
}

/* A unit of DIEs has rows in its own table only; an address of no such unit, in any. */
static void ask(void *user, const symbolize_address *asked, symbolize_frames *ret) {
  source *s = user;
  const uint64_t address = asked->offset;
  dloc_stacks *stacks = dloc_debug_info_stacks(s->info);
  uint32_t die_unit = asked->kernel.size ? DLOC_NO_DIE : dloc_stacks_unit(stacks, address), count;
  const dloc_debug_unit *of = die_unit == DLOC_NO_DIE ? NULL : &dloc_debug_info_units(s->info, &count)[die_unit];
  size_t unit = of ? s->line_units[die_unit] : NO_UNIT, frame_count;
  const dloc_row *row = asked->kernel.size || (of && unit == NO_UNIT) ? NULL : find_row(s, address, &unit);
  const dloc_frame *frames;
  require(s, dloc_stacks_frames(stacks, die_unit, address, row, &frames, &frame_count));
  for (size_t i = 0; i < frame_count; i++)
    add_frame(s, &frames[i], of ? of->directory : (dloc_text){"", 0}, unit, ret);
}

static void ask_rows(void *user, const symbolize_address *asked, symbolize_frames *ret) {
  source *s = user;
  size_t unit = NO_UNIT;
  const dloc_row *row = asked->kernel.size ? NULL : find_row(s, asked->offset, &unit);
  if (row) {
    dloc_frame frame = {
        .file = row->file, .line = row->line, .column = row->column, .discriminator = row->discriminator};
    add_frame(s, &frame, (dloc_text){"", 0}, unit, ret);
  }
}

/* ---- Sources ---- */

static source *open_source(line_file *file) {
  source *s = memory_allocate(1, sizeof *s);
  *s = (source){.file = file, .code = dloc_object_code(file->object)};
  read_table(s);
  return s;
}

static void close_source(void *user) {
  source *s = user;
  symbolize_paths_deinit(&s->paths, s->file);
  for (size_t i = 0; i < s->unit_count; i++)
    dloc_row_index_destroy(s->unit_rows[i]);
  dloc_row_index_destroy(s->rows);
  dloc_debug_info_close(s->info);
  free(s->unit_rows);
  free(s->line_units);
  free(s);
}

static void *open_rows(line_file *file) {
  source *s = open_source(file);
  if (s->rows)
    return s;
  close_source(s);
  return NULL;
}

static void *open_dies(line_file *file) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_object_section section;
  if (!line_file_section(file, ".debug_info", 0, &section))
    return NULL;
  source *s = open_source(file);
  uint32_t count;
  file->section = section; /* of the problems from here on */
  dloc_status status =
      dloc_debug_info_open(file->object, &file->profile, line_file_problem, file, &diagnostic, &s->info);
  if (status != DLOC_OK)
    tool_exit(tool_explain(status, &file->input, &diagnostic));
  const dloc_debug_unit *units = dloc_debug_info_units(s->info, &count);
  s->line_units = memory_allocate(count, sizeof *s->line_units);
  for (uint32_t i = 0; i < count; i++)
    s->line_units[i] = units[i].has_lines ? find_unit(s, units[i].lines, false) : NO_UNIT;
  if (count)
    return s;
  close_source(s);
  return NULL;
}

const symbolize_source symbolize_dies = {"dies", open_dies, ask, close_source, NULL};
const symbolize_source symbolize_rows = {"rows", open_rows, ask_rows, close_source, NULL};
