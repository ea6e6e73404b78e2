/* dloc_dwarf.h - line tables and debugging information as they stand in files: sections of ELF objects. The conventions
 * are those of dloc.h; dloc_lines.h says what rows and programs are. */
#ifndef DLOC_DWARF_H
#define DLOC_DWARF_H

#include "dloc_formats.h"
#include "dloc_lines.h"

DLOC_BEGIN

/* ---- Objects (model/objects/elf) ---- */

/* An ELF file: executable, shared library, object, cubin. */
typedef struct dloc_object dloc_object;

/* bytes are copied, as relocations change them. DLOC_INVALID with *diagnostic when it is no ELF file that can be read.
 * Sections whose names begin with `.debug` or `.zdebug`, or that have SHF_COMPRESSED, are decompressed when asked for;
 * in a relocatable object, relocations are applied, every section standing at address 0. */
dloc_status dloc_object_open(dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic, dloc_object **ret);
void dloc_object_close(dloc_object *object);

typedef struct dloc_object_kind {
  uint16_t machine; /* e_machine */
  uint16_t type;    /* e_type */
  uint8_t address_size;
  bool big_endian;
} dloc_object_kind;
dloc_object_kind dloc_object_kind_of(const dloc_object *object);

typedef struct dloc_object_section {
  dloc_text name; /* as the object has it: `.zdebug_line` is found as `.debug_line` */
  dloc_text bytes;
  uint32_t index;          /* 0: there is none */
  size_t unapplied;        /* relocations of which nothing came: of an unknown type, or beyond the section */
  uint64_t unapplied_type; /* of the first of them, and its offset */
  uint64_t unapplied_at;
} dloc_object_section;
/* The first section of that name behind section `after`, 0 for any; empty bytes and false when there is none. The
 * bytes belong to the object. DLOC_INVALID with *diagnostic when it cannot be decompressed or read. */
dloc_status dloc_object_section_next(dloc_object *object, dloc_text name, uint32_t after, dloc_diagnostic *diagnostic,
                                     dloc_object_section *ret, bool *ret_found);
/* The first of them. */
dloc_status dloc_object_section_find(dloc_object *object, dloc_text name, dloc_diagnostic *diagnostic,
                                     dloc_object_section *ret, bool *ret_found);
/* The symbol or section that a relocation puts into that offset of a section
 * that was found; empty when there is none. */
dloc_text dloc_object_relocation_name(dloc_object *object, uint32_t section, size_t offset);

/* In a relocatable object with code in several sections, give each its own addresses, as a linker would. Call it before
 * any section is read: relocations count from there. It changes nothing in other files. */
dloc_status dloc_object_lay_out(dloc_object *object);
/* The names of the sections with code that were laid out, in order. They belong to the object. */
const dloc_text *dloc_object_code_sections(const dloc_object *object, size_t *ret_count);
/* The address of the section of code, or the function of the symbol tables, that has a name. Returns how many addresses
 * have it: 0, 1, or 2 for more; *ret is set for 1. Cost: linear in symbols. */
size_t dloc_object_named(const dloc_object *object, dloc_text name, uint64_t *ret);

/* The file that `dloc_symbolizer_select` was given, when this is what it wrote; else *ret_found is false. file: the bytes
 * of the object. DLOC_INVALID with *diagnostic when another tool has changed it since (18.4). */
dloc_status dloc_object_unselect(dloc_object *object, dloc_text file, dloc_diagnostic *diagnostic, dloc_buffer *ret,
                                 bool *ret_found);

/* ---- Objects that are changed (model/objects/elf/edit*.c) ---- */

/* A relocatable ELF file, of either class and byte order, that gets other contents and more sections. The rest is
 * written as it was: sections keep their numbers and their order in the file, each at its alignment; new
 * ones follow them, then the table of section headers. The layout is ours, not libelf's. */
typedef struct dloc_object_edit dloc_object_edit;
/* bytes are copied. DLOC_INVALID with *diagnostic also when the file is linked, or its relocations are in a form that
 * is not known. */
dloc_status dloc_object_edit_open(dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic,
                                  dloc_object_edit **ret);
void dloc_object_edit_close(dloc_object_edit *edit);
/* What stands in a section, decompressed, not relocated: it is not compressed any more then. Borrowed until it changes.
 * DLOC_INVALID with *diagnostic also when there is no such section. */
