/* A changed file as bytes: numbers of symbols, and where everything stands. */
#include "edit.h"

#include "objects/dwarf/write.h"

#include <stdlib.h>
#include <string.h>

/* ---- Symbols ---- */

/* Make room for that many items of a table before the first global symbol's. */
static dloc_status insert_items(dloc_object_edit *edit, uint32_t section, size_t item, uint32_t count, uint8_t **ret) {
  size_t at = edit->first_global * item, size = edit->sections.items[section].size;
  TRY(edit_resize(edit, section, size + count * item));
  char *own = edit->sections.items[section].own;
  memmove(own + at + count * item, own + at, size - at);
  memset(own + at, 0, count * item);
  *ret = (uint8_t *)own + at;
  return DLOC_OK;
}

/* LLVM's table of symbols whose address counts is a list of ULEB128. Numbers can take more bytes than before. */
static dloc_status shift_significant(dloc_object_edit *edit, uint32_t section, uint32_t by) {
  const edit_section *old = &edit->sections.items[section];
  OWNED(dloc_buffer_deinit) dloc_buffer moved = {0};
  const byte_sink to = {dloc_buffer_sink(&moved), false};
  for (byte_cursor c = {.at = (const uint8_t *)old->bytes, .end = (const uint8_t *)old->bytes + old->size};
       bytes_left(&c);) {
    uint64_t number = bytes_unsigned(&c);
    TRY(put_unsigned(to, number + (number >= edit->first_global ? by : 0)));
  }
  return dloc_object_edit_set(edit, section, (dloc_text){moved.bytes, moved.size});
}

/* The sections that name symbols by number. */
static dloc_status shift_numbers(dloc_object_edit *edit, uint32_t by) {
  for (uint32_t i = 1; i < edit->sections.count; i++) {
    edit_section *section = &edit->sections.items[i];
    if (section->header.sh_type == SHT_LLVM_ADDRSIG)
      TRY(shift_significant(edit, i, by));
    if (section->header.sh_link != edit->symbols)
      continue;
    if (section->header.sh_type == SHT_GROUP && section->header.sh_info >= edit->first_global)
      section->header.sh_info += by;
    if (section->header.sh_type == SHT_RELA || section->header.sh_type == SHT_REL) {
      TRY(edit_resize(edit, i, section->size));
      edit_shift_symbols(edit, section, by);
    }
  }
  return DLOC_OK;
}

/* The table of the sections of symbols that 16 bits do not hold; made when a symbol needs it. */
static dloc_status section_numbers(dloc_object_edit *edit, uint32_t *ret) {
  for (uint32_t i = 1; i < edit->sections.count; i++)
    if (edit->sections.items[i].header.sh_type == SHT_SYMTAB_SHNDX &&
        edit->sections.items[i].header.sh_link == edit->symbols) {
      *ret = i;
      return edit_resize(edit, i, 4 * (size_t)edit->symbol_count);
    }
  *ret = 0;
  if (edit->sections.count < SHN_LORESERVE)
    return DLOC_OK;
  GElf_Shdr header = {.sh_type = SHT_SYMTAB_SHNDX, .sh_link = edit->symbols, .sh_addralign = 4, .sh_entsize = 4};
  TRY(edit_add_section(edit, dloc_text_of(".symtab_shndx"), header, ret));
  return edit_resize(edit, *ret, 4 * (size_t)edit->symbol_count);
}

/* The signature of a group is a local symbol in the group, as assemblers make it. */
static void put_symbol(const dloc_object_edit *edit, size_t i, uint8_t *symbol, uint8_t *number) {
  const dloc_object *object = edit->object;
  uint32_t section = edit->groups.items[i];
  bool wide = section >= SHN_LORESERVE;
  elf_put_field(object, symbol, ELF_FIELD(object, Sym, st_name), edit->group_names.items[i]);
  elf_put_field(object, symbol, ELF_FIELD(object, Sym, st_shndx), wide ? SHN_XINDEX : section);
  if (wide)
    bytes_put(number, 4, object->kind.big_endian, section);
}

static dloc_status add_symbols(dloc_object_edit *edit) {
  uint32_t added = (uint32_t)edit->groups.count, numbers;
  uint8_t *symbols, *number = NULL;
  TRY(shift_numbers(edit, added));
  TRY(section_numbers(edit, &numbers));
  if (numbers)
    TRY(insert_items(edit, numbers, 4, added, &number));
  TRY(insert_items(edit, edit->symbols, ELF_SIZE(edit->object, Sym), added, &symbols));
  for (uint32_t i = 0; i < added; i++) {
    edit->sections.items[edit->groups.items[i]].header.sh_info = edit->first_global + i;
    put_symbol(edit, i, symbols + i * ELF_SIZE(edit->object, Sym), number ? number + 4 * (size_t)i : NULL);
  }
  edit->first_global += added;
  edit->symbol_count += added;
  edit->sections.items[edit->symbols].header.sh_info = edit->first_global;
  edit->groups.count = edit->group_names.count = 0;
  return DLOC_OK;
}

/* ---- Where everything stands ---- */

typedef struct place {
  uint64_t offset; /* in the file that was read */
  bool full;       /* empty sections stand before what has their offset */
  uint32_t section;
} place;

static int by_offset(const void *a, const void *b) {
  const place *x = a, *y = b;
  int order = ORDER(x->offset, y->offset);
  if (!order)
    order = ORDER(x->full, y->full);
  return order ? order : ORDER(x->section, y->section);
}

