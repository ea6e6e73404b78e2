/* layer_lookup.c - `layer_lookup`: what an address is in each layer, by the sections of a file. spec/hidden.md 18.2 */
#include "declare.h"
#include "document/buffer.h"
#include "document/memory.h"
#include "objects/dloc_symbolizer.h"
#include "line_terms.h"

#include <stdlib.h>

#define LONG (&(const type){.kind = TYPE_NUMBER, .limit = UINT64_MAX})
#define SECTION                                                                                                        \
  MAP("a section", FIELD("name", TEXT), OPTIONAL("text", TEXT),                                                        \
      OPTIONAL("units",                                                                                                \
               LIST(MAP("a unit", OPTIONAL("claimed", FLAG), OPTIONAL("directories", LIST(TEXT)),                      \
                        OPTIONAL("files", LIST(MAP("a file", FIELD("name", TEXT), OPTIONAL("directory", NUMBER)))),    \
                        FIELD("rows", &line_rows_type)))))

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  const term *sections = term_list(args, "sections");
  for (uint32_t i = 0; !value && i < sections->count; i++) {
    const term *units = term_list(&sections->of.items[i], "units");
    for (uint32_t j = 0; j < units->count; j++)
      TRY(line_rows_check(r, &units->of.items[j], module, NULL));
  }
  return DLOC_OK;
}

static const dloc_text primary_name = {".debug_line", 11};

typedef struct world {
  query *q;
  dloc_named_bytes *sections;
  uint32_t count;
  dloc_line_table *primary;
  uint64_t *claimed; /* the offsets of units of the primary that a DIE names */
  size_t claimed_count;
  dloc_layer_lines *lines;
  struct lookup_problem {
    dloc_reason reason;
    dloc_text section;
  } * problems;
  size_t problem_count;
} world;

/* A dloc_section_problem. */
static dloc_status problem(void *user, dloc_reason reason, dloc_text section, size_t at) {
  world *w = user;
  (void)at;
  *MEMORY_ADD(w->problems, w->problem_count) = (struct lookup_problem){reason, section};
  return DLOC_OK;
}

/* ---- Line tables as bytes ---- */

typedef struct written {
  dloc_line_instruction *items;
  size_t count;
} written;

static dloc_status take(void *user, const dloc_line_instruction *instruction) {
  written *w = user;
  *MEMORY_ADD(w->items, w->count) = *instruction;
  return DLOC_OK;
}

static void read_names(value_arena *arena, const term *unit, dloc_line_unit_parts *parts) {
  const term *directories = term_list(unit, "directories"), *files = term_list(unit, "files");
  parts->directory_count = directories ? directories->count : 0;
  parts->file_count = files ? files->count : 0;
  dloc_text *directory = value_arena_alloc(arena, parts->directory_count, sizeof *directory);
  dloc_line_file *file = value_arena_alloc(arena, parts->file_count, sizeof *file);
  for (size_t i = 0; i < parts->directory_count; i++)
    directory[i] = directories->of.items[i].of.text;
  for (size_t i = 0; i < parts->file_count; i++)
    file[i] = (dloc_line_file){.name = term_text(&files->of.items[i], "name"),
                               .directory = term_number(&files->of.items[i], "directory")};
  parts->directories = directory;
  parts->files = file;
}

static dloc_status write_unit(const world *w, const term *unit, dloc_buffer *ret) {
  const term *list = term_list(unit, "rows");
  const dloc_row_call *calls;
  const dloc_row *rows = line_rows_of(list, w->q->arena, &calls);
  dloc_line_unit_parts parts = {.parameters = line_header_of(NULL, w->q->arena), .offset_size = 4};
  written program = {NULL, 0};
  read_names(w->q->arena, unit, &parts);
  dloc_status status =
      dloc_line_assemble(w->q->profile, &parts.parameters, false, rows, NULL, list->count, take, &program);
  parts.program = program.items;
  parts.count = program.count;
  if (status == DLOC_OK)
    status = dloc_line_unit_write(&parts, buffer_sink(ret));
  free(program.items);
  return status;
}

static dloc_status write_units(world *w, const term *section, dloc_text *ret) {
  const term *units = term_list(section, "units");
  bool is_primary = dloc_text_equal(term_text(section, "name"), primary_name);
  dloc_buffer bytes = {0};
  dloc_status status = DLOC_OK;
  for (uint32_t i = 0; units && i < units->count && status == DLOC_OK; i++) {
    if (is_primary && term_flag(&units->of.items[i], "claimed"))
      *MEMORY_ADD(w->claimed, w->claimed_count) = bytes.size;
    status = write_unit(w, &units->of.items[i], &bytes);
  }
  *ret = value_arena_copy(w->q->arena, buffer_text(&bytes));
  dloc_buffer_deinit(&bytes);
  return status;
}

/* ---- Asking ---- */

