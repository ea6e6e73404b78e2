/* A section of line tables that was read: its units, their rows and files. */
#include "table.h"

#include <string.h>

dloc_status table_problem(const dloc_line_table *table, dloc_reason reason, size_t at) {
  return table->on_problem ? table->on_problem(table->user, reason, at) : DLOC_OK;
}

void dloc_line_table_destroy(dloc_line_table *table) {
  if (!table)
    return;
  dloc_rows_destroy(table->rows);
  dloc_rows_destroy(table->actuals);
  for (size_t i = 0; i < table->paths.count; i++)
    context_free(table->context, (char *)table->paths.items[i].bytes);
  CONTEXT_FREE(table->context, table->paths.items, table->units.items, table->directories.items, table->files.items,
               table->str_ends.blocks, table->line_str_ends.blocks, table->subprograms.items, table);
}

const dloc_line_unit *dloc_line_table_units(const dloc_line_table *table, size_t *ret_count) {
  *ret_count = table->units.count;
  return table->units.items;
}

const dloc_rows *dloc_line_table_rows(const dloc_line_table *table) { return table->rows; }

const dloc_line_unit *dloc_line_table_unit_at(const dloc_line_table *table, size_t row) {
  BISECT(unit, 1, table->units.count, i, table->units.items[i].first_row <= row); /* 0 has what no other has */
  return &table->units.items[unit - 1];
}

const dloc_text *dloc_line_unit_directories(const dloc_line_table *table, const dloc_line_unit *unit) {
  return unit->directory_count ? &table->directories.items[unit->first_directory] : NULL;
}

const dloc_line_file *dloc_line_unit_files(const dloc_line_table *table, const dloc_line_unit *unit) {
  return unit->file_count ? &table->files.items[unit->first_file] : NULL;
}

/* `lines.file.number`: versions before 5 count files from 1. `lines.entries.number` */
const dloc_line_file *table_file(const dloc_line_table *table, const dloc_line_unit *unit, uint64_t number) {
  uint64_t index = unit->parameters.version >= 5 ? number : number - 1;
  return index < unit->file_count ? &table->files.items[unit->first_file + (size_t)index] : NULL;
}

/* `lines.directory.old`, `lines.entries.number`: so they do with directories; 0 is the one of the compilation, which
 * they do not name. */
dloc_text table_directory(const dloc_line_table *table, const dloc_line_unit *unit, uint64_t number) {
  uint64_t index = unit->parameters.version >= 5 ? number : number - 1;
  return index < unit->directory_count ? table->directories.items[unit->first_directory + (size_t)index]
                                       : (dloc_text){NULL, 0};
}

OWNER(dloc_rows)

dloc_status table_make_rows(dloc_line_table *table, table_make_sequence *make, void *user) {
  OWNED(release_dloc_rows) dloc_rows *made = NULL;
  TRY(dloc_rows_create(table->context, &made));
  for (size_t i = 0; i < table->units.count; i++) {
    dloc_line_unit *unit = &table->units.items[i];
    unit->first_row = made->rows.count;
    for (size_t j = unit->first_sequence; j < unit->first_sequence + unit->sequence_count; j++) {
      dloc_sequence s = table->rows->sequences.items[j];
      s.first = made->rows.count;
      TRY(make(user, table->rows, j, made));
      s.count = made->rows.count - s.first;
      PUSH(made->context, made->sequences, s);
    }
    unit->row_count = made->rows.count - unit->first_row;
  }
  dloc_rows *before = table->rows;
  table->rows = made;
  made = before;
  return DLOC_OK;
}

/* `lines.path.absolute`: on Windows, too, whatever reads it. */
bool dloc_path_is_absolute(dloc_text path) {
  const char *p = path.bytes;
  bool drive =
      path.size > 2 && (p[0] | 32) >= 'a' && (p[0] | 32) <= 'z' && p[1] == ':' && (p[2] == '\\' || p[2] == '/');
  return drive || (path.size && p[0] == '/') || (path.size > 1 && p[0] == '\\' && p[1] == '\\');
}

/* `lines.path` */
static bool put(dloc_sink sink, dloc_text directory) {
  bool slash = directory.size && directory.bytes[directory.size - 1] != '/';
  return !directory.size ||
         (sink.write(sink.user, directory.bytes, directory.size) && (!slash || sink.write(sink.user, "/", 1)));
}

/* `lines.path`, `lines.path.base` */
dloc_status dloc_line_unit_path(const dloc_line_table *table, const dloc_line_unit *unit, uint64_t number,
                                dloc_sink sink) {
  const dloc_line_file *file = table_file(table, unit, number);
  if (!file || !file->name.size)
    return DLOC_OK;
  dloc_text none = {NULL, 0},
            directory = dloc_path_is_absolute(file->name) ? none : table_directory(table, unit, file->directory);
  bool joins = directory.size && !dloc_path_is_absolute(directory) && unit->parameters.version >= 5 &&
               file->directory != 0 && DLOC_TAKES(table->profile, LINES_PATH_BASE, DIRECTORY_0);
  bool written = put(sink, joins ? table_directory(table, unit, 0) : none) && put(sink, directory) &&
                 sink.write(sink.user, file->name.bytes, file->name.size);
  return written ? DLOC_OK : sink_refused(sink);
}

/* A sink that counts bytes, and keeps them where there is room. */
typedef struct path_maker {
  char *room; /* NULL: there is none */
  size_t size;
} path_maker;

static bool write_path(void *user, const char *bytes, size_t size) {
  path_maker *m = user;
  if (m->room)
    memcpy(m->room + m->size, bytes, size);
  m->size += size;
  return true;
}

static dloc_status make_path(const dloc_line_table *table, const dloc_line_unit *unit, uint64_t number,
                             dloc_text *ret) {
  path_maker m = {.room = NULL};
  TRY(dloc_line_unit_path(table, unit, number, (dloc_sink){write_path, &m}));
  ALLOCATE_ITEMS(table->context, m.room, m.size + 1);
  m.size = 0;
  TRY(dloc_line_unit_path(table, unit, number, (dloc_sink){write_path, &m}));
  *ret = (dloc_text){m.room, m.size};
  return DLOC_OK;
}

dloc_status dloc_line_unit_path_text(dloc_line_table *table, const dloc_line_unit *unit, uint64_t number,
                                     dloc_text *ret) {
  const dloc_line_file *file = table_file(table, unit, number);
  if (!file) {
    *ret = (dloc_text){"", 0};
    return DLOC_OK;
  }
  while (table->paths.count < table->files.count)
    PUSH(table->context, table->paths, (dloc_text){NULL, 0});
  dloc_text *path = &table->paths.items[file - table->files.items];
  if (!path->bytes)
    TRY(make_path(table, unit, number, path));
  *ret = *path;
  return DLOC_OK;
}