dloc_status dloc_object_edit_bytes(dloc_object_edit *edit, uint32_t section, dloc_diagnostic *diagnostic,
                                   dloc_text *ret);
/* Other bytes, which are copied and are none of this file's. DLOC_INVALID when there is no such section, or it is the
 * table of symbols. */
dloc_status dloc_object_edit_set(dloc_object_edit *edit, uint32_t section, dloc_text bytes);

/* A symbol of a function with code in a section, at an address of it. */
typedef struct dloc_edit_function {
  dloc_text name;
  uint32_t section;
  uint64_t address;
  uint64_t size;
} dloc_edit_function;
/* Each function of a file, and the one of that name in the other: NULL when it is not there, or has other bytes or
 * relocations. Both are borrowed until the call ends. edit and other are two files. */
typedef dloc_status dloc_same_function(void *user, const dloc_edit_function *function, const dloc_edit_function *other);
dloc_status dloc_object_edit_functions(dloc_object_edit *edit, dloc_object_edit *other, dloc_diagnostic *diagnostic,
                                       dloc_same_function *visit, void *user);

/* The whole file. DLOC_INVALID with *diagnostic when sections of the file that was read lie in each other. */
dloc_status dloc_object_edit_write(dloc_object_edit *edit, dloc_diagnostic *diagnostic, dloc_sink sink);

/* ---- Debugging information entries (model/objects/elf/dies.c) ---- */

/* The units of .debug_info, by elfutils' libdw, and the stacks that their DIEs give. A unit's DIEs are read when an
 * address leads to it; with split DWARF, from the .dwo file where the unit says it is; with dwz's, from the shared file too. on_problem may be NULL; `at` is
 * an offset of .debug_info. A file without DIEs has no units. Memory: linear in the DIEs that have addresses. libdw
 * cannot tell its caller that memory is short: it then prints a message and ends the program, here alone. */
typedef struct dloc_debug_info dloc_debug_info;
dloc_status dloc_debug_info_open(dloc_object *object, const dloc_profile *profile, dloc_line_problem *on_problem,
                                 void *user, dloc_diagnostic *diagnostic, dloc_debug_info **ret);
/* While `stack.split` is told, the name of the file that is not there; empty: it has none. */
dloc_text dloc_object_missing(const dloc_object *object);
void dloc_debug_info_close(dloc_debug_info *info); /* before its object; NULL is allowed */
dloc_stacks *dloc_debug_info_stacks(const dloc_debug_info *info);
/* Of the addresses of an object. */
dloc_code dloc_object_code(const dloc_object *object);

/* The values of attributes as they stand in the bytes of .debug_info, of .debug_info.dwo, or of .debug_types. */
typedef struct dloc_die_sections {
  dloc_text info;
  dloc_text abbrev;
  bool big_endian;
  bool types; /* this is .debug_types, of DWARF 4 */
} dloc_die_sections;
enum {
  DLOC_AT_STMT_LIST = 0x10,
  DLOC_AT_CALL_LINE = 0x59,
  DLOC_AT_DWO_NAME = 0x76,
  DLOC_AT_GNU_DWO_NAME = 0x2130,
  DLOC_AT_GNU_DISCRIMINATOR = 0x2136
};
typedef struct dloc_die_value {
  uint64_t attribute;
  size_t at;
  size_t size; /* 0: it stands with the abbreviation */
  bool is_leb;
  uint64_t value; /* of a number; 0 of anything else */
} dloc_die_value;
typedef dloc_status dloc_die_visit(void *user, const dloc_die_value *value);
/* Of every DIE, in order. *ret_complete is false when some cannot be read. */
dloc_status dloc_die_values(dloc_context *context, const dloc_die_sections *sections, dloc_die_visit *visit, void *user,
                            bool *ret_complete);

/* ---- Line tables (model/objects/dwarf) ---- */

/* The sections of a line table; an absent section is empty. The bytes are borrowed as long as the table lives. */
typedef struct dloc_line_sections {
  dloc_text line;
  dloc_text str;
  dloc_text line_str;
  bool big_endian;
  uint8_t address_size; /* of versions before 5 */
  dloc_line_dialect dialect;
} dloc_line_sections;

