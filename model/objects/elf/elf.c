/* ELF files, by libelf. */
#include "elf.h"

#include "objects/dwarf/layer_texts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

dloc_status elf_wrong(dloc_diagnostic *diagnostic, dloc_reason reason, const char *message) {
  *diagnostic = (dloc_diagnostic){.reason = reason};
  snprintf(diagnostic->message, sizeof diagnostic->message, "%s", message);
  return DLOC_INVALID;
}

/* libelf has no public number for a lack of memory, but malloc tells errno, which is 0 before. */
static dloc_status elf_failed(dloc_diagnostic *diagnostic, dloc_reason reason, const char *message) {
  return errno == ENOMEM ? DLOC_NO_MEMORY : elf_wrong(diagnostic, reason, message);
}

void dloc_object_close(dloc_object *object) {
  if (!object)
    return;
  for (size_t i = 0; object->sections && i < object->section_count; i++)
    CONTEXT_FREE(object->context, object->sections[i].relocations.items, object->sections[i].bytes);
  elf_end(object->elf);
  CONTEXT_FREE(object->context, object->code.items, object->sections, object->bytes, object);
}

/* The sort of a file without sections of its own. */
static const char *no_elf(const dloc_object *object) {
  return object->size == 0                   ? "the file is empty"
         : elf_kind(object->elf) == ELF_K_AR ? "this is an archive: take its members out with `ar x`"
         : strncmp(object->bytes, "!<thin>\n", 8) == 0
             ? "this is a thin archive: name one of its members, which `ar t` lists"
             : "this is no ELF file";
}

/* libelf finds no section then, and says nothing. */
static bool ends_before_section_headers(const dloc_object *object, const GElf_Ehdr *header) {
  return header->e_shoff > object->size ||
         header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize > object->size;
}

static dloc_status open_elf(dloc_object *object, dloc_text bytes, dloc_diagnostic *diagnostic) {
  GElf_Ehdr header;
  ALLOCATE_ITEMS(object->context, object->bytes, bytes.size + 1);
  memcpy(object->bytes, bytes.size ? bytes.bytes : "", bytes.size);
  object->bytes[bytes.size] = '\0';
  elf_version(EV_CURRENT);
  errno = 0;
  object->elf = elf_memory(object->bytes, object->size);
  if (!object->elf || elf_kind(object->elf) != ELF_K_ELF || !gelf_getehdr(object->elf, &header))
    return elf_failed(diagnostic, DLOC_REASON_OBJECT_ELF, no_elf(object));
  if (ends_before_section_headers(object, &header))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "the file ends before its section headers do");
  if (elf_getshdrnum(object->elf, &object->section_count) || elf_getshdrstrndx(object->elf, &object->names))
    return elf_failed(diagnostic, DLOC_REASON_OBJECT_ELF, elf_errmsg(-1));
  object->kind = (dloc_object_kind){.machine = header.e_machine,
                                    .type = header.e_type,
                                    .address_size = gelf_getclass(object->elf) == ELFCLASS64 ? 8 : 4,
                                    .big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB};
  ALLOCATE_ZEROED(object->context, object->sections, object->section_count + 1);
  elf_link_entries(object);
  return DLOC_OK;
}

dloc_status dloc_object_open(dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic, dloc_object **ret) {
  CREATE(context, dloc_object, object, .context = context, .size = bytes.size);
  RETURN_MADE(open_elf(object, bytes, diagnostic), object, dloc_object_close, ret);
}

dloc_object_kind dloc_object_kind_of(const dloc_object *object) { return object->kind; }

bool elf_is_compressed(const dloc_object *object, Elf_Scn *section) {
  GElf_Shdr header;
  const char *name = elf_section_name(object, section, &header);
  return name && (header.sh_flags & SHF_COMPRESSED || strncmp(name, ".zdebug", 7) == 0);
}

/* Above this size, sections that claim to be so many times as large as the file are refused. Those of compilers are a few dozen times as large as their bytes, and what is made of each byte takes more
 * memory than it. Several sections may have the same bytes. */
enum { ANY_TIMES = 1 << 20, MOST_TIMES = 256 };

#define TOO_LARGE "sections would be more than 256 times as large as the file"

/* Whether so many bytes more may be made of the file. */
static bool make_room(dloc_object *object, uint64_t size) {
  const uint64_t most = ANY_TIMES + (uint64_t)MOST_TIMES * object->size;
  const bool fits = size <= most - object->made;
  object->made += fits ? size : 0;
  return fits;
}

/* The size that a section will have; GNU's form has it behind four letters, the greatest byte first. */
static uint64_t size_decompressed(Elf_Scn *section, const GElf_Shdr *header, const GElf_Chdr *compression) {
  enum { BEFORE = 4, BEHIND = 12 };
  const Elf_Data *data = elf_rawdata(section, NULL);
  if (header->sh_flags & SHF_COMPRESSED)
    return compression->ch_size;
  bool is_whole = data && data->d_buf && data->d_size >= BEHIND;
  return is_whole ? bytes_get((const uint8_t *)data->d_buf + BEFORE, BEHIND - BEFORE, true) : 0;
}

