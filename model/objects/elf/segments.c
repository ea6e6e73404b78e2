/* Where the parts of a file stand in memory. */
#include "elf.h"

static bool next_segment(const dloc_object *object, size_t *number, GElf_Phdr *ret) {
  size_t count = 0;
  (void)elf_getphdrnum(object->elf, &count);
  while (*number < count && *number < INT32_MAX)
    if (gelf_getphdr(object->elf, (int)(*number)++, ret) && ret->p_type == PT_LOAD)
      return true;
  return false;
}

/* A loader maps whole pages, so the base is where that of the first segment begins. */
uint64_t dloc_object_base(const dloc_object *object) {
  GElf_Phdr segment;
  size_t number = 0;
  if (!next_segment(object, &number, &segment))
    return 0;
  return segment.p_vaddr - (segment.p_align ? segment.p_vaddr % segment.p_align : 0);
}

bool dloc_object_address_at(const dloc_object *object, uint64_t offset, uint64_t *ret) {
  GElf_Phdr segment;
  for (size_t number = 0; next_segment(object, &number, &segment);)
    if (offset >= segment.p_offset && offset - segment.p_offset < segment.p_filesz) {
      *ret = segment.p_vaddr + (offset - segment.p_offset);
      return true;
    }
  return false;
}
