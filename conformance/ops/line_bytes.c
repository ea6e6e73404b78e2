#include "line_bytes.h"
#include "document/buffer.h"
#include "reading.h"

#include <string.h>

static int digit(char c) {
  const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* "0a00 'a.c' 00": pairs of digits, texts between quotes, blanks. ret may be NULL. */
static bool read_bytes(dloc_text text, dloc_buffer *ret) {
  for (size_t i = 0; i < text.size; i++) {
    char c = text.bytes[i];
    if (c == ' ')
      continue;
    if (c == '\'') {
      const char *end = memchr(text.bytes + i + 1, '\'', text.size - i - 1);
      if (!end)
        return false;
      size_t size = (size_t)(end - text.bytes) - i - 1;
      if (ret)
        buffer_put(ret, (dloc_text){text.bytes + i + 1, size});
      i += size + 1;
      continue;
    }
    if (i + 1 == text.size || digit(c) < 0 || digit(text.bytes[i + 1]) < 0)
      return false;
    char byte = (char)(digit(c) << 4 | digit(text.bytes[++i]));
    if (ret)
      buffer_put(ret, (dloc_text){&byte, 1});
  }
  return true;
}

dloc_status line_bytes_check(const reading *r, const term *map, const char *const *keys) {
  for (; *keys; keys++) {
    const term *parts = term_get(map, *keys);
    for (uint32_t i = 0; parts && i < parts->count; i++)
      if (!read_bytes(parts->of.items[i].of.text, NULL))
        return WRONG(r, parts->of.items[i].from, "vector.field", "'%.60s' is no row of bytes",
                     parts->of.items[i].of.text.bytes);
  }
  return DLOC_OK;
}

dloc_text line_bytes_of(value_arena *arena, const term *map, const char *key) {
  const term *parts = term_get(map, key);
  dloc_buffer bytes = {0};
  for (uint32_t i = 0; parts && i < parts->count; i++)
    (void)read_bytes(parts->of.items[i].of.text, &bytes);
  char *copy = value_arena_alloc(arena, bytes.size + 1, 1);
  if (bytes.size)
    memcpy(copy, bytes.bytes, bytes.size);
  dloc_text text = {copy, bytes.size};
  dloc_buffer_deinit(&bytes);
  return text;
}
