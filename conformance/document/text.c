/* text.c - taking texts apart. */
#include "text.h"

#include <string.h>

dloc_text text_take_line(dloc_text *rest) {
  const char *end = rest->size ? memchr(rest->bytes, '\n', rest->size) : NULL;
  dloc_text line = {rest->bytes, end ? (size_t)(end - rest->bytes) : rest->size};
  size_t taken = line.size + (end != NULL);
  *rest = taken ? (dloc_text){rest->bytes + taken, rest->size - taken} : *rest;
  return line;
}

bool text_take_word(dloc_text *rest, dloc_text *ret) {
  while (rest->size && *rest->bytes == ' ')
    rest->bytes++, rest->size--;
  *ret = (dloc_text){rest->bytes, 0};
  while (ret->size < rest->size && ret->bytes[ret->size] != ' ')
    ret->size++;
  if (ret->size) /* bytes may be NULL otherwise */
    *rest = (dloc_text){rest->bytes + ret->size, rest->size - ret->size};
  return ret->size > 0;
}

const char *text_find(dloc_text text, const char *wanted) {
  size_t size = strlen(wanted);
  for (size_t i = 0; i + size <= text.size; i++)
    if (text.bytes[i] == wanted[0] && memcmp(text.bytes + i, wanted, size) == 0)
      return text.bytes + i;
  return NULL;
}

bool text_ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text), more = strlen(suffix);
  return length >= more && strcmp(text + length - more, suffix) == 0;
}

dloc_text text_last_line(dloc_text text) {
  size_t end = text.size;
  while (end && (text.bytes[end - 1] == '\n' || text.bytes[end - 1] == ' '))
    end--;
  size_t start = end;
  while (start && text.bytes[start - 1] != '\n')
    start--;
  return end ? (dloc_text){text.bytes + start, end - start} : (dloc_text){"", 0};
}

size_t text_printable(dloc_text text) {
  uint32_t c = 0;
  size_t size = dloc_character(text, &c);
  bool turns = c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
               (c >= 0x2066 && c <= 0x2069); /* lines, or the direction of writing */
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || turns ? 0 : size;
}

void text_make_printable(char *text, const char *keep) {
  for (size_t rest = strlen(text), size; rest > 0; text += size, rest -= size) {
    size = text_printable((dloc_text){text, rest});
    if (size == 0 && !strchr(keep, *text))
      *text = '?';
    size += size == 0;
  }
}