typedef struct dloc_line_file {
  dloc_text name;
  uint64_t directory;
  uint64_t time; /* of modification; 0: not known */
  uint64_t size; /* in bytes; 0: not known */
  bool has_md5;
  uint8_t md5[16]; /* in the order in which it stands there */
  bool has_source;
  dloc_text source; /* DW_LNCT_LLVM_source */
} dloc_line_file;

/* The further parts of a unit of two levels (15.5); its rows are the logicals. */
typedef struct dloc_two_level {
  dloc_line_dialect form; /* ISSUE or LOGICALS; STANDARD: it has one level, and none of this */
  bool has_actuals;
  size_t actuals;    /* where their program begins, and that of the logicals ends */
  uint8_t name_form; /* of the issue: what function_name is */
  size_t first_actual, actual_count;
  size_t first_subprogram, subprogram_count;
} dloc_two_level;

/* A contribution to the section: a header, a program, its rows. Offsets count from the start of the section. */
typedef struct dloc_line_unit {
  size_t offset;
  size_t end;
  size_t program; /* where it starts */
  uint8_t offset_size;
  uint8_t segment_selector_size;
  uint16_t version; /* as the header has it: 0xf006 is the prototype's, whose parameters are those of version 4 */
  uint64_t header_length;
  dloc_line_parameters parameters;
  size_t first_directory, directory_count;
  size_t first_file, file_count;
  size_t first_row, row_count;
  size_t first_sequence, sequence_count;
  bool has_names; /* `nvidia.header.word` */
  uint32_t names; /* where names of functions begin in .debug_str */
  dloc_two_level two_level;
} dloc_line_unit;

typedef struct dloc_line_table dloc_line_table;

/* Read every unit. Problems go to on_problem (may be NULL), `at` being an offset of the section; everything else is
 * read. Cost and memory: linear in the size of the section. */
dloc_status dloc_line_table_read(dloc_context *context, const dloc_profile *profile, const dloc_line_sections *sections,
                                 dloc_line_problem *on_problem, void *user, dloc_line_table **ret);
void dloc_line_table_destroy(dloc_line_table *table);
const dloc_line_unit *dloc_line_table_units(const dloc_line_table *table, size_t *ret_count);
const dloc_rows *dloc_line_table_rows(const dloc_line_table *table);
/* The unit that a row is of. */
const dloc_line_unit *dloc_line_table_unit_at(const dloc_line_table *table, size_t row);
/* Those of a unit, from 0. */
const dloc_text *dloc_line_unit_directories(const dloc_line_table *table, const dloc_line_unit *unit);
const dloc_line_file *dloc_line_unit_files(const dloc_line_table *table, const dloc_line_unit *unit);
/* Whether no directory belongs before a path (`lines.path.absolute`). */
bool dloc_path_is_absolute(dloc_text path);
/* Its path, as far as the table says (`lines.path`); nothing when there is no such file. */
dloc_status dloc_line_unit_path(const dloc_line_table *table, const dloc_line_unit *unit, uint64_t number,
                                dloc_sink sink);
/* The same as a text, which is made once and stays as long as the table. */
dloc_status dloc_line_unit_path_text(dloc_line_table *table, const dloc_line_unit *unit, uint64_t number,
                                     dloc_text *ret);

/* The instructions of a unit's program as they stand there: visit gets where an instruction begins, and its bytes. */
typedef dloc_status dloc_line_visit(void *user, size_t at, dloc_text bytes, const dloc_line_instruction *instruction);
dloc_status dloc_line_unit_program(const dloc_line_table *table, const dloc_line_unit *unit, dloc_line_visit *visit,
                                   void *user);

/* ---- NVIDIA's extended line map (spec/lines.md, chapter 16) ---- */

/* The dialect of an object's line tables. */
dloc_line_dialect dloc_line_dialect_of(dloc_object_kind kind);
/* The name of a function by the number that a row has for it; false: there is none. */
bool dloc_line_unit_function(const dloc_line_table *table, const dloc_line_unit *unit, uint32_t number, dloc_text *ret);
/* The kernel that a symbol names, as an address is relocated by it (dloc_sequence.set_address). */
dloc_text dloc_kernel_name(dloc_text symbol);
/* The symbol that a relocation puts into that offset of a section; empty: none. */
typedef dloc_text dloc_symbol_at(void *user, size_t offset);

