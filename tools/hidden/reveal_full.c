/* reveal_full.c - `dloc reveal --full` of objects: the lines of one object
 * for each kind become the layers of another. */
#include "full.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/names.h"

#include <stdlib.h>
#include <string.h>

/* A file of a kind's layers. */
typedef struct layer_file {
  char *path; /* directory and name */
  char *name;
  dloc_node scope; /* of a layer in it */
} layer_file;

/* Files, and the first one of each name, by number. */
typedef struct layer_files {
  layer_file *items;
  size_t count;
  names paths;
  names names;
  size_t *first;
} layer_files;

/* Where the code is from an address of a section on; line 0: nowhere. */
typedef struct span {
  uint32_t section;
  uint64_t address;
  size_t order;
  size_t kind;
  dloc_node scope;
  uint32_t line, column;
  bool ends; /* a sequence, or a function: what begins at its address counts */
} span;

typedef struct spans {
  span *items;
  size_t count;
} spans;

/* The number of an address of a section, up to the next one. */
typedef struct numbered {
  uint32_t section;
  uint64_t address;
  uint32_t number;
} numbered;

/* Where the sequences of a line table are: by its relocations. */
typedef struct sections {
  dloc_object_edit *edit;
  dloc_relocation *relocations;
  size_t count;
} sections;

typedef struct full {
  line_file *primary;
  dloc_object_edit *edit;
  dloc_context *context; /* of the table */
  dloc_hidden *hidden;
  full_kinds kinds;
  spans changes; /* of the primary's code, of all kinds */
  numbered *numbers;
  size_t number_count;
  uint32_t *known; /* DebugLoc -> its number */
  size_t known_count;
  sections sections;
  bool lost;
} full;

/* A kind at hand. */
typedef struct kind_object {
  full *full;
  size_t number;
  line_file file;
  dloc_object_edit *edit;
  sections sections;
  layer_files files;
  spans spans;
} kind_object;

static void require(dloc_status status) { tool_require(status, NULL); }

/* ---- Sections ---- */

static sections sections_of(const line_file *file, dloc_object_edit *edit, uint32_t line) {
  sections s = {.edit = edit};
  dloc_diagnostic diagnostic;
  const dloc_relocation *relocations;
  line_file_require(file, dloc_object_edit_relocations(edit, line, &diagnostic, &relocations, &s.count), &diagnostic);
  s.relocations = memory_allocate(s.count + 1, sizeof *s.relocations);
  memcpy(s.relocations, relocations, s.count * sizeof *relocations);
  return s;
}

/* The section that the operand of a set_address leads to; 0: not known. */
static uint32_t section_at(const sections *s, size_t set_address) {
  size_t low = 0, high = s->count;
  dloc_edit_symbol symbol;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    bool before = s->relocations[middle].offset < set_address;
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  if (low == s->count || s->relocations[low].offset != set_address ||
      !dloc_object_edit_symbol(s->edit, s->relocations[low].symbol, &symbol))
    return 0;
  return symbol.section;
}

/* ---- Files of layers ---- */

static char *join(const char *directory, const char *name) {
  bool alone = !*directory || dloc_path_is_absolute(dloc_text_of(name));
  return alone ? memory_copy(dloc_text_of(name)) : full_path(directory, name, "");
}

static char *field_of(const dloc_context *context, dloc_node node, const char *key) {
  return memory_copy(dloc_node_text(context, dloc_field_value(context, node, key)));
}

/* A layer of the form irlayers has no scope: it gets one in what stands for any subprogram. */
static dloc_node scope_of_layer(const full *f, dloc_node layer, dloc_node file) {
  dloc_location content = {0};
  dloc_node primary = DLOC_NULL, scope = DLOC_NULL;
  if (dloc_node_kind(f->context, layer) == DLOC_KIND_LOCATION)
    return dloc_location_get(f->context, layer).scope;
  require(dloc_hidden_stand_in(f->hidden, file, &content.scope));
  require(dloc_location_create(f->context, false, &content, &primary));
  require(dloc_layer_scope(f->context, primary, file, &scope));
  return scope;
}

