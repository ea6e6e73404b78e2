/* spec/hidden.md 18.4: .debug_line whose rows are those of a layer. */
#include "select.h"

#include "layer_texts.h"
#include "table.h"
#include "write.h"

#include <string.h>

/* Rows of a layer that are asked for, at most, for each row that there is: sequences of one code may ask again. */
enum { MOST_WORK = 64, ANY_WORK = 1 << 12 };

typedef struct selection {
  const dloc_selected_table *of;
  dloc_context *context;
  const dloc_profile *profile;
  uint32_t kind;
  ARRAY(uint64_t) starts;
  const dloc_line_unit *unit; /* the one that is made */
  map numbers;                /* that the unit gives to files of layers, by the address of what their table says */
  uint64_t work;
  ARRAY(dloc_line_file) files;
  ARRAY(dloc_text) directories;
  ARRAY(dloc_row) piece; /* of a sequence of the primary, with an end */
  ARRAY(dloc_row) rows;  /* made of it */
  size_t set_address;    /* the operand with which the primary's sequence begins */
  dloc_line_parameters parameters;
  byte_sink program;
  selected_lines *lines;
} selection;

/* ---- Starts ---- */

/* Every address with a row in a table of the kind. */
static dloc_status find_starts(selection *s) {
  layer_rows found;
  for (size_t i = 0; layer_lines_table(s->of->layers, s->kind, i, &found); i++)
    for (size_t j = 0; j < found.table->rows->rows.count; j++)
      PUSH(s->context, s->starts, found.table->rows->rows.items[j].address);
  const size_t count = s->starts.count;
  sort_numbers(s->starts.items, count);
  for (size_t i = s->starts.count = 0; i < count; i++) /* functions that a linker dropped all begin at 0 */
    if (!i || s->starts.items[i] != s->starts.items[s->starts.count - 1])
      s->starts.items[s->starts.count++] = s->starts.items[i];
  return DLOC_OK;
}

/* ---- Files ---- */

static bool md5_of_hash(dloc_text hash, uint8_t ret[16]) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < 32; i++) {
    const char *digit = hash.size == 32 && hash.bytes[i] ? strchr(digits, hash.bytes[i]) : NULL;
    if (!digit)
      return false;
    ret[i / 2] = (uint8_t)(ret[i / 2] << 4 | (digit - digits));
  }
  return true;
}

/* 18.4: the entry of a file. Its directory is that of the texts, or none. */
static dloc_status describe_file(const selection *s, const layer_rows *rows, const dloc_line_unit *unit,
                                 uint32_t number, size_t index, dloc_line_file *ret) {
  size_t count;
  const dloc_embedded_text *texts = dloc_layer_lines_texts(s->of->layers, &count);
  const bool from_0 = s->unit->parameters.version >= 5;
  *ret = (dloc_line_file){.directory = 0};
  if (rows->texts[index] >= count)
    return dloc_line_unit_path_text(rows->table, unit, number, &ret->name);
  const dloc_embedded_text *text = &texts[rows->texts[index]];
  dloc_text kind, hash;
  ret->name = text->file;
  ret->directory = s->unit->directory_count + !from_0;
  ret->has_md5 = layer_text_name(text->section, &kind, &hash) && md5_of_hash(hash, ret->md5);
  return DLOC_OK;
}

/* The number that a file of the layer has in the unit; 0 of a version that counts from 1: it has none. */
static dloc_status file_number(selection *s, const layer_rows *rows, const dloc_line_unit *unit, uint32_t number,
                               uint32_t *ret) {
  const dloc_line_file *file = table_file(rows->table, unit, number);
  const size_t next = s->files.count + (s->unit->parameters.version < 5);
  dloc_line_file entry;
  *ret = 0;
  if (!file || map_get(&s->numbers, (uintptr_t)file, 0, ret) || next > DLOC_ROW_MOST_FILE)
    return DLOC_OK;
  TRY(describe_file(s, rows, unit, number, (size_t)(file - rows->table->files.items), &entry));
  PUSH(s->context, s->files, entry);
  return map_add(s->context, &s->numbers, (uintptr_t)file, 0, (uint32_t)next, ret);
}

/* ---- Rows ---- */

/* The `place` of dloc_selected. */
static dloc_status place(void *user, uint64_t address, dloc_row *ret) {
  selection *s = user;
  layer_rows rows;
  size_t number;
  uint32_t file;
  if (s->work++ / MOST_WORK > ANY_WORK + s->starts.count + s->of->primary->rows->rows.count)
    return DLOC_LIMIT;
  if (!layer_lines_row(s->of->layers, s->kind, address, &rows, &number))
    return DLOC_OK;
  const dloc_row *row = &rows.table->rows->rows.items[number];
  TRY(file_number(s, &rows, dloc_line_table_unit_at(rows.table, number), row->file, &file));
  if (file) {
    ret->file = file & DLOC_ROW_MOST_FILE;
    ret->line = row->line;
    ret->column = row->column;
  }
  return DLOC_OK;
}

static dloc_status take_row(void *user, const dloc_row *row) {
  selection *s = user;
  PUSH(s->context, s->rows, *row);
  return DLOC_OK;
}

