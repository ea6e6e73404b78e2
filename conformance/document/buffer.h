/* buffer.h - texts that grow: dloc_buffers to which everything can be appended, as running out of memory ends the
 * program.
 *
 * A buffer starts as {0}; its bytes are NUL-terminated as soon as anything was appended. */
#pragma once

#include "dloc.h"

#include <stdarg.h>
#include <string.h>

/* Room for that many more bytes, and a NUL. */
char *buffer_room(dloc_buffer *buffer, size_t more);
static inline void buffer_put(dloc_buffer *buffer, dloc_text text) {
  if (!text.size)
    return;
  char *to =
      text.size < buffer->capacity - buffer->size ? buffer->bytes + buffer->size : buffer_room(buffer, text.size);
  memcpy(to, text.bytes, text.size);
  to[text.size] = '\0';
  buffer->size += text.size;
}
static inline void buffer_put_string(dloc_buffer *buffer, const char *text) {
  buffer_put(buffer, (dloc_text){text, strlen(text)});
}
void buffer_format(dloc_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_format_list(dloc_buffer *buffer, const char *format, va_list arguments);
/* As a word of a shell command. */
void buffer_put_word(dloc_buffer *buffer, const char *text);
/* A sink that appends, and never stops. */
dloc_sink buffer_sink(dloc_buffer *buffer);
/* Its contents, borrowed. */
dloc_text buffer_text(const dloc_buffer *buffer);

/* A text in printf's format, malloc's. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
