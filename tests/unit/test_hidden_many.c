/* Ten thousand tables, as of a program that was linked of so many modules: numbers and carriers find theirs without a
 * look at all of them. */
#include "dloc_formats.h"
#include "objects/dloc_hidden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { TABLES = 10000, ROUNDS = 600 };

/* Tables are given from the last to the first. */
static const char table_text[] = "!dloc.hidden.table = !{!0}\n"
                                 "!dloc.hidden.layers = !{!1}\n"
                                 "!0 = !{!\"discriminator\", i32 %u, !\"0000000000000000\"}\n"
                                 "!1 = !{!2, !{!\"TileIR\", !3}}\n"
                                 "!2 = !DILocation(line: 0, scope: !4)\n"
                                 "!3 = !DILocation(line: %u, scope: !5)\n"
                                 "!4 = distinct !DISubprogram(name: \"f\", file: !6)\n"
                                 "!5 = !DILexicalBlockFile(scope: !4, file: !6, discriminator: 0)\n"
                                 "!6 = !DIFile(filename: \"a.c\", directory: \"\")\n";

static dloc_module *read_text(dloc_context *context, const char *text) {
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  assert_int_equal(dloc_read_ll(context, dloc_text_of(text), &diagnostic, &module), DLOC_OK);
  return module;
}

static void read_table(dloc_context *context, uint32_t number, dloc_hidden *hidden) {
  char text[sizeof table_text + 32];
  snprintf(text, sizeof text, table_text, number, number);
  dloc_module *table = read_text(context, text);
  assert_int_equal(dloc_hidden_read(hidden, table, NULL), DLOC_OK);
  dloc_module_destroy(table);
}

static uint32_t line_of(dloc_context *context, const dloc_hidden *hidden, uint32_t number) {
  dloc_hidden_entry entry;
  dloc_layer layer;
  size_t cursor = 0;
  if (!dloc_hidden_find(hidden, number, &entry) || !dloc_next_layer(context, entry.layers, &cursor, &layer))
    return 0;
  return dloc_place_of_layer(context, layer.location).line;
}

static void test_numbers(void **state) {
  (void)state;
  dloc_context *context = dloc_context_create(NULL);
  dloc_hidden *hidden = NULL;
  assert_int_equal(dloc_hidden_create(context, &hidden), DLOC_OK);
  for (uint32_t i = TABLES; i-- > 0;)
    read_table(context, 2 * i + 1, hidden);
  for (size_t round = 0; round < ROUNDS; round++)
    for (uint32_t i = 0; i < 2 * TABLES + 2; i++)
      assert_true(line_of(context, hidden, i) == (i % 2 && i < 2 * TABLES ? i : 0));
  dloc_hidden_destroy(hidden);
  dloc_context_destroy(context);
}

static void test_overlap(void **state) {
  (void)state;
  dloc_context *context = dloc_context_create(NULL);
  dloc_hidden *hidden = NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  char text[sizeof table_text + 32];
  assert_int_equal(dloc_hidden_create(context, &hidden), DLOC_OK);
  for (uint32_t i = 0; i < 3; i++)
    read_table(context, 10 * i + 1, hidden);
  snprintf(text, sizeof text, table_text, 11, 1);
  dloc_module *table = read_text(context, text);
  assert_int_equal(dloc_hidden_read(hidden, table, &reason), DLOC_INVALID);
  assert_int_equal(reason, DLOC_REASON_REVEAL_OVERLAP);
  dloc_module_destroy(table);
  dloc_hidden_destroy(hidden);
  dloc_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_overlap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
