/* Relocatable ELF files with other sections. libelf reads the headers; sections are bytes here. */
#include "edit.h"

#include <string.h>

/* ---- Opening ---- */

static dloc_status take_section(dloc_object_edit *edit, Elf_Scn *section, dloc_diagnostic *diagnostic) {
  const dloc_object *object = edit->object;
  edit_section taken = {.bytes = ""};
  if (!section || !gelf_getshdr(section, &taken.header))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "its sections cannot be read");
  if (taken.header.sh_type != SHT_NULL && taken.header.sh_type != SHT_NOBITS) {
    if (taken.header.sh_offset > object->size || taken.header.sh_size > object->size - taken.header.sh_offset)
      return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "a section lies beyond the file");
    taken.bytes = object->bytes + taken.header.sh_offset;
    taken.size = taken.extent = taken.header.sh_size;
  }
  taken.offset = taken.header.sh_offset <= object->size ? taken.header.sh_offset : object->size;
  if (taken.header.sh_type == SHT_CREL)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_RELOCATIONS, "its relocations are compressed (SHT_CREL)");
  PUSH(edit->context, edit->sections, taken);
  return DLOC_OK;
}

static bool is_of(const dloc_object_edit *edit, uint32_t link, uint32_t type) {
  return link < edit->sections.count && edit->sections.items[link].header.sh_type == type;
}

static dloc_status find_symbols(dloc_object_edit *edit, dloc_diagnostic *diagnostic) {
  for (uint32_t i = 1; i < edit->sections.count; i++) {
    const edit_section *section = &edit->sections.items[i];
    if (section->header.sh_type == SHT_SYMTAB_SHNDX)
      edit->wide_indices = i;
    if (section->header.sh_type != SHT_SYMTAB)
      continue;
    size_t count = section->size / ELF_SIZE(edit->object, Sym);
    if (edit->symbols || section->header.sh_info > count || count >= UINT32_MAX ||
        !is_of(edit, section->header.sh_link, SHT_STRTAB))
      return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "its symbol table cannot be read");
    edit->symbols = i;
    edit->symbol_count = (uint32_t)count;
    edit->first_global = section->header.sh_info;
  }
  return DLOC_OK;
}

static dloc_status open_edit(dloc_object_edit *edit, dloc_text bytes, dloc_diagnostic *diagnostic) {
  TRY(dloc_object_open(edit->context, bytes, diagnostic, &edit->object));
  if (edit->object->kind.type != ET_REL)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_RELOCATIONS, "this is no relocatable file: it is linked");
  RESERVE(edit->context, edit->sections, edit->object->section_count + 1);
  for (size_t i = 0; i < edit->object->section_count; i++)
    TRY(take_section(edit, elf_getscn(edit->object->elf, i), diagnostic));
  if (!is_of(edit, (uint32_t)edit->object->names, SHT_STRTAB))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "its sections have no names");
  return find_symbols(edit, diagnostic);
}

dloc_status dloc_object_edit_open(dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic,
                                  dloc_object_edit **ret) {
  CREATE(context, dloc_object_edit, edit, .context = context);
  RETURN_MADE(open_edit(edit, bytes, diagnostic), edit, dloc_object_edit_close, ret);
}

void dloc_object_edit_close(dloc_object_edit *edit) {
  if (!edit)
    return;
  for (size_t i = 0; i < edit->sections.count; i++)
    context_free(edit->context, edit->sections.items[i].own);
  dloc_object_close(edit->object);
  CONTEXT_FREE(edit->context, edit->sections.items, edit->groups.items, edit->group_names.items, edit->relocations,
               edit->symbols_by_content.entries, edit);
}

/* ---- Sections ---- */

dloc_status edit_resize(dloc_object_edit *edit, uint32_t index, size_t size) {
  edit_section *section = &edit->sections.items[index];
  bool first = !section->own;
  if (first || section->capacity < size)
    RESERVE_ITEMS(edit->context, section->own, section->capacity, size > section->size ? size : section->size + 1);
  if (first && section->size)
    memcpy(section->own, section->bytes, section->size);
  if (size > section->size)
    memset(section->own + section->size, 0, size - section->size);
  section->bytes = section->own;
  section->size = size;
  return DLOC_OK;
}

/* A string more in a section of strings: where it stands. */
static dloc_status edit_add_string(dloc_object_edit *edit, uint32_t section, dloc_text text, uint32_t *ret) {
  size_t at = edit->sections.items[section].size;
  if (text.size > UINT32_MAX - 1 - at)
    return DLOC_NO_MEMORY;
  TRY(edit_resize(edit, section, at + text.size + 1));
  if (text.size)
    memcpy(edit->sections.items[section].own + at, text.bytes, text.size);
  *ret = (uint32_t)at;
  return DLOC_OK;
}

