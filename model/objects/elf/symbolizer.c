/* Frames and layers of an address of a file: spec/lines.md 14, by DIEs and rows, and spec/hidden.md 18.2. */
#include "objects/dloc_symbolizer.h"
#include "elf.h"
#include "objects/dwarf/layer_texts.h"
#include "objects/lines/spans.h"

#include <string.h>

struct dloc_symbolizer {
  dloc_context *context;
  dloc_object *object;
  dloc_symbolizer_options options;
  const dloc_profile *profile;
  dloc_code code;
  dloc_line_table *table;     /* the primary; NULL: there is none */
  dloc_row_index *rows;       /* all of it but merged layers; NULL: there is none */
  dloc_row_index **unit_rows; /* of each unit of the table; NULL: not asked for yet */
  dloc_debug_info *info;      /* NULL: it is not asked */
  size_t *line_units;         /* of each unit of DIEs: its unit of the table, or NO_UNIT */
  uint32_t *die_units;        /* of each unit of the table: the last unit of DIEs that has it, or DLOC_NO_DIE */
  dloc_layer_lines *layers;
  ARRAY(char *) names; /* of compressed sections of layers */
  ARRAY(dloc_symbol_frame) frames;
};
#define NO_UNIT SIZE_MAX

/* ---- Problems ---- */

static dloc_status problem_in(const dloc_symbolizer *s, dloc_text section, dloc_reason reason, uint64_t at) {
  return s->options.on_problem ? s->options.on_problem(s->options.user, reason, section, (size_t)at) : DLOC_OK;
}

static dloc_status line_problem(void *user, dloc_reason reason, size_t at) {
  return problem_in(user, dloc_text_of(".debug_line"), reason, at);
}

static dloc_status info_problem(void *user, dloc_reason reason, size_t at) {
  return problem_in(user, dloc_text_of(".debug_info"), reason, at);
}

/* ---- Sections ---- */

static dloc_status bytes_of(dloc_symbolizer *s, const char *name, dloc_diagnostic *diagnostic, dloc_text *ret,
                            bool *ret_found) {
  dloc_object_section section;
  TRY(dloc_object_section_find(s->object, dloc_text_of(name), diagnostic, &section, ret_found));
  *ret = section.bytes;
  return section.unapplied ? problem_in(s, section.name, DLOC_REASON_OBJECT_UNAPPLIED, section.unapplied_at) : DLOC_OK;
}

static dloc_status read_strings(dloc_symbolizer *s, dloc_diagnostic *diagnostic, dloc_line_sections *ret) {
  const dloc_object_kind kind = dloc_object_kind_of(s->object);
  bool found;
  *ret = (dloc_line_sections){
      .big_endian = kind.big_endian, .address_size = kind.address_size, .dialect = dloc_line_dialect_of(kind)};
  TRY(bytes_of(s, ".debug_str", diagnostic, &ret->str, &found));
  return bytes_of(s, ".debug_line_str", diagnostic, &ret->line_str, &found);
}

/* ---- The primary ---- */

static dloc_status index_rows(const dloc_symbolizer *s, const dloc_sequence *sequences, size_t count,
                              dloc_row_index **ret) {
  return dloc_row_index_create(s->context, s->profile, &s->code, dloc_line_table_rows(s->table), sequences, count, ret);
}

static dloc_status read_table(dloc_symbolizer *s, dloc_line_sections sections, dloc_diagnostic *diagnostic) {
  bool found;
  size_t count;
  TRY(bytes_of(s, ".debug_line", diagnostic, &sections.line, &found));
  if (!found)
    return DLOC_OK;
  TRY(dloc_line_table_read(s->context, s->profile, &sections, line_problem, s, &s->table));
  (void)dloc_line_table_units(s->table, &count);
  s->unit_rows = context_realloc(s->context, NULL, (count + 1) * sizeof *s->unit_rows);
  if (!s->unit_rows)
    return DLOC_NO_MEMORY;
  memset(s->unit_rows, 0, (count + 1) * sizeof *s->unit_rows);
  return DLOC_OK;
}

