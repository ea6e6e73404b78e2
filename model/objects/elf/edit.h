/* Private to model/objects/elf: a relocatable file that is changed. */
#pragma once

#include "elf.h"

/* Relocations of LLVM 20's compact form; <elf.h> does not know it, nor LLVM's table of significant addresses. */
#define SHT_CREL 0x40000014
#define SHT_LLVM_ADDRSIG 0x6fff4c03

typedef struct edit_relocation {
  uint64_t offset;
  uint32_t symbol;
  uint32_t type;  /* of the machine */
  uint32_t order; /* in which it stood in the file */
  uint8_t size;   /* of the number that it makes, in bytes; 0: not known */
  int64_t addend; /* wherever it stands */
} edit_relocation;
typedef struct edit_symbol {
  uint32_t name; /* where it stands */
  uint32_t section;
  uint64_t value, size;
  uint8_t info;
} edit_symbol;
/* A section as it will be written. */
typedef struct edit_section {
  GElf_Shdr header;        /* sh_size and sh_offset are made when it is written */
  uint64_t offset, extent; /* where it stands in the file that was read: an offset beyond it is that of a new one */
  const char *bytes;
  size_t size;
  char *own; /* where the bytes stand once they are changed; NULL: in the file */
  size_t capacity;
  uint32_t entries; /* the section that was added with its relocations; 0: none */
} edit_section;

struct dloc_object_edit {
  dloc_context *context;
  dloc_object *object; /* never relocated */
  ARRAY(edit_section) sections;
  uint32_t symbols; /* the section of the symbol table; 0: none */
  uint32_t entries; /* the first section of relocations, once one was added; 0: not known */
  uint32_t symbol_count;
  uint32_t wide_indices;        /* The section with the section numbers that symbols have no room for; 0: none. */
  map symbols_by_content;       /* A hash of a symbol's content -> the first such symbol; made when first asked. */
  uint32_t first_global;        /* The place of added symbols. */
  ARRAY(uint32_t) groups;       /* The groups that were added: each has a symbol of its own, in this order. */
  ARRAY(uint32_t) group_names;  /* The names of these symbols. */
  edit_relocation *relocations; /* The relocations that were read last. */
};

/* The bytes become the section's own, size many; what is new is 0. */
dloc_status edit_resize(dloc_object_edit *edit, uint32_t section, size_t size);
/* A section more, empty, behind all others. */
dloc_status edit_add_section(dloc_object_edit *edit, dloc_text name, GElf_Shdr header, uint32_t *ret);
/* Sections have the numbers from 1 up to before this one. */
uint32_t edit_count(const dloc_object_edit *edit);
/* Borrowed until the next change: the string that stands there in a section of strings; the name of a section. */
dloc_text edit_string(const dloc_object_edit *edit, size_t section, uint64_t at);
dloc_text edit_name(const dloc_object_edit *edit, uint32_t section);
/* The section gets these and no others, in this order: after its content, which holds addends in some files. */
dloc_status edit_relocate(dloc_object_edit *edit, uint32_t section, const edit_relocation *relocations, size_t count,
                          dloc_diagnostic *diagnostic);
/* A section without flags, aligned to 1. */
dloc_status edit_add(dloc_object_edit *edit, dloc_text name, dloc_text bytes, uint32_t *ret);
/* The same in a COMDAT group of its own, whose signature is a new local symbol. */
dloc_status edit_add_group(dloc_object_edit *edit, dloc_text name, dloc_text signature, dloc_text bytes,
                           dloc_diagnostic *diagnostic, uint32_t *ret);
/* edit_relocations.c */
/* Those of a section, by offset. Borrowed until the next call. */
dloc_status edit_relocations(dloc_object_edit *edit, uint32_t section, dloc_diagnostic *diagnostic,
                             const edit_relocation **ret, size_t *ret_count);
/* The symbol of a relocation; false: there is none. */
bool edit_symbol_at(const dloc_object_edit *edit, uint32_t symbol, edit_symbol *ret);
/* The first of them at an offset or behind it; count: there is none. */
size_t edit_first_relocation(const edit_relocation *relocations, size_t count, uint64_t offset);
/* The symbols of a section's relocations from the first global one on get higher numbers. */
void edit_shift_symbols(const dloc_object_edit *edit, edit_section *entries, uint32_t by);
/* edit_layers.c: .debug_line becomes what is made, and what pointed to its units still does. */
dloc_status edit_select(dloc_object_edit *edit, uint32_t line, const dloc_made_section *made,
                        dloc_diagnostic *diagnostic);
/* edit_same.c: the symbol of another file that is the same one. DLOC_INVALID: there is none. */
dloc_status edit_same_symbol(const dloc_object_edit *edit, uint32_t symbol, dloc_object_edit *other, uint32_t *ret);
/* Whether two files have the same code and data; DLOC_INVALID with *diagnostic: they have not. */
dloc_status edit_same_code(dloc_object_edit *edit, dloc_object_edit *other, dloc_diagnostic *diagnostic);
