/* Names of sections, and symbols. */
#include "elf.h"

const char *elf_section_name(const dloc_object *object, Elf_Scn *section, GElf_Shdr *ret_header) {
  return gelf_getshdr(section, ret_header) ? elf_strptr(object->elf, object->names, ret_header->sh_name) : NULL;
}

elf_symbols elf_symbols_of(const dloc_object *object, Elf_Scn *section) {
  GElf_Shdr header;
  elf_symbols s = {.symbols = section ? elf_getdata(section, NULL) : NULL};
  if (!s.symbols || !gelf_getshdr(section, &header))
    return (elf_symbols){.symbols = NULL};
  const size_t count = header.sh_entsize ? s.symbols->d_size / header.sh_entsize : 0;
  const int indexes = elf_scnshndx(section);
  s.indexes = indexes > 0 ? elf_getdata(elf_getscn(object->elf, (size_t)indexes), NULL) : NULL;
  s.count = count < INT32_MAX ? count : INT32_MAX;
  s.names = header.sh_link;
  return s;
}

bool elf_symbol_read(const dloc_object *object, const elf_symbols *symbols, size_t number, GElf_Sym *ret) {
  Elf32_Word far = 0;
  if (!symbols->symbols || number >= symbols->count ||
      !gelf_getsymshndx(symbols->symbols, symbols->indexes, (int)number, ret, &far))
    return false;
  const uint32_t section = ret->st_shndx == SHN_XINDEX ? far : ret->st_shndx < SHN_LORESERVE ? ret->st_shndx : 0;
  if (section < object->section_count)
    ret->st_value += object->sections[section].address;
  return true;
}

bool elf_symbol_is_function(const GElf_Sym *symbol) {
  return GELF_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
}
