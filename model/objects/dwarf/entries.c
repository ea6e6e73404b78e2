/* spec/lines.md 12.5: tables of directories and files. */
#include "table.h"

#include <string.h>

/* ---- Versions 2 to 4 ---- */

/* `lines.file.old`: a name, the number of a directory, time of modification, length. */
dloc_line_file entries_file_v2(byte_cursor *c) {
  dloc_line_file file = {.name = bytes_string(c)};
  file.directory = bytes_unsigned(c);
  file.time = bytes_unsigned(c);
  file.size = bytes_unsigned(c);
  return file;
}

/* `lines.directory.old`: names up to an empty one, then files up to one without a name. */
dloc_status entries_read_v2(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c) {
  for (dloc_text name; (name = bytes_string(c)).size && !c->short_of; unit->directory_count++)
    PUSH(table->context, table->directories, name);
  while (!c->short_of && bytes_left(c) && *c->at) {
    dloc_line_file file = entries_file_v2(c);
    if (c->short_of)
      break;
    PUSH(table->context, table->files, file);
    unit->file_count++;
  }
  (void)bytes_fixed(c, 1);
  return DLOC_OK;
}

/* ---- Version 5 ---- */

typedef struct form_value {
  uint64_t number;
  dloc_text bytes; /* of a string or a block */
} form_value;

/* `lines.string`: the string at an offset of a section; false: it is not in it. */
bool entries_string_at(dloc_text section, uint64_t offset, dloc_text *ret) {
  const char *start = offset < section.size ? section.bytes + offset : NULL;
  const char *end = start ? memchr(start, 0, section.size - (size_t)offset) : NULL;
  *ret = end ? (dloc_text){start, (size_t)(end - start)} : (dloc_text){"", 0};
  return end != NULL;
}

static size_t first_end(dloc_text section, size_t from, size_t to) {
  const char *end = from < to ? memchr(section.bytes + from, 0, to - from) : NULL;
  return end ? (size_t)(end - section.bytes) : to;
}

static void index_ends(const dloc_line_table *table, dloc_text section, string_ends *ret) {
  size_t count = section.size / STRING_BLOCK + 1, next = section.size;
  ret->blocks = context_realloc(table->context, NULL, count * sizeof *ret->blocks);
  for (size_t i = count; ret->blocks && i-- > 0; ret->blocks[i] = next) {
    size_t from = i * STRING_BLOCK, to = section.size - from < STRING_BLOCK ? section.size : from + STRING_BLOCK;
    size_t end = first_end(section, from, to);
    next = end < to ? end : next;
  }
}

/* entries_string_at, in bounded time. */
static bool find_string(const dloc_line_table *table, dloc_text section, string_ends *ends, uint64_t offset,
                        dloc_text *ret) {
  if (!ends->blocks && section.size > STRING_BLOCK)
    index_ends(table, section, ends);
  if (!ends->blocks || offset >= section.size)
    return entries_string_at(section, offset, ret);
  size_t from = (size_t)offset, block = from / STRING_BLOCK + 1;
  size_t to = section.size / STRING_BLOCK < block ? section.size : block * STRING_BLOCK;
  size_t end = first_end(section, from, to);
  if (end == to && to < section.size)
    end = ends->blocks[block];
  *ret = end < section.size ? (dloc_text){section.bytes + from, end - from} : (dloc_text){"", 0};
  return end < section.size;
}

/* `lines.form`: why it is wrong, or DLOC_REASON_NONE. An unknown form ends the reading. */
static dloc_reason read_form(dloc_line_table *table, const dloc_line_unit *unit, uint64_t form, byte_cursor *c,
                             form_value *ret) {
  static const uint8_t fixed[] = {
      [FORM_DATA1] = 1, [FORM_DATA2] = 2, [FORM_DATA4] = 4, [FORM_DATA8] = 8, [FORM_FLAG] = 1,
      [FORM_STRX1] = 1, [FORM_STRX2] = 2, [FORM_STRX3] = 3, [FORM_STRX4] = 4, [FORM_BLOCK1] = 0};
  *ret = (form_value){0, {"", 0}};
  bool found = true;
  switch (form) {
  case FORM_STRING:
    ret->bytes = bytes_string(c);
    break;
  case FORM_LINE_STRP:
    found = find_string(table, table->sections.line_str, &table->line_str_ends, bytes_fixed(c, unit->offset_size),
                        &ret->bytes);
    break;
  case FORM_STRP:
    found = find_string(table, table->sections.str, &table->str_ends, bytes_fixed(c, unit->offset_size), &ret->bytes);
    break;
  case FORM_STRP_SUP: /* in another file */
  case FORM_SEC_OFFSET:
    ret->number = bytes_fixed(c, unit->offset_size);
    found = form == FORM_SEC_OFFSET;
    break;
  case FORM_STRX: /* by a table that only a unit of .debug_info tells */
  case FORM_UDATA:
    ret->number = bytes_unsigned(c);
    found = form == FORM_UDATA;
    break;
  case FORM_SDATA:
    ret->number = bytes_signed(c);
    break;
  case FORM_DATA16:
    ret->bytes = bytes_block(c, 16);
    break;
  case FORM_BLOCK:
    ret->bytes = bytes_block(c, bytes_unsigned(c));
    break;
  case FORM_BLOCK1:
  case FORM_BLOCK2:
  case FORM_BLOCK4:
    ret->bytes = bytes_block(c, bytes_fixed(c, form == FORM_BLOCK1 ? 1 : form == FORM_BLOCK2 ? 2 : 4));
    break;
  default:
    if (form >= sizeof fixed || !fixed[form])
      return DLOC_REASON_LINES_FORM;
    ret->number = bytes_fixed(c, fixed[form]);
    found = form < FORM_STRX1;
  }
  return found || c->short_of ? DLOC_REASON_NONE : DLOC_REASON_LINES_STRING;
}