/* The rows of a table by kernel and address. The table is borrowed. */
typedef struct dloc_kernels dloc_kernels;
dloc_status dloc_kernels_create(dloc_context *context, const dloc_line_table *table, dloc_symbol_at *symbol_at,
                                void *user, dloc_kernels **ret);
void dloc_kernels_destroy(dloc_kernels *kernels);
/* The unit and the row that an address of a kernel has; false: none. */
bool dloc_kernels_find(const dloc_kernels *kernels, dloc_text name, uint64_t address, const dloc_line_unit **ret_unit,
                       const dloc_row **ret_row);
/* The only kernel that there is; false: there are several, or none. */
bool dloc_kernels_only(const dloc_kernels *kernels, dloc_text *ret);

/* The layer PTX is the rows of .nv_debug_line_sass. The section with the text that a row of it is of. */
dloc_text dloc_ptx_section(const dloc_line_table *table, const dloc_line_unit *unit, const dloc_row *row);
/* The lines of a section of PTX, of which the first counts as 1: how many there are. At most limit are stored. */
size_t dloc_ptx_lines(dloc_text section, size_t limit, dloc_text *ret);

/* ---- Writing line tables ---- */

/* Instructions as bytes. DLOC_INVALID when one has none: a standard opcode that opcode_base makes a special one, a
 * number that does not fit (`lines.write.bytes`). */
dloc_status dloc_line_program_write(const dloc_line_parameters *parameters, bool big_endian,
                                    const dloc_line_instruction *program, size_t count, dloc_sink sink);

/* The parts of a unit. Directories and files as the table of that version lists them: of version 5 the first
 * directory is that of the compilation. */
typedef struct dloc_line_unit_parts {
  dloc_line_parameters parameters;
  bool big_endian;
  uint8_t offset_size; /* 8: 64-bit DWARF */
  const dloc_text *directories;
  size_t directory_count;
  const dloc_line_file *files;
  size_t file_count;
  dloc_buffer *line_str; /* strings of version 5 are added here; NULL: they stand in the unit */
  bool share_strings;    /* equal ones are added once, as llvm-mc does */
  const dloc_line_instruction *program;
  size_t count;
} dloc_line_unit_parts;
dloc_status dloc_line_unit_write(const dloc_line_unit_parts *parts, dloc_sink sink);

/* ---- Two-level line tables (chapter 15) ---- */

const dloc_rows *dloc_line_table_actuals(const dloc_line_table *table);
/* The name of a function of a unit's logicals; empty: there is none. */
dloc_text dloc_logical_function(const dloc_line_table *table, const dloc_line_unit *unit, uint32_t function);

/* The parts of a unit of two levels. unit.parameters has version 4 and the dialect ISSUE or LOGICALS, whatever
 * version the header tells; unit.program is that of the logicals. */
typedef struct dloc_two_level_parts {
  dloc_line_unit_parts unit;
  const dloc_line_instruction *actuals; /* NULL: there is one table */
  size_t actual_count;
  const dloc_text *subprograms; /* of the prototype, from number 1 */
  size_t subprogram_count;
} dloc_two_level_parts;
dloc_status dloc_two_level_write(const dloc_two_level_parts *parts, dloc_sink sink);

/* ---- Line tables of layers (chapter 18) ---- */

typedef struct dloc_hidden dloc_hidden; /* hidden/dloc_hidden.h */

/* An address in a made section gets the relocation that stands at offset `from` of the old .debug_line, with that much
 * more in its addend. Its bytes are what the table was read with, and as much more. from is never 0. */
typedef struct dloc_made_address {
  size_t at;
  size_t from;
  uint64_t added;
} dloc_made_address;

/* Bytes of the old .debug_line that stand in the new one, where their relocations go with them. */
typedef struct dloc_made_piece {
  size_t from;
  size_t to;
  size_t size;
} dloc_made_piece;

typedef struct dloc_made_section {
  dloc_text name;
  dloc_text group; /* the signature of its COMDAT group; empty: it is in none */
  dloc_text bytes;
  const dloc_made_address *addresses; /* by rising `at` */
  size_t address_count;
  const dloc_made_piece *pieces; /* of .debug_line: one for each unit, which begins with it; its header, or all of it */
  size_t piece_count;
} dloc_made_section;

