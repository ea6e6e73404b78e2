/* Private to model/objects/dwarf: a line table that is read. */
#pragma once

#include "objects/dloc_dwarf.h"
#include "bytes.h"
#include "objects/lines/machine.h"

/* Where strings of a section end: for each STRING_BLOCK bytes of it the first 0 at or behind their start, or its size.
 * Without it, many offsets into one long string would cost its length each. */
enum { STRING_BLOCK = 4096 };
typedef struct string_ends {
  size_t *blocks; /* NULL: not made yet, or there was no memory for it */
} string_ends;

struct dloc_line_table {
  dloc_context *context;
  const dloc_profile *profile;
  dloc_line_sections sections;
  dloc_line_problem *on_problem;
  void *user;
  dloc_rows *rows;
  ARRAY(dloc_line_unit) units;
  size_t unreadable; /* of these */
  ARRAY(dloc_text) directories;
  ARRAY(dloc_line_file) files;
  ARRAY(dloc_text) paths; /* of each file, once one was asked for; bytes NULL: not made yet */
  string_ends str_ends, line_str_ends;
  dloc_rows *actuals; /* of tables of two levels, as all below */
  ARRAY(dloc_text) subprograms;
};

static inline size_t table_offset(const dloc_line_table *table, const byte_cursor *c) {
  return (size_t)((const char *)c->at - table->sections.line.bytes);
}

static inline byte_cursor table_cursor(const dloc_line_table *table, size_t from, size_t to) {
  const uint8_t *bytes = (const uint8_t *)table->sections.line.bytes;
  return (byte_cursor){.at = bytes + from, .end = bytes + to, .big_endian = table->sections.big_endian};
}

dloc_status table_problem(const dloc_line_table *table, dloc_reason reason, size_t at);

/* A file by the number that a row has for it (`lines.file.number`); NULL: there is none. */
const dloc_line_file *table_file(const dloc_line_table *table, const dloc_line_unit *unit, uint64_t number);
/* A directory by the number that a file has for it; empty: there is none. */
dloc_text table_directory(const dloc_line_table *table, const dloc_line_unit *unit, uint64_t number);

/* Give a table the rows that make makes of each sequence, by its index. */
typedef dloc_status table_make_sequence(void *user, const dloc_rows *rows, size_t sequence, dloc_rows *made);
dloc_status table_make_rows(dloc_line_table *table, table_make_sequence *make, void *user);

/* header.c */
dloc_status header_parameters(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c);
dloc_status header_place_program(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c);
/* two_level.c: the form of a unit of that version, STANDARD for one level; what stands behind the version. */
dloc_line_dialect two_level_form(const dloc_line_table *table, uint16_t version);
dloc_status two_level_header(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c, bool *ret_readable);
dloc_status two_level_run(dloc_line_table *table, dloc_line_unit *unit);
/* entries.c: directories and files of version 5, and those before. */
dloc_status entries_read_v5(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c);
dloc_status entries_read_v2(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c);
dloc_line_file entries_file_v2(byte_cursor *c);
/* One table of version 5: take gets each entry. *ret_whole: what follows can be read. */
typedef dloc_status entries_take(dloc_line_table *table, dloc_line_unit *unit, const dloc_line_file *entry);
dloc_status entries_read_table(dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c, entries_take *take,
                               bool *ret_whole);
/* The string at an offset of a section; false: the section does not have it, and it is empty. */
bool entries_string_at(dloc_text section, uint64_t offset, dloc_text *ret);
/* nvidia.c: what is left of a header. */
void nvidia_read_word(const dloc_line_table *table, dloc_line_unit *unit, byte_cursor *c);
/* program.c: run the bytes from there to there. */
dloc_status program_run(dloc_line_table *table, dloc_line_unit *unit, line_machine *m, size_t from, size_t to);
