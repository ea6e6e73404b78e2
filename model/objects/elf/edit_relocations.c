/* The relocations of a section that is changed. */
#include "edit.h"

#include <stdlib.h>
#include <string.h>

/* ---- Entries ---- */

static size_t edit_relocation_size(const dloc_object_edit *edit, const edit_section *entries) {
  return (size_t)edit->object->kind.address_size * (entries->header.sh_type == SHT_RELA ? 3 : 2);
}

/* An entry is an offset, what says symbol and type, and an addend, each as wide as an address. */
enum field { FIELD_OFFSET, FIELD_INFO, FIELD_ADDEND };

static uint64_t get_field(const dloc_object_edit *edit, const char *entry, enum field field) {
  const dloc_object_kind kind = edit->object->kind;
  return bytes_get((const uint8_t *)entry + field * kind.address_size, kind.address_size, kind.big_endian);
}

static void put_field(const dloc_object_edit *edit, char *entry, enum field field, uint64_t value) {
  const dloc_object_kind kind = edit->object->kind;
  bytes_put((uint8_t *)entry + field * kind.address_size, kind.address_size, kind.big_endian, value);
}

static void get_info(const dloc_object_edit *edit, const char *entry, edit_relocation *ret) {
  uint64_t info = get_field(edit, entry, FIELD_INFO);
  if (elf_is_64(edit->object))
    info = elf_relocation_info(edit->object, info);
  ret->symbol = (uint32_t)(elf_is_64(edit->object) ? info >> 32 : info >> 8);
  ret->type = (uint32_t)(elf_is_64(edit->object) ? info : info & 0xff);
}

static void put_info(const dloc_object_edit *edit, char *entry, const edit_relocation *r) {
  uint64_t symbol = r->symbol;
  put_field(edit, entry, FIELD_INFO,
            elf_is_64(edit->object) ? elf_relocation_info_written(edit->object, symbol << 32 | r->type)
                                    : symbol << 8 | r->type);
}

void edit_shift_symbols(const dloc_object_edit *edit, edit_section *entries, uint32_t by) {
  size_t size = edit_relocation_size(edit, entries);
  for (size_t at = 0; entries->size - at >= size; at += size) {
    edit_relocation r;
    get_info(edit, entries->own + at, &r);
    r.symbol += r.symbol >= edit->first_global ? by : 0;
    put_info(edit, entries->own + at, &r);
  }
}

/* ---- Relocations of a section ---- */

static bool is_relocations(const edit_section *section) {
  return section->header.sh_type == SHT_RELA || section->header.sh_type == SHT_REL;
}

/* The section that relocates this one; 0: none. It stands in the file's own list, or was added. */
static dloc_status find_entries(const dloc_object_edit *edit, uint32_t section, dloc_diagnostic *diagnostic,
                                uint32_t *ret) {
  const dloc_object *object = edit->object;
  uint32_t found = section < object->section_count ? object->sections[section].entries : 0;
  bool several = found && object->sections[found].next_entries;
  if (!found)
    found = edit->sections.items[section].entries;
  const edit_section *entries = &edit->sections.items[found];
  if (several || (found && (entries->header.sh_link != edit->symbols ||
                            entries->header.sh_entsize != edit_relocation_size(edit, entries))))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_RELOCATIONS, "the relocations of a section cannot be read");
  *ret = found;
  return DLOC_OK;
}

/* The addend of SHT_REL is what stands in the section; it has a sign. */
static int64_t addend_there(const dloc_object_edit *edit, dloc_text bytes, const edit_relocation *r) {
  if (!r->size || r->offset > bytes.size || bytes.size - r->offset < r->size)
    return 0;
  uint64_t there = bytes_get((const uint8_t *)bytes.bytes + r->offset, r->size, edit->object->kind.big_endian);
  uint64_t sign = UINT64_C(1) << (8 * r->size - 1);
  return (int64_t)((there ^ sign) - sign);
}

static int by_offset(const void *a, const void *b) {
  const edit_relocation *x = a, *y = b;
  int order = ORDER(x->offset, y->offset);
  return order ? order : ORDER(x->order, y->order);
}

dloc_status edit_relocations(dloc_object_edit *edit, uint32_t section, dloc_diagnostic *diagnostic,
                             const edit_relocation **ret, size_t *ret_count) {
  uint32_t number;
  dloc_text bytes;
  TRY(find_entries(edit, section, diagnostic, &number));
  TRY(dloc_object_edit_bytes(edit, section, diagnostic, &bytes));
  const edit_section *entries = &edit->sections.items[number];
  size_t size = edit_relocation_size(edit, entries), count = number ? entries->size / size : 0;
  ALLOCATE(edit->context, edit_relocation, relocations, count + 1);
  for (size_t i = 0; i < count; i++) {
    const char *entry = entries->bytes + i * size;
    edit_relocation *r = &relocations[i];
    *r = (edit_relocation){.offset = get_field(edit, entry, FIELD_OFFSET), .order = (uint32_t)i};
    get_info(edit, entry, r);
    r->size = elf_relocated_bytes(edit->object->kind.machine, r->type);
    r->addend = entries->header.sh_type == SHT_RELA ? (int64_t)get_field(edit, entry, FIELD_ADDEND)
                                                    : addend_there(edit, bytes, r);
    if (!elf_is_64(edit->object))
      r->addend = (int32_t)r->addend;
  }
  qsort(relocations, count, sizeof *relocations, by_offset);
  context_free(edit->context, edit->relocations);
  edit->relocations = relocations;
  *ret = relocations;
  *ret_count = count;
  return DLOC_OK;
}

