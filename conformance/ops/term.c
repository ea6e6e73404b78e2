/* term.c - terms: what they hold, and filling them in. */
#include "term.h"

#include <string.h>

static const term nothing = {.type = NULL};

/* ---- Asking ---- */

static term *find_field(const term *map, const char *key) {
  const field *f = map && map->type ? type_field(map->type, dloc_text_of(key)) : NULL;
  return f ? &map->of.items[f - map->type->fields] : NULL;
}

const term *term_get(const term *map, const char *key) {
  const term *found = find_field(map, key);
  return found && found->type ? found : NULL;
}

const term *term_list(const term *map, const char *key) {
  const term *found = term_get(map, key);
  return found ? found : &nothing;
}

dloc_node term_node(const term *map, const char *key) {
  const term *found = term_get(map, key);
  return found ? found->of.nodes[0] : DLOC_NULL;
}

dloc_text term_text(const term *map, const char *key) {
  const term *found = term_get(map, key);
  return found ? found->of.text : dloc_text_of("");
}

uint64_t term_number(const term *map, const char *key) {
  const term *found = term_get(map, key);
  return found ? found->of.number : 0;
}

uint32_t term_number_or(const term *map, const char *key, uint32_t absent) {
  return term_get(map, key) ? (uint32_t)term_number(map, key) : absent;
}

const dloc_text *term_texts(const term *map, const char *key, value_arena *arena) {
  const term *list = term_list(map, key);
  dloc_text *texts = value_arena_alloc(arena, list->count, sizeof *texts);
  for (uint32_t i = 0; i < list->count; i++)
    texts[i] = list->of.items[i].of.text;
  return texts;
}

const uint32_t *term_numbers(const term *map, const char *key, value_arena *arena) {
  const term *list = term_list(map, key);
  uint32_t *numbers = value_arena_alloc(arena, list->count, sizeof *numbers);
  for (uint32_t i = 0; i < list->count; i++)
    numbers[i] = (uint32_t)list->of.items[i].of.number;
  return numbers;
}

unsigned term_word(const term *map, const char *key) { return (unsigned)term_number(map, key); }

bool term_flag(const term *map, const char *key) {
  const term *found = term_get(map, key);
  const field *f = map ? type_field(map->type, dloc_text_of(key)) : NULL;
  return found ? found->of.number != 0 : f && f->of->on;
}

static bool holds_nodes(const type *t) { return t->kind == TYPE_NODE || t->kind == TYPE_OPERAND; }

/* Definitions of nodes are a document's alone. */
static bool defines_nodes(const term *t) { return t->type && t->type->kind == TYPE_NODES; }

bool term_equal(const term *a, const term *b) {
  if (defines_nodes(a) || defines_nodes(b))
    return true;
  if (a->type != b->type || !a->type)
    return a->type == b->type;
  if (a->count != b->count)
    return false;
  if (holds_nodes(a->type) || (a->type->kind == TYPE_LIST && holds_nodes(a->type->of)))
    return !a->count || memcmp(a->of.nodes, b->of.nodes, a->count * sizeof *a->of.nodes) == 0;
  if (a->type->kind == TYPE_TEXT)
    return dloc_text_equal(a->of.text, b->of.text);
  if (a->type->kind < TYPE_LIST)
    return a->of.number == b->of.number;
  for (uint32_t i = 0; i < a->count; i++)
    if (!term_equal(&a->of.items[i], &b->of.items[i]))
      return false;
  return a->type->kind <= TYPE_MAP;
}

/* ---- Making ---- */

void term_be_map(value_arena *arena, const type *t, term *ret) {
  uint32_t count = 0;
  while (t->fields[count].key)
    count++;
  *ret = (term){.type = t, .count = count, .of.items = value_arena_alloc(arena, count, sizeof(term))};
}

term *term_make(value_arena *arena, const type *t) {
  term *made = value_arena_alloc(arena, 1, sizeof *made);
  term_be_map(arena, t, made);
  return made;
}

/* Every item of a list has its type; a map among them has no fields yet. */
static void begin_items(value_arena *arena, const type *item, term *items, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (item->kind == TYPE_MAP)
      term_be_map(arena, item, &items[i]);
    else
      items[i] = (term){.type = item, .count = item->kind == TYPE_NUMBER};
}

static term *set(term *map, const char *key) {
  term *made = find_field(map, key);
  *made = (term){.type = type_field(map->type, dloc_text_of(key))->of};
  return made;
}

