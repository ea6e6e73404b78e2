/* ELF files, by libelf. */
#include "formats/object/elf.h"

#include <stdio.h>
#include <string.h>

dloc_status elf_wrong(dloc_diagnostic *diagnostic, dloc_reason reason, const char *message) {
  *diagnostic = (dloc_diagnostic){.reason = reason};
  snprintf(diagnostic->message, sizeof diagnostic->message, "%s", message);
  return DLOC_INVALID;
}

static const char *elf_trouble(const char *otherwise) {
  const char *message = elf_errmsg(-1);
  return message ? message : otherwise;
}

void dloc_object_close(dloc_object *object) {
  if (!object)
    return;
  elf_end(object->elf);
  CONTEXT_FREE(object->context, object->sections, object->bytes, object);
}

static dloc_status open_elf(dloc_object *object, size_t size, dloc_diagnostic *diagnostic) {
  GElf_Ehdr header;
  elf_version(EV_CURRENT);
  object->elf = elf_memory(object->bytes, size);
  if (!object->elf || elf_kind(object->elf) != ELF_K_ELF || !gelf_getehdr(object->elf, &header))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "this is no ELF file");
  if (elf_getshdrnum(object->elf, &object->section_count) || elf_getshdrstrndx(object->elf, &object->names))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, elf_trouble("its sections cannot be read"));
  object->kind = (dloc_object_kind){.machine = header.e_machine,
                                    .type = header.e_type,
                                    .address_size = gelf_getclass(object->elf) == ELFCLASS64 ? 8 : 4,
                                    .big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB};
  size_t bytes = (object->section_count + 1) * sizeof *object->sections;
  object->sections = context_realloc(object->context, NULL, bytes);
  if (!object->sections)
    return DLOC_NO_MEMORY;
  memset(object->sections, 0, bytes);
  return DLOC_OK;
}

dloc_status dloc_object_open(dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic, dloc_object **ret) {
  ALLOCATE(context, dloc_object, object, 1);
  *object = (dloc_object){.context = context, .bytes = context_realloc(context, NULL, bytes.size + 1)};
  dloc_status status = object->bytes ? DLOC_OK : DLOC_NO_MEMORY;
  if (status == DLOC_OK) {
    memcpy(object->bytes, bytes.bytes, bytes.size);
    status = open_elf(object, bytes.size, diagnostic);
  }
  if (status != DLOC_OK) {
    dloc_object_close(object);
    return status;
  }
  *ret = object;
  return DLOC_OK;
}

dloc_object_kind dloc_object_kind_of(const dloc_object *object) { return object->kind; }

dloc_status elf_prepare(dloc_object *object, Elf_Scn *section, dloc_diagnostic *diagnostic) {
  elf_section_state *state = &object->sections[elf_ndxscn(section)];
  GElf_Shdr header;
  if (state->ready || !gelf_getshdr(section, &header))
    return DLOC_OK;
  if (header.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_COMPRESSED, elf_trouble("a section cannot be decompressed"));
  if (object->kind.type == ET_REL)
    TRY(elf_relocate(object, section, diagnostic));
  state->ready = true;
  return DLOC_OK;
}

dloc_status dloc_object_section_find(dloc_object *object, dloc_text name, dloc_diagnostic *diagnostic,
                                     dloc_object_section *ret, bool *ret_found) {
  *ret = (dloc_object_section){.name = name};
  *ret_found = false;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section));) {
    GElf_Shdr header;
    const char *its_name =
        gelf_getshdr(section, &header) ? elf_strptr(object->elf, object->names, header.sh_name) : NULL;
    if (!its_name || !dloc_text_equal(dloc_text_of(its_name), name))
      continue;
    TRY(elf_prepare(object, section, diagnostic));
    Elf_Data *data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(section, NULL);
    if (data && data->d_buf)
      ret->bytes = (dloc_text){data->d_buf, data->d_size};
    ret->index = (uint32_t)elf_ndxscn(section);
    *ret_found = true;
    return DLOC_OK;
  }
  return DLOC_OK;
}
