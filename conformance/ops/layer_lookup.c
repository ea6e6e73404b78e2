/* layer_lookup.c - `layer_lookup`: what an address is in each layer, by the sections of a file. spec/hidden.md 18.2 */
#include "declare.h"
#include "document/buffer.h"
#include "objects/dloc_symbolizer.h"
#include "line_terms.h"

#define SECTION                                                                                                        \
  MAP("a section", FIELD("name", TEXT), OPTIONAL("text", TEXT),                                                        \
      OPTIONAL("units",                                                                                                \
               LIST(CHECKED_MAP(                                                                                       \
                   "a unit", NULL, line_program_check, OPTIONAL("claimed", FLAG), OPTIONAL("directories", LIST(TEXT)), \
                   OPTIONAL("files", LIST(MAP("a file", FIELD("name", TEXT), OPTIONAL("directory", NUMBER)))),         \
                   OPTIONAL("program", &line_program_type), OPTIONAL("rows", &line_given_rows_type)))))

static const dloc_text primary_name = {".debug_line", 11};

typedef struct world {
  query *q;
  term *value;
  dloc_named_bytes *sections;
  uint32_t count;
  uint64_t *claimed; /* the offsets of units of the primary that a DIE names */
  size_t claimed_count;
} world;

/* A dloc_section_problem. */
static dloc_status problem(void *user, dloc_reason reason, dloc_text section, size_t at) {
  world *w = user;
  term *problem = term_add(w->q->arena, w->value, "problems");
  (void)at;
  term_set_text(w->q->arena, problem, "reason", dloc_text_of(dloc_reason_name(reason)));
  term_set_text(w->q->arena, problem, "section", section);
  return DLOC_OK;
}

/* ---- Line tables as bytes ---- */

static void read_names(value_arena *arena, const term *unit, dloc_line_unit_parts *parts) {
  const term *files = term_list(unit, "files");
  dloc_line_file *file = value_arena_alloc(arena, files->count, sizeof *file);
  for (size_t i = 0; i < files->count; i++)
    file[i] = (dloc_line_file){.name = term_text(&files->of.items[i], "name"),
                               .directory = term_number(&files->of.items[i], "directory")};
  parts->directories = term_texts(unit, "directories", arena);
  parts->directory_count = term_list(unit, "directories")->count;
  parts->files = file;
  parts->file_count = files->count;
}

static dloc_status write_unit(const world *w, const term *unit, dloc_buffer *ret) {
  dloc_line_unit_parts parts = {.parameters = line_header_of(NULL, w->q->arena), .offset_size = 4};
  OWNED(dloc_line_list_deinit) dloc_line_list program = {.context = w->q->context};
  read_names(w->q->arena, unit, &parts);
  TRY(line_given_program(unit, w->q->profile, &parts.parameters, w->q->arena, &program));
  parts.program = program.items;
  parts.count = program.count;
  return dloc_line_unit_write(&parts, buffer_sink(ret));
}

static dloc_status write_units(world *w, const term *section, dloc_text *ret) {
  const term *units = term_list(section, "units");
  bool is_primary = dloc_text_equal(term_text(section, "name"), primary_name);
  OWNED(dloc_buffer_deinit) dloc_buffer bytes = {0};
  w->claimed = is_primary ? value_arena_alloc(w->q->arena, units->count, sizeof *w->claimed) : w->claimed;
  for (uint32_t i = 0; i < units->count; i++) {
    if (is_primary && term_flag(&units->of.items[i], "claimed"))
      w->claimed[w->claimed_count++] = bytes.size;
    TRY(write_unit(w, &units->of.items[i], &bytes));
  }
  *ret = value_arena_copy(w->q->arena, buffer_text(&bytes));
  return DLOC_OK;
}

/* ---- Asking ---- */

