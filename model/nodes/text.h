/* Private: whether a text is a word. Most words that are asked for are known to the compiler, and most texts differ from
 * them in the first byte. */
#pragma once

#include "dloc.h"

#include <string.h>

static inline bool text_equals(dloc_text text, const char *word) {
  if (text.size == 0)
    return *word == '\0';
  return *word == *text.bytes && strlen(word) == text.size && memcmp(text.bytes, word, text.size) == 0;
}
