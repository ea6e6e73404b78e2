/* Code of two modules that is the same, or not (dloc_compare_code), and layers that go from the one to the other by
 * numbers that are lines. */
#include "dloc_formats.h"
#include "objects/dloc_hidden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { SAME = -2, NONE = -1 };

typedef struct pair {
  const char *base, *made; /* what stands in the module, of which the first function is compared */
  bool constants_may_differ;
  int at_base, at_made; /* SAME, or the first instructions that differ */
  size_t constants;
} pair;

static const pair pairs[] = {
    {"define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n",
     "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  ret i32 %2\n}\n", false, SAME, SAME, 0},
    /* a name for two, and two names for one */
    {"define i32 @f(i32 %a, i32 %b) {\n  %c = add i32 %a, %a\n  ret i32 %c\n}\n",
     "define i32 @f(i32 %a, i32 %b) {\n  %c = add i32 %a, %b\n  ret i32 %c\n}\n", false, 0, 0, 0},
    {"define i32 @f(i32 %a, i32 %b) {\n  %c = add i32 %a, %b\n  ret i32 %c\n}\n",
     "define i32 @f(i32 %a, i32 %b) {\n  %c = add i32 %a, %a\n  ret i32 %c\n}\n", false, 0, 0, 0},
    /* labels are locals; comments are nothing */
    {"define void @f() {\n  br label %x\n\nx: ; preds\n  ret void\n}\n",
     "define void @f() {\n  br label %1\n\n1:\n  ret void ; done\n}\n", false, SAME, SAME, 0},
    {"define void @f(i1 %c) {\n  br i1 %c, label %x, label %y\nx:\n  ret void\ny:\n  ret void\n}\n",
     "define void @f(i1 %c) {\n  br i1 %c, label %x, label %y\ny:\n  ret void\nx:\n  ret void\n}\n", false, 1, 1, 0},
    /* types keep their names, which a local may have, too */
    {"%t = type { i32 }\n%u = type { i32 }\ndefine void @f() {\n  %t = alloca %t\n  ret void\n}\n",
     "%t = type { i32 }\n%u = type { i32 }\ndefine void @f() {\n  %t = alloca %u\n  ret void\n}\n", false, 0, 0, 0},
    /* numbers of metadata and attributes, and what is there for debugging */
    {"define void @f() #0 {\n  call void @g() #1, !srcloc !0\n  ret void\n}\ndeclare void @g()\n"
     "attributes #0 = { cold }\nattributes #1 = { cold }\n!0 = !{i32 1}\n",
     "define void @f() #3 {\n  call void @g() #4, !srcloc !9\n  ret void\n}\ndeclare void @g()\n"
     "attributes #3 = { cold }\nattributes #4 = { cold }\n!9 = !{i32 1}\n",
     false, SAME, SAME, 0},
    {"define void @f(i32 %a) !dbg !2 {\n    #dbg_value(i32 %a, !1, !DIExpression(), !3)\n"
     "  call void @g(), !dbg !3, !srcloc !0\n  ret void\n}\ndeclare void @g()\n!0 = !{i32 1}\n"
     "!1 = !{!\"x\"}\n!2 = distinct !DISubprogram(name: \"f\")\n!3 = !DILocation(line: 1, scope: !2)\n",
     "define void @f(i32 %a) {\n  call void @llvm.dbg.value(metadata i32 %a, metadata !1, metadata !DIExpression())\n"
     "  call void @g(), !srcloc !0\n  ret void, !dbg !DILocation(line: 1, scope: !2)\n}\ndeclare void @g()\n"
     "declare void @llvm.dbg.value(metadata, metadata, metadata)\n!0 = !{i32 1}\n!1 = !{!\"x\"}\n"
     "!2 = distinct !DISubprogram(name: \"f\")\n",
     false, SAME, SAME, 0},
    /* other operands, another instruction, one more, another header */
    {"define void @f(ptr %p) {\n  store i8 1, ptr %p, align 1\n  ret void\n}\n",
     "define void @f(ptr %p) {\n  store i8 1, ptr %p, align 2\n  ret void\n}\n", true, 0, 0, 0},
    {"define void @f() {\n  ret void\n}\n", "define void @f() {\n  unreachable\n}\n", false, 0, 0, 0},
    {"define void @f() {\n  fence acquire\n  ret void\n}\n", "define void @f() {\n  fence acquire\n}\n", false, 1, NONE,
     0},
    {"define void @f() {\n  ret void\n}\n", "define i32 @f() {\n  ret void\n}\n", false, NONE, NONE, 0},
    {"define { i32, i32 } @f({ i32, i32 } %a) {\n  ret { i32, i32 } %a\n}\ndefine void @g() {\n  ret void\n}\n",
     "define { i32, i32 } @f({ i32, i32 } %b) {\n  ret { i32, i32 } %b\n}\n", false, SAME, SAME, 0},
    {"define void @f() {\n  call void @\"g h\"(metadata !\"a\")\n  ret void\n}\ndeclare void @\"g h\"(metadata)\n",
     "define void @f() {\n  call void @\"g h\"(metadata !\"b\")\n  ret void\n}\ndeclare void @\"g h\"(metadata)\n",
     false, 0, 0, 0},
    /* constants of calls */
    {"@s = private unnamed_addr constant [2 x i8] c\"a\\00\"\ndefine void @f() {\n  call void @g(ptr @s, i32 26)\n  ret "
     "void\n}\ndeclare void @g(ptr, i32)\n",
     "define void @f() {\n  call void @g(ptr null, i32 -1)\n  ret void\n}\ndeclare void @g(ptr, i32)\n", true, SAME,
     SAME, 2},
    {"define void @f() {\n  call void @g(i32 26)\n  ret void\n}\ndeclare void @g(i32)\n",
     "define void @f() {\n  call void @g(i32 27)\n  ret void\n}\ndeclare void @g(i32)\n", false, 0, 0, 0},
    {"@v = global [2 x i8] c\"a\\00\"\ndefine void @f() {\n  call void @g(ptr @v)\n  ret void\n}\ndeclare void @g(ptr)\n",
     "@v = global [2 x i8] c\"a\\00\"\ndefine void @f() {\n  call void @g(ptr null)\n  ret void\n}\ndeclare void @g(ptr)\n",
     true, 0, 0, 0},
    {"define void @f() {\n  call void @g()\n  ret void\n}\ndeclare void @g()\n@h = constant [1 x i8] c\"h\"\n",
     "define void @f() {\n  call void @h()\n  ret void\n}\ndeclare void @h()\n@g = constant [1 x i8] c\"h\"\n", true, 0,
     0, 0},
    {"define void @f(ptr %p) {\n  call void @g(ptr align 4 %p)\n  ret void\n}\ndeclare void @g(ptr)\n",
     "define void @f(ptr %p) {\n  call void @g(ptr align 8 %p)\n  ret void\n}\ndeclare void @g(ptr)\n", true, 0, 0, 0},
    {"define void @f(ptr %p) {\n  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)\n  ret void\n}\n"
     "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n",
     "define void @f(ptr %p) {\n  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)\n  ret void\n}\n"
     "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n",
     true, 0, 0, 0},
    {"define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n",
     "define i32 @f(i32 %a) {\n  %b = add i32 %a, 2\n  ret i32 %b\n}\n", true, 0, 0, 0},
};