term *term_set_list(value_arena *arena, term *map, const char *key, size_t count) {
  term *list = set(map, key);
  term_be_list(arena, list, count);
  return list->of.items;
}

dloc_node *term_set_nodes(value_arena *arena, term *map, const char *key, size_t count) {
  term *list = set(map, key);
  list->count = (uint32_t)count;
  list->of.nodes = value_arena_alloc(arena, count, sizeof(dloc_node));
  return list->of.nodes;
}

void term_set_copy(value_arena *arena, term *map, const char *key, const dloc_node *nodes, size_t count) {
  dloc_node *copy = term_set_nodes(arena, map, key, count);
  if (count)
    memcpy(copy, nodes, count * sizeof *copy);
}

void term_set_texts(value_arena *arena, term *map, const char *key, const dloc_text *texts, size_t count) {
  term *list = term_set_list(arena, map, key, count);
  for (size_t i = 0; i < count; i++)
    term_be_text(arena, &list[i], texts[i]);
}

term *term_add(value_arena *arena, term *map, const char *key) {
  term *list = find_field(map, key);
  return term_add_item(arena, list->type ? list : set(map, key));
}

/* Its room follows from its count, the next power of two. */
term *term_add_item(value_arena *arena, term *list) {
  size_t count = list->count;
  if ((count & (count - 1)) == 0) {
    term *moved = value_arena_alloc(arena, count ? 2 * count : 1, sizeof *moved);
    if (count)
      memcpy(moved, list->of.items, count * sizeof *moved);
    list->of.items = moved;
  }
  begin_items(arena, list->type->of, &list->of.items[list->count++], 1);
  return &list->of.items[count];
}

dloc_node *term_set_node(value_arena *arena, term *map, const char *key) { return term_set_nodes(arena, map, key, 1); }

term *term_set_map(value_arena *arena, term *map, const char *key) {
  term *made = set(map, key);
  term_be_map(arena, made->type, made);
  return made;
}

void term_set_text(value_arena *arena, term *map, const char *key, dloc_text text) {
  term_be_text(arena, set(map, key), text);
}

void term_set_number(term *map, const char *key, uint64_t number) { term_be_number(set(map, key), number); }

void term_set_unless(term *map, const char *key, uint64_t number, uint64_t usual) {
  if (number != usual)
    term_set_number(map, key, number);
}

void term_set_null(term *map, const char *key) { set(map, key); }

void term_set_flag(term *map, const char *key, bool flag) { set(map, key)->of.number = flag; }

void term_be_list(value_arena *arena, term *t, size_t count) {
  t->count = (uint32_t)count;
  t->of.items = value_arena_alloc(arena, count, sizeof(term));
  begin_items(arena, t->type->of, t->of.items, count);
}

void term_be_text(value_arena *arena, term *t, dloc_text text) { t->of.text = value_arena_copy(arena, text); }

void term_be_number(term *t, uint64_t number) {
  t->count = 1;
  t->of.number = number;
}

/* ---- Building ---- */

/* The type of what a term consists of; NULL: it is no list and no map. */
static bool has_items(const term *t) {
  return t->type && (t->type->kind == TYPE_LIST || t->type->kind == TYPE_MAP || t->type->kind == TYPE_NAMED) &&
         !(t->type->of && holds_nodes(t->type->of));
}

static bool has_nodes(const term *t) {
  return t->type && (holds_nodes(t->type) || (t->type->of && holds_nodes(t->type->of)));
}

dloc_status term_build(const term *read, const dloc_node *handles, dloc_context *context, value_arena *arena,
                       term *ret) {
  *ret = *read;
  if (has_nodes(read)) {
    ret->of.nodes = value_arena_alloc(arena, read->count, sizeof(dloc_node));
    for (uint32_t i = 0; i < read->count; i++)
      TRY(graph_operand_build(&read->of.operands[i], handles, context, &ret->of.nodes[i]));
    return DLOC_OK;
  }
  if (!has_items(read))
    return DLOC_OK;
  ret->of.items = value_arena_alloc(arena, read->count, sizeof(term));
  for (uint32_t i = 0; i < read->count; i++)
    TRY(term_build(&read->of.items[i], handles, context, arena, &ret->of.items[i]));
  return DLOC_OK;
}

void term_operands(const term *t, void (*visit)(void *user, const graph_operand *o), void *user) {
  bool here = has_nodes(t);
  for (uint32_t i = 0; (here || has_items(t)) && i < t->count; i++)
    if (here)
      visit(user, &t->of.operands[i]);
    else
      term_operands(&t->of.items[i], visit, user);
}
