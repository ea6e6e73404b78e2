/* json.c - value_read_one without libyaml: documents that are JSON. */
#include "document/value.h"

#include <string.h>

typedef struct reader {
  value_arena *arena;
  value_diagnostic *diagnostic;
  const char *start, *at, *end;
} reader;

static dloc_status wrong(const reader *r, const char *what) {
  return value_diagnose(r->diagnostic, 1, (uint32_t)(r->at - r->start) + 1, "yaml.syntax", "%s", what);
}

static char skip(reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at))
    r->at++;
  return r->at < r->end ? *r->at : '\0';
}

static char *put_character(char *to, uint32_t c) {
  unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  *to++ = (char)(more ? (0xf0 << (3 - more) & 0xff) | c >> 6 * more : c);
  while (more--)
    *to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
  return to;
}

static dloc_status read_hexadecimal(reader *r, uint32_t *ret) {
  static const char digits[] = "0123456789abcdef";
  *ret = 0;
  for (unsigned i = 0; i < 4; i++, r->at++) {
    const char *digit = r->at < r->end ? memchr(digits, *r->at | 0x20, 16) : NULL;
    if (!digit)
      return wrong(r, "an escape needs four hexadecimal digits");
    *ret = *ret << 4 | (uint32_t)(digit - digits);
  }
  return DLOC_OK;
}

static dloc_status read_escape(reader *r, char **to) {
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char c = r->at < r->end ? *r->at++ : '\0';
  const char *name = c ? strchr(names, c) : NULL;
  uint32_t character = name ? (uint32_t)meanings[name - names] : 0, low = 0;
  if (!name) {
    if (c != 'u')
      return wrong(r, "unknown escape");
    dloc_status status = read_hexadecimal(r, &character);
    if (status == DLOC_OK && character >> 10 == 0xd800 >> 10 && r->end - r->at > 2 && memcmp(r->at, "\\u", 2) == 0) {
      r->at += 2;
      status = read_hexadecimal(r, &low);
      character = 0x10000 + ((character & 0x3ff) << 10 | (low & 0x3ff));
    }
    if (status != DLOC_OK)
      return status;
    if (low ? low >> 10 != 0xdc00 >> 10 : character >> 11 == 0xd800 >> 11)
      return wrong(r, "half a surrogate pair");
  }
  *to = put_character(*to, character);
  return DLOC_OK;
}

static dloc_status read_string(reader *r, dloc_text *ret) {
  const char *close = ++r->at;
  while (close < r->end && *close != '"')
    close += *close == '\\' ? 2 : 1;
  if (close >= r->end)
    return wrong(r, "a string has no end");
  char *bytes = value_arena_alloc(r->arena, (size_t)(close - r->at) + 1, 1), *to = bytes;
  while (r->at < close) {
    char c = *r->at++;
    if (c != '\\')
      *to++ = c;
    else if (read_escape(r, &to) != DLOC_OK)
      return DLOC_INVALID;
  }
  r->at = close + 1;
  *ret = (dloc_text){bytes, (size_t)(to - bytes)};
  return DLOC_OK;
}

static dloc_status read_value(reader *r, unsigned depth, value *ret);

/* An item, or an entry of a map. */
static dloc_status read_part(reader *r, unsigned depth, value *parent) {
  value part = {.kind = VALUE_SCALAR};
  dloc_text key;
  if (parent->kind == VALUE_MAP) {
    if (skip(r) != '"')
      return wrong(r, "a key is a string");
    if (read_string(r, &key) != DLOC_OK)
      return DLOC_INVALID;
    if (skip(r) != ':')
      return wrong(r, "there is no ':' behind a key");
    r->at++;
  }
  if (read_value(r, depth + 1, &part) != DLOC_OK)
    return DLOC_INVALID;
  if (parent->kind == VALUE_MAP)
    value_put(r->arena, parent, key, part);
  else
    value_add(r->arena, parent, part);
  return DLOC_OK;
}

static dloc_status read_collection(reader *r, unsigned depth, char close, value *ret) {
  ret->kind = close == '}' ? VALUE_MAP : VALUE_LIST;
  if (depth == VALUE_DEPTH)
    return wrong(r, "too many levels");
  r->at++;
  while (skip(r) != close) {
    if (ret->count && skip(r) != ',')
      return wrong(r, "there is no ',' between two parts");
    r->at += ret->count != 0;
    if (read_part(r, depth, ret) != DLOC_OK)
      return DLOC_INVALID;
  }
  r->at++;
  const value_entry *repeated = ret->kind == VALUE_MAP ? value_index(r->arena, ret) : NULL;
  return repeated ? value_diagnose(r->diagnostic, 1, 1, "yaml.key", "the key %s is repeated", repeated->key.bytes)
                  : DLOC_OK;
}

static dloc_status read_word(reader *r, value *ret) {
  const char *from = r->at;
  while (r->at < r->end && !strchr(" \t\r\n,:]}[{\"", *r->at))
    r->at++;
  dloc_text word = value_arena_copy(r->arena, (dloc_text){from, (size_t)(r->at - from)});
  *ret = (value){.kind = VALUE_SCALAR, .count = (uint32_t)word.size, .of.bytes = word.bytes};
  return word.size ? DLOC_OK : wrong(r, "a value is missing");
}

/* Recursion is bounded by VALUE_DEPTH. */
static dloc_status read_value(reader *r, unsigned depth, value *ret) {
  dloc_text text;
  dloc_status status;
  char c = skip(r);
  if (c == '{' || c == '[')
    status = read_collection(r, depth, c == '{' ? '}' : ']', ret);
  else if (c != '"')
    status = read_word(r, ret);
  else if ((status = read_string(r, &text)) == DLOC_OK)
    *ret = (value){.kind = VALUE_SCALAR, .quoted = true, .count = (uint32_t)text.size, .of.bytes = text.bytes};
  ret->line = ret->column = 1;
  return status;
}

/* The first byte that begins no character of UTF-8, or is NUL; the end of the text when there is none. */
static const char *find_no_character(dloc_text text) {
  const char *at = text.bytes, *end = text.bytes + text.size;
  uint32_t character = 1;
  for (size_t size; at < end && *at; at += size)
    if ((size = dloc_character((dloc_text){at, (size_t)(end - at)}, &character)) == 0)
      break;
  return at;
}

dloc_status value_read_one(dloc_text text, value_arena *arena, value_diagnostic *diagnostic, value **ret) {
  reader r = {arena, diagnostic, text.bytes, text.bytes, text.bytes + text.size};
  value *document = value_arena_alloc(arena, 1, sizeof *document);
  r.at = find_no_character(text);
  if (r.at < r.end)
    return wrong(&r, "this is no UTF-8");
  r.at = r.start;
  dloc_status status = read_value(&r, 0, document);
  if (status == DLOC_OK && skip(&r))
    status = wrong(&r, "something stands behind the document");
  if (status == DLOC_OK)
    *ret = document;
  return status;
}
