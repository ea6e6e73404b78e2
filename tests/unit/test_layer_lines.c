/* Line tables of layers: made sections stay when the context grows, borrow nothing, and allocations may fail. */
#include "allocation.h"
#include "objects/dloc_dwarf.h"
#include "dloc_formats.h"
#include "objects/dloc_hidden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Number 1 has two kinds, one of them with a text; number 2 has the other alone. */
static const char table_text[] =
    "!dloc.hidden.table = !{!0}\n"
    "!dloc.hidden.layers = !{!5, !10}\n"
    "!llvm.intermediate_level_source = !{!11}\n"
    "!0 = !{!\"discriminator\", i32 1, !\"0000000000000000\"}\n"
    "!1 = !DIFile(filename: \"a.c\", directory: \"/d\")\n"
    "!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)\n"
    "!3 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !2, spFlags: DISPFlagDefinition)\n"
    "!4 = !DILocation(line: 1, scope: !3)\n"
    "!5 = !{!4, !6, !8}\n"
    "!6 = !{!\"TileIR\", !7}\n"
    "!7 = !DILocation(line: 9, scope: !12)\n"
    "!8 = !{!\"MLIR\", !9}\n"
    "!9 = !DILocation(line: 7, scope: !13)\n"
    "!10 = !{!4, !8}\n"
    "!11 = !{!\"TileIR\", !14, !\"text\"}\n"
    "!12 = !DILexicalBlockFile(scope: !3, file: !14, discriminator: 0)\n"
    "!13 = !DILexicalBlockFile(scope: !3, file: !15, discriminator: 0)\n"
    "!14 = !DIFile(filename: \"k.tile\", directory: \"/d\")\n"
    "!15 = !DIFile(filename: \"k.mlir\", directory: \"lib\")\n";

/* A unit of version 4 with two rows, numbers 1 and 2. */
static const char line_bytes[] = "\x3b\0\0\0\4\0\x1b\0\0\0\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1\0a.c\0\0\0\0\0"
                                 "\0\2\4\1\0\x09\2\0\0\0\0\0\0\0\0\x13\0\2\4\2\x4b\2\4\0\1\1";
enum { LINE_BYTES = sizeof line_bytes - 1 };

typedef struct made {
  dloc_context *context;
  dloc_layer_tables *tables;
} made;

/* Everything that the tables were made from is gone. */
static dloc_status make(const dloc_allocator *allocator, const dloc_profile *profile, made *ret) {
  const dloc_line_sections sections = {.line = {line_bytes, LINE_BYTES}, .address_size = 8};
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_hidden *hidden = NULL;
  dloc_line_table *table = NULL;
  ret->context = dloc_context_create(allocator);
  if (!ret->context)
    return DLOC_NO_MEMORY;
  dloc_status status = dloc_read_ll(ret->context, dloc_text_of(table_text), &diagnostic, &module);
  if (status == DLOC_OK)
    status = dloc_hidden_create(ret->context, &hidden);
  if (status == DLOC_OK)
    status = dloc_hidden_read(hidden, module, NULL);
  if (status == DLOC_OK)
    status = dloc_line_table_read(ret->context, profile, &sections, NULL, NULL, &table);
  if (status == DLOC_OK)
    status = dloc_layer_tables_make(ret->context, profile, table, hidden, NULL, NULL, NULL, &ret->tables);
  dloc_line_table_destroy(table);
  dloc_hidden_destroy(hidden);
  dloc_module_destroy(module);
  return status;
}

static void unmake(made *m) {
  dloc_layer_tables_destroy(m->tables);
  dloc_context_destroy(m->context);
}

static bool is(dloc_text text, const char *expected) { return dloc_text_equal(text, dloc_text_of(expected)); }

static void test_sections(void **state) {
  (void)state;
  made m = {NULL, NULL};
  size_t count;
  assert_int_equal(make(NULL, dloc_profile_find(dloc_text_of("rfc+ld")), &m), DLOC_OK);
  for (int i = 0; i < 20000; i++) { /* nodes that move those of the context */
    char text[16];
    dloc_node node;
    snprintf(text, sizeof text, "%d", i);
    assert_int_equal(dloc_string(m.context, dloc_text_of(text), &node), DLOC_OK);
  }
  const dloc_made_section *primary = dloc_layer_tables_primary(m.tables);
  assert_true(is(primary->name, ".debug_line"));
  assert_int_equal(primary->address_count, 1);
  assert_int_equal(primary->piece_count, 1);
  assert_int_equal(primary->bytes.size, LINE_BYTES - 8);
  const dloc_made_section *sections = dloc_layer_tables_sections(m.tables, &count);
  assert_int_equal(count, 3);
  assert_true(is(sections[0].name, ".debug_line_tileir") && !sections[0].group.size);
  assert_true(is(sections[1].name, ".debug_line_mlir"));
  assert_true(is(sections[2].name, ".debug_txt.tileir.1cb251ec0d568de6a929b520c4aed8d1"));
  assert_true(is(sections[2].group, ".debug_txt.tileir.1cb251ec0d568de6a929b520c4aed8d1"));
  assert_true(is(sections[2].bytes, "text"));
  for (int i = 0; i < 2; i++) {
    const dloc_line_sections made_lines = {.line = sections[i].bytes, .address_size = 8};
    dloc_line_table *table = NULL;
    assert_int_equal(dloc_line_table_read(m.context, dloc_profile_at(0), &made_lines, NULL, NULL, &table), DLOC_OK);
    const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(table), &count);
    assert_int_equal(count, i ? 2 : 3);
    assert_int_equal(rows[0].line, i ? 7 : 9);
    assert_int_equal(sections[i].addresses[0].at,
                     dloc_rows_sequences(dloc_line_table_rows(table), &count)->set_address);
    dloc_line_table_destroy(table);
  }
  unmake(&m);
}

static dloc_status run(const dloc_allocator *allocator) {
  made m = {NULL, NULL};
  dloc_status status = make(allocator, dloc_profile_at(0), &m);
  unmake(&m);
  return status;
}

static void test_allocations(void **state) {
  (void)state;
  fail_every_allocation(run);
}

/* Each problem of the caller's stops. */
static dloc_status stop(void *user, dloc_reason reason, size_t at) {
  assert_int_equal(reason, DLOC_REASON_LAYER_LINES_NUMBER);
  assert_int_equal(at, 1);
  ++*(int *)user;
  return DLOC_STOPPED;
}

static void test_a_problem_stops(void **state) {
  (void)state;
  const dloc_line_parameters parameters = {.version = 4, .address_size = 8, .default_is_stmt = true};
  const dloc_row rows[] = {{.line = 1, .file = 1}, {.line = 2, .file = 1, .discriminator = 4, .address = 4}};
  dloc_context *context = dloc_context_create(NULL);
  dloc_hidden *hidden = NULL;
  dloc_layer_maker *maker = NULL;
  int problems = 0;
  assert_int_equal(dloc_hidden_create(context, &hidden), DLOC_OK);
  assert_int_equal(dloc_layer_maker_create(context, dloc_profile_at(0), &parameters, hidden, stop, &problems, &maker),
                   DLOC_OK);
  assert_int_equal(dloc_layer_maker_add(maker, rows, 2, 0), DLOC_STOPPED);
  assert_int_equal(problems, 1);
  dloc_layer_maker_destroy(maker);
  dloc_hidden_destroy(hidden);
  dloc_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sections), cmocka_unit_test(test_allocations),
                                     cmocka_unit_test(test_a_problem_stops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
