/* Reading and printing LLVM's textual IR. */
#include "allocation.h"
#include "dloc_formats.h"
#include "nodes/module.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A module with its context and text. */
typedef struct sample {
  dloc_context *context;
  dloc_module *module;
} sample;

static sample sample_of(const char *text) {
  sample s = {dloc_context_create(NULL), NULL};
  dloc_diagnostic diagnostic;
  assert_non_null(s.context);
  dloc_status status = dloc_read_ll(s.context, dloc_text_of(text), &diagnostic, &s.module);
  if (status == DLOC_INVALID)
    print_error("%u:%u: %s\n", diagnostic.line, diagnostic.column, diagnostic.message);
  assert_int_equal(status, DLOC_OK);
  return s;
}

static void sample_deinit(sample *s) {
  dloc_module_destroy(s->module);
  dloc_context_destroy(s->context);
}

static char *printed(const sample *s) {
  dloc_buffer buffer = {0};
  assert_int_equal(dloc_write_ll(s->module, dloc_buffer_sink(&buffer)), DLOC_OK);
  return buffer.bytes;
}

static void assert_prints(const sample *s, const char *expected) {
  char *text = printed(s);
  assert_string_equal(text, expected);
  free(text);
}

static const dloc_function *function_of(const sample *s, const char *name) {
  uint32_t index = 0;
  assert_true(dloc_module_find_function(s->module, dloc_text_of(name), &index));
  return dloc_module_function(s->module, index);
}

static const dloc_instruction *instruction_of(const sample *s, const char *function, uint32_t number) {
  const dloc_function *f = function_of(s, function);
  assert_true(number < f->instruction_count);
  return dloc_module_instruction(s->module, f->first_instruction + number);
}

#define FLAGS ((uint32_t)0xff)
#define METADATA                                                                                                       \
  "!llvm.dbg.cu = !{!0}\n"                                                                                             \
  "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)\n"                                                    \
  "!1 = !DIFile(filename: \"a.c\", directory: \"/d\")\n"                                                               \
  "!2 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, spFlags: DISPFlagDefinition, unit: !0)\n"    \
  "!3 = !DILocation(line: 7, column: 3, scope: !2)\n"                                                                  \
  "!4 = !DILocation(line: 8, scope: !2, inlinedAt: !5)\n"                                                              \
  "!5 = distinct !DILocation(line: 9, scope: !2)\n"                                                                    \
  "!6 = !{!3, !{!\"TileIR\", !4}}\n"

/* ---- Reading ---- */

static void test_empty_text(void **state) {
  (void)state;
  sample s = sample_of("");
  assert_int_equal(dloc_module_function_count(s.module), 0);
  sample_deinit(&s);
  s = sample_of("; only a comment");
  assert_prints(&s, "; only a comment\n");
  sample_deinit(&s);
}

static void test_instructions(void **state) {
  (void)state;
  sample s = sample_of("define void @f(ptr %p) !dbg !2 {\n"
                       "entry:                 ; a comment, } and !9\n"
                       "  %a = alloca i32, align 4, !dbg !3\n"
                       "  %n = alloca i32, i32 %m\n"
                       "  %c = alloca [2 x i32], i64 2, !dbg !4, !x !{!1}\n"
                       "  %i = alloca inalloca i32\n"
                       "  switch i32 %v, label %d [\n    i32 0, label %a\n    i32 1, label %b\n  ], !dbg !3\n"
                       "d:\n"
                       "  %r = invoke i32 @g(i32 1)\n     to label %a unwind label %b, !dbg !3\n"
                       "\"quoted } label\":\n"
                       "  %l = landingpad { ptr, i32 }\n     cleanup\n     catch ptr null, !dbg !4\n"
                       "  store i64 ptrtoint (ptr @x to i64), ptr %p, !dbg !3, !dbg !4\n"
                       "  %w = atomicrmw add ptr %p, i32 1 seq_cst store i32 0, ptr %p ret void\n"
                       "}\n"
                       "declare i32 @g(i32)\n" METADATA);
  const dloc_function *f = function_of(&s, "f");
  assert_int_equal(f->instruction_count, 11);
  static const uint32_t flags[] = {DLOC_INSTRUCTION_ALLOCA,
                                   0,
                                   DLOC_INSTRUCTION_ALLOCA,
                                   0,
                                   0,
                                   DLOC_INSTRUCTION_CALL | DLOC_INSTRUCTION_INVOKE,
                                   0,
                                   0,
                                   0,
                                   0,
                                   DLOC_INSTRUCTION_RET};
  static const int locations[] = {3, 0, 4, 0, 3, 3, 4, 4, 0, 0, 0};
  for (uint32_t i = 0; i < 11; i++) {
    const dloc_instruction *instruction = instruction_of(&s, "f", i);
    assert_int_equal(instruction->flags & FLAGS, flags[i]);
    assert_int_equal(instruction->debug_loc,
                     locations[i] ? dloc_module_numbered(s.module, (uint64_t)locations[i]) : DLOC_NULL);
  }
  assert_int_equal(dloc_module_attachment_count(s.module, f->first_instruction + 2), 1);
  assert_int_equal(dloc_module_attachment_count(s.module, f->first_instruction + 3), 0);
  assert_int_equal(dloc_function_subprogram(s.module, 0), dloc_module_numbered(s.module, 2));
  sample_deinit(&s);
}

