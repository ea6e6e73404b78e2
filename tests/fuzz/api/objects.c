/* Calls of dloc_dwarf.h and dloc_symbolizer.h: files, their line tables, what is asked of them and made of them. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

static dloc_text any_object(world *w) {
  enum { MOST = 1 << 16 };
  static _Thread_local char bytes[MOST];
  dloc_text whole = ANY_OF(w->from, object_files);
  if (!once_in(w->from, 4))
    return whole;
  memcpy(bytes, whole.bytes, whole.size);
  bytes[below(w->from, whole.size)] ^= (char)(1 << below(w->from, 8));
  return (dloc_text){bytes, once_in(w->from, 4) ? below(w->from, whole.size) : whole.size};
}

static dloc_text any_section_name(world *w) {
  static const char *const names[] = {".debug_line",     ".debug_str", ".debug_info",        ".debug_abbrev",
                                      ".debug_line_str", ".text",      ".debug_line.tileir", ".symtab"};
  return once_in(w->from, 8) ? any_text(w->from) : dloc_text_of(ANY_OF(w->from, names));
}

/* ---- Files ---- */

static void call_object(world *w) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_object *object = NULL;
  if (take_thing(dloc_object_open(w->context, any_object(w), &diagnostic, &object), object))
    add_thing(w, OBJECT, object, NULL, NULL, NULL);
}

static void call_object_file(world *w) {
  static const char *const none[] = {"/dev/null", "/", "/nowhere"};
  dloc_diagnostic diagnostic;
  dloc_object *object = NULL;
  (void)take_thing(dloc_object_open_file(w->context, ANY_OF(w->from, none), &diagnostic, &object), object);
}

static void call_sections(world *w) {
  thing *object = any_thing(w, OBJECT);
  dloc_diagnostic diagnostic;
  dloc_object_section section = {.index = 0};
  bool found = false;
  uint64_t address = 0;
  if (!object)
    return;
  dloc_text name = any_section_name(w);
  dloc_status status = once_in(w->from, 2) ? dloc_object_section_find(object->it, name, &diagnostic, &section, &found)
                                           : dloc_object_section_next(object->it, name, edge_number(w->from),
                                                                      &diagnostic, &section, &found);
  check_status(status);
  if (status == DLOC_OK && found) {
    read_text(section.bytes);
    read_text(dloc_object_relocation_name(object->it, section.index, edge_number(w->from)));
  }
  (void)dloc_object_base(object->it);
  read_text(dloc_object_missing(object->it));
  (void)dloc_object_address_at(object->it, edge_number(w->from), &address);
  (void)dloc_object_code(object->it);
  (void)dloc_line_dialect_of(dloc_object_kind_of(object->it));
}

static void call_debug_info(world *w) {
  thing *object = any_thing(w, OBJECT);
  dloc_diagnostic diagnostic;
  dloc_debug_info *info = NULL;
  if (object &&
      take_thing(dloc_debug_info_open(object->it, any_profile(w), on_line_problem, w, &diagnostic, &info), info))
    add_thing(w, DEBUG_INFO, info, object, NULL, NULL);
}

static dloc_status see_value(void *user, const dloc_die_value *value) {
  return value->size && once_in(((world *)user)->from, 50) ? DLOC_STOPPED : DLOC_OK;
}
static void call_die_values(world *w) {
  thing *object = any_thing(w, OBJECT);
  dloc_diagnostic diagnostic;
  dloc_object_section info, abbrev;
  bool found, complete;
  if (!object ||
      dloc_object_section_find(object->it, dloc_text_of(".debug_info"), &diagnostic, &info, &found) != DLOC_OK ||
      dloc_object_section_find(object->it, dloc_text_of(".debug_abbrev"), &diagnostic, &abbrev, &found) != DLOC_OK)
    return;
  const dloc_die_sections sections = {info.bytes, abbrev.bytes, once_in(w->from, 8), once_in(w->from, 4)};
  check_status(dloc_die_values(w->context, &sections, see_value, w, &complete));
}

/* ---- Line tables ---- */

static dloc_text section_of(thing *object, const char *name) {
  dloc_diagnostic diagnostic;
  dloc_object_section section;
  bool found = false;
  dloc_status status = dloc_object_section_find(object->it, dloc_text_of(name), &diagnostic, &section, &found);
  return status == DLOC_OK && found ? section.bytes : (dloc_text){NULL, 0};
}

