/* mutate_ll.c - changes of metadata, as edits of the text. A node is a line `!N = ...`; its parts stand between the
 * first bracket and the last, separated by commas that are in no bracket and no string. */
#include "mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct span {
  size_t start, end;
} span;

enum { MOST_SPANS = 512 };

typedef struct spans {
  span items[MOST_SPANS];
  size_t count;
} spans;

typedef struct mutation {
  char *text;
  size_t size, most;
  uint64_t random;
  spans nodes;      /* lines `!N = ...`, without their end */
  spans references; /* `!N` in these lines, behind the equals sign, and behind `!dbg ` */
  spans numbers;    /* digits in these lines that are no reference */
  uint64_t next;    /* no node has that number or a greater one */
} mutation;

static size_t pick(mutation *m, size_t count) { return pick_below(&m->random, count); }

static span pick_of(mutation *m, const spans *s) { return s->items[pick(m, s->count)]; }

static void add(spans *s, size_t start, size_t end) {
  if (s->count < MOST_SPANS && start < end)
    s->items[s->count++] = (span){start, end};
}

/* ---- What there is ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t digits(const mutation *m, size_t at, size_t end) {
  size_t start = at;
  while (at < end && is_digit(m->text[at]))
    at++;
  return at - start;
}

/* The string, reference or number at a place of a line, or a byte. */
static size_t take_token(mutation *m, size_t at, size_t end) {
  size_t count = 0;
  if (m->text[at] == '"') {
    const char *quote = memchr(m->text + at + 1, '"', end - at - 1);
    return quote ? (size_t)(quote - m->text) + 1 : end;
  }
  if (m->text[at] == '!' && (count = digits(m, at + 1, end))) {
    add(&m->references, at, at + 1 + count);
    return at + 1 + count;
  }
  bool in_word = at && ((m->text[at - 1] | 32) >= 'a' && (m->text[at - 1] | 32) <= 'z');
  if (!in_word && (count = digits(m, at, end))) {
    add(&m->numbers, at, at + count);
    return at + count;
  }
  return at + 1;
}

static void take_node(mutation *m, size_t start, size_t end) {
  uint64_t number = strtoull(m->text + start + 1, NULL, 10) % 1000000;
  m->next = number >= m->next ? number + 1 : m->next;
  add(&m->nodes, start, end);
  for (size_t at = start + 1 + digits(m, start + 1, end); at < end;)
    at = take_token(m, at, end);
}

static void take_attachment(mutation *m, size_t start, size_t end) {
  static const char mark[] = "!dbg !";
  enum { MARK = sizeof mark - 1 };
  for (size_t at = start; at + MARK < end; at++) {
    size_t count = memcmp(m->text + at, mark, MARK) == 0 ? digits(m, at + MARK, end) : 0;
    if (count)
      add(&m->references, at + MARK - 1, at + MARK + count);
  }
}

static void look(mutation *m) {
  for (size_t at = 0; at < m->size;) {
    const char *line_end = memchr(m->text + at, '\n', m->size - at);
    size_t end = line_end ? (size_t)(line_end - m->text) : m->size;
    bool is_node = m->text[at] == '!' && at + 1 < end && is_digit(m->text[at + 1]);
    (is_node ? take_node : take_attachment)(m, at, end);
    at = end + 1;
  }
}

/* The parts of a node; *ret_inside is what is between its brackets. */
static void list_parts(const mutation *m, span node, spans *ret, span *ret_inside) {
  size_t start = node.start, end = node.end, depth = 0;
  bool in_string = false;
  ret->count = 0;
  while (start < end && m->text[start] != '(' && m->text[start] != '{')
    start++;
  while (end > start && m->text[end - 1] != ')' && m->text[end - 1] != '}')
    end--;
  *ret_inside = (span){start + 1, end ? end - 1 : end};
  for (size_t at = ret_inside->start, from = at; at <= ret_inside->end; at++) {
    char c = at < ret_inside->end ? m->text[at] : ',';
    in_string ^= c == '"';
    depth += c == '(' || c == '{';
    depth -= depth && (c == ')' || c == '}');
    if (at == ret_inside->end || (c == ',' && !depth && !in_string)) {
      while (from < at && m->text[from] == ' ')
        from++;
      add(ret, from, at);
      from = at + 1;
    }
  }
}

/* ---- Edits ---- */

static bool replace(mutation *m, span at, const char *text, size_t size) {
  if (at.start > at.end || at.end > m->size || m->size - (at.end - at.start) + size > m->most)
    return false;
  memmove(m->text + at.start + size, m->text + at.end, m->size - at.end);
  memcpy(m->text + at.start, text, size);
  m->size = m->size - (at.end - at.start) + size;
  return true;
}

static bool replace_with_number(mutation *m, span at, const char *before, uint64_t number) {
  char text[32];
  return replace(m, at, text, (size_t)snprintf(text, sizeof text, "%s%llu", before, (unsigned long long)number));
}

static uint64_t number_of(const mutation *m, span node) { return strtoull(m->text + node.start + 1, NULL, 10); }