static dloc_module *read(dloc_context *context, const char *text) {
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  if (dloc_read_ll(context, dloc_text_of(text), &diagnostic, &module) != DLOC_OK)
    fail_msg("%s in:\n%s", diagnostic.message, text);
  return module;
}

static size_t first_with_code(const dloc_module *module) {
  size_t i = 0;
  while (!dloc_module_function(module, i)->instruction_count)
    i++;
  return i;
}

/* An index within the function. */
static int within(const dloc_module *module, size_t function, uint32_t instruction) {
  return instruction == DLOC_NO_INDEX ? NONE
                                      : (int)(instruction - dloc_module_function(module, function)->first_instruction);
}

static void check(const pair *p, const char *base_text, const char *made_text, int at_base, int at_made) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *base = read(context, base_text), *made = read(context, made_text);
  dloc_code_comparer *comparer = NULL;
  dloc_code_difference found;
  size_t f = first_with_code(base), g = first_with_code(made);
  assert_int_equal(dloc_code_comparer_create(base, made, p->constants_may_differ, &comparer), DLOC_OK);
  for (int again = 0; again < 2; again++) {
    assert_int_equal(dloc_compare_code(comparer, f, g, &found), DLOC_OK);
    if (found.same != (at_base == SAME) ||
        (!found.same && (within(base, f, found.base) != at_base || within(made, g, found.made) != at_made)))
      fail_msg("same %d, at %d and %d:\n%s%s", found.same, (int)found.base, (int)found.made, base_text, made_text);
    if (found.same)
      assert_int_equal(found.constants, p->constants);
  }
  dloc_code_comparer_destroy(comparer);
  dloc_module_destroy(base);
  dloc_module_destroy(made);
  dloc_context_destroy(context);
}