static dloc_line_sections sections_of(world *w, thing *object) {
  return (dloc_line_sections){.line = section_of(object, ".debug_line"),
                              .str = section_of(object, ".debug_str"),
                              .line_str = section_of(object, ".debug_line_str"),
                              .big_endian = dloc_object_kind_of(object->it).big_endian,
                              .address_size = dloc_object_kind_of(object->it).address_size,
                              .dialect = once_in(w->from, 2) ? (dloc_line_dialect)below(w->from, DLOC_DIALECT_COUNT)
                                                             : DLOC_DIALECT_STANDARD};
}

static void read_table(world *w, const dloc_line_sections *sections, thing *of) {
  dloc_line_table *table = NULL;
  if (take_thing(dloc_line_table_read(w->context, any_profile(w), sections,
                                      once_in(w->from, 2) ? on_line_problem : NULL, w, &table),
                 table))
    add_thing(w, LINE_TABLE, table, of, NULL, NULL);
}

static void call_table_of_object(world *w) {
  thing *object = any_thing(w, OBJECT);
  if (!object)
    return;
  const dloc_line_sections sections = sections_of(w, object);
  read_table(w, &sections, object);
}

static dloc_line_file any_file(world *w) {
  return (dloc_line_file){.name = any_text(w->from),
                          .directory = below(w->from, 4),
                          .time = edge_number(w->from),
                          .size = edge_number(w->from),
                          .has_md5 = once_in(w->from, 3),
                          .has_source = once_in(w->from, 4),
                          .source = any_text(w->from)};
}

/* A table that is written is read. */
static void call_write_table(world *w) {
  enum { MOST = 4, MOST_INSTRUCTIONS = 40 };
  dloc_line_instruction program[MOST_INSTRUCTIONS], actuals[MOST_INSTRUCTIONS];
  dloc_text directories[MOST], subprograms[MOST];
  dloc_line_file files[MOST];
  dloc_buffer strings = {0}, bytes = {0};
  bool two_level = once_in(w->from, 3), has_actuals = once_in(w->from, 2);
  for (size_t i = 0; i < MOST; i++) {
    directories[i] = any_text(w->from);
    subprograms[i] = any_text(w->from);
    files[i] = any_file(w);
  }
  dloc_line_unit_parts unit = {.parameters = any_parameters(w, DLOC_DIALECT_STANDARD),
                               .big_endian = once_in(w->from, 4),
                               .offset_size = once_in(w->from, 4) ? 8 : 4,
                               .directories = directories,
                               .directory_count = below(w->from, MOST + 1),
                               .files = files,
                               .file_count = below(w->from, MOST + 1),
                               .line_str = once_in(w->from, 2) ? &strings : NULL,
                               .share_strings = once_in(w->from, 2),
                               .program = program,
                               .count = make_program(w, program, MOST_INSTRUCTIONS)};
  if (two_level)
    unit.parameters =
        dloc_two_level_parameters(unit.parameters, once_in(w->from, 2) ? DLOC_DIALECT_ISSUE : DLOC_DIALECT_LOGICALS);
  const dloc_two_level_parts parts = {.unit = unit,
                                      .actuals = has_actuals ? actuals : NULL,
                                      .actual_count = has_actuals ? make_program(w, actuals, MOST_INSTRUCTIONS) : 0,
                                      .subprograms = subprograms,
                                      .subprogram_count = below(w->from, MOST + 1)};
  dloc_sink sink = dloc_buffer_sink(&bytes);
  dloc_status status = two_level ? dloc_two_level_write(&parts, sink) : dloc_line_unit_write(&unit, sink);
  check_status(status);
  if (status == DLOC_OK && has_room(w)) {
    const dloc_line_sections sections = {.line = {lend(w, bytes.bytes, bytes.size), bytes.size},
                                         .line_str = {lend(w, strings.bytes, strings.size), strings.size},
                                         .big_endian = unit.big_endian,
                                         .address_size = 8,
                                         .dialect = unit.parameters.dialect};
    read_table(w, &sections, NULL);
  }
  dloc_buffer_deinit(&strings);
  dloc_buffer_deinit(&bytes);
}

