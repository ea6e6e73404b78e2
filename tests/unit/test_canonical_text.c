/* Canonical text tells two values apart: of every op, each change of a value that its type allows changes the text.
 * Else `dloc check` would take a wrong answer for the expected one. */
#include "document/buffer.h"
#include "ops/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A value is made again and again; the place whose turn it is is made otherwise. */
typedef struct maker {
  value_arena *arena;
  dloc_node nodes[2];
  size_t place, turn;
  const char *key; /* of the place whose turn it was */
} maker;

static bool is_turn(maker *m, const char *key) {
  if (m->place++ != m->turn)
    return false;
  m->key = key;
  return true;
}

static void make(maker *m, const type *t, const char *key, term *ret);

static void make_map(maker *m, const type *t, term *ret) {
  term_be_map(m->arena, t, ret);
  for (uint32_t i = 0; i < ret->count; i++) {
    const field *f = &t->fields[i];
    if (f->of->kind == TYPE_NODES) /* of documents; the graph tells of them */
      continue;
    /* An absent flag says what one of its two values says. */
    if (!f->optional || f->of->kind == TYPE_FLAG || !is_turn(m, f->key))
      make(m, f->of, f->key, &ret->of.items[i]);
  }
}

static void make_list(maker *m, const type *t, const char *key, term *ret) {
  uint32_t count = t->count ? t->count : is_turn(m, key) ? 2 : 1;
  *ret = (term){.type = t};
  if (t->of->kind <= TYPE_OPERAND) {
    ret->count = count;
    ret->of.nodes = value_arena_alloc(m->arena, count, sizeof(dloc_node));
    for (uint32_t i = 0; i < count; i++)
      ret->of.nodes[i] = m->nodes[is_turn(m, key)];
    return;
  }
  term_be_list(m->arena, ret, count);
  for (uint32_t i = 0; i < count; i++)
    make(m, t->of, key, &ret->of.items[i]);
}

static void make(maker *m, const type *t, const char *key, term *ret) {
  *ret = (term){.type = t, .count = 1};
  switch (t->kind) {
  case TYPE_NODE:
  case TYPE_OPERAND:
    ret->of.nodes = value_arena_alloc(m->arena, 1, sizeof(dloc_node));
    *ret->of.nodes = m->nodes[is_turn(m, key)];
    break;
  case TYPE_TEXT:
    ret->of.text = dloc_text_of(is_turn(m, key) ? "other" : "text");
    break;
  case TYPE_NUMBER:
    ret->of.number = is_turn(m, key) ? 77 : 7;
    if (t->or_null && is_turn(m, key))
      ret->count = 0;
    break;
  case TYPE_FLAG:
  case TYPE_WORD:
    ret->of.number = !is_turn(m, key);
    break;
  case TYPE_LIST:
    make_list(m, t, key, ret);
    break;
  case TYPE_MAP:
    make_map(m, t, ret);
    break;
  default:
    fail_msg("%s: no value has such a type", key);
  }
}

/* Text of a value in which the place `turn` is made otherwise. */
static void print_value(const operation *op, const type *t, size_t turn, maker *m, dloc_buffer *ret) {
  dloc_context *context = dloc_context_create(NULL);
  value_arena arena = {0};
  *m = (maker){.arena = &arena, .turn = turn};
  for (size_t i = 0; i < 2; i++)
    assert_int_equal(dloc_tuple(context, true, NULL, 0, &m->nodes[i]), DLOC_OK);
  /* The two differ in their content, too. */
  dloc_node operand = m->nodes[0];
  assert_int_equal(dloc_tuple(context, false, &operand, 1, &m->nodes[1]), DLOC_OK);
  term value;
  make(m, t, op->name, &value);
  assert_int_equal(operation_print(op, context, &value, dloc_buffer_sink(ret)), DLOC_OK);
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
}

static size_t check_form(const operation *op, const type *t) {
  maker m;
  dloc_buffer base = {0};
  print_value(op, t, SIZE_MAX, &m, &base);
  const size_t places = m.place;
  size_t alike = 0;
  for (size_t turn = 0; turn < places; turn++) {
    dloc_buffer other = {0};
    print_value(op, t, turn, &m, &other);
    if (other.size == base.size && memcmp(other.bytes, base.bytes, base.size) == 0) {
      print_error("%s: canonical text does not tell %s\n", op->name, m.key);
      alike++;
    }
    dloc_buffer_deinit(&other);
  }
  dloc_buffer_deinit(&base);
  return alike;
}

static void test_every_field_is_told(void **state) {
  (void)state;
  size_t alike = 0;
  for (size_t i = 0; i < VECTOR_OP_COUNT; i++)
    for (size_t form = 0; form < 2; form++)
      if (operations[i]->forms[form].value)
        alike += check_form(operations[i], operations[i]->forms[form].value);
  assert_int_equal(alike, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_field_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
