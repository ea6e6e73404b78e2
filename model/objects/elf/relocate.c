/* Relocations of debug sections: S + A, with every section at address 0, or where it was laid out. */
#include "elf.h"

#include <errno.h>
#include <stdlib.h>

typedef enum effect { EFFECT_SET, EFFECT_ADD, EFFECT_SUB, EFFECT_DISTANCE } effect;

typedef struct relocation {
  uint16_t machine;
  uint32_t type;
  uint8_t bytes;
  uint8_t effect;
} relocation;

static const relocation relocations[] = {
#define RELOCATION(machine, type, bytes, effect) {machine, type, bytes, EFFECT_##effect},
#include "relocate.def"
#undef RELOCATION
};

static const relocation *find(uint16_t machine, uint64_t type) {
  for (size_t i = 0; i < sizeof relocations / sizeof *relocations; i++)
    if (relocations[i].machine == machine && relocations[i].type == type)
      return &relocations[i];
  return NULL;
}

uint8_t elf_relocated_bytes(uint16_t machine, uint64_t type) {
  const relocation *found = find(machine, type);
  return found ? found->bytes : 0;
}

/* The word with symbol and type. A little-endian MIPS64 file has a symbol of 4 bytes, and then one byte each, of which the
 * last is the type; as one number they stand the wrong way round. */
static bool is_turned(const dloc_object *object) {
  return object->kind.machine == EM_MIPS && object->kind.address_size == 8 && !object->kind.big_endian;
}

uint64_t elf_relocation_info(const dloc_object *object, uint64_t info) {
  return is_turned(object) ? info << 32 | __builtin_bswap32((uint32_t)(info >> 32)) : info;
}

uint64_t elf_relocation_info_written(const dloc_object *object, uint64_t info) {
  return is_turned(object) ? (uint64_t)__builtin_bswap32((uint32_t)info) << 32 | info >> 32 : info;
}

/* The section that is relocated. */
typedef struct target {
  dloc_object *object;
  elf_section_state *state;
  Elf_Data *data;
  elf_symbols symbols;
} target;

/* One entry of SHT_RELA, or of SHT_REL, whose addend is what stands there. Type 0 is the one that does nothing. */
static void apply(const target *t, const GElf_Rela *entry, bool has_addend) {
  bool big_endian = t->object->kind.big_endian;
  uint64_t type = GELF_R_TYPE(entry->r_info);
  const relocation *r = find(t->object->kind.machine, type);
  GElf_Sym symbol = {.st_value = 0};
  if (type == 0)
    return;
  if (!r || entry->r_offset > t->data->d_size || t->data->d_size - entry->r_offset < r->bytes) {
    if (!t->state->unapplied++) {
      t->state->unapplied_type = type;
      t->state->unapplied_at = entry->r_offset;
    }
    return;
  }
  (void)elf_symbol_read(t->object, &t->symbols, GELF_R_SYM(entry->r_info), &symbol);
  uint8_t *at = (uint8_t *)t->data->d_buf + entry->r_offset;
  uint64_t there = bytes_get(at, r->bytes, big_endian), value = symbol.st_value;
  value += has_addend ? (uint64_t)entry->r_addend : r->effect == EFFECT_ADD || r->effect == EFFECT_SUB ? 0 : there;
  bytes_put(at, r->bytes, big_endian,
            r->effect == EFFECT_ADD        ? there + value
            : r->effect == EFFECT_SUB      ? there - value
            : r->effect == EFFECT_DISTANCE ? value - entry->r_offset
                                           : value);
}

/* From the last to the first, so that each list has the order of the file. */
void elf_link_entries(dloc_object *object) {
  for (size_t i = object->section_count; i-- > 1;) {
    Elf_Scn *entries = elf_getscn(object->elf, i);
    GElf_Shdr header;
    if (!entries || !gelf_getshdr(entries, &header) || (header.sh_type != SHT_RELA && header.sh_type != SHT_REL) ||
        header.sh_info >= object->section_count)
      continue;
    object->sections[i].next_entries = object->sections[header.sh_info].entries;
    object->sections[header.sh_info].entries = (uint32_t)i;
  }
}

