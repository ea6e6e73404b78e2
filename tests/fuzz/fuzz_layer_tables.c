/* Any bytes as the line table of an object whose discriminators are numbers: what is made of it can be read, without
 * problems that the object's own did not have, gives back the rows it was made of, and keeps its promises about
 * addresses and pieces. The first byte says how the rest is read. */
#include "objects/dloc_dwarf.h"
#include "dloc_formats.h"
#include "objects/dloc_hidden.h"
#include "require.h"

#include <string.h>

/* Numbers 1 to 4: a layer with text, one without and one of another kind, none, a merged one. */
static const char layers[] =
    "!dloc.hidden.table = !{!0}\n"
    "!dloc.hidden.layers = !{!5, !8, !4, !12}\n"
    "!llvm.intermediate_level_source = !{!15}\n"
    "!0 = !{!\"discriminator\", i32 1, !\"0000000000000000\"}\n"
    "!1 = !DIFile(filename: \"a.c\", directory: \"/d\")\n"
    "!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)\n"
    "!3 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !2, spFlags: DISPFlagDefinition)\n"
    "!4 = !DILocation(line: 1, scope: !3)\n"
    "!5 = !{!4, !6}\n"
    "!6 = !{!\"TileIR\", !7}\n"
    "!7 = !DILocation(line: 9, column: 3, scope: !16)\n"
    "!8 = !{!4, !9, !11}\n"
    "!9 = !{!\"TileIR\", !10}\n"
    "!10 = !DILocation(line: 70000, scope: !17)\n"
    "!11 = !{!\"MLIR\", !7}\n"
    "!12 = !{!4, !13}\n"
    "!13 = !{!\"TileIR\", !14}\n"
    "!14 = !DILocation(line: 0, scope: !16)\n"
    "!15 = !{!\"TileIR\", !18, !\"text\"}\n"
    "!16 = !DILexicalBlockFile(scope: !3, file: !18, discriminator: 0)\n"
    "!17 = !DILexicalBlockFile(scope: !3, file: !19, discriminator: 0)\n"
    "!18 = !DIFile(filename: \"k.tile\", directory: \"/d\")\n"
    "!19 = !DIFile(filename: \"k.mlir\", directory: \"lib\")\n";

static dloc_hidden *read_layers(dloc_context *context) {
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_hidden *hidden = NULL;
  require(dloc_read_ll(context, dloc_text_of(layers), &diagnostic, &module) == DLOC_OK &&
          dloc_hidden_create(context, &hidden) == DLOC_OK && dloc_hidden_read(hidden, module, NULL) == DLOC_OK);
  dloc_module_destroy(module);
  return hidden;
}

static dloc_status count_problem(void *user, dloc_reason reason, size_t at) {
  (void)reason, (void)at;
  ++*(size_t *)user;
  return DLOC_OK;
}

static dloc_line_table *read_table(dloc_context *context, const dloc_line_sections *from, dloc_text line,
                                   size_t *problems) {
  dloc_line_sections sections = *from;
  dloc_line_table *table = NULL;
  sections.line = line;
  require(dloc_line_table_read(context, dloc_profile_at(0), &sections, count_problem, problems, &table) == DLOC_OK);
  return table;
}

/* Each set_address of a table stands in the list, in its order. */
static void check_addresses(const dloc_made_section *made, size_t old_size) {
  for (size_t i = 0; i < made->address_count; i++)
    require(made->addresses[i].at < made->bytes.size && made->addresses[i].from && made->addresses[i].from < old_size &&
            (!i || made->addresses[i].at > made->addresses[i - 1].at));
}

static void check_primary(dloc_context *context, const dloc_line_table *old, const dloc_line_sections *from,
                          const dloc_made_section *made) {
  size_t units, new_units, rows, new_rows, size = from->line.size, problems = 0;
  const dloc_line_unit *old_units = dloc_line_table_units(old, &units);
  dloc_line_table *table = read_table(context, from, made->bytes, &problems);
  (void)dloc_line_table_units(table, &new_units);
  (void)dloc_rows_list(dloc_line_table_rows(old), &rows);
  (void)dloc_rows_list(dloc_line_table_rows(table), &new_rows);
  require(new_units == units && made->piece_count == units && new_rows <= rows);
  for (size_t i = 0; i < units; i++) {
    const dloc_made_piece *piece = &made->pieces[i];
    require(piece->from == old_units[i].offset && piece->size <= size - piece->from && piece->to <= made->bytes.size &&
            piece->size <= made->bytes.size - piece->to);
  }
  dloc_line_table_destroy(table);
}

