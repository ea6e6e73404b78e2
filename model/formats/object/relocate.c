/* Relocations of debug sections: S + A, with every section at address 0. */
#include "formats/object/elf.h"

static const struct relocation {
  uint16_t machine;
  uint32_t type;
  uint8_t bytes;
} relocations[] = {
#define RELOCATION(machine, type, bytes) {machine, type, bytes},
#include "formats/object/relocate.def"
#undef RELOCATION
};

/* How many bytes a relocation sets; 0: it sets none, or is not known. */
static size_t width_of(uint16_t machine, uint32_t type) {
  for (size_t i = 0; i < sizeof relocations / sizeof *relocations; i++)
    if (relocations[i].machine == machine && relocations[i].type == type)
      return relocations[i].bytes;
  return 0;
}

static uint64_t get(const uint8_t *at, size_t size, bool big_endian) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++)
    value |= (uint64_t)at[big_endian ? size - 1 - i : i] << 8 * i;
  return value;
}

static void put(uint8_t *at, size_t size, bool big_endian, uint64_t value) {
  for (size_t i = 0; i < size; i++)
    at[big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

/* One entry of SHT_RELA, or of SHT_REL, whose addend is what stands there. */
static void apply(const dloc_object *object, Elf_Data *symbols, const GElf_Rela *relocation, bool has_addend,
                  Elf_Data *target) {
  size_t width = width_of(object->kind.machine, (uint32_t)GELF_R_TYPE(relocation->r_info));
  GElf_Sym symbol = {.st_value = 0};
  if (!width || relocation->r_offset > target->d_size || target->d_size - relocation->r_offset < width)
    return;
  if (symbols)
    (void)gelf_getsym(symbols, (int)GELF_R_SYM(relocation->r_info), &symbol);
  uint8_t *at = (uint8_t *)target->d_buf + relocation->r_offset;
  uint64_t addend = has_addend ? (uint64_t)relocation->r_addend : get(at, width, object->kind.big_endian);
  put(at, width, object->kind.big_endian, symbol.st_value + addend);
}

static void apply_all(const dloc_object *object, Elf_Scn *entries, const GElf_Shdr *header, Elf_Data *target) {
  Elf_Data *data = elf_getdata(entries, NULL);
  Elf_Scn *symbol_section = elf_getscn(object->elf, header->sh_link);
  Elf_Data *symbols = symbol_section ? elf_getdata(symbol_section, NULL) : NULL;
  size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
    GElf_Rela rela = {.r_addend = 0};
    GElf_Rel rel;
    if (header->sh_type == SHT_RELA && gelf_getrela(data, (int)i, &rela)) {
      apply(object, symbols, &rela, true, target);
    } else if (header->sh_type == SHT_REL && gelf_getrel(data, (int)i, &rel)) {
      rela = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
      apply(object, symbols, &rela, false, target);
    }
  }
}

dloc_status elf_relocate(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic) {
  Elf_Data *target = elf_rawdata(section, NULL);
  (void)diagnostic;
  for (Elf_Scn *entries = NULL; target && target->d_buf && (entries = elf_nextscn(object->elf, entries));) {
    GElf_Shdr header;
    if (gelf_getshdr(entries, &header) && header.sh_info == elf_ndxscn(section) &&
        (header.sh_type == SHT_RELA || header.sh_type == SHT_REL))
      apply_all(object, entries, &header, target);
  }
  return DLOC_OK;
}
