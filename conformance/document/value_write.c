/* value_write.c - values as JSON lines and as canonical YAML. */
#include "value.h"

#include <stdio.h>
#include <string.h>

/* Collects small pieces before they go to the sink. */
typedef struct writer {
  dloc_sink sink;
  bool (*wants_block)(dloc_text key);
  bool json;
  bool stopped;
  size_t size;
  char bytes[4096];
} writer;

static void flush(writer *w) {
  if (!w->stopped && w->size && !w->sink.write(w->sink.user, w->bytes, w->size))
    w->stopped = true;
  w->size = 0;
}

static void put(writer *w, const char *bytes, size_t size) {
  if (size > sizeof w->bytes - w->size)
    flush(w);
  if (size <= sizeof w->bytes) {
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
  } else if (!w->stopped && !w->sink.write(w->sink.user, bytes, size)) {
    w->stopped = true;
  }
}

static void put_string(writer *w, const char *string) { put(w, string, strlen(string)); }

static dloc_status finish(writer *w) {
  flush(w);
  return w->stopped ? DLOC_STOPPED : DLOC_OK;
}

/* ---- Scalars ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

static bool is_integer(dloc_text text) {
  size_t first = text.size && text.bytes[0] == '-';
  size_t digits = text.size - first;
  if (digits == 0 || digits > 15 || (text.bytes[first] == '0' && (digits > 1 || first)))
    return false;
  for (size_t i = first; i < text.size; i++)
    if (!is_digit(text.bytes[i]))
      return false;
  return true;
}

static bool is_word_of(dloc_text text, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t at = 0;
    while (at < text.size && words[i][at] && (text.bytes[at] | 0x20) == words[i][at])
      at++;
    if (at == text.size && !words[i][at])
      return true;
  }
  return false;
}

/* null, true, false or an integer of up to 15 digits: read alike by YAML 1.1, YAML 1.2 and JSON. */
static bool is_literal(dloc_text text) {
  return is_integer(text) || dloc_text_equal(text, dloc_text_of("null")) ||
         dloc_text_equal(text, dloc_text_of("true")) || dloc_text_equal(text, dloc_text_of("false"));
}

static bool is_plain_character(char c, bool flow) {
  if (is_letter(c) || is_digit(c) || (c && strchr("_./+-@$()=<>;*%&|!^", c)))
    return true;
  return !flow && c && strchr(",'\"[]{}?`", c);
}

/* A text that plain is this text in both versions of YAML. Everything else is quoted. */
static bool is_plain(dloc_text text, bool flow) {
  static const char *const ambiguous[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  if (text.size == 0 || text.size > 4096 || !(is_letter(text.bytes[0]) || strchr("_/", text.bytes[0])))
    return false;
  if (text.bytes[0] == '\0' || is_word_of(text, ambiguous, sizeof ambiguous / sizeof *ambiguous))
    return false;
  for (size_t i = 1; i < text.size; i++) {
    bool blank = text.bytes[i] == ' ' && text.bytes[i - 1] != ' ' && i + 1 < text.size;
    if (!blank && !is_plain_character(text.bytes[i], flow))
      return false;
  }
  return true;
}

static bool needs_escape(uint32_t character) {
  return character < 0xa0 || character == 0x2028 || character == 0x2029 || character == 0xfeff || character == 0xfffe ||
         character == 0xffff;
}

static void put_escape(writer *w, uint32_t character) {
  char escape[8];
  snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(character & 0xffff));
  put_string(w, escape);
}

/* One character of a quoted text; returns its bytes. Bytes that are not UTF-8 become U+FFFD. */
static size_t put_character(writer *w, const char *bytes, size_t size) {
  unsigned char c = (unsigned char)bytes[0];
  if (c < 0x80) {
    if (c == '"' || c == '\\')
      put(w, "\\", 1);
    if (c == '\n' || c == '\t')
      put_string(w, c == '\n' ? "\\n" : "\\t");
    else if (c < 0x20 || c == 0x7f)
      put_escape(w, c);
    else
      put(w, bytes, 1);
    return 1;
  }
  uint32_t character = 0xfffd;
  size_t length = dloc_character((dloc_text){bytes, size}, &character);
  if (length == 0 || needs_escape(character))
    put_escape(w, character);
  else
    put(w, bytes, length);
  return length ? length : 1;
}

/* Between double quotes, with escapes that YAML and JSON share. */
static void put_quoted(writer *w, dloc_text text) {
  put(w, "\"", 1);
  for (size_t i = 0; i < text.size;)
    i += put_character(w, text.bytes + i, text.size - i);
  put(w, "\"", 1);
}

static void put_scalar(writer *w, const value *v, bool flow) {
  dloc_text text = value_text(v);
  if ((!v->quoted && is_literal(text)) || (!w->json && is_plain(text, flow)))
    put(w, text.bytes, text.size);
  else
    put_quoted(w, text);
}

static void put_key(writer *w, dloc_text key) {
  if (!w->json && (is_plain(key, true) || is_integer(key)))
    put(w, key.bytes, key.size);
  else
    put_quoted(w, key);
}

/* ---- On one line ---- */