/* A line says where a layer is, or that there is none. */
static void check_kind(dloc_context *context, const dloc_line_sections *from, bool sound,
                       const dloc_made_section *made) {
  size_t count, sequences, problems = 0;
  dloc_line_table *table = read_table(context, from, made->bytes, &problems);
  const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(table), &count);
  (void)dloc_rows_sequences(dloc_line_table_rows(table), &sequences);
  require((!sound || !problems) && count >= 1 && made->address_count >= sequences);
  for (size_t i = 0; i < count; i++)
    require((rows[i].line == 0 || rows[i].line == 9 || rows[i].line == 70000) && !rows[i].discriminator);
  dloc_line_table_destroy(table);
}

static void check_made(dloc_context *context, const dloc_line_table *old, const dloc_line_sections *from, bool sound,
                       const dloc_layer_tables *tables) {
  size_t count;
  const dloc_made_section *sections = dloc_layer_tables_sections(tables, &count);
  check_primary(context, old, from, dloc_layer_tables_primary(tables));
  check_addresses(dloc_layer_tables_primary(tables), from->line.size);
  for (size_t i = 0; i < count; i++) {
    require(sections[i].name.size > 10);
    check_addresses(&sections[i], from->line.size);
    if (!sections[i].group.size)
      check_kind(context, from, sound, &sections[i]);
  }
}

static bool name_of(void *user, uint32_t number, dloc_file_name *ret) {
  static const dloc_file_name files[] = {{{"/d", 2}, {NULL, 0}, {"k.tile", 6}}, {{NULL, 0}, {"lib", 3}, {"k.mlir", 6}}};
  (void)user;
  *ret = files[number % 2];
  return number != 0;
}

/* Its rows as the lines of a kind, for itself: numbers take no row away, and each has lines of that kind. */
static void check_full(dloc_context *context, const dloc_line_table *table, dloc_hidden *hidden) {
  size_t row_count, count, made_count, first = dloc_hidden_count(hidden);
  const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(table), &row_count);
  const dloc_sequence *sequences = dloc_rows_sequences(dloc_line_table_rows(table), &count);
  const dloc_edit_function own = {.section = 1, .address = 2, .size = 64}, other = {.section = 1, .size = 80};
  dloc_full *full = NULL;
  dloc_rows *made = NULL;
  dloc_layer layer;
  require(dloc_full_create(context, hidden, &full) == DLOC_OK && dloc_rows_create(context, &made) == DLOC_OK &&
          dloc_full_kind(full, dloc_text_of("TileIR")) == DLOC_OK);
  for (size_t i = 0; i < count; i++)
    require(dloc_full_rows(full, 1, rows + sequences[i].first, sequences[i].count, name_of, NULL) == DLOC_OK);
  require(dloc_full_function(full, &own, &other) == DLOC_OK);
  require(dloc_full_number(full, 1, rows, row_count, made) == DLOC_OK);
  rows = dloc_rows_list(made, &made_count);
  require(made_count >= row_count);
  for (size_t i = 0; i < made_count; i++)
    require(!rows[i].discriminator || rows[i].discriminator > first);
  for (size_t i = first; i < dloc_hidden_count(hidden); i++)
    require(dloc_next_layer(context, dloc_hidden_at(hidden, i).layers, &(size_t){0}, &layer) &&
            dloc_place_of_layer(context, layer.location).line);
  dloc_rows_destroy(made);
  dloc_full_destroy(full);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  const dloc_line_sections from = {
      .line = {(const char *)data + 1, size - 1}, .big_endian = data[0] & 1, .address_size = data[0] & 2 ? 4 : 8};
  dloc_context *context = dloc_context_create(NULL);
  require(context);
  dloc_hidden *hidden = read_layers(context);
  size_t problems = 0;
  dloc_line_table *table = read_table(context, &from, from.line, &problems);
  dloc_layer_tables *tables = NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  const dloc_profile *profile = dloc_profile_at((size_t)(data[0] >> 2) % dloc_profile_count());
  size_t told = 0;
  dloc_status status = dloc_layer_tables_make(context, profile, table, hidden, count_problem, &told, &reason, &tables);
  require(status == DLOC_OK || (status == DLOC_INVALID && reason != DLOC_REASON_NONE));
  if (status == DLOC_OK)
    check_made(context, table, &from, problems == 0, tables);
  check_full(context, table, hidden);
  dloc_layer_tables_destroy(tables);
  dloc_line_table_destroy(table);
  dloc_hidden_destroy(hidden);
  dloc_context_destroy(context);
  return 0;
}