static void test_callees(void **state) {
  (void)state;
  sample s = sample_of("define void @f() {\n"
                       "  call void @a()\n"
                       "  %1 = tail call fastcc noundef i32 (i32, ...) @\"b c\"(i32 1, ptr @a) #1\n"
                       "  call void %p(ptr @a)\n"
                       "  call void bitcast (i32 ()* @a to void ()*)()\n"
                       "  call void asm sideeffect \"call @a(\", \"\"(ptr @a)\n"
                       "  call void @a(i32 1)\n"
                       "  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)\n"
                       "  ret void\n}\n"
                       "define i32 @\"b\\20c\"(i32, ...) { ret i32 0 }\n"
                       "define weak void @a() { unreachable }\n");
  static const char *const callees[] = {"a", "b c", NULL, NULL, NULL, NULL, "llvm.pseudoprobe"};
  for (uint32_t i = 0; i < 7; i++) {
    uint32_t callee = instruction_of(&s, "f", i)->callee;
    if (!callees[i])
      assert_int_equal(callee, DLOC_NO_INDEX);
    else
      assert_ptr_equal(dloc_module_function(s.module, callee), function_of(&s, callees[i]));
  }
  assert_true(instruction_of(&s, "f", 6)->flags & DLOC_INSTRUCTION_PROBE);
  assert_true(function_of(&s, "a")->flags & DLOC_FUNCTION_INTERPOSABLE);
  assert_true(function_of(&s, "llvm.pseudoprobe")->flags & DLOC_FUNCTION_INTRINSIC);
  /* In the order of the text; those that are only called come last. */
  assert_ptr_equal(dloc_module_function(s.module, 1), function_of(&s, "b c"));
  assert_ptr_equal(dloc_module_function(s.module, 2), function_of(&s, "a"));
  sample_deinit(&s);
}

static void test_records(void **state) {
  (void)state;
  sample s =
      sample_of("define void @f(i32 %x) {\n"
                "    #dbg_value(!DIArgList(i32 %x, <2 x i32> <i32 1, i32 2>), !7, !DIExpression(), !3)\n"
                "    #dbg_label(!8, !4)\n"
                "    #dbg_assign(i32 1, !7, !DIExpression(), !9, ptr %p, !DIExpression(DW_OP_deref), !3)\n"
                "  call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !3\n"
                "  call void @llvm.dbg.value(metadata i32 %x, i64 0, metadata !7, metadata !DIExpression()), !dbg !3\n"
                "  call void @llvm.dbg.label(metadata !8), !dbg !4\n"
                "  ret void\n}\n" METADATA
                "!7 = !DILocalVariable(scope: !2)\n!8 = !DILabel(scope: !2, name: \"l\", file: !1, line: "
                "1)\n!9 = distinct !DIAssignID()\n");
  static const int subjects[] = {7, 8, 7, 7, 7, 8};
  static const int locations[] = {3, 4, 3, 3, 3, 4};
  for (uint32_t i = 0; i < 6; i++) {
    const dloc_instruction *record = instruction_of(&s, "f", i);
    assert_int_equal(record->entity, dloc_module_numbered(s.module, (uint64_t)subjects[i]));
    assert_int_equal(record->debug_loc, dloc_module_numbered(s.module, (uint64_t)locations[i]));
    assert_int_equal((record->flags & DLOC_INSTRUCTION_LABEL_RECORD) != 0, subjects[i] == 8);
    assert_int_equal((record->flags & DLOC_INSTRUCTION_RECORD) != 0, i < 3);
    assert_int_equal((record->flags & DLOC_INSTRUCTION_DBG_CALL) != 0, i >= 3);
  }
  sample_deinit(&s);
}

static void test_function_flags(void **state) {
  (void)state;
  sample s = sample_of("define void @a() alwaysinline { ret void }\n"
                       "define linkonce_odr void @b() \"no-inline-line-tables\" { ret void }\n"
                       "define linkonce void @c() #1 #0 prefix { i32 } { i32 1 } personality ptr @p { ret void }\n"
                       "declare !dbg !2 extern_weak void @d()\n"
                       "define dso_local <{ i32 }> @e() prologue <{ i32, [1 x i8] }> <{ i32 1, [1 x i8] c\"}\" }> {\n"
                       "  unreachable\n}\n"
                       "attributes #0 = { alwaysinline \"no-inline-line-tables\"=\"true\" }\n"
                       "attributes #1 = { nounwind \"}\"=\"\" }\n"
                       "!2 = !DISubprogram(name: \"d\", spFlags: 0)\n");
  assert_int_equal(function_of(&s, "a")->flags & FLAGS, DLOC_FUNCTION_DEFINITION | DLOC_FUNCTION_ALWAYS_INLINE);
  assert_int_equal(function_of(&s, "b")->flags & FLAGS, DLOC_FUNCTION_DEFINITION | DLOC_FUNCTION_NO_INLINE_LINE_TABLES);
  assert_int_equal(function_of(&s, "c")->flags & FLAGS, DLOC_FUNCTION_DEFINITION | DLOC_FUNCTION_INTERPOSABLE |
                                                            DLOC_FUNCTION_ALWAYS_INLINE |
                                                            DLOC_FUNCTION_NO_INLINE_LINE_TABLES);
  assert_int_equal(function_of(&s, "d")->flags & FLAGS, DLOC_FUNCTION_INTERPOSABLE);
  assert_int_equal(function_of(&s, "d")->attachment_count, 1);
  assert_int_equal(function_of(&s, "e")->flags & FLAGS, DLOC_FUNCTION_DEFINITION);
  sample_deinit(&s);
}

