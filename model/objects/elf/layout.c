/* Names of code, and addresses in a relocatable object whose sections of code all begin at 0. */
#include "elf.h"

/* The name of a section of code that has bytes; NULL: it is another. */
static const char *code_name(const dloc_object *object, Elf_Scn *section, GElf_Shdr *ret_header) {
  const char *name = elf_section_name(object, section, ret_header);
  const bool is_code = name && ret_header->sh_flags & SHF_EXECINSTR && ret_header->sh_size;
  return is_code && elf_ndxscn(section) < object->section_count ? name : NULL;
}

/* No section begins at 0 or where another ends, so a relocation without a section leads to none of them. */
enum { ALIGNMENT = 1 << 12 };

dloc_status dloc_object_lay_out(dloc_object *object) {
  GElf_Shdr header;
  uint64_t next = ALIGNMENT;
  if (object->kind.type != ET_REL || object->code.count)
    return DLOC_OK;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section));) {
    const char *name = code_name(object, section, &header);
    if (!name || header.sh_size > INT64_MAX - next)
      continue;
    PUSH(object->context, object->code, dloc_text_of(name));
    object->sections[elf_ndxscn(section)].address = next;
    next = (next + header.sh_size + ALIGNMENT) & ~(uint64_t)(ALIGNMENT - 1);
  }
  for (size_t i = 0; object->code.count == 1 && i < object->section_count; i++)
    object->sections[i].address = 0;
  return DLOC_OK;
}

const dloc_text *dloc_object_code_sections(const dloc_object *object, size_t *ret_count) {
  *ret_count = object->code.count;
  return object->code.items;
}

/* ---- Names ---- */

typedef struct search {
  dloc_text name;
  size_t count; /* of addresses that have the name: 0, 1, or 2 for more */
  uint64_t address;
} search;

static void find_address(search *s, const char *name, uint64_t address) {
  if (!name || !dloc_text_equal(dloc_text_of(name), s->name) || (s->count && s->address == address))
    return;
  s->count += s->count < 2;
  s->address = address;
}

static void find_function(search *s, const dloc_object *object, Elf_Scn *section) {
  const elf_symbols symbols = elf_symbols_of(object, section);
  GElf_Sym symbol;
  for (size_t i = 1; i < symbols.count; i++)
    if (elf_symbol_read(object, &symbols, i, &symbol) && elf_symbol_is_function(&symbol))
      find_address(s, elf_strptr(object->elf, symbols.names, symbol.st_name), symbol.st_value);
}

size_t dloc_object_named(const dloc_object *object, dloc_text name, uint64_t *ret) {
  search s = {.name = name};
  GElf_Shdr header;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section));) {
    const char *its_name = code_name(object, section, &header);
    if (its_name)
      find_address(&s, its_name, header.sh_addr + object->sections[elf_ndxscn(section)].address);
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
      find_function(&s, object, section);
  }
  if (s.count == 1)
    *ret = s.address;
  return s.count;
}