/* The rows for addresses that no unit of DIEs has (`layer-lookup.merged`). */
static dloc_status index_primary(dloc_symbolizer *s) {
  size_t unit_count, sequence_count, count = 0;
  if (!s->table)
    return DLOC_OK;
  const dloc_line_unit *units = dloc_line_table_units(s->table, &unit_count);
  const dloc_sequence *all = dloc_rows_sequences(dloc_line_table_rows(s->table), &sequence_count);
  ALLOCATE(s->context, dloc_sequence, sequences, sequence_count + 1);
  for (size_t i = 0; i < unit_count; i++)
    for (size_t j = 0; !layer_lines_merged(s->layers, i) && j < units[i].sequence_count; j++)
      sequences[count++] = all[units[i].first_sequence + j];
  dloc_status status = index_rows(s, sequences, count, &s->rows);
  context_free(s->context, sequences);
  return status;
}

/* ---- DIEs ---- */

/* The unit of the line table that begins at an offset. */
static size_t unit_at(const dloc_symbolizer *s, uint64_t offset) {
  size_t count = 0;
  const dloc_line_unit *units = s->table ? dloc_line_table_units(s->table, &count) : NULL;
  BISECT(place, 0, count, i, units[i].offset < offset);
  return place < count && units[place].offset == offset ? place : NO_UNIT;
}

static dloc_status read_info(dloc_symbolizer *s, dloc_diagnostic *diagnostic) {
  uint32_t count;
  size_t table_count = 0;
  dloc_object_section section;
  bool found; /* without it libdw speaks of an error */
  TRY(dloc_object_section_find(s->object, dloc_text_of(".debug_info"), diagnostic, &section, &found));
  dloc_line_problem *on_problem = found && s->options.parts == DLOC_SYMBOLIZE_ALL ? info_problem : NULL;
  TRY(dloc_debug_info_open(s->object, s->profile, on_problem, s, diagnostic, &s->info));
  const debug_unit *units = debug_info_units(s->info, &count);
  ALLOCATE_ITEMS(s->context, s->line_units, count + (size_t)1);
  if (s->table)
    (void)dloc_line_table_units(s->table, &table_count);
  ALLOCATE_ITEMS(s->context, s->die_units, table_count + 1);
  memset(s->die_units, 0xff, table_count * sizeof *s->die_units);
  for (uint32_t i = 0; i < count; i++) {
    s->line_units[i] = units[i].has_lines ? unit_at(s, units[i].lines) : NO_UNIT;
    if (s->line_units[i] != NO_UNIT)
      s->die_units[s->line_units[i]] = i;
  }
  return DLOC_OK;
}

/* ---- Layers ---- */

typedef struct section_list {
  ARRAY(dloc_named_bytes) sections;
  ARRAY(uint64_t) claimed;
} section_list;

/* `.zdebug_line_tileir` is `.debug_line_tileir`, compressed. */
static dloc_status name_of(dloc_symbolizer *s, const char *name, dloc_text *ret) {
  *ret = dloc_text_of(name);
  if (strncmp(name, ".zdebug_", 8) != 0)
    return DLOC_OK;
  RESERVE(s->context, s->names, s->names.count + 1);
  ALLOCATE(s->context, char, plain, ret->size);
  plain[0] = '.';
  memcpy(plain + 1, name + 2, ret->size - 2);
  s->names.items[s->names.count++] = plain;
  *ret = (dloc_text){plain, ret->size - 1};
  return DLOC_OK;
}

/* One that cannot be read is a problem, and the others are read. */
static dloc_status add_section(dloc_symbolizer *s, Elf_Scn *section, dloc_text name, section_list *ret) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_object_section found;
  dloc_status status = elf_section_read(s->object, section, &diagnostic, &found);
  if (status == DLOC_INVALID)
    return problem_in(s, name, diagnostic.reason, 0);
  TRY(status);
  PUSH(s->context, ret->sections, (dloc_named_bytes){name, found.bytes});
  return found.unapplied ? problem_in(s, name, DLOC_REASON_OBJECT_UNAPPLIED, found.unapplied_at) : DLOC_OK;
}

/* Those that may be of layers, in the order of the file. */
static dloc_status list_sections(dloc_symbolizer *s, section_list *ret) {
  for (Elf_Scn *section = NULL; (section = elf_nextscn(s->object->elf, section));) {
    GElf_Shdr header;
    const char *its_name = elf_section_name(s->object, section, &header);
    dloc_text name;
    if (!its_name || !elf_is_of_layer(dloc_text_of(its_name)) || header.sh_type == SHT_NOBITS ||
        elf_ndxscn(section) >= s->object->section_count)
      continue;
    TRY(name_of(s, its_name, &name));
    TRY(add_section(s, section, name, ret));
  }
  return DLOC_OK;
}