static void test_semantic_interposition(void **state) {
  (void)state;
  sample s = sample_of("define void @a() { ret void }\n"
                       "define dso_local void @b() { ret void }\n"
                       "define internal void @c() { ret void }\n"
                       "!llvm.module.flags = !{!0}\n"
                       "!0 = !{i32 1, !\"SemanticInterposition\", i32 1}\n");
  assert_true(function_of(&s, "a")->flags & DLOC_FUNCTION_INTERPOSABLE);
  assert_false(function_of(&s, "b")->flags & DLOC_FUNCTION_INTERPOSABLE);
  assert_false(function_of(&s, "c")->flags & DLOC_FUNCTION_INTERPOSABLE);
  sample_deinit(&s);
}

static void test_top_level(void **state) {
  (void)state;
  static const char text[] = "; ModuleID = 'x'\n"
                             "source_filename = \"a.c\"\n"
                             "target triple = \"x86_64\"\n"
                             "module asm \"define }\"\n"
                             "$c = comdat any\n"
                             "%t = type { i32, ptr }\n"
                             "@g = global target(\"spirv.Image\") zeroinitializer, comdat($c), !dbg !1, !type !0\n"
                             "@s = constant [3 x i8] c\"!0\\22\", align 1 ; @x = \n"
                             "declare !dbg !2 void @f() #0\n"
                             "attributes #0 = { nounwind }\n"
                             "!named = !{!0, !1, !DIExpression()}\n"
                             "!na\\20me = !{}\n"
                             "!named = !{!2}\n"
                             "!0 = !{null, i32 7, !\"s\\22\", ptr @g}\n"
                             "!1 = !{!0}\n"
                             "!2 = !DISubprogram(name: \"f\", spFlags: 0)\n"
                             "^0 = module: (path: \"a\", hash: (0, 0))\n";
  sample s = sample_of(text);
  dloc_named_metadata named;
  assert_prints(&s, text);
  assert_int_equal(s.module->global_attachments.count, 2);
  assert_true(dloc_module_find_named(s.module, dloc_text_of("named"), &named));
  assert_int_equal(named.operand_count, 4);
  assert_int_equal(dloc_module_named_operand(s.module, &named, 3), dloc_module_numbered(s.module, 2));
  assert_true(dloc_module_find_named(s.module, dloc_text_of("na me"), &named));
  sample_deinit(&s);
}

/* `metadata.uniqued`: two numbers, one node; both definitions and all references are printed. */
static void test_duplicates(void **state) {
  (void)state;
  static const char text[] = "!n = !{!1, !2, !3}\n!1 = !{!3}\n!2 = !{!4}\n!3 = !{}\n!4 = !{}\n!5 = distinct !{!5}\n";
  sample s = sample_of(text);
  uint64_t number = 0;
  assert_int_equal(dloc_module_numbered(s.module, 1), dloc_module_numbered(s.module, 2));
  assert_true(dloc_module_number_of(s.module, dloc_module_numbered(s.module, 2), &number));
  assert_int_equal(number, 1);
  char *first = printed(&s);
  sample again = sample_of(first);
  assert_prints(&again, first);
  free(first);
  sample_deinit(&again);
  sample_deinit(&s);
}

static void test_sparse_numbers(void **state) {
  (void)state;
  static const char text[] = "!n = !{!4294967295}\n!4294967295 = !{!70000}\n!70000 = !{}\n";
  sample s = sample_of(text);
  assert_prints(&s, text);
  assert_int_equal(dloc_module_numbered(s.module, 5), DLOC_NULL);
  assert_int_equal(dloc_module_numbered(s.module, UINT64_MAX), DLOC_NULL);
  assert_int_not_equal(dloc_module_numbered(s.module, 4294967295u), DLOC_NULL);
  sample_deinit(&s);
}

/* ---- Printing ---- */

static void test_changed_locations(void **state) {
  (void)state;
  sample s = sample_of("define void @f() {\n"
                       "  call void @g(), !dbg !3, !x !1 ; comment\n"
                       "  store i32 0, ptr %p\n"
                       "    #dbg_value(i32 0, !1, !DIExpression(), !3) ; comment\n"
                       "  call void @g(), !dbg !3,\n    !dbg !4\n"
                       "  ret void\n}\n"
                       "declare void @g()\n" METADATA);
  dloc_location content = {.line = 99, .scope = dloc_module_numbered(s.module, 2)};
  dloc_node fresh = DLOC_NULL;
  assert_int_equal(dloc_location_create(s.context, false, &content, &fresh), DLOC_OK);
  assert_int_equal(dloc_module_set_debug_loc(s.module, 0, fresh), DLOC_OK);
  assert_int_equal(dloc_module_set_debug_loc(s.module, 1, dloc_module_numbered(s.module, 6)), DLOC_OK);
  assert_int_equal(dloc_module_set_debug_loc(s.module, 2, fresh), DLOC_OK);
  assert_int_equal(dloc_module_set_debug_loc(s.module, 3, DLOC_NULL), DLOC_OK);
  assert_int_equal(dloc_module_set_debug_loc(s.module, 99, DLOC_NULL), DLOC_INVALID);
  char *text = printed(&s);
  static const char expected[] = "define void @f() {\n"
                                 "  call void @g(), !x !1, !dbg !7 ; comment\n"
                                 "  store i32 0, ptr %p, !dbg !6\n"
                                 "    #dbg_value(i32 0, !1, !DIExpression(), !7) ; comment\n"
                                 "  call void @g()\n"
                                 "  ret void\n}\n";
  assert_memory_equal(text, expected, sizeof expected - 1);
  assert_non_null(strstr(text, "\n!7 = !DILocation(line: 99, scope: !2)\n"));
  free(text);
  sample_deinit(&s);
}

