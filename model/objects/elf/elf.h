/* Private to model/objects/elf: an ELF file that is open. */
#pragma once

#include "nodes/metadata.h"
#include "objects/dloc_symbolizer.h"
#include "objects/dwarf/bytes.h"

#include <gelf.h>
#include <stddef.h>

/* A relocation of a section. */
typedef struct elf_relocation {
  uint64_t offset;
  uint32_t symbols; /* the section of the symbol table */
  uint32_t symbol;
} elf_relocation;

/* The facts about a section. */
typedef struct elf_section_state {
  bool ready;                        /* decompressed and relocated */
  uint8_t *bytes;                    /* relocated, as the file's may be another section's, too; NULL: those of libelf */
  ARRAY(elf_relocation) relocations; /* by their offsets */
  size_t unapplied;                  /* as in dloc_object_section */
  uint64_t unapplied_type, unapplied_at;
  uint32_t entries;      /* the first section that relocates it; 0: none */
  uint32_t next_entries; /* of a section that relocates another: the next one that does */
  uint64_t address;      /* where dloc_object_lay_out has put it; 0 otherwise */
} elf_section_state;

struct dloc_object {
  dloc_context *context;
  char *bytes;
  size_t size;
  Elf *elf;
  dloc_object_kind kind;
  size_t section_count;
  size_t names; /* the section of sections' names */
  elf_section_state *sections;
  size_t relocation_count; /* of all sections: no file has more of them than bytes */
  uint64_t made;           /* bytes of sections that were decompressed or relocated */
  ARRAY(dloc_text) code;   /* the names of sections that were laid out */
  dloc_text missing;       /* the file, while `stack.split` is told */
};

/* A field of a structure that has two forms, in the bytes of a file. */
typedef struct elf_field {
  size_t at, size;
} elf_field;
static inline bool elf_is_64(const dloc_object *object) { return object->kind.address_size == 8; }
#define ELF_FIELD(object, type, name)                                                                                  \
  (elf_is_64(object) ? (elf_field){offsetof(Elf64_##type, name), sizeof(((Elf64_##type *)NULL)->name)}                 \
                     : (elf_field){offsetof(Elf32_##type, name), sizeof(((Elf32_##type *)NULL)->name)})
#define ELF_SIZE(object, type) (elf_is_64(object) ? sizeof(Elf64_##type) : sizeof(Elf32_##type))
static inline uint64_t elf_get_field(const dloc_object *object, const void *at, elf_field f) {
  return bytes_get((const uint8_t *)at + f.at, f.size, object->kind.big_endian);
}
static inline void elf_put_field(const dloc_object *object, void *at, elf_field f, uint64_t value) {
  bytes_put((uint8_t *)at + f.at, f.size, object->kind.big_endian, value);
}

/* Decompress and relocate a section. */
dloc_status elf_prepare(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic);
/* Prepare it, and what there is to know of it. */
dloc_status elf_section_read(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic,
                             dloc_object_section *ret);
/* relocate.c: note which sections relocate which, once; note the relocations of a section and, in a relocatable object,
 * apply them. */
void elf_link_entries(dloc_object *object);
dloc_status elf_relocate(dloc_object *object, Elf_Scn *section);
/* symbols.c: the name of a section; NULL: it has none that can be read. */
const char *elf_section_name(const dloc_object *object, Elf_Scn *section, GElf_Shdr *ret_header);
/* A table of symbols; one of them, whose value counts with where its section was laid out. */
typedef struct elf_symbols {
  Elf_Data *symbols;
  Elf_Data *indexes; /* of sections beyond 16 bits, or NULL */
  size_t count;
  size_t names; /* the section of their names */
} elf_symbols;
elf_symbols elf_symbols_of(const dloc_object *object, Elf_Scn *section);
bool elf_symbol_read(const dloc_object *object, const elf_symbols *symbols, size_t number, GElf_Sym *ret);
/* Whether it is a function that the file has. */
bool elf_symbol_is_function(const GElf_Sym *symbol);
/* r_info of 64-bit files as other machines have it, and back. */
uint64_t elf_relocation_info(const dloc_object *object, uint64_t info);
uint64_t elf_relocation_info_written(const dloc_object *object, uint64_t info);
/* How many bytes a relocation changes; 0: its type is not known. */
uint8_t elf_relocated_bytes(uint16_t machine, uint64_t type);
/* Whether a section is compressed, by SHF_COMPRESSED or as GNU did before, by a name that begins with .zdebug; and
 * decompress it. */
bool elf_is_compressed(const dloc_object *object, Elf_Scn *section);
dloc_status elf_decompress(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic);
/* Whether a section may be a line table or a text of a layer (spec/hidden.md 18.2). */
bool elf_is_of_layer(dloc_text name);
/* Say why: DLOC_INVALID. */
dloc_status elf_wrong(dloc_diagnostic *diagnostic, dloc_reason reason, const char *message);

typedef struct debug_unit {
  uint64_t offset; /* of its DIE in .debug_info */
  dloc_text name;
  dloc_text directory; /* of the compilation */
  bool has_lines;
  uint64_t lines; /* where its line table begins in .debug_line */
} debug_unit;
/* dies.c: the units, by the numbers that dloc_stacks_unit gives. */
const debug_unit *debug_info_units(const dloc_debug_info *info, uint32_t *ret_count);

/* symbolizer.c: what it has read, and the unit of the primary's table that begins at an offset; false: none does. */
dloc_object *symbolizer_parts(const dloc_symbolizer *symbolizer, const dloc_profile **ret_profile,
                              const dloc_line_table **ret_primary, dloc_layer_lines **ret_layers);
bool symbolizer_unit_at(const dloc_symbolizer *symbolizer, uint64_t offset, size_t *ret);
