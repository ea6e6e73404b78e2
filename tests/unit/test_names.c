/* Numbers of texts, conformance/document/names.h. */
#include "document/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { BITS = 15, COUNT = 1 << BITS, LENGTH = 2 * BITS };

/* One of COUNT texts that `h * 31 + c` gives one value: "Aa" and "BB" are alike to it. */
static void colliding(char text[LENGTH + 1], unsigned number) {
  for (unsigned bit = 0; bit < BITS; bit++)
    snprintf(text + 2 * bit, 3, "%s", number >> bit & 1 ? "Aa" : "BB");
}

static void numbers_follow_the_first_meeting(void **state) {
  (void)state;
  names n = {0};
  size_t found = 7;
  assert_false(names_find(&n, dloc_text_of("a"), &found));
  assert_int_equal(names_number(&n, dloc_text_of("a")), 0);
  assert_int_equal(names_number(&n, dloc_text_of("")), 1);
  assert_int_equal(names_number(&n, (dloc_text){"a\0b", 3}), 2);
  assert_int_equal(names_number(&n, dloc_text_of("a")), 0);
  assert_true(names_find(&n, dloc_text_of(""), &found));
  assert_int_equal(found, 1);
  assert_false(names_find(&n, dloc_text_of("b"), &found));
  assert_int_equal(n.count, 3);
  names_deinit(&n);
}

/* How far all names are from where they belong is what looking for them costs. */
static void no_names_collide(void **state) {
  (void)state;
  names n = {0};
  static char texts[COUNT][LENGTH + 1];
  size_t moved = 0;
  for (unsigned i = 0; i < COUNT; i++) {
    colliding(texts[i], i);
    assert_int_equal(names_number(&n, dloc_text_of(texts[i])), i);
  }
  for (size_t i = 0; i < n.room; i++)
    if (n.slots[i].number)
      moved += (i - (size_t)hash_bytes(&n.key, n.key.start, n.slots[i].name)) & (n.room - 1);
  assert_true(moved < 3 * n.count);
  for (unsigned i = 0; i < COUNT; i++)
    assert_int_equal(names_number(&n, dloc_text_of(texts[i])), i);
  names_deinit(&n);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_follow_the_first_meeting),
                                     cmocka_unit_test(no_names_collide)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