/* Found by the fuzzer: odd neighbours of a location that is replaced or removed. What is printed must read again. */
static void test_odd_neighbours(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "ret i3!kind !3",
      "ret void, !dbg !3x: ret void",
      "load i32, ptr %p !dbg !3 !dbg !4",
      "br i1#2x: ret void",
      "#dbg_label ; (\n (!7, !4)\n ret void",
      "call void @g(i32 <), !dbg !3",
      "ret void, !dbg !{!3, !{!\")\", !4}}\"label\":",
  };
  for (size_t i = 0; i < 2 * (sizeof bodies / sizeof *bodies); i++) {
    char text[2048];
    snprintf(text, sizeof text, "define void @f() {\n %s\n}\n" METADATA "!7 = !{}\n", bodies[i / 2]);
    sample s = sample_of(text);
    uint32_t count = (uint32_t)dloc_module_instruction_count(s.module);
    for (uint32_t j = 0; j < count; j++) {
      bool record = dloc_module_instruction(s.module, j)->flags & DLOC_INSTRUCTION_RECORD;
      dloc_node location = i % 2 || record ? dloc_module_numbered(s.module, 5) : DLOC_NULL;
      assert_int_equal(dloc_module_set_debug_loc(s.module, j, location), DLOC_OK);
    }
    char *first = printed(&s);
    sample again = sample_of(first);
    assert_int_equal(dloc_module_instruction_count(again.module), count);
    for (uint32_t j = 0; j < count; j++)
      assert_int_equal(dloc_module_instruction(again.module, j)->debug_loc != DLOC_NULL,
                       dloc_module_instruction(s.module, j)->debug_loc != DLOC_NULL);
    free(first);
    sample_deinit(&again);
    sample_deinit(&s);
  }
}

static void test_added_metadata(void **state) {
  (void)state;
  sample s = sample_of("!n = !{!0}\n!0 = !{}");
  dloc_node tuple = DLOC_NULL, operand = dloc_module_numbered(s.module, 0);
  assert_int_equal(dloc_tuple(s.context, true, &operand, 1, &tuple), DLOC_OK);
  assert_int_equal(dloc_module_add_named(s.module, dloc_text_of("n"), &tuple, 1), DLOC_OK);
  assert_int_equal(dloc_module_add_named(s.module, dloc_text_of("m"), &tuple, 1), DLOC_OK);
  assert_prints(&s, "!n = !{!0}\n!0 = !{}\n!n = !{!1}\n!m = !{!1}\n!1 = distinct !{!0}\n");
  sample_deinit(&s);
}

static bool refuse(void *user, const char *bytes, size_t size) {
  size_t *left = user;
  (void)bytes;
  bool fits = size <= *left;
  *left -= fits ? size : *left;
  return fits;
}

static void test_stopped_sink(void **state) {
  (void)state;
  sample s = sample_of("define void @f() { ret void, !dbg !3 }\n" METADATA);
  char *text = printed(&s);
  for (size_t room = 0; room < strlen(text); room++) {
    size_t left = room;
    assert_int_equal(dloc_write_ll(s.module, (dloc_sink){refuse, &left}), DLOC_STOPPED);
  }
  free(text);
  sample_deinit(&s);
}

/* ---- Places ---- */

static void test_places(void **state) {
  (void)state;
  sample s = sample_of("\n define void @f() {\n  ret void\n}\n!0 = !{}\n  !1 = !{!0}\n");
  dloc_place place;
  dloc_violation violation = {.function = 0, .instruction = 0};
  assert_true(dloc_violation_place(s.module, &violation, &place));
  assert_int_equal(place.line, 3);
  assert_int_equal(place.column, 3);
  violation.instruction = DLOC_NO_INDEX;
  assert_true(dloc_violation_place(s.module, &violation, &place));
  assert_int_equal(place.line, 2);
  assert_int_equal(place.column, 2);
  violation.function = DLOC_NO_INDEX;
  violation.node = dloc_module_numbered(s.module, 1);
  assert_true(dloc_violation_place(s.module, &violation, &place));
  assert_int_equal(place.line, 6);
  assert_int_equal(place.column, 3);
  violation.node = DLOC_NULL;
  assert_false(dloc_violation_place(s.module, &violation, &place));
  sample_deinit(&s);
}

/* ---- Diagnostics ---- */

typedef struct bad_text {
  const char *text;
  unsigned line, column;
  dloc_reason reason;
  const char *message;
} bad_text;