/* A relocation of the primary's operand is one of this operand, too. */
static dloc_status put_instruction(void *user, const dloc_line_instruction *instruction) {
  selection *s = user;
  const dloc_buffer *program = s->program.sink.user;
  TRY(put_program(s->program, &s->parameters, instruction, 1));
  if (instruction->opcode == DLOC_LINE_SET_ADDRESS)
    PUSH(s->context, s->lines->addresses,
         (dloc_made_address){.at = program->size - s->parameters.address_size, .from = s->set_address});
  return DLOC_OK;
}

static dloc_status put_piece(selection *s, const row_piece *p) {
  s->rows.count = s->piece.count = 0;
  for (size_t i = p->first; i < p->first + p->count; i++)
    PUSH(s->context, s->piece, s->of->primary->rows->rows.items[i]);
  PUSH(s->context, s->piece, (dloc_row){.address = p->end, .flags = p->broken_off ? 0 : DLOC_ROW_END_SEQUENCE});
  const dloc_selected selected = {.rows = s->piece.items,
                                  .count = s->piece.count,
                                  .starts = s->starts.items,
                                  .start_count = s->starts.count,
                                  .functions = s->of->functions,
                                  .function_count = s->of->function_count,
                                  .place = place,
                                  .user = s};
  TRY(dloc_select_rows(s->profile, &selected, take_row, s));
  return dloc_line_assemble(s->profile, &s->parameters, false, s->rows.items, NULL, s->rows.count, put_instruction, s);
}

static dloc_status put_sequences(selection *s) {
  const dloc_rows *all = s->of->primary->rows;
  for (size_t i = 0; i < s->unit->sequence_count; i++) {
    const dloc_sequence *sequence = &all->sequences.items[s->unit->first_sequence + i];
    s->set_address = sequence->set_address;
    for (row_piece p = {.next = sequence->first}; row_piece_next(s->profile, &s->of->code, all, sequence, &p);)
      TRY(put_piece(s, &p));
  }
  return DLOC_OK;
}

/* ---- Units ---- */

/* 18.4: those of the unit keep their numbers. Its own opcodes may lack the one that ends a prologue. */
static dloc_status write_unit(selection *s) {
  const dloc_line_file *files = dloc_line_unit_files(s->of->primary, s->unit);
  const dloc_text *directories = dloc_line_unit_directories(s->of->primary, s->unit);
  const bool big_endian = s->of->primary->sections.big_endian;
  const size_t first = s->lines->addresses.count;
  OWNED(dloc_buffer_deinit) dloc_buffer program = {0};
  s->parameters = line_parameters_usual(s->unit->parameters.version, s->unit->parameters.address_size);
  s->program = (byte_sink){dloc_buffer_sink(&program), big_endian};
  s->files.count = s->directories.count = 0;
  map_clear(&s->numbers);
  for (size_t i = 0; i < s->unit->file_count; i++)
    PUSH(s->context, s->files, files[i]);
  for (size_t i = 0; i < s->unit->directory_count; i++)
    PUSH(s->context, s->directories, directories[i]);
  PUSH(s->context, s->directories, s->of->directory);
  TRY(put_sequences(s));
  const dloc_line_unit_parts parts = {.parameters = s->parameters,
                                      .offset_size = s->unit->offset_size,
                                      .files = s->files.items,
                                      .file_count = s->files.count,
                                      .directories = s->directories.items,
                                      .directory_count = s->directories.count};
  TRY(put_whole_unit((byte_sink){dloc_buffer_sink(&s->lines->bytes), big_endian}, &parts,
                     (dloc_text){program.bytes, program.size}));
  for (size_t i = first; i < s->lines->addresses.count; i++)
    s->lines->addresses.items[i].at += s->lines->bytes.size - program.size;
  return DLOC_OK;
}

/* 18.4 */
static dloc_status write_units(selection *s) {
  const dloc_line_table *primary = s->of->primary;
  for (size_t i = 0; i < primary->units.count; i++) {
    s->unit = &primary->units.items[i];
    PUSH(s->context, s->lines->units, (dloc_made_piece){.from = s->unit->offset, .to = s->lines->bytes.size});
    if (!layer_lines_merged(s->of->layers, i))
      TRY(s->unit->parameters.version >= 2 && s->unit->parameters.version <= 5 ? write_unit(s) : DLOC_INVALID);
  }
  return DLOC_OK;
}

dloc_status select_table(dloc_context *context, const dloc_profile *profile, const dloc_selected_table *of,
                         selected_lines *ret) {
  selection s = {.of = of, .context = context, .profile = profile, .lines = ret};
  OWNED_MEMORY(context, &s.numbers.entries, &s.starts.items, &s.files.items, &s.directories.items, &s.piece.items,
               &s.rows.items);
  size_t count;
  const dloc_text *kinds = dloc_layer_lines_kinds(of->layers, &count);
  while (s.kind < count && !(kinds[s.kind].size == of->kind.size && layer_kind_begins(kinds[s.kind], of->kind)))
    s.kind++;
  TRY(find_starts(&s));
  return write_units(&s);
}
