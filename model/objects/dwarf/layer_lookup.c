/* spec/hidden.md 18.2: the line tables of layers, by address. */
#include "layer_texts.h"
#include "table.h"

#include "nodes/text.h"

/* Rows of one kind: a section of their own, or units of the primary table. */
typedef struct layer_table {
  uint32_t kind;
  dloc_text section;
  dloc_line_table *table;
  dloc_line_table *own; /* NULL: the primary */
  dloc_row_index *rows;
  uint32_t *texts; /* of each file of the table: the number of its text; DLOC_NO_TEXT, NOT_EMBEDDED */
} layer_table;
#define NOT_EMBEDDED (DLOC_NO_TEXT - 1)
#define NO_KIND UINT32_MAX
enum { MOST_KINDS = 64 };

typedef struct layer_place {
  const layer_table *table;
  size_t row;
} layer_place;

struct dloc_layer_lines {
  dloc_context *context;
  dloc_profile profile; /* what chapter 14 asks is answered as it is for layers */
  dloc_code code;
  layer_texts texts;
  ARRAY(dloc_text) kinds;
  ARRAY(dloc_text) spelled; /* each kind as people see it */
  ARRAY(layer_table) tables;
  uint32_t *merged;        /* of each unit of the primary: its kind, or NO_KIND */
  dloc_layer_line *answer; /* room for one of each kind, as in places */
  layer_place *places;
  dloc_section_problem *on_problem;
  void *user;
};

/* ---- Problems ---- */

static dloc_status problem(const dloc_layer_lines *lines, dloc_reason reason, dloc_text section, size_t at) {
  return lines->on_problem && reason != DLOC_REASON_NONE ? lines->on_problem(lines->user, reason, section, at)
                                                         : DLOC_OK;
}

typedef struct section_problems {
  const dloc_layer_lines *lines;
  dloc_text section;
} section_problems;

/* A dloc_line_problem. */
static dloc_status line_problem(void *user, dloc_reason reason, size_t at) {
  const section_problems *p = user;
  return problem(p->lines, reason, p->section, at);
}

/* ---- Kinds ---- */

/* `layer-lookup.section`, `layer-lookup.section.dwarf`, `layer-lookup.section.fragment` */
bool layer_table_name(dloc_text name, dloc_text *ret_kind) {
  const size_t size = strlen(".debug_line");
  if (name.size < size + 2 || !text_begins(name, ".debug_line") || (name.bytes[size] != '.' && name.bytes[size] != '_'))
    return false;
  const dloc_text behind = {name.bytes + size, name.size - size};
  if (text_is_among(behind, ".dwo _str _str.dwo .text"))
    return false;
  *ret_kind = (dloc_text){behind.bytes + 1, behind.size - 1};
  return !text_begins(behind, ".text.");
}

/* `layer-lookup.kinds`, `layer-lookup.kinds.many`: the number of a kind, in the order in which they are met. */
static dloc_status kind_number(dloc_layer_lines *lines, dloc_text kind, dloc_text section, size_t at, uint32_t *ret) {
  uint32_t i = 0;
  while (i < lines->kinds.count && !dloc_text_equal(lines->kinds.items[i], kind))
    i++;
  *ret = i < MOST_KINDS ? i : NO_KIND;
  if (i == MOST_KINDS)
    return problem(lines, DLOC_REASON_LAYER_LOOKUP_KINDS_MANY, section, at);
  if (i < lines->kinds.count)
    return DLOC_OK;
  PUSH(lines->context, lines->kinds, kind);
  PUSH(lines->context, lines->spelled, kind);
  return DLOC_OK;
}

/* ---- Files ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool layer_kind_begins(dloc_text text, dloc_text kind) {
  for (size_t i = 0; i < kind.size; i++)
    if (i == text.size || lower(text.bytes[i]) != lower(kind.bytes[i]))
      return false;
  return true;
}

/* `layer-lookup.name`, `layer-lookup.name.kind`: the directory KIND/NAME of a text's file. The first that tells counts. */
static void take_name(dloc_layer_lines *lines, uint32_t kind, dloc_embedded_text *text, dloc_text directory) {
  const size_t size = lines->kinds.items[kind].size;
  if (directory.size <= size || directory.bytes[size] != '/' || !layer_kind_begins(directory, lines->kinds.items[kind]))
    return;
  if (!text->name.size)
    text->name = (dloc_text){directory.bytes + size + 1, directory.size - size - 1};
  if (lines->spelled.items[kind].bytes == lines->kinds.items[kind].bytes)
    lines->spelled.items[kind] = (dloc_text){directory.bytes, size};
}