static dloc_status list_claimed(dloc_symbolizer *s, section_list *ret) {
  uint32_t count = 0;
  const debug_unit *units = s->info ? debug_info_units(s->info, &count) : NULL;
  for (uint32_t i = 0; i < count; i++)
    if (units[i].has_lines)
      PUSH(s->context, ret->claimed, units[i].lines);
  sort_numbers(ret->claimed.items, ret->claimed.count);
  return DLOC_OK;
}

static dloc_status make_layers(dloc_symbolizer *s, const dloc_line_sections *sections, section_list *list) {
  TRY(list_sections(s, list));
  TRY(list_claimed(s, list));
  const dloc_layer_sections from = {.sections = list->sections.items,
                                    .count = list->sections.count,
                                    .of_all = *sections,
                                    .code = s->code,
                                    .primary = s->table,
                                    .claimed = list->claimed.items,
                                    .claimed_count = list->claimed.count};
  return dloc_layer_lines_create(s->context, s->profile, &from, s->options.on_problem, s->options.user, &s->layers);
}

static dloc_status read_layers(dloc_symbolizer *s, const dloc_line_sections *sections) {
  section_list list = {.sections = {NULL, 0, 0}};
  dloc_status status = make_layers(s, sections, &list);
  CONTEXT_FREE(s->context, list.sections.items, list.claimed.items);
  return status;
}

/* ---- Opening ---- */

static dloc_status open_parts(dloc_symbolizer *s, dloc_diagnostic *diagnostic) {
  dloc_line_sections sections;
  TRY(read_strings(s, diagnostic, &sections));
  if (s->options.parts != DLOC_SYMBOLIZE_LAYERS)
    TRY(read_table(s, sections, diagnostic));
  if (s->options.parts != DLOC_SYMBOLIZE_LAYERS)
    TRY(read_info(s, diagnostic));
  TRY(read_layers(s, &sections));
  return index_primary(s);
}

dloc_status dloc_symbolizer_open(dloc_object *object, const dloc_symbolizer_options *options,
                                 dloc_diagnostic *diagnostic, dloc_symbolizer **ret) {
  ALLOCATE(object->context, dloc_symbolizer, s, 1);
  *s = (dloc_symbolizer){.context = object->context, .object = object, .code = dloc_object_code(object)};
  if (options)
    s->options = *options;
  s->profile = s->options.profile ? s->options.profile : dloc_profile_at(0);
  dloc_status status = open_parts(s, diagnostic);
  if (status != DLOC_OK) {
    dloc_symbolizer_close(s);
    return status;
  }
  *ret = s;
  return DLOC_OK;
}

void dloc_symbolizer_close(dloc_symbolizer *s) {
  size_t count = 0;
  if (!s)
    return;
  if (s->table)
    (void)dloc_line_table_units(s->table, &count);
  for (size_t i = 0; s->unit_rows && i < count; i++)
    dloc_row_index_destroy(s->unit_rows[i]);
  for (size_t i = 0; i < s->names.count; i++)
    context_free(s->context, s->names.items[i]);
  dloc_row_index_destroy(s->rows);
  dloc_debug_info_close(s->info);
  dloc_layer_lines_destroy(s->layers);
  dloc_line_table_destroy(s->table);
  CONTEXT_FREE(s->context, s->unit_rows, s->line_units, s->die_units, s->names.items, s->frames.items, s);
}

/* ---- Questions ---- */

/* The row of an address in a unit of the line table; NO_UNIT: in any. The row that counts among all rows is mostly
 * that unit's; then it counts there, too. */
static dloc_status find_row(dloc_symbolizer *s, uint64_t address, size_t unit, const dloc_row **ret,
                            const dloc_line_unit **ret_unit) {
  size_t row = 0, count;
  const dloc_line_unit *of = unit == NO_UNIT ? NULL : &dloc_line_table_units(s->table, &count)[unit];
  bool found = s->rows && dloc_row_index_find(s->rows, address, &row);
  if (of && !(found && row - of->first_row < of->row_count)) {
    const dloc_sequence *sequences = dloc_rows_sequences(dloc_line_table_rows(s->table), &count);
    if (!s->unit_rows[unit])
      TRY(index_rows(s, sequences + of->first_sequence, of->sequence_count, &s->unit_rows[unit]));
    found = dloc_row_index_find(s->unit_rows[unit], address, &row);
  }
  *ret_unit = of || !found ? of : dloc_line_table_unit_at(s->table, row);
  *ret = found ? &dloc_rows_list(dloc_line_table_rows(s->table), &count)[row] : NULL;
  return DLOC_OK;
}