/* Lines, columns and messages are those of llvm-as 14, 19 and 22 wherever these diagnose the same thing. */
static const bad_text bad_texts[] = {
    {"!0 = !DILocation(line: 3\n , column: 4)\n", 2, 13, DLOC_REASON_FIELD_MISSING, "missing required field 'scope'"},
    {"!0 = !DILocation(line: 3, scope: null)\n", 1, 34, DLOC_REASON_FIELD_NULL, "'scope' cannot be null"},
    {"!0 = !DILocation(line: 3, scope: !1)\n", 1, 35, DLOC_REASON_TEXT_UNDEFINED, "use of undefined metadata '!1'"},
    {"!0 = !{!3, !1}\n!4=!{!1}\n", 1, 13, DLOC_REASON_TEXT_UNDEFINED, "use of undefined metadata '!1'"},
    {"!0 = !{}\n!0 = !{}\n", 3, 1, DLOC_REASON_TEXT_REDEFINED, "Metadata id is already used"},
    {"!0 = !DILocation(line: 3, line: 4, scope: !0)\n", 1, 27, DLOC_REASON_FIELD_REPEATED,
     "field 'line' cannot be specified more than once"},
    {"!0 = !DILocation(foo: 3, line: 4, scope: !0)\n", 1, 18, DLOC_REASON_FIELD_UNKNOWN, "invalid field 'foo'"},
    {"!0 = !DILocation(column: 65536, line: 4, scope: !0)\n", 1, 26, DLOC_REASON_FIELD_TOO_LARGE,
     "value for 'column' too large, limit is 65535"},
    {"!0 = !DILocation(line: 4294967296, scope: !0)\n", 1, 24, DLOC_REASON_FIELD_TOO_LARGE,
     "value for 'line' too large, limit is 4294967295"},
    {"!0 = !DILocation(column: -1, line: 4, scope: !0)\n", 1, 26, DLOC_REASON_FIELD_NOT_UNSIGNED,
     "expected unsigned integer"},
    {"!0 = !DILocation(isImplicitCode: 1, line: 4, scope: !0)\n", 1, 34, DLOC_REASON_FIELD_NOT_BOOLEAN,
     "expected 'true' or 'false'"},
    {"!0 = !DISubprogram(name: \"x\")\n", 1, 6, DLOC_REASON_SUBPROGRAM_NOT_DISTINCT,
     "missing 'distinct', required for !DISubprogram that is a Definition"},
    {"!0 = !DICompileUnit(language: 1, file: !0)\n", 1, 6, DLOC_REASON_UNIT_NOT_DISTINCT,
     "missing 'distinct', required for !DICompileUnit"},
    {"!0 = !DIAssignID()\n", 1, 6, DLOC_REASON_ASSIGN_ID_NOT_DISTINCT,
     "missing 'distinct', required for !DIAssignID()"},
    {"!0 = !DILocation(line: 3, scope: 4)\n", 1, 34, DLOC_REASON_FIELD_NOT_NODE, "expected metadata operand"},
    {"!0 = !DILocation(line: 3, scope: \"x\")\n", 1, 34, DLOC_REASON_FIELD_NOT_NODE, "expected metadata operand"},
    {"!0 = !DILabel(scope: !0, name: \"l\", file: \"x\", line: 1)\n", 1, 43, DLOC_REASON_FIELD_NOT_NODE,
     "expected metadata operand"},
    {"!0 = !DISubrange(count: \"x\")\n", 1, 25, DLOC_REASON_FIELD_NOT_NODE, "expected metadata operand"},
    {"!0 = !DIExpression(\"x\")\n", 1, 20, DLOC_REASON_TEXT_SYNTAX, "expected unsigned integer"},
    {"!0 = !DIFile(filename: \"a\", directory: \"b\", checksumkind: CSK_MD5)\n", 2, 1, DLOC_REASON_FIELD_CHECKSUM_ALONE,
     "'checksumkind' and 'checksum' must be provided together"},
    {"!0 = distinct !DISubprogram(name: 4)\n", 1, 35, DLOC_REASON_FIELD_NOT_STRING, "expected string constant"},
    {"!0 = !DILocation(line 3)\n", 1, 18, DLOC_REASON_TEXT_SYNTAX, "expected field label here"},
    {"!0 = !DILexicalBlockFile(scope: !0)\n", 1, 35, DLOC_REASON_FIELD_MISSING,
     "missing required field 'discriminator'"},
    {"!0 = !\"x\"\n", 1, 7, DLOC_REASON_TEXT_SYNTAX, "expected '{' here"},
    {"!0 = !DILocation(line: 3\n", 2, 1, DLOC_REASON_TEXT_TRUNCATED, "expected ')' here"},
    {"!0 = !{i32 1\n", 2, 1, DLOC_REASON_TEXT_TRUNCATED, "expected end of metadata node"},
    {"!a = !{null}\n", 1, 8, DLOC_REASON_TEXT_SYNTAX, "Expected '!' here"},
    {"!4294967296 = !{}\n", 1, 2, DLOC_REASON_TEXT_LIMIT, "expected 32-bit integer (too large)"},
    {"define void @f() {\n ret void\n}\ndefine void @f() {\n ret void\n}", 4, 13, DLOC_REASON_TEXT_FUNCTION_REDEFINED,
     "invalid redefinition of function 'f'"},
    {"define void @f() {\n ret void, !dbg !7\n}", 2, 18, DLOC_REASON_TEXT_UNDEFINED, "use of undefined metadata '!7'"},
    {"define void @f() {\n ret void, !dbg distinct !{}\n}", 2, 17, DLOC_REASON_TEXT_SYNTAX, "expected '!' here"},
    {"define void @f() {\n  #dbg_value(i32 0, !0, !0, null)\n ret void }\n!0 = !{}", 2, 29, DLOC_REASON_TEXT_SYNTAX,
     "expected '!' here"},
    {"define void @f() {\n  foo void\n}\n", 2, 3, DLOC_REASON_TEXT_SYNTAX, "expected instruction opcode"},
    {"define void @f() {\n  ret void\n", 3, 1, DLOC_REASON_TEXT_TRUNCATED,
     "found end of file when expecting more instructions"},
    {"void f();\n", 1, 1, DLOC_REASON_TEXT_SYNTAX, "expected top-level entity"},
    {"define void @f() {\n  %a = add i32 !1, 2\n  ret void\n}\n!1 = !{}\n", 2, 16, DLOC_REASON_TEXT_SYNTAX,
     "expected value token"},
    {"define void @f() {\n  call void @g(i32 !1)\n  ret void\n}\n!1 = !{}\n", 2, 20, DLOC_REASON_TEXT_SYNTAX,
     "expected value token"},
    {"%t = !{!1}\n!1 = !{}\n", 1, 6, DLOC_REASON_TEXT_SYNTAX, "expected value token"},
    {"target triple = !1\n!1 = !{}\n", 1, 17, DLOC_REASON_TEXT_SYNTAX, "expected value token"},
    {"@g = global i32 !1\n!1 = !{}\n", 1, 17, DLOC_REASON_TEXT_SYNTAX, "expected value token"},
    {"@g = global {i32} { i32 !kind !1 }\n!1 = !{}\n", 1, 25, DLOC_REASON_TEXT_SYNTAX, "expected value token"},
    {"!1 = !{i32 add(!2)}\n!2 = !{}\n", 1, 16, DLOC_REASON_TEXT_SYNTAX, "expected value token"},
    {"!1 = !{{(!2)}}\n!2 = !{}\n", 1, 10, DLOC_REASON_TEXT_SYNTAX, "expected value token"},
    {"!1 = !D(flags: A | !2)\n!2 = !{}\n", 1, 16, DLOC_REASON_TEXT_SYNTAX, "expected metadata operand"},
    {"define void @f({i32, !1} %x) {\n  ret void\n}\n!1 = !{}\n", 1, 22, DLOC_REASON_TEXT_SYNTAX,
     "expected value token"},
    {"define void @f(i32 %x) {\n  call void @g(metadata !1 !1)\n  ret void\n}\n!1 = !{}\n", 2, 28,
     DLOC_REASON_TEXT_SYNTAX, "expected ',' here"},
    {"define void @f() {\n  #dbg_value(i32 %x !1, !1, !DIExpression(), !1)\n  ret void\n}\n!1 = !{}\n", 2, 21,
     DLOC_REASON_TEXT_SYNTAX, "expected value token"},
    {"define void @f() {\n  #dbg_value(i32 %x, !1 !1, !DIExpression(), !1)\n  ret void\n}\n!1 = !{}\n", 2, 25,
     DLOC_REASON_TEXT_SYNTAX, "expected ',' here"},
    {"define void @f() {\n  call void @llvm.dbg.value(metadata i32 %x !1, !1)\n  ret void\n}\n!1 = !{}\n", 2, 45,
     DLOC_REASON_TEXT_SYNTAX, "expected value token"},
    {"define void @f() {\n  call void @llvm.dbg.value(a,a,a,a,a,a,a,a,a)\n  ret void\n}\n", 2, 45,
     DLOC_REASON_TEXT_SYNTAX, "too many arguments specified"},
    {"@g = global i32 0 \x01\n", 1, 19, DLOC_REASON_TEXT_ENCODING, "byte 0x01 cannot stand here"},
    {"!0 = !{}\n\xc3\xa9", 2, 1, DLOC_REASON_TEXT_ENCODING, "byte 0xc3 cannot stand here"},
    {"define void @f() {\n  ret void, !dbg !1:2\n}\n", 2, 20, DLOC_REASON_TEXT_SYNTAX, "expected instruction opcode"},
    {"define void @f(i32 >) { ret void }\n", 1, 20, DLOC_REASON_TEXT_SYNTAX, "expected ')' here"},
    {"@g = global \"", 1, 13, DLOC_REASON_TEXT_TRUNCATED, "end of file in string constant"},
};