static const value *child_of(const value *v, uint32_t at) {
  return v->kind == VALUE_MAP ? &v->of.entries[at].value : &v->of.items[at];
}

/* As JSON or in YAML's flow style. Recursion is bounded by VALUE_DEPTH, here and below: values come from the reader or
 * from code that builds shallow ones. */
static void put_flow(writer *w, const value *v) {
  if (v->kind == VALUE_SCALAR) {
    put_scalar(w, v, true);
    return;
  }
  put(w, v->kind == VALUE_LIST ? "[" : "{", 1);
  for (uint32_t i = 0; i < v->count; i++) {
    if (i)
      put(w, ", ", w->json ? 1 : 2);
    if (v->kind == VALUE_MAP) {
      put_key(w, v->of.entries[i].key);
      put(w, ": ", w->json ? 1 : 2);
    }
    put_flow(w, child_of(v, i));
  }
  put(w, v->kind == VALUE_LIST ? "]" : "}", 1);
}

dloc_status value_write_text(dloc_text text, dloc_sink sink) {
  writer w = {.sink = sink};
  put_quoted(&w, text);
  return finish(&w);
}

dloc_status value_write_json(const value *v, dloc_sink sink) {
  writer w = {.sink = sink, .json = true};
  put_flow(&w, v);
  return finish(&w);
}

/* ---- YAML ---- */

static bool count_columns(void *user, const char *bytes, size_t size) {
  size_t *left = user;
  for (size_t i = 0; i < size; i++) {
    if ((bytes[i] & 0xc0) == 0x80)
      continue;
    if (*left == 0)
      return false;
    --*left;
  }
  return true;
}

/* A bound below the width in flow style that is cheap to find: stops as soon as it exceeds limit. */
static size_t least_width(const value *v, size_t limit) {
  if (v->kind == VALUE_SCALAR)
    return v->count / 4;
  size_t width = 2;
  for (uint32_t i = 0; i < v->count && width <= limit; i++) {
    width += 2;
    width += (v->kind == VALUE_MAP ? v->of.entries[i].key.size / 4 : 0) + least_width(child_of(v, i), limit);
  }
  return width;
}

static bool holds_block(const writer *w, const value *v) {
  if (!w->wants_block)
    return false;
  for (uint32_t i = 0; v->kind != VALUE_SCALAR && i < v->count; i++) {
    const value *child = child_of(v, i);
    bool wanted =
        v->kind == VALUE_MAP && child->kind != VALUE_SCALAR && child->count && w->wants_block(v->of.entries[i].key);
    if (wanted || holds_block(w, child))
      return true;
  }
  return false;
}

static bool fits(const writer *w, const value *v, size_t columns) {
  if (v->kind == VALUE_SCALAR || v->count == 0)
    return true;
  if (columns > VALUE_COLUMNS || least_width(v, VALUE_COLUMNS) > VALUE_COLUMNS || holds_block(w, v))
    return false;
  size_t left = VALUE_COLUMNS - columns;
  writer counter = {.sink = {count_columns, &left}};
  put_flow(&counter, v);
  return finish(&counter) == DLOC_OK;
}

static void put_indent(writer *w, size_t columns) {
  for (size_t i = 0; i < columns; i++)
    put(w, " ", 1);
}

/* A value that fits into its line, and the line's end. */
static void put_rest(writer *w, const value *v) {
  if (v->kind == VALUE_SCALAR)
    put_scalar(w, v, false);
  else
    put_flow(w, v);
  put(w, "\n", 1);
}

static void put_block(writer *w, const value *v, size_t indent);

/* The value of an entry, after its key. */
static void put_entry(writer *w, const value_entry *entry, size_t indent) {
  put_key(w, entry->key);
  const value *v = &entry->value;
  bool wanted = v->kind != VALUE_SCALAR && v->count && w->wants_block && w->wants_block(entry->key);
  if (!wanted && fits(w, v, indent + entry->key.size + 2)) {
    put(w, ": ", 2);
    put_rest(w, v);
    return;
  }
  put(w, ":\n", 2);
  put_indent(w, indent + 2);
  put_block(w, v, indent + 2);
}

static void put_item(writer *w, const value *v, size_t indent) {
  put(w, "- ", 2);
  if (fits(w, v, indent + 2))
    put_rest(w, v);
  else
    put_block(w, v, indent + 2);
}

/* A collection that is not empty in block style. The indentation of its first line has been written. */
static void put_block(writer *w, const value *v, size_t indent) {
  for (uint32_t i = 0; i < v->count && !w->stopped; i++) {
    if (i)
      put_indent(w, indent);
    if (v->kind == VALUE_MAP)
      put_entry(w, &v->of.entries[i], indent);
    else
      put_item(w, &v->of.items[i], indent);
  }
}

dloc_status value_write_yaml(const value *v, bool (*wants_block)(dloc_text key), dloc_sink sink) {
  writer w = {.sink = sink, .wants_block = wants_block};
  if (v->kind == VALUE_SCALAR || v->count == 0) {
    put_flow(&w, v);
    put(&w, "\n", 1);
  } else {
    put_block(&w, v, 0);
  }
  return finish(&w);
}