dloc_status edit_add_section(dloc_object_edit *edit, dloc_text name, GElf_Shdr header, uint32_t *ret) {
  TRY(edit_add_string(edit, (uint32_t)edit->object->names, name, &header.sh_name));
  edit_section added = {.header = header, .offset = edit->object->size + 1, .bytes = ""};
  PUSH(edit->context, edit->sections, added);
  *ret = (uint32_t)edit->sections.count - 1;
  return DLOC_OK;
}

dloc_text edit_string(const dloc_object_edit *edit, size_t section, uint64_t at) {
  const edit_section *strings = &edit->sections.items[section];
  const char *end = at < strings->size ? memchr(strings->bytes + at, '\0', strings->size - at) : NULL;
  return end ? (dloc_text){strings->bytes + at, (size_t)(end - strings->bytes) - at} : (dloc_text){"", 0};
}

dloc_text edit_name(const dloc_object_edit *edit, uint32_t section) {
  return edit_string(edit, edit->object->names, edit->sections.items[section].header.sh_name);
}

uint32_t edit_count(const dloc_object_edit *edit) { return (uint32_t)edit->sections.count; }

/* GNU's form of compression has a name of its own. */
static dloc_status rename_decompressed(dloc_object_edit *edit, uint32_t index) {
  dloc_text name = edit_name(edit, index);
  if (name.size < 2 || name.bytes[1] != 'z')
    return DLOC_OK;
  ALLOCATE(edit->context, char, plain, name.size);
  OWNED_MEMORY(edit->context, &plain);
  plain[0] = '.';
  memcpy(plain + 1, name.bytes + 2, name.size - 2);
  return edit_add_string(edit, (uint32_t)edit->object->names, (dloc_text){plain, name.size - 1},
                         &edit->sections.items[index].header.sh_name);
}

dloc_status dloc_object_edit_bytes(dloc_object_edit *edit, uint32_t index, dloc_diagnostic *diagnostic,
                                   dloc_text *ret) {
  if (index >= edit->sections.count)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "it has no such section");
  edit_section *section = &edit->sections.items[index];
  Elf_Scn *read = section->own ? NULL : elf_getscn(edit->object->elf, index);
  if (read && elf_is_compressed(edit->object, read)) {
    TRY(elf_decompress(edit->object, read, diagnostic));
    Elf_Data *data = elf_rawdata(read, NULL);
    if (!data || !data->d_buf || !gelf_getshdr(read, &section->header))
      return elf_wrong(diagnostic, DLOC_REASON_OBJECT_COMPRESSED, "a section cannot be read once it is decompressed");
    TRY(dloc_object_edit_set(edit, index, (dloc_text){data->d_buf, data->d_size}));
    TRY(rename_decompressed(edit, index));
    section->header.sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
  }
  *ret = (dloc_text){section->bytes, section->size};
  return DLOC_OK;
}

dloc_status dloc_object_edit_set(dloc_object_edit *edit, uint32_t section, dloc_text bytes) {
  if (section >= edit->sections.count || is_of(edit, section, SHT_SYMTAB))
    return DLOC_INVALID;
  TRY(edit_resize(edit, section, bytes.size));
  if (bytes.size)
    memcpy(edit->sections.items[section].own, bytes.bytes, bytes.size);
  return DLOC_OK;
}

dloc_status edit_add(dloc_object_edit *edit, dloc_text name, dloc_text bytes, uint32_t *ret) {
  uint32_t added;
  TRY(edit_add_section(edit, name, (GElf_Shdr){.sh_type = SHT_PROGBITS, .sh_addralign = 1}, &added));
  TRY(dloc_object_edit_set(edit, added, bytes));
  *ret = added;
  return DLOC_OK;
}

/* The group stands before its member, as ELF asks for; its symbol is made when the file is written. */
dloc_status edit_add_group(dloc_object_edit *edit, dloc_text name, dloc_text signature, dloc_text bytes,
                           dloc_diagnostic *diagnostic, uint32_t *ret) {
  bool big_endian = edit->object->kind.big_endian;
  uint32_t group, member, symbol_name;
  if (!edit->symbols)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "it has no symbol table, which a COMDAT group needs");
  GElf_Shdr header = {.sh_type = SHT_GROUP, .sh_link = edit->symbols, .sh_addralign = 4, .sh_entsize = 4};
  TRY(edit_add_section(edit, dloc_text_of(".group"), header, &group));
  TRY(edit_resize(edit, group, 8));
  TRY(edit_add(edit, name, bytes, &member));
  edit->sections.items[member].header.sh_flags = SHF_GROUP;
  bytes_put((uint8_t *)edit->sections.items[group].own, 4, big_endian, GRP_COMDAT);
  bytes_put((uint8_t *)edit->sections.items[group].own + 4, 4, big_endian, member);
  TRY(edit_add_string(edit, edit->sections.items[edit->symbols].header.sh_link, signature, &symbol_name));
  PUSH(edit->context, edit->group_names, symbol_name);
  PUSH(edit->context, edit->groups, group);
  *ret = member;
  return DLOC_OK;
}