static bool change_reference(mutation *m) {
  if (!m->references.count || !m->nodes.count)
    return false;
  span at = pick_of(m, &m->references);
  if (pick(m, 8) == 0)
    return replace(m, at, "null", 4);
  return replace_with_number(m, at, "!", number_of(m, pick_of(m, &m->nodes)));
}

static bool change_number(mutation *m) {
  return m->numbers.count && replace_with_number(m, pick_of(m, &m->numbers), "", pick_number(&m->random));
}

/* Leave a part out, write it twice, or put another node's in its place. */
static bool change_part(mutation *m) {
  spans parts, others;
  span inside;
  char text[512];
  if (!m->nodes.count)
    return false;
  list_parts(m, pick_of(m, &m->nodes), &parts, &inside);
  list_parts(m, pick_of(m, &m->nodes), &others, &(span){0, 0});
  if (!parts.count || !others.count)
    return false;
  size_t index = pick(m, parts.count), kind = pick(m, 4);
  span part = parts.items[index], other = kind == 3 ? pick_of(m, &parts) : pick_of(m, &others);
  if (kind == 0 && index + 1 < parts.count)
    return replace(m, (span){part.start, parts.items[index + 1].start}, "", 0);
  if (kind == 0)
    return replace(m, (span){index ? parts.items[index - 1].end : part.start, part.end}, "", 0);
  size_t size = other.end - other.start;
  if (size + 2 > sizeof text)
    return false;
  memcpy(text, m->text + other.start, size);
  memcpy(text + size, ", ", 2);
  return kind == 1 ? replace(m, (span){part.start, part.start}, text, size + 2) : replace(m, part, text, size);
}

static bool toggle_distinct(mutation *m) {
  static const char word[] = "distinct ";
  enum { WORD = sizeof word - 1 };
  if (!m->nodes.count)
    return false;
  span node = pick_of(m, &m->nodes);
  const char *equals = memchr(m->text + node.start, '=', node.end - node.start);
  size_t at = equals ? (size_t)(equals - m->text) + 2 : node.end;
  bool has = at + WORD < node.end && memcmp(m->text + at, word, WORD) == 0;
  return at < node.end && (has ? replace(m, (span){at, at + WORD}, "", 0) : replace(m, (span){at, at}, word, WORD));
}

/* A new node behind all others, and a reference to it. */
static bool add_node(mutation *m, const char *body, size_t size) {
  char head[32];
  span from = m->references.count ? pick_of(m, &m->references) : (span){0, 0};
  size_t head_size = (size_t)snprintf(head, sizeof head, "\n!%llu = ", (unsigned long long)m->next);
  span end = {m->size, m->size};
  if (m->size + head_size + size + 32 > m->most || !replace(m, end, head, head_size))
    return false;
  end = (span){m->size, m->size};
  return replace(m, end, body, size) && replace(m, (span){m->size, m->size}, "\n", 1) && m->references.count &&
         replace_with_number(m, from, "!", m->next);
}

static bool copy_node(mutation *m) {
  char body[1024];
  if (!m->nodes.count)
    return false;
  span node = pick_of(m, &m->nodes);
  const char *equals = memchr(m->text + node.start, '=', node.end - node.start);
  size_t start = equals ? (size_t)(equals - m->text) + 2 : node.end;
  if (start >= node.end || node.end - start > sizeof body)
    return false;
  memcpy(body, m->text + start, node.end - start);
  return add_node(m, body, node.end - start);
}

static bool add_made(mutation *m) {
  static const char *const forms[] = {"!{!%llu, !{!\"TileIR\", !%llu}}",
                                      "!DILocation(line: 3, scope: !%llu, inlinedAt: !%llu)",
                                      "distinct !DILocation(line: 4, column: 2, scope: !%llu, inlinedAt: !%llu)",
                                      "!DILexicalBlockFile(scope: !%llu, file: !%llu, discriminator: 2)",
                                      "distinct !DILexicalBlock(scope: !%llu, file: !%llu, line: 5)",
                                      "!{!%llu, !%llu}"};
  char body[128];
  if (!m->nodes.count)
    return false;
  unsigned long long first = number_of(m, pick_of(m, &m->nodes)), second = number_of(m, pick_of(m, &m->nodes));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  size_t size = (size_t)snprintf(body, sizeof body, forms[pick(m, sizeof forms / sizeof *forms)], first, second);
#pragma GCC diagnostic pop
  return add_node(m, body, size);
}

size_t mutate_ll(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static bool (*const kinds[])(mutation * m) = {change_reference, change_reference, change_number, change_part,
                                                change_part,      toggle_distinct,  copy_node,     add_made};
  mutation *m = malloc(sizeof *m);
  char *text = malloc(most + 1);
  bool changed = false;
  if (m && text && size <= most) {
    memcpy(text, data, size);
    text[size] = '\0';
    *m = (mutation){.text = text, .size = size, .most = most, .random = seed};
    look(m);
    changed = kinds[pick(m, sizeof kinds / sizeof *kinds)](m);
    size = changed ? m->size : 0;
    memcpy(data, text, size);
  }
  free(text);
  free(m);
  return changed ? size : 0;
}