/* `layer-lookup.text`, `layer-lookup.text.by-hash`, `layer-lookup.text.missing` */
static dloc_status link_file(dloc_layer_lines *lines, const layer_table *t, const dloc_line_unit *unit, size_t file) {
  dloc_text name = t->table->files.items[file].name, kind = lines->kinds.items[t->kind], hash = name;
  bool is_section = layer_text_name(name, &kind, &hash);
  uint32_t text = layer_texts_find(&lines->texts, kind, hash);
  t->texts[file] = text == DLOC_NO_TEXT && !is_section ? NOT_EMBEDDED : text;
  if (text == DLOC_NO_TEXT)
    return is_section ? problem(lines, DLOC_REASON_LAYER_LOOKUP_TEXT_MISSING, t->section, unit->offset) : DLOC_OK;
  lines->texts.states.items[text].used = true;
  if (is_section)
    take_name(lines, t->kind, &lines->texts.items.items[text],
              table_directory(t->table, unit, t->table->files.items[file].directory));
  return DLOC_OK;
}

static dloc_status link_files(dloc_layer_lines *lines, layer_table *t) {
  ALLOCATE_ITEMS(lines->context, t->texts, t->table->files.count + 1);
  for (size_t i = 0; i < t->table->units.count; i++) {
    const dloc_line_unit *unit = &t->table->units.items[i];
    bool is_kind = t->own || lines->merged[i] == t->kind;
    for (size_t j = 0; is_kind && j < unit->file_count; j++)
      TRY(link_file(lines, t, unit, unit->first_file + j));
  }
  return DLOC_OK;
}

/* ---- Tables ---- */

/* Add a table whose rows are those of some sequences. */
static dloc_status add_table(dloc_layer_lines *lines, const layer_table *t, const dloc_sequence *sequences,
                             size_t count) {
  PUSH(lines->context, lines->tables, *t);
  layer_table *kept = &lines->tables.items[lines->tables.count - 1];
  TRY(dloc_row_index_create(lines->context, &lines->profile, &lines->code, t->table->rows, sequences, count,
                            &kept->rows));
  return link_files(lines, kept);
}

static dloc_status read_section(dloc_layer_lines *lines, const dloc_layer_sections *from,
                                const dloc_named_bytes *section) {
  layer_table t = {.section = section->name};
  section_problems problems = {lines, section->name};
  dloc_line_sections sections = from->of_all;
  dloc_text kind;
  sections.line = section->bytes;
  if (!layer_table_name(section->name, &kind))
    return DLOC_OK;
  TRY(kind_number(lines, kind, section->name, 0, &t.kind));
  if (t.kind == NO_KIND)
    return DLOC_OK;
  TRY(dloc_line_table_read(lines->context, &lines->profile, &sections, line_problem, &problems, &t.own));
  t.table = t.own;
  size_t count = lines->tables.count;
  dloc_status status = add_table(lines, &t, t.own->rows->sequences.items, t.own->rows->sequences.count);
  if (lines->tables.count == count)
    dloc_line_table_destroy(t.own);
  return status;
}

/* ---- Merged tables ---- */

static bool is_claimed(const dloc_layer_sections *from, uint64_t offset) {
  BISECT(place, 0, from->claimed_count, i, from->claimed[i] < offset);
  return place < from->claimed_count && from->claimed[place] == offset;
}

/* `layer-lookup.merged`: the kind that the first file tells which is an embedded text. */
static dloc_status find_merged(dloc_layer_lines *lines, const dloc_layer_sections *from, size_t number) {
  const dloc_line_unit *unit = &from->primary->units.items[number];
  dloc_text kind, hash;
  lines->merged[number] = NO_KIND;
  for (size_t i = 0; i < unit->file_count && !is_claimed(from, unit->offset); i++)
    if (layer_text_name(from->primary->files.items[unit->first_file + i].name, &kind, &hash) && kind.size)
      return kind_number(lines, kind, dloc_text_of(".debug_line"), unit->offset, &lines->merged[number]);
  return DLOC_OK;
}