static uint64_t align(uint64_t at, uint64_t to) { return to > 1 ? (at + to - 1) / to * to : at; }

/* A section keeps its alignment where it had it: a number that lies makes no file larger. */
static uint64_t alignment_of(const dloc_object_edit *edit, const edit_section *section) {
  uint64_t to = section->header.sh_addralign;
  bool had = section->offset && to && section->offset % to == 0;
  return section->offset > edit->object->size || had ? to : 1;
}

/* Sections in the order in which they were. They must not lie in each other. */
static dloc_status lay_out(dloc_object_edit *edit, place *places, dloc_diagnostic *diagnostic, uint64_t *ret_end) {
  uint64_t end = ELF_SIZE(edit->object, Ehdr), last = end;
  size_t count = edit->sections.count;
  for (uint32_t i = 0; i < count; i++)
    places[i] = (place){edit->sections.items[i].offset, edit->sections.items[i].extent > 0, i};
  qsort(places, count, sizeof *places, by_offset);
  for (size_t i = 0; i < count; i++) {
    edit_section *section = &edit->sections.items[places[i].section];
    if (section->header.sh_type == SHT_NULL && !section->size) /* one that got bytes has a place, as any other */
      continue;
    if (section->extent && section->offset < last)
      return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "two sections lie in each other");
    last = section->extent ? section->offset + section->extent : last;
    end = align(end, alignment_of(edit, section));
    section->header.sh_offset = end;
    section->header.sh_size = section->header.sh_type == SHT_NOBITS ? section->header.sh_size : section->size;
    end += section->size;
  }
  *ret_end = align(end, edit->object->kind.address_size);
  return DLOC_OK;
}

/* ---- Bytes ---- */

typedef struct writer {
  const dloc_object_edit *edit;
  dloc_sink sink;
  uint64_t at;
} writer;

static bool put_bytes(writer *w, const void *bytes, size_t size) {
  w->at += size;
  return !size || w->sink.write(w->sink.user, bytes, size);
}

static bool put_zeros(writer *w, uint64_t until) {
  static const char zeros[64];
  bool fine = true;
  while (fine && w->at < until)
    fine = put_bytes(w, zeros, until - w->at < sizeof zeros ? (size_t)(until - w->at) : sizeof zeros);
  return fine;
}

/* The file's own header, but for the table of section headers, whose entries have their own size: numbers that 16 bits
 * do not hold stand in section 0. */
static bool put_file_header(writer *w, uint64_t table) {
  const dloc_object *object = w->edit->object;
  uint8_t header[sizeof(Elf64_Ehdr)];
  size_t count = w->edit->sections.count;
  memcpy(header, object->bytes, ELF_SIZE(object, Ehdr));
  elf_put_field(object, header, ELF_FIELD(object, Ehdr, e_shoff), table);
  elf_put_field(object, header, ELF_FIELD(object, Ehdr, e_shentsize), ELF_SIZE(object, Shdr));
  elf_put_field(object, header, ELF_FIELD(object, Ehdr, e_shnum), count < SHN_LORESERVE ? count : 0);
  return put_bytes(w, header, ELF_SIZE(object, Ehdr));
}

static bool put_section_header(writer *w, const GElf_Shdr *header) {
  const uint8_t wide = w->edit->object->kind.address_size;
  const struct {
    uint64_t value;
    uint8_t size;
  } fields[] = {{header->sh_name, 4},      {header->sh_type, 4},      {header->sh_flags, wide},
                {header->sh_addr, wide},   {header->sh_offset, wide}, {header->sh_size, wide},
                {header->sh_link, 4},      {header->sh_info, 4},      {header->sh_addralign, wide},
                {header->sh_entsize, wide}};
  uint8_t bytes[sizeof(Elf64_Shdr)];
  size_t size = 0;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    bytes_put(bytes + size, fields[i].size, w->edit->object->kind.big_endian, fields[i].value);
    size += fields[i].size;
  }
  return put_bytes(w, bytes, size);
}

static dloc_status put_file(writer *w, const place *places, uint64_t table) {
  const dloc_object_edit *edit = w->edit;
  bool fine = put_file_header(w, table);
  for (size_t i = 0; fine && i < edit->sections.count; i++) {
    const edit_section *section = &edit->sections.items[places[i].section];
    if (section->size)
      fine = put_zeros(w, section->header.sh_offset) && put_bytes(w, section->bytes, section->size);
  }
  fine = fine && put_zeros(w, table);
  for (size_t i = 0; fine && i < edit->sections.count; i++)
    fine = put_section_header(w, &edit->sections.items[i].header);
  return fine ? DLOC_OK : sink_refused(w->sink);
}

dloc_status dloc_object_edit_write(dloc_object_edit *edit, dloc_diagnostic *diagnostic, dloc_sink sink) {
  writer w = {edit, sink, 0};
  uint64_t table = 0;
  if (edit->groups.count)
    TRY(add_symbols(edit));
  if (edit->sections.count >= SHN_LORESERVE)
    edit->sections.items[0].header.sh_size = edit->sections.count;
  ALLOCATE(edit->context, place, places, edit->sections.count + 1);
  OWNED_MEMORY(edit->context, &places);
  TRY(lay_out(edit, places, diagnostic, &table));
  return put_file(&w, places, table);
}