static void test_pairs(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const pair *p = &pairs[i];
    check(p, p->base, p->made, p->at_base, p->at_made);
    check(p, p->made, p->base, p->at_made, p->at_base);
  }
}

/* ---- Numbers that are lines ---- */

#define DEBUG_INFO(file, line)                                                                                         \
  "!llvm.module.flags = !{!0}\n!llvm.dbg.cu = !{!1}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n"                  \
  "!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)\n"                             \
  "!2 = !DIFile(filename: \"" file "\", directory: \"/d\")\n"                                                          \
  "!3 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, line: 1, unit: !1, spFlags: DISPFlagDefinition)\n"    \
  "!4 = !DILocation(line: " line ", scope: !3)\n"

static const char plain[] =
    "define void @f() !dbg !3 {\n  fence acquire, !dbg !4\n  fence release\n  fence seq_cst\n  ret "
    "void\n}\n" DEBUG_INFO("a.c", "7");
/* The first one has number 5, the second 6, the third none, the last one a column. */
static const char numbers[] =
    "define void @f() !dbg !3 {\n  fence acquire, !dbg !4\n  fence release, !dbg !5\n  fence seq_cst, !dbg !6\n  ret "
    "void, !dbg !7\n}\n" DEBUG_INFO("dloc", "5") "!5 = !DILocation(line: 6, scope: !3)\n"
                                                 "!6 = !DILocation(line: 0, scope: !3)\n"
                                                 "!7 = !DILocation(line: 5, column: 3, scope: !8)\n"
                                                 "!8 = !DILexicalBlockFile(scope: !3, file: !9, discriminator: 0)\n"
                                                 "!9 = !DIFile(filename: \"b.c\", directory: \"/d\")\n";

/* A layer at a line of a file. */
static dloc_node layered(dloc_context *context, dloc_node scope, uint32_t line) {
  dloc_node primary = DLOC_NULL, made = DLOC_NULL;
  dloc_layer layer = {0};
  assert_int_equal(dloc_location_create(context, false, &(dloc_location){.scope = scope}, &primary), DLOC_OK);
  assert_int_equal(
      dloc_location_create(context, false, &(dloc_location){.scope = scope, .line = line}, &layer.location), DLOC_OK);
  assert_int_equal(dloc_string(context, dloc_text_of("scf"), &layer.kind), DLOC_OK);
  assert_int_equal(dloc_debug_loc_create(context, primary, &layer, 1, &made), DLOC_OK);
  return made;
}

/* The table that counts from 5: lines 100 and 101 of a layer. Written and read, as a command does. */
static dloc_hidden *table(dloc_context *context) {
  dloc_hidden *made = NULL, *again = NULL;
  dloc_module *module = NULL;
  dloc_node scope = DLOC_NULL;
  dloc_reason reason;
  uint32_t number = 0;
  assert_int_equal(dloc_hidden_create(context, &made), DLOC_OK);
  assert_int_equal(dloc_hidden_begin(made, DLOC_HIDDEN_IN_COLUMN, 5), DLOC_INVALID);
  assert_int_equal(dloc_hidden_begin(made, DLOC_HIDDEN_IN_LINE, 0), DLOC_INVALID);
  assert_int_equal(dloc_hidden_begin(made, DLOC_HIDDEN_IN_LINE, 5), DLOC_OK);
  assert_int_equal(dloc_hidden_begin(made, DLOC_HIDDEN_IN_DISCRIMINATOR, 9), DLOC_INVALID);
  assert_int_equal(dloc_hidden_stand_in(made, DLOC_NULL, &scope), DLOC_OK);
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(dloc_hidden_add(made, layered(context, scope, 100 + i), &number), DLOC_OK);
    assert_int_equal(number, 5 + i);
  }
  assert_int_equal(dloc_hidden_write(made, &module), DLOC_OK);
  assert_int_equal(dloc_hidden_create(context, &again), DLOC_OK);
  assert_int_equal(dloc_hidden_read(again, module, &reason), DLOC_OK);
  assert_int_equal(dloc_hidden_where(again), DLOC_HIDDEN_IN_LINE);
  assert_int_equal(dloc_hidden_read(again, module, &reason), DLOC_INVALID);
  assert_int_equal(reason, DLOC_REASON_REVEAL_OVERLAP);
  dloc_module_destroy(module);
  dloc_hidden_destroy(made);
  return again;
}