/* How many entries a section has that relocates another. */
static size_t entry_count(const dloc_object *object, Elf_Scn *entries, GElf_Shdr *header) {
  if (!gelf_getshdr(entries, header))
    return 0;
  Elf_Data *data = elf_getdata(entries, NULL);
  size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
  return count < INT32_MAX && count < object->size / 8 ? count : 0;
}

/* There is room for them. */
static void take_entries(target *t, Elf_Scn *entries, const GElf_Shdr *header, size_t count) {
  Elf_Data *data = elf_getdata(entries, NULL);
  t->symbols = elf_symbols_of(t->object, elf_getscn(t->object->elf, header->sh_link));
  for (size_t i = 0; i < count; i++) {
    GElf_Rela rela = {.r_addend = 0};
    GElf_Rel rel;
    bool has_addend = header->sh_type == SHT_RELA && gelf_getrela(data, (int)i, &rela);
    if (header->sh_type == SHT_REL && gelf_getrel(data, (int)i, &rel))
      rela = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
    rela.r_info = elf_relocation_info(t->object, rela.r_info);
    t->state->relocations.items[t->state->relocations.count++] =
        (elf_relocation){rela.r_offset, header->sh_link, (uint32_t)GELF_R_SYM(rela.r_info)};
    if (t->object->kind.type == ET_REL)
      apply(t, &rela, has_addend);
  }
}

static int by_offset(const void *a, const void *b) {
  const elf_relocation *x = a, *y = b;
  return ORDER(x->offset, y->offset);
}

dloc_status elf_relocate(dloc_object *object, Elf_Scn *section) {
  elf_section_state *state = &object->sections[elf_ndxscn(section)];
  target t = {.object = object, .state = state, .data = elf_rawdata(section, NULL)};
  size_t count = 0, all = 0;
  GElf_Shdr header = {.sh_link = 0};
  errno = 0;
  for (uint32_t i = state->entries; i; i = object->sections[i].next_entries) {
    all += entry_count(object, elf_getscn(object->elf, i), &header);
    (void)elf_symbols_of(object, elf_getscn(object->elf, header.sh_link));
  }
  if (errno == ENOMEM) /* libelf would do without what it has no memory for */
    return DLOC_NO_MEMORY;
  if (!all || all >= object->size - object->relocation_count || !t.data || !t.data->d_buf)
    return DLOC_OK;
  object->relocation_count += all;
  RESERVE(object->context, state->relocations, all);
  for (uint32_t i = state->entries; i; i = object->sections[i].next_entries) {
    Elf_Scn *entries = elf_getscn(object->elf, i);
    if ((count = entry_count(object, entries, &header)))
      take_entries(&t, entries, &header, count);
  }
  qsort(state->relocations.items, state->relocations.count, sizeof *state->relocations.items, by_offset);
  return DLOC_OK;
}

/* A section's symbol has the name of the section. */
static const char *symbol_name(const dloc_object *object, const elf_relocation *r) {
  GElf_Sym symbol;
  GElf_Shdr header;
  Elf_Scn *symbols = elf_getscn(object->elf, r->symbols);
  Elf_Data *data = symbols ? elf_getdata(symbols, NULL) : NULL;
  if (!data || !gelf_getshdr(symbols, &header) || !gelf_getsym(data, (int)r->symbol, &symbol))
    return NULL;
  if (GELF_ST_TYPE(symbol.st_info) != STT_SECTION)
    return elf_strptr(object->elf, header.sh_link, symbol.st_name);
  Elf_Scn *section = elf_getscn(object->elf, symbol.st_shndx);
  return section ? elf_section_name(object, section, &header) : NULL;
}

dloc_text dloc_object_relocation_name(dloc_object *object, uint32_t section, size_t offset) {
  if (section >= object->section_count || !object->sections[section].relocations.count)
    return (dloc_text){NULL, 0};
  const elf_section_state *state = &object->sections[section];
  const elf_relocation *found = bsearch(&(elf_relocation){.offset = offset}, state->relocations.items,
                                        state->relocations.count, sizeof *found, by_offset);
  const char *name = found ? symbol_name(object, found) : NULL;
  return name ? dloc_text_of(name) : (dloc_text){NULL, 0};
}
