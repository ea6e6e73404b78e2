/* asm.h - assembler text as LLVM's back ends write it, PTX among it: the directives that locate instructions, and
 * where the instructions are that they locate. */
#pragma once

#include "objects/dloc_dwarf.h"
#include "objects/dloc_hidden.h"

#include "nodes/array.h"

/* `.file NUMBER ["DIRECTORY"] "NAME" ...`; the strings as they stand there, without quotes. */
typedef struct asm_file {
  uint32_t number;
  dloc_text directory;
  dloc_text name;
} asm_file;

/* A `.loc`. */
typedef struct asm_loc {
  size_t at, end;    /* its bytes, without a comment */
  size_t next;       /* where the next line begins */
  dloc_text rest;    /* operands that no row has */
  size_t place;      /* of what it locates; places.count: there is nothing */
  uint32_t function; /* of PTX: how many begin before it */
  uint32_t line, column;
  dloc_row row; /* without line and column; the address is that of its place */
} asm_loc;

/* A place in the code, before the line at an offset. The text between two places has at most as many bytes as their
 * addresses say; places at one address are one. */
typedef struct asm_place {
  size_t at;
  uint64_t address;
  uint32_t section;
} asm_place;

/* A number whose comment names an attribute of a DIE. */
typedef enum asm_attribute { ASM_DISCRIMINATOR, ASM_CALL_FILE, ASM_CALL_LINE, ASM_CALL_COLUMN } asm_attribute;
typedef struct asm_value {
  asm_attribute attribute;
  size_t at, end;
  uint64_t number;
  uint8_t size; /* in bytes */
  uint8_t part; /* of a number in several directives of one byte: which byte it is */
} asm_value;

typedef struct asm_text {
  dloc_context *context;
  dloc_text text;
  ARRAY(asm_file) files;
  size_t first_file, behind_files; /* where the line of the first begins, and the one behind the last; 0: none */
  ARRAY(asm_loc) locs;
  ARRAY(asm_place) places;
  ARRAY(dloc_text) sections; /* the directive that leads to each one */
  ARRAY(asm_value) values;
  uint16_t version; /* of .debug_info */
  uint8_t address_size;
} asm_text;

/* Read a text, which is borrowed. DLOC_INVALID with *diagnostic on a directive that cannot be read. Release it in
 * any case. Cost: linear. */
dloc_status asm_read(dloc_context *context, dloc_text text, dloc_diagnostic *diagnostic, asm_text *ret);
void asm_deinit(asm_text *a);
/* The string of a `.file`, its escapes resolved, as an MDString. */
dloc_status asm_string(dloc_context *context, dloc_text text, dloc_node *ret);

/* Less than 128 bytes. */
dloc_status asm_print(dloc_sink sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A string as LLVM prints it in directives. */
dloc_status asm_print_string(dloc_text text, dloc_sink sink);

/* ---- Layers ---- */

/* Something is lost at an offset of the text; reasons are soft. */
typedef dloc_status asm_problem(void *user, dloc_reason reason, size_t at);

/* DLOC_INVALID with *ret_reason: layers cannot be made; nothing is written then. */
typedef dloc_status asm_reveal(const asm_text *a, const dloc_profile *profile, const dloc_hidden *hidden,
                               asm_problem *on_problem, void *user, dloc_reason *ret_reason, dloc_sink sink);
/* PTX whose columns are numbers: the text with its own columns and the directives of layers. */
asm_reveal asm_reveal_columns;
/* Text for ELF whose discriminators are numbers: the text with its own lines and discriminators, and line tables of
 * layers as data. */
asm_reveal asm_reveal_rows;

/* ---- Edits ---- */

/* Bytes of a text that become others. */
typedef struct asm_edit {
  size_t at, end;
  size_t first, size; /* the new ones, among the bytes of all edits */
} asm_edit;

typedef struct asm_edits {
  ARRAY(asm_edit) items;
  dloc_buffer bytes;
} asm_edits;

/* Bytes at to end become text; several at one place stand in the order in which they were added. */
dloc_status asm_edit_add(dloc_context *context, asm_edits *edits, size_t at, size_t end, dloc_text text);
/* A number becomes another, in as many parts as it has; one that does not fit becomes 0. */
dloc_status asm_edit_value(dloc_context *context, asm_edits *edits, const asm_value *parts, size_t count,
                           uint64_t number);
/* Write a text as edited. */
dloc_status asm_edits_write(asm_edits *edits, dloc_text text, dloc_sink sink);
void asm_edits_deinit(dloc_context *context, asm_edits *edits);