size_t edit_first_relocation(const edit_relocation *relocations, size_t count, uint64_t offset) {
  BISECT(first, 0, count, i, relocations[i].offset < offset);
  return first;
}

/* One that is added is like the others of the file. */
static dloc_status add_entries(dloc_object_edit *edit, uint32_t section, uint32_t *ret) {
  GElf_Shdr header = {.sh_type = SHT_RELA, .sh_link = edit->symbols, .sh_info = section};
  for (uint32_t i = 1; !edit->entries && i < edit->sections.count; i++)
    edit->entries = is_relocations(&edit->sections.items[i]) ? i : 0;
  if (edit->entries) {
    const GElf_Shdr *first = &edit->sections.items[edit->entries].header;
    header.sh_type = first->sh_type;
    header.sh_flags = first->sh_flags & SHF_INFO_LINK;
  }
  const char *prefix = header.sh_type == SHT_RELA ? ".rela" : ".rel";
  dloc_text section_name = edit_name(edit, section);
  ALLOCATE(edit->context, char, name, strlen(prefix) + section_name.size);
  OWNED_MEMORY(edit->context, &name);
  memcpy(name, prefix, strlen(prefix));
  memcpy(name + strlen(prefix), section_name.bytes, section_name.size);
  header.sh_addralign = edit->object->kind.address_size;
  TRY(edit_add_section(edit, (dloc_text){name, strlen(prefix) + section_name.size}, header, ret));
  edit->entries = edit->entries ? edit->entries : *ret;
  edit->sections.items[section].entries = *ret;
  edit_section *added = &edit->sections.items[*ret];
  added->header.sh_entsize = edit_relocation_size(edit, added);
  return DLOC_OK;
}

dloc_status edit_relocate(dloc_object_edit *edit, uint32_t section, const edit_relocation *relocations, size_t count,
                          dloc_diagnostic *diagnostic) {
  uint32_t number;
  TRY(find_entries(edit, section, diagnostic, &number));
  if (!number && !count)
    return DLOC_OK;
  if (!number)
    TRY(add_entries(edit, section, &number));
  size_t size = edit_relocation_size(edit, &edit->sections.items[number]);
  TRY(edit_resize(edit, number, count * size));
  TRY(edit_resize(edit, section, edit->sections.items[section].size));
  edit_section *entries = &edit->sections.items[number], *relocated = &edit->sections.items[section];
  for (size_t i = 0; i < count; i++) {
    const edit_relocation *r = &relocations[i];
    put_field(edit, entries->own + i * size, FIELD_OFFSET, r->offset);
    put_info(edit, entries->own + i * size, r);
    if (entries->header.sh_type == SHT_RELA)
      put_field(edit, entries->own + i * size, FIELD_ADDEND, (uint64_t)r->addend);
    else if (r->size && r->offset <= relocated->size && relocated->size - r->offset >= r->size)
      bytes_put((uint8_t *)relocated->own + r->offset, r->size, edit->object->kind.big_endian, (uint64_t)r->addend);
  }
  return DLOC_OK;
}

bool edit_symbol_at(const dloc_object_edit *edit, uint32_t symbol, edit_symbol *ret) {
  const dloc_object *object = edit->object;
  if (symbol >= edit->symbol_count)
    return false;
  const char *at = edit->sections.items[edit->symbols].bytes + symbol * ELF_SIZE(object, Sym);
  *ret = (edit_symbol){.name = (uint32_t)elf_get_field(object, at, ELF_FIELD(object, Sym, st_name)),
                       .section = (uint32_t)elf_get_field(object, at, ELF_FIELD(object, Sym, st_shndx)),
                       .value = elf_get_field(object, at, ELF_FIELD(object, Sym, st_value)),
                       .size = elf_get_field(object, at, ELF_FIELD(object, Sym, st_size)),
                       .info = (uint8_t)elf_get_field(object, at, ELF_FIELD(object, Sym, st_info))};
  const edit_section *indices = &edit->sections.items[edit->wide_indices];
  if (ret->section == SHN_XINDEX && edit->wide_indices && indices->size / 4 > symbol)
    ret->section =
        (uint32_t)bytes_get((const uint8_t *)indices->bytes + 4 * (size_t)symbol, 4, object->kind.big_endian);
  return true;
}
