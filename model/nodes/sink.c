/* Where printed text goes, and small printing helpers. */
#include "metadata.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dloc_text dloc_text_of(const char *c_string) { return (dloc_text){c_string, strlen(c_string)}; }

bool dloc_text_equal(dloc_text a, dloc_text b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

int dloc_text_compare(dloc_text a, dloc_text b) {
  size_t size = a.size < b.size ? a.size : b.size;
  int order = size ? memcmp(a.bytes, b.bytes, size) : 0;
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

bool buffer_write(void *user, const char *bytes, size_t size) {
  dloc_buffer *buffer = user;
  if (size >= SIZE_MAX - buffer->size)
    return false;
  size_t needed = buffer->size + size + 1;
  if (needed > buffer->capacity) {
    size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity * 2;
    if (capacity < needed)
      capacity = needed;
    char *moved = realloc(buffer->bytes, capacity);
    if (!moved)
      return false;
    buffer->bytes = moved;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->size, bytes, size);
  buffer->size += size;
  buffer->bytes[buffer->size] = '\0';
  return true;
}

dloc_status sink_refused(dloc_sink sink) { return sink.write == buffer_write ? DLOC_NO_MEMORY : DLOC_STOPPED; }

dloc_status sink_bytes(dloc_sink sink, const char *bytes, size_t size) {
  return size == 0 || sink.write(sink.user, bytes, size) ? DLOC_OK : sink_refused(sink);
}

dloc_status sink_string(dloc_sink sink, const char *c_string) { return sink_bytes(sink, c_string, strlen(c_string)); }

dloc_status sink_text(dloc_sink sink, dloc_text text) { return sink_bytes(sink, text.bytes, text.size); }

dloc_status sink_number(dloc_sink sink, uint64_t number) {
  char digits[20];
  size_t first = sizeof digits;
  do
    digits[--first] = (char)('0' + number % 10);
  while (number /= 10);
  return sink_bytes(sink, digits + first, sizeof digits - first);
}

dloc_sink dloc_buffer_sink(dloc_buffer *buffer) { return (dloc_sink){buffer_write, buffer}; }

void dloc_buffer_deinit(dloc_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (dloc_buffer){0};
}

void explain(const dloc_trace *trace, dloc_clause clause, const char *format, ...) {
  char decision[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(decision, sizeof decision, format, arguments);
  va_end(arguments);
  trace->step(trace->user, clause, decision);
}
