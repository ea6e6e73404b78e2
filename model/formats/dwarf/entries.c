/* SPEC.md 12.5: tables of directories and files. */
#include "formats/dwarf/table.h"

#include <string.h>

/* ---- Versions 2 to 4 ---- */

/* `lines.file.fields`: a name, the number of a directory, time of modification, length. */
dloc_line_file entries_file_v2(byte_cursor *c) {
  dloc_line_file file = {.name = bytes_string(c)};
  file.directory = bytes_unsigned(c);
  file.time = bytes_unsigned(c);
  file.size = bytes_unsigned(c);
  return file;
}

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

enum { LNCT_PATH = 1, LNCT_DIRECTORY_INDEX, LNCT_TIMESTAMP, LNCT_SIZE, LNCT_MD5 };
enum {
  FORM_BLOCK2 = 0x03,
  FORM_BLOCK4,
  FORM_DATA2,
  FORM_DATA4,
  FORM_DATA8,
  FORM_STRING,
  FORM_BLOCK,
  FORM_BLOCK1,
  FORM_DATA1,
  FORM_FLAG,
  FORM_SDATA,
  FORM_STRP,
  FORM_UDATA,
  FORM_SEC_OFFSET = 0x17,
  FORM_STRX = 0x1a,
  FORM_STRP_SUP = 0x1d,
  FORM_DATA16,
  FORM_LINE_STRP,
  FORM_STRX1 = 0x25,
  FORM_STRX2,
  FORM_STRX3,
  FORM_STRX4
};

typedef struct form_value {
  uint64_t number;
  dloc_text bytes; /* of a string or a block */
} form_value;

dloc_text entries_string_at(dloc_text section, uint64_t offset) {
  if (offset >= section.size)
    return (dloc_text){NULL, 0};
  const char *start = section.bytes + offset;
  const char *end = memchr(start, 0, section.size - (size_t)offset);
  return (dloc_text){start, end ? (size_t)(end - start) : section.size - (size_t)offset};
}

/* `lines.form`; false: the form is not known, so nothing behind it can be read. */
static bool read_form(const dloc_line_table *table, const dloc_line_unit *unit, uint64_t form, byte_cursor *c,
                      form_value *ret) {
  static const uint8_t fixed[] = {
      [FORM_DATA1] = 1, [FORM_DATA2] = 2, [FORM_DATA4] = 4, [FORM_DATA8] = 8, [FORM_FLAG] = 1,
      [FORM_STRX1] = 1, [FORM_STRX2] = 2, [FORM_STRX3] = 3, [FORM_STRX4] = 4, [FORM_BLOCK1] = 0};
  *ret = (form_value){0, {NULL, 0}};
  switch (form) {
  case FORM_STRING:
    ret->bytes = bytes_string(c);
    return true;
  case FORM_LINE_STRP:
    ret->number = bytes_fixed(c, unit->offset_size);
    ret->bytes = entries_string_at(table->sections.line_str, ret->number);
    return true;
  case FORM_STRP:
    ret->number = bytes_fixed(c, unit->offset_size);
    ret->bytes = entries_string_at(table->sections.str, ret->number);
    return true;
  case FORM_SEC_OFFSET:
  case FORM_STRP_SUP:
    ret->number = bytes_fixed(c, unit->offset_size);
    return true;
  case FORM_UDATA:
  case FORM_STRX:
    ret->number = bytes_unsigned(c);
    return true;
  case FORM_SDATA:
    ret->number = bytes_signed(c);
    return true;
  case FORM_DATA16:
    ret->bytes = bytes_block(c, 16);
    return true;
  case FORM_BLOCK:
    ret->bytes = bytes_block(c, (size_t)bytes_unsigned(c));
    return true;
  case FORM_BLOCK1:
  case FORM_BLOCK2:
  case FORM_BLOCK4:
    ret->bytes = bytes_block(c, (size_t)bytes_fixed(c, form == FORM_BLOCK1 ? 1 : form == FORM_BLOCK2 ? 2 : 4));
    return true;
  default:
    if (form >= sizeof fixed || !fixed[form])
      return false;
    ret->number = bytes_fixed(c, fixed[form]);
    return true;
  }
}

/* `lines.content`: one field of an entry; what it is not known to mean is skipped. */
static void take_content(uint64_t content, const form_value *value, dloc_line_file *file) {
  switch (content) {
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
  default:
    break;
  }
}

/* One table: a list of contents with their forms, a count, entries. visit takes each entry. */
static dloc_status read_table(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c,
                              dloc_status (*take)(dloc_line_table *, dloc_line_unit *, const dloc_line_file *)) {
  uint8_t columns = (uint8_t)bytes_fixed(c, 1);
  uint64_t formats[255][2];
  for (uint8_t i = 0; i < columns; i++) {
    formats[i][0] = bytes_unsigned(c);
    formats[i][1] = bytes_unsigned(c);
  }
  uint64_t count = bytes_unsigned(c);
  if (!columns && count) /* entries of no bytes: any number of them */
    return table_problem(table, DLOC_REASON_LINES_ENTRIES_EMPTY, table_offset(table, c));
  for (uint64_t i = 0; i < count && !c->short_of; i++) {
    dloc_line_file entry = {.directory = 0};
    for (uint8_t j = 0; j < columns; j++) {
      form_value value;
      if (!read_form(table, unit, formats[j][1], c, &value)) {
        bytes_stop(c);
        return table_problem(table, DLOC_REASON_LINES_FORM, table_offset(table, c));
      }
      take_content(formats[j][0], &value, &entry);
    }
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
  TRY(read_table(table, unit, c, take_directory));
  return read_table(table, unit, c, take_file);
}