static dloc_status see_instruction(void *user, size_t at, dloc_text bytes, const dloc_line_instruction *instruction) {
  (void)at;
  read_text(bytes);
  read_text(instruction->name);
  return once_in(((world *)user)->from, 100) ? DLOC_STOPPED : DLOC_OK;
}

static void read_unit(world *w, dloc_line_table *table, const dloc_line_unit *unit) {
  const dloc_text *directories = dloc_line_unit_directories(table, unit);
  const dloc_line_file *files = dloc_line_unit_files(table, unit);
  dloc_text path = {NULL, 0};
  for (size_t i = 0; i < unit->directory_count; i++)
    (void)dloc_path_is_absolute(directories[i]);
  for (size_t i = 0; i < unit->file_count; i++)
    read_text(files[i].name);
  check_status(dloc_line_unit_path(table, unit, edge_number(w->from), any_sink(w)));
  if (dloc_line_unit_path_text(table, unit, edge_number(w->from), &path) == DLOC_OK)
    read_text(path);
  check_status(dloc_line_unit_program(table, unit, see_instruction, w));
  if (dloc_line_unit_function(table, unit, edge_number(w->from), &path))
    read_text(path);
  read_text(dloc_logical_function(table, unit, edge_number(w->from)));
}

static void call_table(world *w) {
  thing *table = any_thing(w, LINE_TABLE);
  size_t units = 0, rows = 0, actuals = 0;
  if (!table)
    return;
  const dloc_line_unit *unit = dloc_line_table_units(table->it, &units);
  for (size_t i = 0; i < units; i++)
    read_unit(w, table->it, &unit[i]);
  const dloc_row *row = dloc_rows_list(dloc_line_table_rows(table->it), &rows);
  (void)dloc_rows_list(dloc_line_table_actuals(table->it), &actuals);
  if (!rows)
    return;
  size_t at = below(w->from, rows);
  unit = dloc_line_table_unit_at(table->it, at);
  read_text(dloc_ptx_section(table->it, unit, &row[at]));
}

static dloc_text symbol_at(void *user, size_t offset) {
  return offset ? any_text(((world *)user)->from) : (dloc_text){NULL, 0};
}
static void call_kernels(world *w) {
  thing *table = any_thing(w, LINE_TABLE);
  dloc_kernels *kernels = NULL;
  if (table && take_thing(dloc_kernels_create(w->context, table->it, symbol_at, w, &kernels), kernels))
    add_thing(w, KERNELS, kernels, table, NULL, NULL);
}
static void call_kernels_find(world *w) {
  thing *kernels = any_thing(w, KERNELS);
  const dloc_line_unit *unit;
  const dloc_row *row;
  dloc_text name = any_text(w->from), lines[4];
  read_text(dloc_kernel_name(name));
  require(dloc_ptx_lines(name, 4, lines) <= name.size + 1);
  if (!kernels)
    return;
  if (dloc_kernels_only(kernels->it, &name))
    read_text(name);
  (void)dloc_kernels_find(kernels->it, name, edge_number(w->from), &unit, &row);
}

/* ---- Tables of layers ---- */

static void call_layer_tables(world *w) {
  thing *table = any_thing(w, LINE_TABLE), *hidden = any_thing(w, HIDDEN);
  dloc_layer_tables *made = NULL;
  if (table && hidden &&
      take_thing(dloc_layer_tables_make(w->context, any_profile(w), table->it, hidden->it,
                                        once_in(w->from, 2) ? on_line_problem : NULL, w, any_reason(w), &made),
                 made))
    add_thing(w, LAYER_TABLES, made, hidden, NULL, NULL);
}
static void call_layer_tables_read(world *w) {
  thing *made = any_thing(w, LAYER_TABLES);
  size_t count = 0;
  if (!made)
    return;
  read_text(dloc_layer_tables_primary(made->it)->bytes);
  const dloc_made_section *sections = dloc_layer_tables_sections(made->it, &count);
  for (size_t i = 0; i < count; i++) {
    read_text(sections[i].name);
    read_text(sections[i].group);
    read_text(sections[i].bytes);
  }
}

/* ---- Files that are changed ---- */