static dloc_status make_sections(world *w) {
  const term *list = term_list(w->q->args, "sections");
  w->count = list->count;
  w->sections = value_arena_alloc(w->q->arena, list->count, sizeof *w->sections);
  for (uint32_t i = 0; i < list->count; i++) {
    const term *section = &list->of.items[i];
    w->sections[i] = (dloc_named_bytes){term_text(section, "name"), term_text(section, "text")};
    if (term_get(section, "units") && write_units(w, section, &w->sections[i].bytes) != DLOC_OK)
      return DLOC_INVALID;
  }
  return DLOC_OK;
}

static dloc_status read_primary(const world *w, dloc_line_sections sections, dloc_line_table **ret) {
  for (uint32_t i = 0; i < w->count; i++)
    if (dloc_text_equal(w->sections[i].name, primary_name)) {
      sections.line = w->sections[i].bytes;
      return dloc_line_table_read(w->q->context, w->q->profile, &sections, NULL, NULL, ret);
    }
  return DLOC_OK;
}

static void describe_layer(value_arena *arena, const dloc_layer_line *layer, term *ret) {
  term_set_text(arena, ret, "kind", layer->kind);
  if (layer->directory.size)
    term_set_text(arena, ret, "directory", layer->directory);
  if (layer->file.size)
    term_set_text(arena, ret, "file", layer->file);
  term_set_number(ret, "line", layer->line);
  term_set_unless(ret, "column", layer->column, 0);
  if (layer->name.size)
    term_set_text(arena, ret, "name", layer->name);
  if (layer->has == DLOC_LAYER_TEXT_LINE)
    term_set_text(arena, ret, "source", layer->source);
}

OWNER(dloc_layer_lines)

static dloc_status ask(query *q, term *value) {
  world w = {.q = q, .value = value};
  OWNED(release_dloc_line_table) dloc_line_table *primary = NULL;
  OWNED(release_dloc_layer_lines) dloc_layer_lines *lines = NULL;
  const dloc_line_sections of_all = {.address_size = 8};
  const dloc_layer_line *layers;
  size_t count;
  TRY(make_sections(&w));
  TRY(read_primary(&w, of_all, &primary));
  const dloc_layer_sections from = {.sections = w.sections,
                                    .count = w.count,
                                    .of_all = of_all,
                                    .code = {.address_size = 8, .begins_at_0 = term_flag(q->args, "begins_at_0")},
                                    .primary = primary,
                                    .claimed = w.claimed,
                                    .claimed_count = w.claimed_count};
  TRY(dloc_layer_lines_create(q->context, q->profile, &from, problem, &w, &lines));
  TRY(dloc_layer_lines_find(lines, term_number(q->args, "address"), &layers, &count));
  term *list = term_set_list(q->arena, value, "layers", count);
  for (size_t i = 0; i < count; i++)
    describe_layer(q->arena, &layers[i], &list[i]);
  return DLOC_OK;
}

const operation op_layer_lookup = {
    .name = "layer_lookup",
    .forms = {{MAP(NULL, FIELD("address", LONG), OPTIONAL("begins_at_0", FLAG), FIELD("sections", LIST(SECTION))),
               MAP(NULL,
                   FIELD("layers",
                         LIST(MAP_AS("a layer", "layer ", FIELD_AS("kind", TEXT, "%\n"),
                                     OPTIONAL_AS("directory", TEXT, "directory %\n"),
                                     OPTIONAL_AS("file", TEXT, "file %\n"), OPTIONAL_AS("name", TEXT, "name %\n"),
                                     FIELD_AS("line", NUMBER, "line %\n"), OPTIONAL_AS("column", NUMBER, "column %\n"),
                                     OPTIONAL_AS("source", TEXT, "source %\n")))),
                   OPTIONAL("problems", LIST(MAP("a problem", FIELD_AS("reason", TEXT, "problem % "),
                                                 FIELD_AS("section", TEXT, "in %\n")))))}},
    .ask = ask,
};