/* The units of a kind as a table of it, if there are any. */
static dloc_status add_merged(dloc_layer_lines *lines, dloc_line_table *primary, uint32_t kind) {
  const layer_table t = {.kind = kind, .section = dloc_text_of(".debug_line"), .table = primary};
  ALLOCATE(lines->context, dloc_sequence, sequences, primary->rows->sequences.count + 1);
  OWNED_MEMORY(lines->context, &sequences);
  size_t count = 0;
  for (size_t i = 0; i < primary->units.count; i++) {
    const dloc_line_unit *unit = &primary->units.items[i];
    for (size_t j = 0; lines->merged[i] == kind && j < unit->sequence_count; j++)
      sequences[count++] = primary->rows->sequences.items[unit->first_sequence + j];
  }
  return count ? add_table(lines, &t, sequences, count) : DLOC_OK;
}

static dloc_status read_primary(dloc_layer_lines *lines, const dloc_layer_sections *from) {
  const size_t count = from->primary ? from->primary->units.count : 0;
  ALLOCATE_ITEMS(lines->context, lines->merged, count + 1);
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    TRY(find_merged(lines, from, i));
    any = any || lines->merged[i] != NO_KIND;
  }
  for (uint32_t kind = 0; any && kind < lines->kinds.count; kind++)
    TRY(add_merged(lines, from->primary, kind));
  return DLOC_OK;
}

bool layer_lines_merged(const dloc_layer_lines *lines, size_t unit) { return lines->merged[unit] != NO_KIND; }

/* ---- Making and asking ---- */

/* `layer-lookup.line-0`, `layer-lookup.overlap`: what differs from the primary's rows. */
static dloc_profile profile_of(const dloc_profile *profile) {
  dloc_profile ret = *profile;
  ret.alternative[DLOC_CHOICE_STACK_LINE_0] = DLOC_STACK_LINE_0_KEEP;
  ret.alternative[DLOC_CHOICE_STACK_OVERLAP] = DLOC_STACK_OVERLAP_FIRST;
  return ret;
}

static dloc_status read_all(dloc_layer_lines *lines, const dloc_layer_sections *from) {
  for (size_t i = 0; i < from->count; i++)
    TRY(layer_texts_add(lines->context, &lines->texts, from->sections[i].name, from->sections[i].bytes));
  TRY(layer_texts_sort(lines->context, &lines->texts));
  for (size_t i = 0; i < from->count; i++)
    TRY(read_section(lines, from, &from->sections[i]));
  TRY(read_primary(lines, from));
  TRY(layer_texts_name(lines->context, &lines->texts));
  for (size_t i = 0; i < lines->texts.items.count; i++) /* `layer-lookup.text.unused` */
    if (!lines->texts.states.items[i].used)
      TRY(problem(lines, DLOC_REASON_LAYER_LOOKUP_TEXT_UNUSED, lines->texts.items.items[i].section, 0));
  ALLOCATE_ITEMS(lines->context, lines->answer, lines->kinds.count + 1);
  ALLOCATE_ITEMS(lines->context, lines->places, lines->kinds.count + 1);
  return DLOC_OK;
}

/* `layer-lookup.discarded` */
dloc_status dloc_layer_lines_create(dloc_context *context, const dloc_profile *profile,
                                    const dloc_layer_sections *sections, dloc_section_problem *on_problem, void *user,
                                    dloc_layer_lines **ret) {
  CREATE(context, dloc_layer_lines, lines, .context = context, .profile = profile_of(profile), .code = sections->code,
         .on_problem = on_problem, .user = user);
  RETURN_MADE(read_all(lines, sections), lines, dloc_layer_lines_destroy, ret);
}

void dloc_layer_lines_destroy(dloc_layer_lines *lines) {
  if (!lines)
    return;
  for (size_t i = 0; i < lines->tables.count; i++) {
    dloc_row_index_destroy(lines->tables.items[i].rows);
    dloc_line_table_destroy(lines->tables.items[i].own);
    context_free(lines->context, lines->tables.items[i].texts);
  }
  layer_texts_deinit(lines->context, &lines->texts);
  CONTEXT_FREE(lines->context, lines->kinds.items, lines->spelled.items, lines->tables.items, lines->merged,
               lines->answer, lines->places, lines);
}

