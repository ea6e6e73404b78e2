/* buffer.c - texts that grow. */
#include "buffer.h"

#include "memory.h"

#include <stdio.h>

char *buffer_room(dloc_buffer *buffer, size_t more) {
  if (more >= SIZE_MAX - buffer->size)
    memory_exhausted();
  size_t needed = buffer->size + more + 1;
  if (needed > buffer->capacity) {
    size_t doubled = buffer->capacity < SIZE_MAX / 2 ? buffer->capacity * 2 : needed;
    buffer->capacity = needed < 256 ? 256 : needed < doubled ? doubled : needed;
    buffer->bytes = memory_resize(buffer->bytes, buffer->capacity, 1);
  }
  return buffer->bytes + buffer->size;
}

void buffer_put_word(dloc_buffer *buffer, const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+=,:@";
  bool quoted = !*text || text[strspn(text, plain)];
  buffer_format(buffer, quoted ? "'" : "");
  for (; *text; text++)
    buffer_format(buffer, *text == '\'' ? "'\\%c'" : "%c", *text);
  buffer_format(buffer, quoted ? "'" : "");
}

static bool put_bytes(void *user, const char *bytes, size_t size) {
  buffer_put(user, (dloc_text){bytes, size});
  return true;
}

dloc_sink buffer_sink(dloc_buffer *buffer) { return (dloc_sink){put_bytes, buffer}; }

void buffer_format_list(dloc_buffer *buffer, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  char *end = buffer_room(buffer, 0);
  size_t room = buffer->capacity - buffer->size;
  int size = vsnprintf(end, room, format, again);
  va_end(again);
  if (size < 0)
    memory_exhausted(); /* longer than INT_MAX: the formats are the program's own */
  if ((size_t)size >= room)
    vsnprintf(buffer_room(buffer, (size_t)size), (size_t)size + 1, format, arguments);
  buffer->size += (size_t)size;
}

void buffer_format(dloc_buffer *buffer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  buffer_format_list(buffer, format, arguments);
  va_end(arguments);
}

char *text_format(const char *format, ...) {
  dloc_buffer buffer = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_format_list(&buffer, format, arguments);
  va_end(arguments);
  return buffer.bytes;
}

dloc_text buffer_text(const dloc_buffer *buffer) { return (dloc_text){buffer->bytes, buffer->size}; }
