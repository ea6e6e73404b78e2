/* Private to model/formats/object: an ELF file that is open. */
#ifndef DLOC_OBJECT_ELF_H
#define DLOC_OBJECT_ELF_H

#include "formats/dloc_dwarf.h"
#include "metadata.h"

#include <gelf.h>

/* What is known of a section. */
typedef struct elf_section_state {
  bool ready; /* decompressed and relocated */
} elf_section_state;

struct dloc_object {
  dloc_context *context;
  char *bytes;
  Elf *elf;
  dloc_object_kind kind;
  size_t section_count;
  size_t names; /* the section of sections' names */
  elf_section_state *sections;
};

/* Decompress and relocate a section. */
dloc_status elf_prepare(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic);
/* relocate.c: apply the relocations of a relocatable object to a section. */
dloc_status elf_relocate(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic);
/* Say why: DLOC_INVALID. */
dloc_status elf_wrong(dloc_diagnostic *diagnostic, dloc_reason reason, const char *message);

#endif