static void call_edit(world *w) {
  dloc_diagnostic diagnostic;
  dloc_object_edit *edit = NULL;
  if (take_thing(dloc_object_edit_open(w->context, any_object(w), &diagnostic, &edit), edit))
    add_thing(w, EDIT, edit, NULL, NULL, NULL);
}

static void call_edit_set(world *w) {
  static const char zeroes[4096];
  thing *edit = any_thing(w, EDIT);
  dloc_diagnostic diagnostic;
  dloc_text bytes = {NULL, 0};
  if (!edit || edit->borrowers)
    return;
  uint32_t section = (uint32_t)below(w->from, 24);
  if (dloc_object_edit_bytes(edit->it, section, &diagnostic, &bytes) != DLOC_OK)
    return;
  read_text(bytes);
  bytes = (dloc_text){zeroes, below(w->from, once_in(w->from, 2) ? sizeof zeroes : 64)};
  check_status(dloc_object_edit_set(edit->it, section, bytes));
}

static dloc_status see_function(void *user, const dloc_edit_function *function, const dloc_edit_function *other) {
  read_text(function->name);
  if (other)
    read_text(other->name);
  return once_in(((world *)user)->from, 30) ? DLOC_STOPPED : DLOC_OK;
}
static void call_edit_functions(world *w) {
  thing *edit = any_thing(w, EDIT), *other = any_thing(w, EDIT);
  dloc_diagnostic diagnostic;
  if (edit && edit != other)
    check_status(dloc_object_edit_functions(edit->it, other->it, &diagnostic, see_function, w));
}

/* What is written can be opened. */
static void call_edit_write(world *w) {
  thing *edit = any_thing(w, EDIT);
  dloc_diagnostic diagnostic;
  dloc_buffer bytes = {0};
  dloc_object *object = NULL;
  if (!edit)
    return;
  if (once_in(w->from, 4)) {
    check_status(dloc_object_edit_write(edit->it, &diagnostic, any_sink(w)));
    return;
  }
  if (dloc_object_edit_write(edit->it, &diagnostic, dloc_buffer_sink(&bytes)) == DLOC_OK &&
      take_thing(dloc_object_open(w->context, (dloc_text){bytes.bytes, bytes.size}, &diagnostic, &object), object))
    add_thing(w, OBJECT, object, NULL, NULL, NULL);
  dloc_buffer_deinit(&bytes);
}

/* The table of an object whose section is found: made of its own bytes, with relocations applied. */
static dloc_status read_own_table(world *w, thing *edit, uint32_t *line, dloc_object **ret_object,
                                  dloc_line_table **ret) {
  dloc_diagnostic diagnostic;
  dloc_buffer bytes = {0};
  dloc_status status = dloc_object_edit_lines(edit->it, &diagnostic, line);
  if (status == DLOC_OK)
    status = dloc_object_edit_write(edit->it, &diagnostic, dloc_buffer_sink(&bytes));
  if (status == DLOC_OK)
    status = dloc_object_open(w->context, (dloc_text){bytes.bytes, bytes.size}, &diagnostic, ret_object);
  dloc_buffer_deinit(&bytes);
  if (status != DLOC_OK)
    return status;
  thing object = {.kind = OBJECT, .it = *ret_object};
  dloc_line_sections sections = sections_of(w, &object);
  sections.dialect = DLOC_DIALECT_STANDARD;
  return dloc_line_table_read(w->context, any_profile(w), &sections, NULL, NULL, ret);
}

static void call_edit_layers(world *w) {
  thing *edit = any_thing(w, EDIT), *base = once_in(w->from, 2) ? any_thing(w, EDIT) : NULL;
  thing *hidden = any_thing(w, HIDDEN);
  dloc_object *object = NULL;
  dloc_line_table *table = NULL;
  dloc_layer_tables *made = NULL;
  dloc_diagnostic diagnostic;
  uint32_t line = 0;
  if (edit && hidden && base != edit && read_own_table(w, edit, &line, &object, &table) == DLOC_OK &&
      dloc_layer_tables_make(w->context, any_profile(w), table, hidden->it, NULL, NULL, NULL, &made) == DLOC_OK)
    check_status(dloc_object_edit_layers(edit->it, line, made, base ? base->it : NULL, &diagnostic));
  dloc_layer_tables_destroy(made);
  dloc_line_table_destroy(table);
  dloc_object_close(object);
}

