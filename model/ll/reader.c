/* Shared by every part of the reader: diagnostics, small tokens, and where a top-level entity begins. */
#include "reader.h"

#include <string.h>

/* ---- Diagnostics ---- */

dloc_status reader_expected(reader *r, const char *at, const char *what) {
  if (at < r->end && scan_class(*at) == CHAR_BAD)
    return reader_fail(r, DLOC_REASON_TEXT_ENCODING, at, "byte 0x%02x cannot stand here", (unsigned char)*at);
  return reader_fail(r, at >= r->end ? DLOC_REASON_TEXT_TRUNCATED : DLOC_REASON_TEXT_SYNTAX, at, "expected %s", what);
}

dloc_status reader_unclosed(reader *r, const char *string) {
  return reader_fail(r, DLOC_REASON_TEXT_TRUNCATED, string, "end of file in string constant");
}

/* ---- Small tokens ---- */

dloc_status reader_pass_string(reader *r) {
  const char *string_end = scan_string(r->at, r->end);
  if (!string_end)
    return reader_unclosed(r, r->at);
  r->at = string_end;
  return DLOC_OK;
}

dloc_status reader_take(reader *r, char c, const char *what) {
  r->at = scan_space(r->at, r->end);
  if (r->at >= r->end || *r->at != c)
    return reader_expected(r, r->at, what);
  r->at++;
  return DLOC_OK;
}

dloc_status reader_number(reader *r, uint32_t *ret) {
  const char *behind = scan_number(r->at, r->end, UINT32_MAX, ret);
  if (!behind)
    return reader_fail(r, DLOC_REASON_TEXT_LIMIT, r->at, "expected 32-bit integer (too large)");
  if (behind == r->at)
    return reader_expected(r, behind, "integer");
  r->at = behind;
  return DLOC_OK;
}

dloc_status reader_unescape(reader *r, const char *from, const char *to, dloc_text *ret) {
  size_t size = (size_t)(to - from);
  if (!memchr(from, '\\', size)) {
    *ret = (dloc_text){from, size};
    return DLOC_OK;
  }
  RESERVE(r->context, r->bytes, size);
  *ret = (dloc_text){r->bytes.items, text_unescape((dloc_text){from, size}, r->bytes.items)};
  return DLOC_OK;
}

dloc_status reader_name(reader *r, dloc_text *ret) {
  const char *start = r->at;
  const char *name_end = scan_name(start, r->end);
  if (!name_end)
    return reader_unclosed(r, start);
  if (name_end == start)
    return reader_expected(r, start, "name");
  r->at = name_end;
  if (*start == '"')
    return reader_unescape(r, start + 1, name_end - 1, ret);
  *ret = (dloc_text){start, (size_t)(name_end - start)};
  return DLOC_OK;
}

/* A cache with a place for each hash: words that collide cost a look into the context's table, whose hash has a key. */
/* The first bytes of a word, and 0 for those behind its end. */
static uint64_t head_of(const reader *r, const char *at, size_t size) {
  uint64_t head = 0;
  if (size >= sizeof head || (size_t)(r->end - at) < sizeof head) {
    memcpy(&head, at, size < sizeof head ? size : sizeof head);
    return head;
  }
  memcpy(&head, at, sizeof head); /* a copy of known size is one instruction */
  static const unsigned char ones[16] = {255, 255, 255, 255, 255, 255, 255, 255};
  uint64_t mask = 0;
  memcpy(&mask, ones + sizeof mask - size, sizeof mask);
  return head & mask;
}

dloc_status reader_word(reader *r, const char *at, const char *end, dloc_node *ret) {
  uint32_t size = (uint32_t)(end - at);
  uint64_t head = head_of(r, at, size), tail = 0;
  if (size > sizeof tail)
    memcpy(&tail, end - sizeof tail, sizeof tail);
  cached_word *entry = &r->words[((head ^ tail * 31) + size) * 0x9e3779b97f4a7c15u >> 54];
  _Static_assert(WORD_CACHE == 1 << 10, "the hash has ten bits");
  if (entry->size == size && entry->head == head && entry->node &&
      (size <= sizeof head || memcmp(entry->bytes, at, size) == 0))
    return give_node(ret, entry->node);
  TRY(dloc_token(r->context, (dloc_text){at, size}, ret));
  *entry = (cached_word){at, head, size, *ret};
  return DLOC_OK;
}

/* ---- Top-level entities ---- */

bool reader_is_keyword(const char *at, const char *word_end, const char *end) {
  static const char *const words[] = {"define",       "declare",         "attributes", "source_filename",
                                      "uselistorder", "uselistorder_bb", "deplibs",    NULL};
  if (scan_is_one_of(at, word_end, words))
    return true;
  /* These are words of other places as well, where something else follows. */
  const char *next = scan_space(word_end, end);
  const char *next_end = scan_word(next, end);
  if (scan_is(at, word_end, "module"))
    return scan_is(next, next_end, "asm");
  return scan_is(at, word_end, "target") &&
         (scan_is(next, next_end, "triple") || scan_is(next, next_end, "datalayout"));
}

bool reader_entity_starts(const reader *r, const char *at) {
  const char *name_end = NULL;
  if (at >= r->end)
    return true;
  switch (*at) {
  case '@':
  case '%':
  case '$':
    name_end = scan_name(at + 1, r->end);
    break;
  case '!':
  case '^':
    name_end = scan_metadata_name(at + 1, r->end);
    break;
  default: {
    const char *word_end = scan_word(at, r->end);
    return word_end > at && reader_is_keyword(at, word_end, r->end);
  }
  }
  if (!name_end || name_end == at + 1)
    return false;
  name_end = scan_space(name_end, r->end);
  return name_end < r->end && *name_end == '=';
}