static void add_file(kind_object *k, dloc_node location) {
  const dloc_context *context = k->full->context;
  dloc_node node = dloc_place_of_layer(context, location).file;
  if (!node)
    return;
  layer_file file = {.scope = scope_of_layer(k->full, location, node)};
  char *directory = field_of(context, node, "directory");
  file.name = field_of(context, node, "filename");
  file.path = join(directory, file.name);
  free(directory);
  layer_files *files = &k->files;
  if (names_number(&files->paths, dloc_text_of(file.path)) < files->count) {
    free(file.name);
    free(file.path);
    return;
  }
  size_t count = files->names.count;
  if (names_number(&files->names, dloc_text_of(file.name)) == count)
    *MEMORY_ADD(files->first, count) = files->count;
  *MEMORY_ADD(files->items, files->count) = file;
}

static void list_files(kind_object *k) {
  const full *f = k->full;
  const char *name = f->kinds.items[k->number].kind;
  dloc_layer layer;
  for (size_t i = 0; i < dloc_hidden_count(f->hidden); i++)
    for (size_t c = 0; dloc_next_layer(f->context, dloc_hidden_at(f->hidden, i).layers, &c, &layer);)
      if (dloc_text_equal(dloc_node_text(f->context, layer.kind), dloc_text_of(name)))
        add_file(k, layer.location);
}

static void files_free(layer_files *files) {
  for (size_t i = 0; i < files->count; i++) {
    free(files->items[i].name);
    free(files->items[i].path);
  }
  free(files->items);
  free(files->first);
  names_deinit(&files->paths);
  names_deinit(&files->names);
}

/* The scope of the file with that path or, where the directory of the compilation is not known, with that name. */
static dloc_node find_scope(const layer_files *files, dloc_text path, const char *first) {
  char *whole = join(first, path.bytes);
  size_t found;
  dloc_node scope = DLOC_NULL;
  if (names_find(&files->paths, path, &found) || (*first && names_find(&files->paths, dloc_text_of(whole), &found)))
    scope = files->items[found].scope;
  else if (!*first && names_find(&files->names, path, &found))
    scope = files->items[files->first[found]].scope;
  free(whole);
  return scope;
}

/* A line table has a file by its directory, or without that of the compilation, by which it may have split the name. */
static dloc_node scope_of_file(const kind_object *k, const dloc_line_unit *unit, uint64_t number) {
  const dloc_line_file *file = dloc_line_unit_file(k->file.table, unit, number);
  if (!file)
    return DLOC_NULL;
  dloc_text first = unit->parameters.version >= 5 ? dloc_line_unit_directory(k->file.table, unit, 0) : dloc_text_of("");
  char *directory = memory_copy(dloc_line_unit_directory(k->file.table, unit, file->directory));
  char *name = memory_copy(file->name), *path = join(directory, name), *before = memory_copy(first);
  dloc_node scope = find_scope(&k->files, dloc_text_of(path), before);
  free(before);
  free(directory);
  free(name);
  free(path);
  return scope;
}

/* ---- Lines of a kind ---- */