static void test_diagnostics(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad_texts / sizeof *bad_texts; i++) {
    const bad_text *bad = &bad_texts[i];
    dloc_context *context = dloc_context_create(NULL);
    dloc_module *module = NULL;
    dloc_diagnostic diagnostic = {0};
    assert_int_equal(dloc_read_ll(context, dloc_text_of(bad->text), &diagnostic, &module), DLOC_INVALID);
    assert_null(module);
    assert_string_equal(diagnostic.message, bad->message);
    assert_string_equal(dloc_reason_name(diagnostic.reason), dloc_reason_name(bad->reason));
    if (diagnostic.line != bad->line || diagnostic.column != bad->column)
      print_error("%s\n", bad->text);
    assert_int_equal(diagnostic.line, bad->line);
    assert_int_equal(diagnostic.column, bad->column);
    dloc_context_destroy(context);
  }
}

static void test_nul_bytes(void **state) {
  (void)state;
  static const char text[] = "!0 = !{}\n; \0\n";
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  assert_int_equal(dloc_read_ll(context, (dloc_text){text, sizeof text - 1}, &diagnostic, &module), DLOC_INVALID);
  assert_int_equal(diagnostic.reason, DLOC_REASON_TEXT_ENCODING);
  assert_int_equal(diagnostic.line, 2);
  assert_int_equal(diagnostic.column, 3);
  dloc_context_destroy(context);
}

static void take_part(void *user, dloc_text part) {
  dloc_text *passed = user;
  assert_true(!passed->size || part.bytes == passed->bytes + passed->size);
  *passed = (dloc_text){passed->size ? passed->bytes : part.bytes, passed->size + part.size};
}

/* Three MiB of definitions, in which bytes are replaced, and behind them a fault. */
static void read_large(const char *first, const char *second, dloc_reason reason, uint32_t line) {
  enum { LINES = 65536, WIDTH = 48 };
  char *text = malloc((size_t)LINES * WIDTH + 1);
  assert_non_null(text);
  for (int i = 0; i < LINES; i++)
    sprintf(text + (size_t)i * WIDTH, "%-47.47s\n", i == 20000 ? first : i == 60000 ? second : "!names = !{}");
  for (char *at = text; (at = strchr(at, '~'));)
    *at = '\0';
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  dloc_text passed = {text, 0}, whole = {text, (size_t)LINES * WIDTH};
  dloc_context_set_passed(context, take_part, &passed);
  dloc_status status = dloc_read_ll(context, whole, &diagnostic, &module);
  assert_int_equal(status, reason ? DLOC_INVALID : DLOC_OK);
  assert_int_equal(diagnostic.reason, reason);
  assert_int_equal(diagnostic.line, line);
  assert_true(reason ? passed.size < whole.size : dloc_text_equal(passed, whole));
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  free(text);
}