/* Line of the primary and of the layer of an instruction; NONE: there is none. */
static void check_lines(const dloc_module *module, size_t instruction, int primary, int layer) {
  const dloc_context *context = dloc_module_context(module);
  dloc_node location = dloc_module_instruction(module, instruction)->debug_loc;
  dloc_node found = dloc_layer_find(context, location, dloc_text_of("scf"));
  assert_int_equal(location ? (int)dloc_location_get(context, dloc_primary(context, location)).line : NONE, primary);
  assert_int_equal(found ? (int)dloc_location_get(context, found).line : NONE, layer);
}

static void reveal(const char *base_text, dloc_exact_options options, dloc_status expected, dloc_exact_report *ret,
                   const int lines[4][2]) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *base = read(context, base_text), *made = read(context, numbers);
  dloc_hidden *hidden = table(context);
  dloc_code_comparer *comparer = NULL;
  assert_int_equal(dloc_code_comparer_create(base, made, false, &comparer), DLOC_OK);
  options.compare = dloc_compare_code;
  options.comparer = comparer;
  assert_int_equal(dloc_reveal(made, hidden, NULL, NULL), DLOC_INVALID);
  assert_int_equal(dloc_reveal_exact(base, made, hidden, &options, ret), expected);
  for (size_t i = 0; i < 4; i++)
    check_lines(base, i, lines[i][0], lines[i][1]);
  if (expected == DLOC_OK) /* a layer is in the function */
    assert_int_equal(dloc_location_get(context, dloc_layer_find(context, dloc_module_instruction(base, 0)->debug_loc,
                                                                dloc_text_of("scf")))
                         .scope,
                     dloc_function_subprogram(base, 0));
  dloc_code_comparer_destroy(comparer);
  dloc_hidden_destroy(hidden);
  dloc_module_destroy(base);
  dloc_module_destroy(made);
  dloc_context_destroy(context);
}

static void test_lines(void **state) {
  (void)state;
  dloc_exact_report report = {0};
  reveal(plain, (dloc_exact_options){.strict = true}, DLOC_OK, &report,
         (const int[4][2]){{7, 100}, {NONE, NONE}, {NONE, NONE}, {NONE, NONE}});
  assert_int_equal(report.functions, 1);
  assert_int_equal(report.differing, 0);
  assert_int_equal(report.instructions, 4);
  assert_int_equal(report.layered, 1);
  reveal(plain, (dloc_exact_options){.line_0 = true}, DLOC_OK, &report,
         (const int[4][2]){{7, 100}, {0, 101}, {NONE, NONE}, {NONE, NONE}});
  assert_int_equal(report.layered, 2);
}

static void test_strict(void **state) {
  (void)state;
  char other[sizeof plain];
  dloc_exact_report report = {0};
  memcpy(other, plain, sizeof plain);
  memcpy(strstr(other, "seq_cst"), "acq_rel", 7);
  reveal(other, (dloc_exact_options){.strict = true}, DLOC_INVALID, &report,
         (const int[4][2]){{7, NONE}, {NONE, NONE}, {NONE, NONE}, {NONE, NONE}});
  assert_int_equal(report.differing, 1);
  assert_int_equal(report.first.base, 2);
  assert_int_equal(report.first.made, 2);
  assert_int_equal(report.base, 0);
  memcpy(strstr(other, "@f"), "@g", 2);
  reveal(other, (dloc_exact_options){.strict = true}, DLOC_INVALID, &report,
         (const int[4][2]){{7, NONE}, {NONE, NONE}, {NONE, NONE}, {NONE, NONE}});
  assert_int_equal(report.base, 0);
  assert_int_equal(report.made, DLOC_NO_INDEX);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_lines),
                                     cmocka_unit_test(test_strict)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