/* ---- The lines of each kind ---- */

static void call_full(world *w) {
  thing *hidden = any_thing(w, HIDDEN);
  dloc_full *full = NULL;
  if (hidden && !hidden->borrowers && take_thing(dloc_full_create(w->context, hidden->it, &full), full))
    add_thing(w, FULL, full, hidden, NULL, NULL);
}

static bool name_of(void *user, uint32_t number, dloc_file_name *ret) {
  world *w = user;
  *ret = (dloc_file_name){any_text(w->from), any_text(w->from), any_text(w->from)};
  return number % 4 != 3;
}

/* The order of the header: a kind, the rows of its object, then its functions; numbers behind all kinds. */
static void call_full_kind(world *w) {
  enum { MOST_ROWS = 20 };
  thing *full = any_thing(w, FULL);
  dloc_row rows[MOST_ROWS];
  dloc_row_call calls[MOST_ROWS];
  if (!full || dloc_full_kind(full->it, any_text(w->from)) != DLOC_OK)
    return;
  size_t count = make_rows(w, rows, calls, MOST_ROWS);
  check_status(dloc_full_rows(full->it, (uint32_t)below(w->from, 3), rows, count, name_of, w));
  for (int i = 0; i < 2; i++) {
    const dloc_edit_function function = {any_text(w->from), (uint32_t)below(w->from, 3), edge_number(w->from),
                                         edge_number(w->from)};
    const dloc_edit_function other = {function.name, (uint32_t)below(w->from, 3), edge_number(w->from), function.size};
    check_status(dloc_full_function(full->it, &function, &other));
  }
}
static void call_full_number(world *w) {
  enum { MOST_ROWS = 20 };
  thing *full = any_thing(w, FULL);
  dloc_row rows[MOST_ROWS];
  dloc_row_call calls[MOST_ROWS];
  dloc_rows *to = NULL;
  if (!full || dloc_rows_create(w->context, &to) != DLOC_OK)
    return;
  size_t count = make_rows(w, rows, calls, MOST_ROWS);
  check_status(dloc_full_number(full->it, (uint32_t)below(w->from, 3), rows, count, to));
  dloc_rows_destroy(to);
}
static void call_exact_rows(world *w) {
  enum { MOST_ROWS = 20 };
  dloc_row rows[MOST_ROWS], base[MOST_ROWS];
  dloc_row_call calls[MOST_ROWS];
  dloc_rows *to = NULL;
  if (dloc_rows_create(w->context, &to) != DLOC_OK)
    return;
  size_t count = make_rows(w, rows, calls, MOST_ROWS), base_count = make_rows(w, base, calls, MOST_ROWS);
  check_status(dloc_exact_rows(rows, count, base, base_count, to));
  dloc_rows_destroy(to);
}
static void call_exact_table(world *w) {
  thing *edit = any_thing(w, EDIT), *base = any_thing(w, LINE_TABLE);
  dloc_object *object = NULL;
  dloc_line_table *table = NULL;
  uint32_t line = 0;
  if (edit && base && read_own_table(w, edit, &line, &object, &table) == DLOC_OK)
    check_status(dloc_exact_table(table, base->it));
  dloc_line_table_destroy(table);
  dloc_object_close(object);
}
static void call_full_object(world *w) {
  thing *full = any_thing(w, FULL), *edit = any_thing(w, EDIT);
  dloc_object *object = NULL;
  dloc_line_table *table = NULL;
  dloc_diagnostic diagnostic;
  uint32_t line = 0;
  if (full && edit && dloc_full_kind(full->it, any_text(w->from)) == DLOC_OK &&
      read_own_table(w, edit, &line, &object, &table) == DLOC_OK) {
    check_status(dloc_full_object(full->it, edit->it, line, table, &diagnostic));
    check_status(dloc_full_number_object(full->it, edit->it, line, table, &diagnostic));
  }
  dloc_line_table_destroy(table);
  dloc_object_close(object);
}

/* ---- dloc_symbolizer.h ---- */