/* `layer-lookup.place`, `layer-lookup.file.none`, `layer-lookup.row` */
static dloc_status describe(dloc_layer_lines *lines, const layer_table *t, size_t number, dloc_layer_line *ret) {
  const dloc_row *row = &t->table->rows->rows.items[number];
  const dloc_line_unit *unit = dloc_line_table_unit_at(t->table, number);
  const dloc_line_file *file = table_file(t->table, unit, row->file);
  dloc_reason reason = DLOC_REASON_NONE;
  *ret = (dloc_layer_line){
      .kind = lines->spelled.items[t->kind], .line = row->line, .column = row->column, .text = DLOC_NO_TEXT};
  if (!file)
    return DLOC_OK;
  const uint32_t text = t->texts[file - t->table->files.items];
  ret->file = file->name;
  if (text == NOT_EMBEDDED)
    ret->directory = table_directory(t->table, unit, file->directory);
  else if (text == DLOC_NO_TEXT)
    ret->has = DLOC_LAYER_TEXT_MISSING;
  else
    TRY(layer_texts_line(lines->context, &lines->profile, &lines->texts, ret->text = text, row->line, &ret->has,
                         &ret->source, &reason));
  if (text < NOT_EMBEDDED)
    ret->name = lines->texts.items.items[text].name;
  return text < NOT_EMBEDDED ? problem(lines, reason, lines->texts.items.items[text].section, row->line) : DLOC_OK;
}

/* `layer-lookup.row`, `layer-lookup.alone`; `layer-lookup.overlap`: also of two sections of a kind. */
static bool find_row(const dloc_layer_lines *lines, uint32_t kind, uint64_t address, layer_place *ret) {
  for (size_t i = 0; i < lines->tables.count; i++) {
    ret->table = &lines->tables.items[i];
    if (ret->table->kind == kind && dloc_row_index_find(ret->table->rows, address, &ret->row))
      return true;
  }
  return false;
}

/* `layer-lookup.kinds`, `layer-lookup.alone` */
dloc_status dloc_layer_lines_find(dloc_layer_lines *lines, uint64_t address, const dloc_layer_line **ret,
                                  size_t *ret_count) {
  size_t found = 0, count = 0;
  /* The rows first: so their memory is waited for at once. */
  for (uint32_t kind = 0; kind < lines->kinds.count; kind++)
    found += find_row(lines, kind, address, &lines->places[found]);
  for (const layer_place *p = lines->places; p < lines->places + found; p++)
    if (p->table->table->rows->rows.items[p->row].line) /* `layer-lookup.line-0` */
      TRY(describe(lines, p->table, p->row, &lines->answer[count++]));
  *ret = lines->answer;
  *ret_count = count;
  return DLOC_OK;
}

static layer_rows rows_of(const layer_table *t) { return (layer_rows){t->table, t->texts}; }

bool layer_lines_table(const dloc_layer_lines *lines, uint32_t kind, size_t number, layer_rows *ret) {
  for (size_t i = 0; i < lines->tables.count; i++)
    if (lines->tables.items[i].kind == kind && number-- == 0) {
      *ret = rows_of(&lines->tables.items[i]);
      return true;
    }
  return false;
}

bool layer_lines_row(const dloc_layer_lines *lines, uint32_t kind, uint64_t address, layer_rows *ret, size_t *ret_row) {
  layer_place place;
  if (!find_row(lines, kind, address, &place) || !place.table->table->rows->rows.items[place.row].line)
    return false;
  *ret = rows_of(place.table);
  *ret_row = place.row;
  return true;
}

const dloc_text *dloc_layer_lines_kinds(const dloc_layer_lines *lines, size_t *ret_count) {
  *ret_count = lines->spelled.count;
  return lines->spelled.items;
}

const dloc_embedded_text *dloc_layer_lines_texts(const dloc_layer_lines *lines, size_t *ret_count) {
  *ret_count = lines->texts.items.count;
  return lines->texts.items.items;
}