dloc_status elf_decompress(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic) {
  GElf_Shdr header = {0};
  GElf_Chdr compression = {.ch_type = ELFCOMPRESS_ZLIB};
  const char *name = elf_section_name(object, section, &header);
  bool flagged = header.sh_flags & SHF_COMPRESSED;
  if (!flagged && !(name && strncmp(name, ".zdebug", 7) == 0))
    return DLOC_OK;
  errno = 0;
  if (flagged)
    (void)gelf_getchdr(section, &compression);
  const uint64_t size = size_decompressed(section, &header, &compression);
  const bool too_large = !make_room(object, size);
  if (!too_large && (flagged ? elf_compress(section, 0, 0) : elf_compress_gnu(section, 0, 0)) >= 0)
    return DLOC_OK;
  char message[sizeof diagnostic->message];
  snprintf(message, sizeof message, "section %.60s: %s", name ? name : "",
           compression.ch_type != ELFCOMPRESS_ZLIB
               ? "this libelf cannot decompress it; if it is zstd, llvm-objcopy --decompress-debug-sections helps"
           : too_large ? TOO_LARGE
                       : elf_errmsg(-1));
  return elf_failed(diagnostic, DLOC_REASON_OBJECT_COMPRESSED, message);
}

/* `.zdebug_` is `.debug_`, compressed; what a name begins with tells. */
bool elf_is_of_layer(dloc_text name) {
  char plain[32] = ".";
  dloc_text kind, hash;
  if (name.size > 2 && name.bytes[1] == 'z') {
    size_t size = name.size - 2 < sizeof plain - 1 ? name.size - 2 : sizeof plain - 1;
    memcpy(plain + 1, name.bytes + 2, size);
    name = (dloc_text){plain, size + 1};
  }
  return layer_table_name(name, &kind) || layer_text_name(name, &kind, &hash);
}

/* Sections may lie over each other, or over the headers that libelf has checked; so relocations change a copy. */
static dloc_status copy_bytes(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic) {
  elf_section_state *state = &object->sections[elf_ndxscn(section)];
  if (object->kind.type != ET_REL || !state->entries || state->bytes)
    return DLOC_OK;
  Elf_Data *data = elf_rawdata(section, NULL), *for_libdw = elf_getdata(section, NULL);
  if (!data || !data->d_buf)
    return DLOC_OK;
  if (!make_room(object, data->d_size))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, TOO_LARGE);
  ALLOCATE_ITEMS(object->context, state->bytes, data->d_size + 1);
  state->bytes[data->d_size] = 0;
  data->d_buf = memcpy(state->bytes, data->d_buf, data->d_size);
  if (for_libdw && for_libdw->d_size <= data->d_size)
    for_libdw->d_buf = data->d_buf;
  return DLOC_OK;
}

dloc_status elf_prepare(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic) {
  elf_section_state *state = &object->sections[elf_ndxscn(section)];
  if (state->ready)
    return DLOC_OK;
  TRY(elf_decompress(object, section, diagnostic));
  TRY(copy_bytes(object, section, diagnostic));
  TRY(elf_relocate(object, section));
  state->ready = true;
  return DLOC_OK;
}

/* `.zdebug_line` is `.debug_line`, compressed. */
static bool is_named(const char *its_name, dloc_text name) {
  if (strncmp(its_name, ".zdebug", 7) == 0 && name.size > 1 && name.bytes[1] != 'z')
    return dloc_text_equal(dloc_text_of(its_name + 2), (dloc_text){name.bytes + 1, name.size - 1});
  return dloc_text_equal(dloc_text_of(its_name), name);
}

dloc_status elf_section_read(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic,
                             dloc_object_section *ret) {
  GElf_Shdr header;
  const char *name = elf_section_name(object, section, &header);
  TRY(elf_prepare(object, section, diagnostic));
  errno = 0;
  Elf_Data *data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(section, NULL);
  const elf_section_state *state = &object->sections[elf_ndxscn(section)];
  if (header.sh_type != SHT_NOBITS && header.sh_size && (!data || !data->d_buf))
    return elf_failed(diagnostic, DLOC_REASON_OBJECT_ELF, elf_errmsg(-1));
  *ret = (dloc_object_section){.name = dloc_text_of(name ? name : ""),
                               .bytes = data ? (dloc_text){data->d_buf, data->d_size} : (dloc_text){NULL, 0},
                               .index = (uint32_t)elf_ndxscn(section),
                               .unapplied = state->unapplied,
                               .unapplied_type = state->unapplied_type,
                               .unapplied_at = state->unapplied_at};
  return DLOC_OK;
}

dloc_status dloc_object_section_next(dloc_object *object, dloc_text name, uint32_t after, dloc_diagnostic *diagnostic,
                                     dloc_object_section *ret, bool *ret_found) {
  Elf_Scn *section = after ? elf_getscn(object->elf, after) : NULL;
  dloc_object_section none = {.name = name};
  while ((section = elf_nextscn(object->elf, section))) {
    GElf_Shdr header;
    const char *its_name = elf_section_name(object, section, &header);
    if (!its_name || !is_named(its_name, name) || elf_ndxscn(section) >= object->section_count)
      continue;
    TRY(elf_section_read(object, section, diagnostic, ret));
    *ret_found = true;
    return DLOC_OK;
  }
  *ret = none;
  *ret_found = false;
  return DLOC_OK;
}

dloc_status dloc_object_section_find(dloc_object *object, dloc_text name, dloc_diagnostic *diagnostic,
                                     dloc_object_section *ret, bool *ret_found) {
  return dloc_object_section_next(object, name, 0, diagnostic, ret, ret_found);
}