static dloc_status on_section_problem(void *user, dloc_reason reason, dloc_text section, size_t at) {
  read_text(section);
  return on_line_problem(user, reason, at);
}

static void call_layer_lines(world *w) {
  thing *object = any_thing(w, OBJECT), *table = once_in(w->from, 2) ? any_thing(w, LINE_TABLE) : NULL;
  static const char *const names[] = {".debug_line.tileir", ".debug_line", ".debug_txt.tileir.0", ".debug_line.k"};
  dloc_named_bytes sections[4];
  dloc_layer_lines *lines = NULL;
  if (!object)
    return;
  for (size_t i = 0; i < 4; i++)
    sections[i] =
        (dloc_named_bytes){dloc_text_of(names[i]), section_of(object, i % 2 ? ".debug_line" : ANY_OF(w->from, names))};
  const dloc_layer_sections from = {.sections = sections,
                                    .count = below(w->from, 5),
                                    .of_all = sections_of(w, object),
                                    .code = dloc_object_code(object->it),
                                    .primary = table ? table->it : NULL};
  if (take_thing(dloc_layer_lines_create(w->context, any_profile(w), &from, on_section_problem, w, &lines), lines))
    add_thing(w, LAYER_LINES, lines, object, table, NULL);
}

static void read_layer_line(const dloc_layer_line *layer) {
  read_text(layer->kind);
  read_text(layer->directory);
  read_text(layer->file);
  read_text(layer->source);
}
static void read_kinds(const dloc_layer_lines *lines) {
  size_t kinds = 0, texts = 0;
  const dloc_text *kind = dloc_layer_lines_kinds(lines, &kinds);
  const dloc_embedded_text *text = dloc_layer_lines_texts(lines, &texts);
  for (size_t i = 0; i < kinds; i++)
    read_text(kind[i]);
  for (size_t i = 0; i < texts; i++)
    read_text(text[i].bytes);
}
static void call_layer_lines_find(world *w) {
  thing *lines = any_thing(w, LAYER_LINES);
  const dloc_layer_line *layers = NULL;
  size_t count = 0;
  if (!lines)
    return;
  read_kinds(lines->it);
  if (dloc_layer_lines_find(lines->it, edge_number(w->from), &layers, &count) == DLOC_OK)
    for (size_t i = 0; i < count; i++)
      read_layer_line(&layers[i]);
}

static void call_symbolizer(world *w) {
  thing *object = any_thing(w, OBJECT);
  const dloc_symbolizer_options options = {once_in(w->from, 4) ? NULL : any_profile(w),
                                           (dloc_symbolizer_parts)below(w->from, 3), on_section_problem, w};
  dloc_diagnostic diagnostic;
  dloc_symbolizer *symbolizer = NULL;
  if (object &&
      take_thing(dloc_symbolizer_open(object->it, once_in(w->from, 4) ? NULL : &options, &diagnostic, &symbolizer),
                 symbolizer))
    add_thing(w, SYMBOLIZER, symbolizer, object, NULL, NULL);
}
static void call_ask(world *w) {
  thing *symbolizer = any_thing(w, SYMBOLIZER);
  dloc_symbol symbol;
  if (!symbolizer)
    return;
  (void)dloc_symbolizer_has_rows(symbolizer->it);
  (void)dloc_symbolizer_has_units(symbolizer->it);
  if (dloc_symbolizer_layers(symbolizer->it))
    read_kinds(dloc_symbolizer_layers(symbolizer->it));
  for (int i = 0; i < 6; i++) {
    uint64_t address = dloc_object_base(symbolizer->borrows[0]->it) * below(w->from, 2) + edge_number(w->from);
    if (dloc_symbolizer_ask(symbolizer->it, address, &symbol) != DLOC_OK)
      continue;
    for (size_t k = 0; k < symbol.frame_count; k++) {
      read_text(symbol.frames[k].function);
      read_text(symbol.frames[k].path);
    }
    for (size_t k = 0; k < symbol.layer_count; k++)
      read_layer_line(&symbol.layers[k]);
  }
}