/* A long text is told in parts; of two faults the first in the text counts, whichever step finds them. */
static void test_parts_of_a_text(void **state) {
  (void)state;
  read_large("", "", DLOC_REASON_NONE, 0);
  read_large("; ~", "define", DLOC_REASON_TEXT_ENCODING, 20001);
  read_large("define", "; ~", DLOC_REASON_TEXT_SYNTAX, 20002);
  read_large("@\"a\\00\" = global i32 0", "!{", DLOC_REASON_TEXT_ENCODING, 20001);
  read_large("!0 = !{} !{", "@\"a\\00\" = global i32 0", DLOC_REASON_TEXT_SYNTAX, 20001);
  read_large("", "; ~", DLOC_REASON_TEXT_ENCODING, 60001);
}

/* LLVM's way to write a location, and one with another space, are read in two ways. */
static void test_usual_locations(void **state) {
  (void)state;
  static const char *const fields[] = {
      "line: 3, column: 5, scope: !0",
      "line: 4294967295, column: 65535, scope: !0, inlinedAt: !1",
      "line: 4294967296, column: 5, scope: !0",
      "line: 3, column: 65536, scope: !0",
      "line: 3, scope: !0",
      "line: 3, scope: !0, inlinedAt: !1, atomGroup: 7, atomRank: 2",
      "line: 3, scope: !0, atomGroup: 4294967296, atomRank: 2",
      "line: 3, scope: !0, atomGroup: 7, atomRank: 255",
      "line: 3, scope: !0, atomGroup: 7, atomRank: 256",
      "line: 3, scope: !0, atomGroup: 7",
      "line: 3, scope: !0, atomRank: 2",
      "line: 3, scope: !0, inlinedAt: !DILocation(line: 1, scope: !0)",
      "line: 3, scope: !0, inlinedAt: null",
      "line: 3, scope: null",
      "line: 3, scope: !",
      "line: -3, scope: !0",
      "line: , scope: !0",
      "line: 3, scope: !0,",
      "line: 3, scope: !0, column: 4",
      "line: 3, column: 5",
      "line: 3, scope: !4294967296",
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    dloc_status status[2];
    dloc_diagnostic diagnostic[2] = {{0}};
    dloc_node node[2] = {DLOC_NULL};
    dloc_context *context = dloc_context_create(NULL);
    for (int other = 0; other < 2; other++) {
      char text[256];
      dloc_module *module = NULL;
      snprintf(text, sizeof text, "!0 = !DIFile(filename: \"\", directory: \"\")\n!1 = !{}\n!2 = !DILocation(%s%s)\n",
               other ? " " : "", fields[i]);
      status[other] = dloc_read_ll(context, dloc_text_of(text), &diagnostic[other], &module);
      node[other] = status[other] == DLOC_OK ? dloc_module_numbered(module, 2) : DLOC_NULL;
      dloc_module_destroy(module);
    }
    assert_int_equal(status[0], status[1]);
    assert_int_equal(node[0], node[1]);
    assert_string_equal(diagnostic[0].message, diagnostic[1].message);
    assert_int_equal(diagnostic[0].column + (status[0] != DLOC_OK), diagnostic[1].column);
    dloc_context_destroy(context);
  }
}

/* Any bytes may stand in strings, names and comments; a message made of them is UTF-8 all the same. */
static void test_any_bytes(void **state) {
  (void)state;
  static const char text[] = "; \xff\n!n = !{!0}\n!0 = !{!\"\xff\\ff\\\\\"}\n";
  sample s = sample_of(text);
  dloc_text bytes = dloc_node_text(s.context, dloc_operand(s.context, dloc_module_numbered(s.module, 0), 0));
  assert_int_equal(bytes.size, 3);
  assert_memory_equal(bytes.bytes, "\xff\xff\\", 3);
  sample_deinit(&s);
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  static const char twice[] = "declare void @\"\xff\\0a\xc3\xa9\"()\ndeclare void @\"\xff\\0a\xc3\xa9\"()\n";
  assert_int_equal(dloc_read_ll(context, dloc_text_of(twice), &diagnostic, &module), DLOC_INVALID);
  assert_string_equal(diagnostic.message, "invalid redefinition of function '??\xc3\xa9'");
  dloc_context_destroy(context);
}

/* ---- Bad input ---- */

static const char whole[] =
    "@g = global i32 0, !dbg !10\n"
    "define weak void @f(i32 %x) #0 personality ptr @p !dbg !2 {\n"
    "entry:\n"
    "  %a = alloca i32, align 4, !dbg !3, !x !{!1, i32 0}\n"
    "    #dbg_value(i32 %x, !7, !DIExpression(), !3)\n"
    "  call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !3\n"
    "  call void @\"g\\20h\"(i32 1), !dbg !DILocation(line: 1, scope: !2)\n"
    "  switch i32 %v, label %d [\n    i32 0, label %a\n  ], !dbg !6\n"
    "}\n"
    "declare !dbg !8 void @g(i32)\n"
    "attributes #0 = { alwaysinline \"no-inline-line-tables\" }\n" METADATA
    "!7 = !DILocalVariable(name: \"\\41\", scope: !2)\n"
    "!8 = !DISubprogram(name: \"g\", spFlags: 0)\n"
    "!9 = !{!{!9, !\"\"}, double 1.0, !DIExpression(DW_OP_plus_uconst, 8), !DIBasicType(tag: DW_TAG_base_type)}\n"
    "!10 = !DIGlobalVariableExpression(var: null, expr: !DIExpression())\n"
    "!4294967295 = distinct !{}\n";

