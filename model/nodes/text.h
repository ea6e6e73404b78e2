/* Private: short questions about texts. */
#pragma once

#include "dloc.h"

#include <string.h>

/* Whether a text is a word. Most words that are asked for are known to the compiler, and most texts differ from them in
 * the first byte. */
static inline bool text_equals(dloc_text text, const char *word) {
  if (text.size == 0)
    return *word == '\0';
  return *word == *text.bytes && strlen(word) == text.size && memcmp(text.bytes, word, text.size) == 0;
}

static inline bool text_begins(dloc_text text, const char *word) {
  return text.size >= strlen(word) && memcmp(text.bytes, word, strlen(word)) == 0;
}

/* Whether a text is one of the words that a blank stands between. */
static inline bool text_is_among(dloc_text text, const char *words) {
  for (size_t size; *words; words += size + (words[size] == ' ')) {
    size = strcspn(words, " ");
    if (text.size == size && memcmp(text.bytes, words, size) == 0)
      return true;
  }
  return false;
}

/* The part behind the last of these bytes; of a text without them, all of it. */
static inline dloc_text text_behind_last(dloc_text text, const char *bytes) {
  for (size_t at = text.size; at > 0; at--)
    if (text.bytes[at - 1] && strchr(bytes, text.bytes[at - 1]))
      return (dloc_text){text.bytes + at, text.size - at};
  return text;
}

/* Whether each of eight bytes is a printable one of ASCII, and no backslash. A sum that carries or borrows comes of one
 * that is none, and the highest bit of a byte tells of it. */
static inline bool text_eight_plain(const char *bytes) {
  const uint64_t each = UINT64_MAX / 255;
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return !((word | (word - each * ' ') | (word + each) | ((word ^ each * '\\') - each)) & each * 0x80);
}

/* As of assemblers. */
static inline bool text_is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline bool text_is_digit(char c) { return c >= '0' && c <= '9'; }