static int by_address(const void *a, const void *b) {
  const span *x = a, *y = b;
  if (x->section != y->section)
    return x->section > y->section ? 1 : -1;
  if (x->address != y->address)
    return x->address > y->address ? 1 : -1;
  if (x->ends != y->ends)
    return x->ends ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

static void add_span(spans *to, span s) {
  s.order = to->count;
  *MEMORY_ADD(to->items, to->count) = s;
}

static void sort_spans(spans *s) {
  if (s->count)
    qsort(s->items, s->count, sizeof *s->items, by_address);
}

/* A row of another file is none, as that of a function's start, which is in the primary's. */
static void take_rows(kind_object *k, const dloc_line_unit *unit, const dloc_sequence *sequence) {
  size_t count;
  const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(k->file.table), &count) + sequence->first;
  uint32_t section = section_at(&k->sections, sequence->set_address), file = 0;
  dloc_node scope = DLOC_NULL;
  for (size_t i = 0; section && i < sequence->count; i++) {
    if (i == 0 || rows[i].file != file)
      scope = scope_of_file(k, unit, rows[i].file);
    file = rows[i].file;
    bool ends = rows[i].flags & DLOC_ROW_END_SEQUENCE;
    span s = {.section = section, .address = rows[i].address, .ends = ends};
    if (scope && !ends) {
      s.scope = scope;
      s.line = rows[i].line;
      s.column = rows[i].column;
    }
    add_span(&k->spans, s);
  }
}

static void read_rows(kind_object *k) {
  size_t unit_count, count;
  const dloc_line_unit *units = dloc_line_table_units(k->file.table, &unit_count);
  const dloc_sequence *sequences = dloc_rows_sequences(dloc_line_table_rows(k->file.table), &count);
  for (size_t i = 0; i < unit_count; i++)
    for (size_t j = 0; j < units[i].sequence_count; j++)
      take_rows(k, &units[i], &sequences[units[i].first_sequence + j]);
  sort_spans(&k->spans);
}

/* ---- Functions ---- */

static size_t first_span(const spans *s, uint32_t section, uint64_t address) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const span *m = &s->items[middle];
    bool before = m->section < section || (m->section == section && m->address < address);
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  return low;
}

/* Code that differs has no layers. */
static dloc_status take_function(void *user, const dloc_edit_function *function, const dloc_edit_function *other) {
  kind_object *k = user;
  spans *to = &k->full->changes;
  if (!other) {
    full_tell_lost(&k->file.input, function->name, k->full->kinds.items[k->number].kind);
    k->full->lost = true;
    return DLOC_OK;
  }
  for (size_t i = first_span(&k->spans, other->section, other->address); i < k->spans.count; i++) {
    span s = k->spans.items[i];
    if (s.section != other->section || s.address - other->address >= other->size)
      break;
    s.section = function->section;
    s.address += function->address - other->address;
    s.kind = k->number;
    add_span(to, s);
  }
  add_span(to, (span){.section = function->section,
                      .address = function->address + function->size,
                      .kind = k->number,
                      .ends = true});
  return DLOC_OK;
}

/* ---- Objects of kinds ---- */

static void read_kind(kind_object *k, const char *path) {
  dloc_diagnostic diagnostic;
  uint32_t line = 0;
  k->file = line_file_open(path, &k->full->primary->profile);
  list_files(k);
  line_file_require(&k->file, dloc_object_edit_open(k->file.context, k->file.input.text, &diagnostic, &k->edit),
                    &diagnostic);
  line_file_require(&k->file, dloc_object_edit_lines(k->edit, &diagnostic, &line), &diagnostic);
  k->sections = sections_of(&k->file, k->edit, line);
  if (!line_file_section(&k->file, ".debug_line", 0, &k->file.section))
    tool_exit(tool_reject(&k->file.input, NULL, DLOC_REASON_OBJECT_LINES));
  line_file_read(&k->file, DLOC_DIALECT_STANDARD);
  if (k->file.errors || k->file.section.unapplied)
    tool_exit(TOOL_VIOLATION);
  read_rows(k);
  line_file_require(&k->file, dloc_object_edit_functions(k->full->edit, k->edit, &diagnostic, take_function, k),
                    &diagnostic);
}

static void add_kind(full *f, size_t number, const char *directory) {
  kind_object k = {.full = f, .number = number};
  char *path = full_path(directory, f->kinds.items[number].name, ".o");
  read_kind(&k, path);
  files_free(&k.files);
  free(k.spans.items);
  free(k.sections.relocations);
  dloc_object_edit_close(k.edit);
  (void)line_file_close(&k.file);
  free(path);
}