static dloc_status add_frame(dloc_symbolizer *s, const dloc_frame *frame, dloc_text directory,
                             const dloc_line_unit *unit) {
  dloc_symbol_frame f = {.function = frame->function,
                         .directory = directory,
                         .line = frame->line,
                         .column = frame->column,
                         .discriminator = frame->discriminator};
  if (frame->file != DLOC_NO_FILE && unit)
    TRY(dloc_line_unit_path_text(s->table, unit, frame->file, &f.path));
  PUSH(s->context, s->frames, f);
  return DLOC_OK;
}

/* A unit of DIEs has rows in its own table only. `stack.unit`: of several that have the address one with a row. */
static dloc_status find_in_unit(dloc_symbolizer *s, uint64_t address, uint32_t *unit, const dloc_row **ret,
                                const dloc_line_unit **ret_unit) {
  const dloc_line_unit *of;
  const dloc_row *row;
  size_t count;
  bool covered;
  if (s->line_units[*unit] != NO_UNIT)
    TRY(find_row(s, address, s->line_units[*unit], ret, ret_unit));
  if (*ret)
    return DLOC_OK;
  TRY(find_row(s, address, NO_UNIT, &row, &of));
  const uint32_t other = row ? s->die_units[of - dloc_line_table_units(s->table, &count)] : DLOC_NO_DIE;
  if (other == DLOC_NO_DIE)
    return DLOC_OK;
  TRY(stacks_covers(dloc_debug_info_stacks(s->info), other, address, &covered));
  if (covered) {
    *unit = other;
    *ret = row;
    *ret_unit = of;
  }
  return DLOC_OK;
}

/* An address of no unit of DIEs may have a row in any table. */
static dloc_status find_frames(dloc_symbolizer *s, uint64_t address) {
  const bool with_dies = s->options.parts == DLOC_SYMBOLIZE_ALL;
  dloc_stacks *stacks = dloc_debug_info_stacks(s->info);
  uint32_t die_unit = with_dies ? dloc_stacks_unit(stacks, address) : DLOC_NO_DIE, unit_count;
  const dloc_line_unit *unit = NULL;
  const dloc_row *row = NULL;
  const dloc_frame *frames;
  dloc_text directory = {NULL, 0};
  size_t count;
  if (die_unit == DLOC_NO_DIE)
    TRY(find_row(s, address, NO_UNIT, &row, &unit));
  else
    TRY(find_in_unit(s, address, &die_unit, &row, &unit));
  if (die_unit != DLOC_NO_DIE)
    directory = debug_info_units(s->info, &unit_count)[die_unit].directory;
  TRY(dloc_stacks_frames(stacks, die_unit, address, row, &frames, &count));
  for (size_t i = 0; i < count; i++)
    TRY(add_frame(s, &frames[i], directory, unit));
  return DLOC_OK;
}

dloc_status dloc_symbolizer_ask(dloc_symbolizer *s, uint64_t address, dloc_symbol *ret) {
  dloc_symbol symbol;
  s->frames.count = 0;
  if (s->info)
    TRY(find_frames(s, address));
  symbol.frames = s->frames.items;
  symbol.frame_count = s->frames.count;
  TRY(dloc_layer_lines_find(s->layers, address, &symbol.layers, &symbol.layer_count));
  *ret = symbol;
  return DLOC_OK;
}

bool dloc_symbolizer_has_rows(const dloc_symbolizer *s) { return s->table != NULL; }

bool dloc_symbolizer_has_units(const dloc_symbolizer *s) {
  uint32_t count = 0;
  if (s->info)
    (void)debug_info_units(s->info, &count);
  return count > 0;
}

const dloc_layer_lines *dloc_symbolizer_layers(const dloc_symbolizer *s) { return s->layers; }

/* ---- For the other files of this folder ---- */

dloc_object *symbolizer_parts(const dloc_symbolizer *s, const dloc_profile **ret_profile,
                              const dloc_line_table **ret_primary, dloc_layer_lines **ret_layers) {
  *ret_profile = s->profile;
  *ret_primary = s->table;
  *ret_layers = s->layers;
  return s->object;
}

bool symbolizer_unit_at(const dloc_symbolizer *s, uint64_t offset, size_t *ret) {
  *ret = unit_at(s, offset);
  return *ret != NO_UNIT;
}
