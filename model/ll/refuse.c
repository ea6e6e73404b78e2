/* Why a text cannot be read, for each of its readers. */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Names in a message may hold any byte; the message is text. */
static void make_printable(char *message) {
  for (dloc_text rest = dloc_text_of(message); rest.size;) {
    uint32_t character = 0;
    size_t size = dloc_character(rest, &character);
    if (character < 0x20 || character == 0x7f) {
      message[rest.bytes - message] = '?';
      size = 1;
    }
    rest = (dloc_text){rest.bytes + size, rest.size - size};
  }
}

dloc_status refuse_text(dloc_diagnostic *diagnostic, const char *text, dloc_reason reason, size_t at,
                        const char *format, ...) {
  const char *line = text, *end = text + at;
  va_list arguments;
  *diagnostic = (dloc_diagnostic){.reason = reason, .offset = at, .line = 1};
  for (const char *p = line; p < end && (p = memchr(p, '\n', (size_t)(end - p))); line = ++p)
    diagnostic->line++;
  diagnostic->column = (uint32_t)(end - line) + 1;
  va_start(arguments, format);
  vsnprintf(diagnostic->message, sizeof diagnostic->message, format, arguments);
  va_end(arguments);
  make_printable(diagnostic->message);
  return DLOC_INVALID;
}