/* ---- Numbers ---- */

/* Equal DebugLocs are one node. */
static uint32_t number_of(full *f, dloc_node debug_loc) {
  if (debug_loc >= f->known_count) {
    size_t count = 2 * ((size_t)debug_loc + 1);
    f->known = memory_resize(f->known, count, sizeof *f->known);
    memset(f->known + f->known_count, 0, (count - f->known_count) * sizeof *f->known);
    f->known_count = count;
  }
  if (!f->known[debug_loc])
    require(dloc_hidden_add(f->hidden, debug_loc, &f->known[debug_loc]));
  return f->known[debug_loc];
}

/* The lines of all kinds at an address; 0: none has any. */
static uint32_t number_layers(full *f, const span *at, dloc_layer *layers) {
  size_t count = 0;
  dloc_node primary = DLOC_NULL, made = DLOC_NULL;
  for (size_t i = 0; i < f->kinds.count; i++) {
    if (!at[i].line)
      continue;
    const dloc_location content = {.line = at[i].line, .column = at[i].column, .scope = at[i].scope};
    require(dloc_string(f->context, dloc_text_of(f->kinds.items[i].kind), &layers[count].kind));
    require(dloc_location_create(f->context, false, &content, &layers[count].location));
    primary = layers[count++].location;
  }
  if (!count)
    return 0;
  require(dloc_debug_loc_create(f->context, primary, layers, count, &made));
  return number_of(f, made);
}

static void number_changes(full *f) {
  span *at = memory_allocate(f->kinds.count + 1, sizeof *at);
  dloc_layer *layers = memory_allocate(f->kinds.count + 1, sizeof *layers);
  sort_spans(&f->changes);
  for (size_t i = 0; i < f->changes.count; i++) {
    const span *change = &f->changes.items[i], *next = change + 1;
    at[change->kind] = *change;
    if (i + 1 == f->changes.count || next->section != change->section || next->address != change->address)
      *MEMORY_ADD(f->numbers, f->number_count) =
          (numbered){change->section, change->address, number_layers(f, at, layers)};
  }
  free(at);
  free(layers);
}

static dloc_status number_at(void *user, size_t set_address, uint64_t address, uint32_t *ret_number,
                             uint64_t *ret_until) {
  const full *f = user;
  uint32_t section = section_at(&f->sections, set_address);
  size_t low = 0, high = f->number_count; /* the first behind the address */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const numbered *n = &f->numbers[middle];
    bool behind = n->section > section || (n->section == section && n->address > address);
    low = behind ? low : middle + 1;
    high = behind ? middle : high;
  }
  const numbered *here = low && f->numbers[low - 1].section == section ? &f->numbers[low - 1] : NULL;
  *ret_number = here ? here->number : 0;
  *ret_until = low < f->number_count && f->numbers[low].section == section ? f->numbers[low].address : UINT64_MAX;
  return DLOC_OK;
}

bool full_number_object(line_file *primary, dloc_object_edit *edit, uint32_t line, dloc_hidden *hidden,
                        const char *directory) {
  full f = {.primary = primary, .edit = edit, .context = primary->context, .hidden = hidden};
  if (dloc_hidden_where(hidden) != DLOC_HIDDEN_IN_DISCRIMINATOR)
    tool_exit(tool_reject(&primary->input, NULL, DLOC_REASON_LAYER_LINES_COLUMN));
  f.kinds = full_kinds_of(&primary->input, f.context, hidden, &primary->profile);
  f.sections = sections_of(primary, edit, line);
  for (size_t i = 0; i < f.kinds.count; i++)
    add_kind(&f, i, directory);
  number_changes(&f);
  require(dloc_line_table_number(primary->table, number_at, &f));
  full_kinds_free(&f.kinds);
  free(f.changes.items);
  free(f.numbers);
  free(f.known);
  free(f.sections.relocations);
  return !f.lost;
}
