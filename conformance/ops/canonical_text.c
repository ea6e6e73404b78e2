/* canonical_text.c - the canonical text of a value.
 *
 * Fields are written in their order, each by the text that its row has: `%` is its value, `%key` that of one of its
 * fields; `#` the number of its nodes, or of the item that it is; `#key` how many nodes a field has; `?key` the key, if
 * it is there and not false. A map or a list begins with the text of its type, once; a list's items are written by the
 * list's text. Nodes are gathered as the roots of the graph that follows. */
#include "document/memory.h"
#include "operation.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
  dloc_sink sink;
  dloc_status status; /* the first failure sticks */
  dloc_node *roots;
  size_t count;
} printer;

static void put(printer *p, const char *bytes, size_t size) {
  if (p->status == DLOC_OK && size && !p->sink.write(p->sink.user, bytes, size))
    p->status = DLOC_STOPPED;
}

static void put_number(printer *p, const char *before, uint64_t number) {
  char text[32];
  put(p, text, (size_t)snprintf(text, sizeof text, "%s%" PRIu64, before, number));
}

static void put_string(printer *p, const char *text) { put(p, text, strlen(text)); }

static void put_scalar(printer *p, const term *t) {
  if (t->type->kind == TYPE_TEXT && p->status == DLOC_OK)
    p->status = dloc_print_string(t->of.text, p->sink);
  else if (t->type->kind == TYPE_FLAG)
    put_string(p, t->of.number ? "true" : "false");
  else if (t->type->kind == TYPE_NUMBER && t->count)
    put_number(p, "", t->of.number);
  else if (t->type->kind == TYPE_NUMBER)
    put_string(p, "null");
  for (uint32_t i = 0; t->type->kind == TYPE_LIST && i < t->count; i++)
    put_number(p, " ", t->of.items[i].of.number);
}

/* Take a sign and the key behind it. */
static const char *take_key(const char *text, char key[32]) {
  size_t size = 0;
  for (text++; (isalnum((unsigned char)*text) || *text == '_' || *text == '-') && size < 31; text++)
    key[size++] = *text;
  key[size] = '\0';
  return text;
}

static void put_text(printer *p, const char *text, const term *t, size_t index) {
  char key[32];
  bool is_node = t->type->kind == TYPE_LIST && t->type->of->kind <= TYPE_OPERAND;
  while (text && *text) {
    size_t plain = strcspn(text, "%#?");
    put(p, text, plain);
    text += plain;
    char sign = *text;
    if (!sign)
      return;
    text = take_key(text, key);
    const term *named = key[0] ? term_get(t, key) : t;
    if (sign == '#')
      put_number(p, "", key[0] ? (named ? named->count : 0) : is_node ? t->count : index);
    else if (sign == '%' && named)
      put_scalar(p, named);
    else if (sign == '?' && named && !(named->type->kind == TYPE_FLAG && !named->of.number)) {
      put_string(p, " ");
      put_string(p, key);
    }
  }
}

/* text: of the field that it is, or of the list whose item it is. */
static void print(printer *p, const char *text, const term *t, size_t index) {
  const type *type = t->type;
  const term *items = t->of.items;
  if (type->kind <= TYPE_OPERAND || (type->kind == TYPE_LIST && type->of->kind <= TYPE_OPERAND)) {
    put_text(p, t->count ? text : NULL, t, index);
    for (uint32_t i = 0; i < t->count; i++)
      *MEMORY_ADD(p->roots, p->count) = t->of.nodes[i];
  } else if (type->kind == TYPE_MAP && !text) {
    put_text(p, type->text, t, index);
    for (uint32_t i = 0; i < t->count; i++)
      if (items[i].type)
        print(p, type->fields[i].text, &items[i], i);
  } else if (type->kind == TYPE_LIST) {
    put_text(p, type->text, t, index);
    for (uint32_t i = 0; i < t->count; i++)
      print(p, text, &items[i], i);
  } else {
    put_text(p, text, t, index);
  }
}

dloc_status operation_print(const operation *op, dloc_context *context, const term *value, dloc_sink sink) {
  printer p = {.sink = sink, .status = DLOC_OK};
  print(&p, NULL, value, 0);
  if (p.status == DLOC_OK && p.count)
    p.status = dloc_print_graph(context, op->roots, p.roots, p.count, sink);
  free(p.roots);
  return p.status;
}