/* The new line table of a relocatable object whose discriminators are numbers. */
typedef struct dloc_layer_tables dloc_layer_tables;
/* The table is one that was read with its relocations applied; nothing is borrowed from it. DLOC_INVALID with
 * *ret_reason: it cannot be made. on_problem may be NULL; `at` is the offset of a unit. Cost: linear in rows and their
 * layers. */
dloc_status dloc_layer_tables_make(dloc_context *context, const dloc_profile *profile, const dloc_line_table *table,
                                   const dloc_hidden *hidden, dloc_line_problem *on_problem, void *user,
                                   dloc_reason *ret_reason, dloc_layer_tables **ret);
void dloc_layer_tables_destroy(dloc_layer_tables *made);
/* What .debug_line is now. */
const dloc_made_section *dloc_layer_tables_primary(const dloc_layer_tables *made);
/* The sections that are new: the table of each kind that has rows, then the texts that the tables name. */
const dloc_made_section *dloc_layer_tables_sections(const dloc_layer_tables *made, size_t *ret_count);

/* ---- An object whose layers another one gets (17.4, `mode.exact.row`) ---- */

/* Add the rows of a sequence to `to`, and a row where base begins another place between them. Those that stand elsewhere
 * than base keep no number. base: the rows of the same code without numbers. Linear. */
dloc_status dloc_exact_rows(const dloc_row *rows, size_t count, const dloc_row *base, size_t base_count, dloc_rows *to);
/* dloc_exact_rows for all sequences of a table. A sequence for which base has none of its length stays as it is. */
dloc_status dloc_exact_table(dloc_line_table *table, const dloc_line_table *base);

/* ---- The lines of an object for each kind of layer (17.4) ---- */

/* `dloc reveal --full` makes the lines of each object into numbers of layers, at each address of the primaries' object.
 * It adds them to hidden, which is borrowed, and whose layers tell the files of each kind. */
typedef struct dloc_full dloc_full;
dloc_status dloc_full_create(dloc_context *context, dloc_hidden *hidden, dloc_full **ret);
void dloc_full_destroy(dloc_full *full);
/* One kind more, whose object the next two are of: the rows of a sequence in a section, all of them first; then a
 * function of the primaries' object, and the same one of the kind's. */
dloc_status dloc_full_kind(dloc_full *full, dloc_text kind);
/* A file as a line table names it; the directory of the compilation is empty when the table does not tell. */
typedef struct dloc_file_name {
  dloc_text compilation, directory, name;
} dloc_file_name;
typedef bool dloc_file_name_of(void *user, uint32_t number, dloc_file_name *ret);
dloc_status dloc_full_rows(dloc_full *full, uint32_t section, const dloc_row *rows, size_t count,
                           dloc_file_name_of *name_of, void *user);
dloc_status dloc_full_function(dloc_full *full, const dloc_edit_function *function, const dloc_edit_function *other);
/* After all kinds: add the rows of a sequence of the primaries' object to `to` with numbers instead of discriminators,
 * 0 for no layers. */
dloc_status dloc_full_number(dloc_full *full, uint32_t section, const dloc_row *rows, size_t count, dloc_rows *to);
/* dloc_full_rows for all rows of the file of the last kind, and dloc_full_number for those of the primaries' file. Each
 * table was read from section `line` of its file. */
dloc_status dloc_full_object(dloc_full *full, dloc_object_edit *edit, uint32_t line, const dloc_line_table *table,
                             dloc_diagnostic *diagnostic);
dloc_status dloc_full_number_object(dloc_full *full, dloc_object_edit *edit, uint32_t line, dloc_line_table *table,
                                    dloc_diagnostic *diagnostic);

/* ---- Layers of an object ---- */

/* The section .debug_line of a file that is changed. DLOC_INVALID with *diagnostic when there is none or several, or
 * when it leaves distances to the linker, which may shorten the code. */
dloc_status dloc_object_edit_lines(dloc_object_edit *edit, dloc_diagnostic *diagnostic, uint32_t *ret);
/* Give the file these tables, which were made from that section: new contents and relocations of it, the new sections,
 * and what points to its units. With a base, which may be NULL, that other file gets the new sections, and nothing else
 * changes. DLOC_INVALID with *diagnostic when the base has other code, or layers already. */
dloc_status dloc_object_edit_layers(dloc_object_edit *edit, uint32_t line, const dloc_layer_tables *made,
                                    dloc_object_edit *base, dloc_diagnostic *diagnostic);

DLOC_END

#endif
