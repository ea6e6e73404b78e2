/* What `!dbg` holds, whatever its form: the list of layers that the rules work on. */
#include "layers.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

static dloc_node kind_named(dloc_context *context, size_t number) {
  char name[16];
  dloc_node kind = DLOC_NULL;
  snprintf(name, sizeof name, "kind%zu", number);
  assert_int_equal(dloc_string(context, dloc_text_of(name), &kind), DLOC_OK);
  return kind;
}

static dloc_node location_at(dloc_context *context, uint32_t line) {
  dloc_location content = {.line = line, .scope = context->field_keys[0]};
  dloc_node location = DLOC_NULL;
  assert_int_equal(dloc_location_create(context, false, &content, &location), DLOC_OK);
  return location;
}

static dloc_node tuple_of(dloc_context *context, bool distinct, const dloc_node *operands, size_t count) {
  dloc_node tuple = DLOC_NULL;
  assert_int_equal(dloc_tuple(context, distinct, operands, count, &tuple), DLOC_OK);
  return tuple;
}

/* Few layers are searched one by one, many through a map. */
static void the_first_layer_of_a_kind_is_found(void **state) {
  (void)state;
  for (size_t count = 2; count <= 64; count *= 2) {
    dloc_context *context = dloc_context_create(NULL);
    dloc_layer layers[64];
    for (size_t i = 0; i < count; i++)
      layers[i] = (dloc_layer){kind_named(context, i / 2), location_at(context, 1 + (uint32_t)i)};
    dloc_node debug_loc = DLOC_NULL;
    assert_int_equal(dloc_debug_loc_create(context, location_at(context, 0), layers, count, &debug_loc), DLOC_OK);
    assert_true(dloc_debug_loc_is_plain(context, debug_loc));
    layer_list list = {0};
    assert_int_equal(layers_read(context, debug_loc, &list), DLOC_OK);
    assert_int_equal(list.count, count);
    for (size_t i = 0; i < count; i++)
      assert_int_equal(layers_find(&list, layers[i].kind), i / 2 * 2);
    assert_int_equal(layers_find(&list, kind_named(context, count)), count);
    CONTEXT_FREE(context, list.items, list.kinds.entries);
    dloc_context_destroy(context);
  }
}

static void layers_of_one_kind_stay_in_order_when_sorted(void **state) {
  (void)state;
  dloc_context *context = dloc_context_create(NULL);
  dloc_layer items[] = {{kind_named(context, 2), 1}, {kind_named(context, 10), 2}, {kind_named(context, 2), 3}};
  layer_list list = {.items = items, .count = 3, .capacity = 3};
  assert_int_equal(layers_sort(context, &list), DLOC_OK);
  assert_int_equal(list.items[0].location, 2); /* "kind10" stands before "kind2" */
  assert_int_equal(list.items[1].location, 1);
  assert_int_equal(list.items[2].location, 3);
  dloc_context_destroy(context);
}

/* Operands that are no layer are passed over; with another primary they stay. */
static void what_is_no_layer_is_passed_over(void **state) {
  (void)state;
  dloc_context *context = dloc_context_create(NULL);
  dloc_node primary = location_at(context, 1), other = location_at(context, 2), kind = kind_named(context, 0);
  dloc_node pair = tuple_of(context, false, (dloc_node[]){kind, other}, 2);
  dloc_node triple = tuple_of(context, false, (dloc_node[]){kind, other, other}, 3);
  dloc_node debug_loc = tuple_of(context, false, (dloc_node[]){primary, triple, DLOC_NULL, pair}, 4);
  dloc_layer layer;
  size_t cursor = 0;
  assert_true(dloc_next_layer(context, debug_loc, &cursor, &layer));
  assert_int_equal(layer.location, other);
  assert_false(dloc_next_layer(context, debug_loc, &cursor, &layer));
  assert_int_equal(entry_count(context, debug_loc), 3);
  assert_int_equal(entry_at(context, debug_loc, 0, &layer), DLOC_REASON_SHAPE_LAYER_ARITY);
  assert_int_equal(entry_at(context, debug_loc, 1, &layer), DLOC_REASON_SHAPE_LAYER_NOT_TUPLE);
  assert_false(dloc_debug_loc_is_plain(context, debug_loc));
  dloc_node changed = DLOC_NULL;
  assert_int_equal(with_primary(context, debug_loc, other, &changed), DLOC_OK);
  assert_int_equal(changed, tuple_of(context, false, (dloc_node[]){other, triple, DLOC_NULL, pair}, 4));
  dloc_node distinct_pair = tuple_of(context, true, (dloc_node[]){kind, other}, 2);
  assert_false(dloc_debug_loc_is_plain(context, tuple_of(context, false, (dloc_node[]){primary, distinct_pair}, 2)));
  assert_false(dloc_debug_loc_is_plain(context, tuple_of(context, false, &primary, 1)));
  dloc_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_layer_of_a_kind_is_found),
      cmocka_unit_test(layers_of_one_kind_stay_in_order_when_sorted),
      cmocka_unit_test(what_is_no_layer_is_passed_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