/* `lines.content`: one field of an entry; what it is not known to mean is skipped.
 * `lines.content.path`, `lines.content.md5` */
static void take_content(uint64_t content, const form_value *value, dloc_line_file *file) {
  switch (content) {
  case LNCT_SUBPROGRAM_NAME: /* of the third table of two levels */
  case LNCT_PATH:
    file->name = value->bytes;
    break;
  case LNCT_DIRECTORY_INDEX:
    file->directory = value->number;
    break;
  case LNCT_TIMESTAMP:
    file->time = value->number;
    break;
  case LNCT_SIZE:
    file->size = value->number;
    break;
  case LNCT_MD5:
    file->has_md5 = value->bytes.size == 16;
    if (file->has_md5)
      memcpy(file->md5, value->bytes.bytes, 16);
    break;
  case LNCT_LLVM_SOURCE: /* `lines.content.source` */
    file->has_source = true;
    file->source = value->bytes;
    break;
  default:
    break;
  }
}

/* A field's content and its form. */
typedef struct column {
  uint64_t content;
  uint64_t form;
} column;

/* One entry. *ret_known: every form is. `lines.entries`, `lines.form.unknown` */
static dloc_status read_entry(dloc_line_table *table, dloc_line_unit *unit, const column *columns, uint8_t count,
                              byte_cursor *c, dloc_line_file *ret, bool *ret_known) {
  *ret = (dloc_line_file){.name = {"", 0}};
  *ret_known = true;
  for (uint8_t i = 0; i < count && *ret_known; i++) {
    form_value value;
    size_t at = table_offset(table, c);
    dloc_reason reason = read_form(table, unit, columns[i].form, c, &value);
    if (reason != DLOC_REASON_NONE)
      TRY(table_problem(table, reason, at));
    *ret_known = reason != DLOC_REASON_LINES_FORM;
    take_content(columns[i].content, &value, ret);
  }
  return DLOC_OK;
}

/* `lines.entries`: a list of contents with their forms, a count, entries. */
dloc_status entries_read_table(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c, entries_take *take,
                               bool *ret_whole) {
  column columns[UINT8_MAX];
  uint8_t width = (uint8_t)bytes_fixed(c, 1);
  for (uint8_t i = 0; i < width; i++) {
    columns[i].content = bytes_unsigned(c);
    columns[i].form = bytes_unsigned(c);
  }
  uint64_t count = bytes_unsigned(c);
  *ret_whole = true;
  if (!width && count) /* `lines.entries.empty`: entries of no bytes, any number of them */
    return table_problem(table, DLOC_REASON_LINES_ENTRIES_EMPTY, table_offset(table, c));
  for (uint64_t i = 0; i < count && !c->short_of; i++) {
    dloc_line_file entry;
    TRY(read_entry(table, unit, columns, width, c, &entry, ret_whole));
    if (!*ret_whole)
      return DLOC_OK;
    if (!c->short_of)
      TRY(take(table, unit, &entry));
  }
  return DLOC_OK;
}

static dloc_status take_directory(dloc_line_table *table, dloc_line_unit *unit, const dloc_line_file *entry) {
  PUSH(table->context, table->directories, entry->name);
  unit->directory_count++;
  return DLOC_OK;
}

static dloc_status take_file(dloc_line_table *table, dloc_line_unit *unit, const dloc_line_file *entry) {
  PUSH(table->context, table->files, *entry);
  unit->file_count++;
  return DLOC_OK;
}

dloc_status entries_read_v5(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c) {
  bool whole;
  TRY(entries_read_table(table, unit, c, take_directory, &whole));
  return whole ? entries_read_table(table, unit, c, take_file, &whole) : DLOC_OK;
}