static dloc_status read_primary(world *w, dloc_line_sections sections) {
  dloc_status status = DLOC_OK;
  for (uint32_t i = 0; i < w->count && status == DLOC_OK; i++)
    if (dloc_text_equal(w->sections[i].name, primary_name) && !w->primary) {
      sections.line = w->sections[i].bytes;
      status = dloc_line_table_read(w->q->context, w->q->profile, &sections, NULL, NULL, &w->primary);
    }
  return status;
}

static dloc_status make_lines(world *w) {
  const term *list = term_list(w->q->args, "sections");
  w->count = list->count;
  w->sections = value_arena_alloc(w->q->arena, list->count, sizeof *w->sections);
  for (uint32_t i = 0; i < list->count; i++) {
    const term *section = &list->of.items[i];
    w->sections[i] = (dloc_named_bytes){term_text(section, "name"), term_text(section, "text")};
    if (term_get(section, "units") && write_units(w, section, &w->sections[i].bytes) != DLOC_OK)
      return DLOC_INVALID;
  }
  const dloc_line_sections of_all = {.address_size = 8};
  dloc_status status = read_primary(w, of_all);
  const dloc_layer_sections from = {.sections = w->sections,
                                    .count = w->count,
                                    .of_all = of_all,
                                    .code = {.address_size = 8, .begins_at_0 = term_flag(w->q->args, "begins_at_0")},
                                    .primary = w->primary,
                                    .claimed = w->claimed,
                                    .claimed_count = w->claimed_count};
  return status == DLOC_OK ? dloc_layer_lines_create(w->q->context, w->q->profile, &from, problem, w, &w->lines)
                           : status;
}

static void describe_layer(value_arena *arena, const dloc_layer_line *layer, term *ret) {
  term_set_text(arena, ret, "kind", layer->kind);
  if (layer->directory.size)
    term_set_text(arena, ret, "directory", layer->directory);
  if (layer->file.size)
    term_set_text(arena, ret, "file", layer->file);
  term_set_number(ret, "line", layer->line);
  if (layer->column)
    term_set_number(ret, "column", layer->column);
  if (layer->has == DLOC_LAYER_TEXT_LINE)
    term_set_text(arena, ret, "source", layer->source);
}

static dloc_status find_layers(world *w, term *value) {
  const dloc_layer_line *layers;
  size_t count;
  dloc_status status = make_lines(w);
  if (status == DLOC_OK)
    status = dloc_layer_lines_find(w->lines, term_number(w->q->args, "address"), &layers, &count);
  term *list = status == DLOC_OK ? term_set_list(w->q->arena, value, "layers", count) : NULL;
  for (size_t i = 0; list && i < count; i++)
    describe_layer(w->q->arena, &layers[i], &list[i]);
  return status;
}

static dloc_status ask(query *q, term *value) {
  world w = {.q = q};
  dloc_status status = find_layers(&w, value);
  term *list = w.problem_count ? term_set_list(q->arena, value, "problems", w.problem_count) : NULL;
  for (size_t i = 0; i < w.problem_count; i++) {
    term_set_text(q->arena, &list[i], "reason", dloc_text_of(dloc_reason_name(w.problems[i].reason)));
    term_set_text(q->arena, &list[i], "section", w.problems[i].section);
  }
  dloc_layer_lines_destroy(w.lines);
  dloc_line_table_destroy(w.primary);
  free(w.problems);
  free(w.claimed);
  return status;
}

#define SHOWN(name, text_of)                                                                                           \
  { .key = (name), .of = TEXT, .optional = true, .text = (text_of) }

const operation op_layer_lookup = {
    .name = "layer_lookup",
    .forms = {{MAP(NULL, FIELD("address", LONG), OPTIONAL("begins_at_0", FLAG), FIELD("sections", LIST(SECTION))),
               MAP(NULL,
                   FIELD("layers", LIST(MAP_AS("a layer", "layer ", {.key = "kind", .of = TEXT, .text = "%\n"},
                                               SHOWN("directory", "directory %\n"), SHOWN("file", "file %\n"),
                                               {.key = "line", .of = NUMBER, .text = "line %\n"},
                                               {.key = "column", .of = NUMBER, .optional = true, .text = "column %\n"},
                                               SHOWN("source", "source %\n")))),
                   OPTIONAL("problems", LIST(MAP("a problem", {.key = "reason", .of = TEXT, .text = "problem % "},
                                                 {.key = "section", .of = TEXT, .text = "in %\n"}))))}},
    .check = check,
    .ask = ask,
    .args_cell =
        "`{address: 20, sections: [{name: .debug_line_tileir, units: [{directories: [/src], files: [{name: k.tile, directory: 1}], rows: [...]}]}, "
        "{name: .debug_txt.tileir.HASH, text: \"...\"}]}`: the sections of a file in their order; a unit is of version 4, and its rows are as in `stack`; "
        "`claimed`, of a unit of .debug_line: a DW_AT_stmt_list names it; `begins_at_0`: code stands at address 0",
    .value_cell =
        "`layers: [{kind, directory, file, line, column, source}]`, source being the line of the text (absent: not known, or not shown); `problems: [{reason, section}]` if there are any",
};