/* Names of code, and a layer as the own table of a file, which is had back. */
static void call_names(world *w) {
  thing *object = any_thing(w, OBJECT);
  uint64_t address = 0;
  size_t count = 0;
  if (!object)
    return;
  check_status(dloc_object_lay_out(object->it));
  const dloc_text *names = dloc_object_code_sections(object->it, &count);
  for (size_t i = 0; i < count; i++)
    read_text(names[i]);
  (void)dloc_object_named(object->it, any_section_name(w), &address);
}

static dloc_text selected_kind(world *w, const dloc_symbolizer *symbolizer) {
  size_t count = 0;
  const dloc_text *kinds = dloc_layer_lines_kinds(dloc_symbolizer_layers(symbolizer), &count);
  size_t texts = 0;
  const dloc_embedded_text *text = dloc_layer_lines_texts(dloc_symbolizer_layers(symbolizer), &texts);
  for (size_t i = 0; i < texts; i++)
    read_text(text[i].file);
  return count && !once_in(w->from, 4) ? kinds[below(w->from, count)] : any_section_name(w);
}

static void call_select(world *w) {
  const dloc_text bytes = any_object(w);
  dloc_diagnostic diagnostic;
  dloc_object *object = NULL, *again = NULL;
  dloc_symbolizer *symbolizer = NULL;
  dloc_buffer selected = {0}, back = {0};
  bool found = false;
  if (dloc_object_open(w->context, bytes, &diagnostic, &object) != DLOC_OK)
    return;
  if (dloc_symbolizer_open(object, NULL, &diagnostic, &symbolizer) == DLOC_OK)
    check_status(dloc_symbolizer_select(symbolizer, bytes, selected_kind(w, symbolizer), any_section_name(w),
                                        &diagnostic, dloc_buffer_sink(&selected)));
  const dloc_text file = {selected.bytes, selected.size};
  if (selected.size && dloc_object_open(w->context, file, &diagnostic, &again) == DLOC_OK)
    check_status(dloc_object_unselect(again, file, &diagnostic, &back, &found));
  dloc_symbolizer_close(symbolizer);
  dloc_object_close(object);
  dloc_object_close(again);
  dloc_buffer_deinit(&selected);
  dloc_buffer_deinit(&back);
}

static dloc_status place_row(void *user, uint64_t address, dloc_row *ret) {
  world *w = user;
  ret->line = (uint32_t)(address % 3) * below(w->from, 3);
  return once_in(w->from, 64) ? DLOC_NO_MEMORY : DLOC_OK;
}
static dloc_status take_row(void *user, const dloc_row *row) {
  (void)user;
  return row->line == UINT32_MAX ? DLOC_STOPPED : DLOC_OK;
}
static void call_select_rows(world *w) {
  enum { MOST = 8 };
  dloc_row rows[MOST];
  uint64_t starts[MOST], functions[MOST], address = edge_number(w->from);
  for (size_t i = 0; i < MOST; i++) {
    rows[i] = (dloc_row){.address = address, .line = 1, .flags = (uint8_t)below(w->from, 32)};
    functions[i] = address;
    address += below(w->from, 4);
    starts[i] = address;
  }
  const dloc_selected selected = {.rows = rows,
                                  .count = below(w->from, MOST + 1),
                                  .starts = starts,
                                  .start_count = below(w->from, MOST + 1),
                                  .functions = functions,
                                  .function_count = below(w->from, MOST + 1),
                                  .place = place_row,
                                  .user = w};
  check_status(dloc_select_rows(any_profile(w), &selected, take_row, NULL));
}

static api_call *const calls[] = {call_object,
                                  call_object,
                                  call_object_file,
                                  call_sections,
                                  call_debug_info,
                                  call_die_values,
                                  call_table_of_object,
                                  call_write_table,
                                  call_write_table,
                                  call_table,
                                  call_kernels,
                                  call_kernels_find,
                                  call_layer_tables,
                                  call_layer_tables_read,
                                  call_edit,
                                  call_edit_set,
                                  call_edit_functions,
                                  call_edit_write,
                                  call_edit_layers,
                                  call_full,
                                  call_full_kind,
                                  call_full_number,
                                  call_exact_rows,
                                  call_exact_table,
                                  call_full_object,
                                  call_layer_lines,
                                  call_layer_lines_find,
                                  call_symbolizer,
                                  call_ask,
                                  call_names,
                                  call_select,
                                  call_select_rows};
CALLS(calls_of_objects, calls);
