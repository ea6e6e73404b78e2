/* read.c - terms from documents, checked against their types. */
#include "term.h"
#include "nodes/text.h"

#include <stdio.h>

static dloc_status read_operands(const reading *r, const graph *g, const type *t, const value *items, uint32_t count,
                                 term *ret) {
  graph_operand *operands = value_arena_alloc(r->arena, count, sizeof *operands);
  ret->of.operands = operands;
  ret->count = count;
  for (uint32_t i = 0; i < count; i++)
    TRY(t->kind == TYPE_NODE ? graph_reference(r, g, &items[i], &operands[i])
                             : graph_operand_read(r, g, &items[i], DLOC_CONTENT_NODE, &operands[i]));
  return DLOC_OK;
}

static dloc_status read_text(const reading *r, const char *what, const value *v, term *ret) {
  if (v->kind != VALUE_SCALAR)
    return WRONG(r, v, "vector.field", "%s is a text", what);
  ret->of.text = value_text(v);
  return DLOC_OK;
}

static dloc_status read_number(const reading *r, const char *what, const value *v, term *ret) {
  const type *t = ret->type;
  ret->count = !(t->or_null && value_is_null(v));
  ret->of.number = 0;
  if (ret->count && !value_unsigned(v, t->limit, &ret->of.number))
    return WRONG(r, v, "vector.field", "%s is a number%s", what, t->or_null ? " or null" : "");
  return DLOC_OK;
}

static dloc_status read_boolean(const reading *r, const char *what, const value *v, term *ret) {
  bool set = false;
  if (!value_boolean(v, &set))
    return WRONG(r, v, "vector.field", "%s is true or false", what);
  ret->of.number = set;
  return DLOC_OK;
}

static dloc_status read_word(const reading *r, const char *what, const value *v, term *ret) {
  const char *const *words = ret->type->words;
  char known[240];
  int used = 0;
  for (size_t i = 0; words[i]; i++)
    if (value_is(v, words[i])) {
      ret->of.number = i;
      return DLOC_OK;
    }
  for (size_t i = 0; words[i]; i++)
    used += snprintf(known + used, sizeof known - (size_t)used, "%s%s",
                     i == 0         ? ""
                     : words[i + 1] ? ", "
                                    : " or ",
                     words[i]);
  return WRONG(r, v, "vector.field", "%s is %s", what, known);
}

static dloc_status read_list(const reading *r, const graph *g, const char *what, const value *v, term *ret) {
  const type *t = ret->type;
  bool is_short = t->short_form && v->kind != VALUE_LIST;
  if (!is_short && v->kind != VALUE_LIST)
    return WRONG(r, v, "vector.field", "%s is a list", what);
  const value *items = is_short ? v : v->of.items;
  uint32_t count = is_short ? 1 : v->count;
  if (t->count && count != t->count)
    return WRONG(r, v, "vector.field", "wrong number of %s", what);
  if (t->of->kind == TYPE_NODE || t->of->kind == TYPE_OPERAND)
    return read_operands(r, g, t->of, items, count, ret);
  ret->count = count;
  ret->of.items = value_arena_alloc(r->arena, count, sizeof(term));
  for (uint32_t i = 0; i < count; i++)
    TRY(term_read(r, g, t->of, what, &items[i], &ret->of.items[i]));
  return DLOC_OK;
}

const field *type_field(const type *t, dloc_text key) {
  for (const field *f = t->fields; f && f->key; f++)
    if (text_equals(key, f->key))
      return f;
  return NULL;
}

static dloc_status check_keys(const reading *r, const type *t, const char *what, const value *v) {
  if (v->kind != VALUE_MAP)
    return WRONG(r, v, "vector.field", "%s is a map", what);
  for (uint32_t i = 0; i < v->count; i++)
    if (!type_field(t, v->of.entries[i].key))
      return WRONG(r, &v->of.entries[i], "vector.field", "'%.100s' is no field of %s", v->of.entries[i].key.bytes,
                   what);
  return DLOC_OK;
}

static dloc_status read_map(const reading *r, const graph *g, const char *what, const value *v, term *ret) {
  const type *t = ret->type;
  bool is_short = t->short_form && v->kind != VALUE_MAP;
  term_be_map(r->arena, t, ret);
  ret->from = v;
  if (!is_short)
    TRY(check_keys(r, t, what, v));
  for (uint32_t i = 0; i < ret->count; i++) {
    const field *f = &t->fields[i];
    const value *given = is_short ? (i == 0 ? v : NULL) : value_get(v, f->key);
    if (given)
      TRY(term_read(r, g, f->of, f->key, given, &ret->of.items[i]));
    else if (!f->optional)
      return WRONG(r, v, "vector.field", "field '%s' is missing", f->key);
  }
  return DLOC_OK;
}

static dloc_status read_named(const reading *r, const graph *g, const char *what, const value *v, term *ret) {
  if (v->kind != VALUE_MAP)
    return WRONG(r, v, "vector.field", "%s is a map", what);
  ret->count = v->count;
  ret->of.items = value_arena_alloc(r->arena, v->count, sizeof(term));
  for (uint32_t i = 0; i < v->count; i++)
    TRY(term_read(r, g, ret->type->of, what, &v->of.entries[i].value, &ret->of.items[i]));
  return DLOC_OK;
}

static dloc_status read_kind(const reading *r, const graph *g, const char *what, const value *v, term *ret) {
  switch (ret->type->kind) {
  case TYPE_NODE:
  case TYPE_OPERAND:
    return read_operands(r, g, ret->type, v, 1, ret);
  case TYPE_TEXT:
    return read_text(r, what, v, ret);
  case TYPE_NUMBER:
    return read_number(r, what, v, ret);
  case TYPE_FLAG:
    return read_boolean(r, what, v, ret);
  case TYPE_WORD:
    return read_word(r, what, v, ret);
  case TYPE_LIST:
    return read_list(r, g, what, v, ret);
  case TYPE_MAP:
    return read_map(r, g, what, v, ret);
  case TYPE_NAMED:
    return read_named(r, g, what, v, ret);
  default: /* what somebody else reads */
    return DLOC_OK;
  }
}

dloc_status term_read(const reading *r, const graph *g, const type *t, const char *what, const value *v, term *ret) {
  *ret = (term){.type = t, .from = v};
  TRY(read_kind(r, g, t->what ? t->what : what, v, ret));
  return t->check ? t->check(r, ret) : DLOC_OK;
}

dloc_status term_read_aside(const reading *r, const graph *g, const type *t, const value *v, term *ret) {
  return term_read(&(const reading){r->aside, r->diagnostic, r->aside}, g, t, NULL, v, ret);
}

dloc_status term_check_sources(const reading *r, const term *args, const term *module, const term *value) {
  (void)args;
  if (!term_get(value, "sources") != !module)
    return WRONG(r, value->from, "vector.field", "sources stand in the value when there is a module");
  return DLOC_OK;
}
