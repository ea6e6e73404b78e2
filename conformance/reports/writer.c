/* writer.c - the sink and the escapes of the reports. */
#include "writer.h"

#include "document/buffer.h"
#include "document/value.h"

#include <stdarg.h>
#include <string.h>

void write_bytes(writer *w, const char *bytes, size_t size) {
  if (!w->stopped && size > 0)
    w->stopped = !w->sink.write(w->sink.user, bytes, size);
}

void write_plain(writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

void write_format(writer *w, const char *format, ...) {
  dloc_buffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_format_list(&text, format, arguments);
  va_end(arguments);
  write_bytes(w, text.bytes, text.size);
  dloc_buffer_deinit(&text);
}

dloc_status write_finish(const writer *w) { return w->stopped ? DLOC_STOPPED : DLOC_OK; }

const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* The length of the character at the start of a text; 0 when it is none, or one that XML 1.0 may not hold. */
static size_t xml_character(dloc_text text) {
  uint32_t c = 0;
  size_t length = dloc_character(text, &c);
  bool control = (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0);
  return control || c == 0xfffe || c == 0xffff ? 0 : length;
}

/* What stands for the character at text, or NULL when it stands for itself. length 0: it is none that XML may hold. */
typedef const char *escape(const char *text, size_t length);

static void write_escaped(writer *w, dloc_text text, escape *escape_of) {
  const char *pending = text.bytes;
  const char *end = text.bytes + text.size;
  for (const char *p = text.bytes; p < end;) {
    size_t length = xml_character((dloc_text){p, (size_t)(end - p)});
    const char *replacement = escape_of(p, length);
    size_t step = length ? length : 1;
    if (replacement) {
      write_bytes(w, pending, (size_t)(p - pending));
      write_plain(w, replacement);
      pending = p + step;
    }
    p += step;
  }
  write_bytes(w, pending, (size_t)(end - pending));
}

static const char *xml_escape(const char *text, size_t length) {
  if (length == 0)
    return "?";
  switch (*text) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  case '\n':
    return "&#10;";
  default:
    return NULL;
  }
}

static const char *line_escape(const char *text, size_t length) {
  return length == 0 ? "?" : *text == '\n' || *text == '\t' ? " " : NULL;
}

void write_xml(writer *w, const char *text) {
  if (text)
    write_escaped(w, dloc_text_of(text), xml_escape);
}

void write_json_text(writer *w, dloc_text text) {
  if (!w->stopped)
    w->stopped = value_write_text(text, w->sink) != DLOC_OK;
}

void write_json(writer *w, const char *text) { write_json_text(w, dloc_text_of(text ? text : "")); }

void write_member_text(writer *w, const char *key, dloc_text text) {
  write_format(w, ", \"%s\": ", key);
  write_json_text(w, text);
}

void write_member(writer *w, const char *key, const char *text) {
  write_member_text(w, key, dloc_text_of(text ? text : ""));
}

void write_line(writer *w, dloc_text text) { write_escaped(w, text, line_escape); }
