/* UTF-8, for everyone. */
#include "dloc.h"

size_t dloc_character(dloc_text text, uint32_t *ret) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (text.size == 0)
    return 0;
  const unsigned char *bytes = (const unsigned char *)text.bytes;
  size_t size = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? 0 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
  if (size == 0 || size > text.size)
    return 0;
  uint32_t character = size == 1 ? bytes[0] : bytes[0] & (0xffu >> (size + 1));
  for (size_t i = 1; i < size; i++) {
    if ((bytes[i] & 0xc0) != 0x80)
      return 0;
    character = character << 6 | (bytes[i] & 0x3f);
  }
  if (character < least[size] || character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff))
    return 0;
  if (ret)
    *ret = character;
  return size;
}
