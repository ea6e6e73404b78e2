/* writer.c - the sink and the escapes of the reports. */
#include "writer.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"
#include "document/value.h"

#include <stdarg.h>
#include <string.h>

static void write_bytes(writer *w, const char *bytes, size_t size) {
  if (!w->stopped && size > 0)
    w->stopped = !w->sink.write(w->sink.user, bytes, size);
}

void write_plain(writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

void write_format(writer *w, const char *format, ...) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_format_list(&text, format, arguments);
  va_end(arguments);
  write_bytes(w, text.bytes, text.size);
}

dloc_status write_finish(const writer *w) { return w->stopped ? DLOC_STOPPED : DLOC_OK; }

void write_json_text(writer *w, dloc_text text) {
  if (!w->stopped)
    w->stopped = value_write_text(text, w->sink) != DLOC_OK;
}

void write_json(writer *w, const char *text) { write_json_text(w, dloc_text_of(text ? text : "")); }

void write_first_member(writer *w, const char *key, const char *text) {
  write_format(w, "{\"%s\": ", key);
  write_json(w, text);
}

void write_member_text(writer *w, const char *key, dloc_text text) {
  write_format(w, ", \"%s\": ", key);
  write_json_text(w, text);
}

void write_member(writer *w, const char *key, const char *text) {
  write_member_text(w, key, dloc_text_of(text ? text : ""));
}