/* Cut anywhere, the text gives a diagnostic within it, or a module. */
static void test_truncated(void **state) {
  (void)state;
  for (size_t size = 0; size < sizeof whole; size++) {
    dloc_context *context = dloc_context_create(NULL);
    dloc_module *module = NULL;
    dloc_diagnostic diagnostic;
    char *text = malloc(size ? size : 1); /* its own block, so that reading beyond it is seen */
    assert_non_null(text);
    memcpy(text, whole, size);
    dloc_status status = dloc_read_ll(context, (dloc_text){text, size}, &diagnostic, &module);
    assert_true(status == DLOC_OK || (status == DLOC_INVALID && diagnostic.offset <= size && diagnostic.message[0]));
    dloc_module_destroy(module);
    dloc_context_destroy(context);
    free(text);
  }
}

static dloc_status read_and_write(const dloc_allocator *allocator) {
  dloc_context *context = dloc_context_create(allocator);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  dloc_buffer buffer = {0};
  if (!context)
    return DLOC_NO_MEMORY;
  dloc_status status = dloc_read_ll(context, dloc_text_of(whole), &diagnostic, &module);
  if (status == DLOC_OK)
    status = dloc_write_ll(module, dloc_buffer_sink(&buffer));
  dloc_buffer_deinit(&buffer);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  return status;
}

static void test_allocation_failures(void **state) {
  (void)state;
  fail_every_allocation(read_and_write);
}

/* A text of many repetitions, between a beginning and an end. */
static char *repeat(const char *begin, const char *unit, size_t count, const char *unit_after, const char *end) {
  size_t size = strlen(begin) + count * (strlen(unit) + strlen(unit_after)) + strlen(end) + 1;
  char *text = malloc(size), *at = text;
  assert_non_null(text);
  at = stpcpy(at, begin);
  for (size_t i = 0; i < count; i++)
    at = stpcpy(at, unit);
  for (size_t i = 0; i < count; i++)
    at = stpcpy(at, unit_after);
  strcpy(at, end);
  return text;
}

static dloc_status read_once(const char *text) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  dloc_buffer buffer = {0};
  dloc_status status = dloc_read_ll(context, dloc_text_of(text), &diagnostic, &module);
  if (status == DLOC_OK)
    status = dloc_write_ll(module, dloc_buffer_sink(&buffer));
  dloc_buffer_deinit(&buffer);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  return status;
}

static void test_deep_nesting(void **state) {
  (void)state;
  static const struct {
    const char *begin, *unit, *unit_after, *end;
    dloc_status status;
  } cases[] = {
      {"!0 = ", "!{", "}", "\n", DLOC_OK},
      {"!0 = !{", "!DISubroutineType(types: ", ")", "}\n", DLOC_INVALID},
      {"!0 = !{", "!DISubroutineType(types: ", "", "", DLOC_INVALID},
      {"!0 = !{!{}", ", !{", "}", "}\n", DLOC_INVALID},
      {"!0 = !{i32 ", "(", ")", "}\n", DLOC_OK},
      {"!0 = ", "!{", "", "", DLOC_INVALID},
      {"@g = global i32 ", "[", "]", "\n", DLOC_OK},
      {"@g = global i32 ", "(", "", "\n", DLOC_INVALID},
      {"define void @f() { call void @g(", "(", ")", ") }", DLOC_OK},
      {"define void @f() { ret ", "(", "", "}", DLOC_INVALID},
      {"define void @f(", "(", ")", ") { ret void }", DLOC_OK},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = repeat(cases[i].begin, cases[i].unit, 1000000, cases[i].unit_after, cases[i].end);
    if (read_once(text) != cases[i].status)
      fail_msg("case %zu", i);
    free(text);
  }
}

static char *chain(size_t length) {
  char *text = malloc(length * 96 + 256), *at = text;
  assert_non_null(text);
  at += sprintf(at, "!0 = distinct !DISubprogram(name: \"f\")\n");
  for (size_t i = 1; i < length; i++)
    at += sprintf(at, "!%zu = !DILocation(line: %zu, scope: !0, inlinedAt: !%zu)\n", i, i, i + 1);
  sprintf(at, "!%zu = distinct !DILocation(line: 1, scope: !0)\n", length);
  return text;
}

static void test_long_chain(void **state) {
  (void)state;
  char *text = chain(1000000);
  assert_int_equal(read_once(text), DLOC_OK);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty_text),
      cmocka_unit_test(test_instructions),
      cmocka_unit_test(test_callees),
      cmocka_unit_test(test_records),
      cmocka_unit_test(test_function_flags),
      cmocka_unit_test(test_semantic_interposition),
      cmocka_unit_test(test_top_level),
      cmocka_unit_test(test_duplicates),
      cmocka_unit_test(test_sparse_numbers),
      cmocka_unit_test(test_changed_locations),
      cmocka_unit_test(test_odd_neighbours),
      cmocka_unit_test(test_added_metadata),
      cmocka_unit_test(test_stopped_sink),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_diagnostics),
      cmocka_unit_test(test_nul_bytes),
      cmocka_unit_test(test_parts_of_a_text),
      cmocka_unit_test(test_usual_locations),
      cmocka_unit_test(test_any_bytes),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_allocation_failures),
      cmocka_unit_test(test_deep_nesting),
      cmocka_unit_test(test_long_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
