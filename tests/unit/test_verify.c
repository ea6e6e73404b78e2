/* Verifying through the API: every violation of a module with its severity and place, choices one by one, long chains,
 * cycles, failures. First violations, and what LLVM finds, are the business of tests/lit/verify. */
#include "allocation.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- Modules from text, violations as text ---- */

/* Two functions' subprograms, a declaration's, a layer's file, and a location in each subprogram. */
static const char units[] = "!llvm.dbg.cu = !{!1}\n";
static const char flags[] = "!llvm.module.flags = !{!3}\n";
static const char nodes[] =
    "!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)\n"
    "!2 = !DIFile(filename: \"a.c\", directory: \"\")\n"
    "!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!6 = !DIBasicType(name: \"int\")\n"
    "!8 = !DIFile(filename: \"k.tile\", directory: \"\")\n"
    "!10 = distinct !DISubprogram(name: \"f\", file: !2, line: 1, spFlags: DISPFlagDefinition, unit: !1)\n"
    "!11 = distinct !DISubprogram(name: \"g\", file: !2, line: 9, spFlags: DISPFlagDefinition, unit: !1)\n"
    "!12 = !DISubprogram(name: \"h\", file: !2, line: 5, spFlags: 0)\n"
    "!13 = !DILexicalBlockFile(scope: !10, file: !8, discriminator: 0)\n"
    "!14 = !DILexicalBlockFile(scope: !11, file: !8, discriminator: 0)\n"
    "!20 = !DILocation(line: 2, column: 3, scope: !10)\n"
    "!21 = !DILocation(line: 12, column: 3, scope: !11)\n"
    "!22 = !DILocation(line: 100, scope: !13)\n"
    "!23 = !{!\"TileIR\", !22}\n";

typedef struct findings {
  const dloc_module *module;
  char text[2048];
  size_t used;
} findings;

static void add(findings *f, const char *text) {
  size_t size = strlen(text);
  assert_true(f->used + size < sizeof f->text);
  memcpy(f->text + f->used, text, size + 1);
  f->used += size;
}

/* `reason` or `reason!` for a hard one, blanks between. */
static bool collect(void *user, const dloc_violation *violation) {
  findings *f = user;
  if (f->used)
    add(f, " ");
  add(f, dloc_reason_name(violation->reason));
  if (violation->severity == DLOC_SEVERITY_HARD)
    add(f, "!");
  assert_true(violation->clause < DLOC_CLAUSE_COUNT);
  return true;
}

/* A profile, or one with choices changed: `rfc shape.layer=any`. */
static dloc_profile profile_of(const char *words) {
  size_t size = strcspn(words, " ");
  const dloc_profile *found = dloc_profile_find((dloc_text){words, size});
  assert_non_null(found);
  dloc_profile profile = *found;
  while (words[size]) {
    words += size + 1;
    size = strcspn(words, " ");
    const char *equals = memchr(words, '=', size);
    dloc_choice choice;
    unsigned alternative;
    assert_non_null(equals);
    assert_true(dloc_choice_find((dloc_text){words, (size_t)(equals - words)}, &choice));
    assert_true(
        dloc_alternative_find(choice, (dloc_text){equals + 1, (size_t)(words + size - equals - 1)}, &alternative));
    profile.alternative[choice] = (uint8_t)alternative;
  }
  return profile;
}

typedef struct test_module {
  char *text;
  dloc_context *context;
  dloc_module *module;
} test_module;

static char *join(const char *const *parts, size_t count) {
  size_t size = 1;
  for (size_t i = 0; i < count; i++)
    size += strlen(parts[i]);
  char *text = malloc(size);
  assert_non_null(text);
  *text = '\0';
  for (size_t i = 0; i < count; i++)
    strcat(text, parts[i]);
  return text;
}

/* The text alone, without the common nodes. */
static test_module read_bare(const char *text) {
  test_module m = {join(&text, 1), dloc_context_create(NULL), NULL};
  dloc_diagnostic diagnostic;
  assert_non_null(m.context);
  dloc_status status = dloc_read_ll(m.context, dloc_text_of(m.text), &diagnostic, &m.module);
  if (status != DLOC_OK)
    print_error("%u:%u: %s\n%s", diagnostic.line, diagnostic.column, diagnostic.message, m.text);
  assert_int_equal(status, DLOC_OK);
  return m;
}

static test_module read_module(const char *text) {
  char *whole = join((const char *const[]){text, units, flags, nodes}, 4);
  test_module m = read_bare(whole);
  free(whole);
  return m;
}

static void release(test_module *m) {
  dloc_module_destroy(m->module);
  dloc_context_destroy(m->context);
  free(m->text);
}

static void expect_in(const test_module *m, const char *profile_words, const char *expected) {
  dloc_profile profile = profile_of(profile_words);
  findings f = {.module = m->module};
  dloc_verdict verdict = {99, 99};
  assert_int_equal(dloc_verify(m->module, &profile, collect, &f, &verdict), DLOC_OK);
  if (strcmp(f.text, expected) != 0)
    print_error("under %s:\n%s\n", profile_words, m->text);
  assert_string_equal(f.text, expected);
  size_t words = *expected ? 1 : 0, hard = 0;
  for (const char *p = expected; *p; p++) {
    words += *p == ' ';
    hard += *p == '!';
  }
  assert_int_equal(verdict.hard, hard);
  assert_int_equal(verdict.soft, words - hard);
}

static void expect(const char *profile, const char *text, const char *expected) {
  test_module m = read_module(text);
  expect_in(&m, profile, expected);
  release(&m);
}

/* One instruction `ret void, !dbg !30` in @f, and the definition of !30 and others. */
static void expect_location(const char *profile, const char *definitions, const char *expected) {
  static const char function[] = "define void @f() !dbg !10 {\n  ret void, !dbg !30\n}\n";
  char *text = join((const char *const[]){function, definitions}, 2);
  expect(profile, text, expected);
  free(text);
}

/* ---- Every violation ---- */

static void nothing_is_wrong(void **state) {
  (void)state;
  expect_location("rfc", "!30 = !{!20, !23}\n", "");
  expect("rfc", "", "");
  test_module empty = read_bare("");
  expect_in(&empty, "rfc", "");
  expect_in(&empty, "llvm-14", "");
  release(&empty);
}

static void all_of_them_are_found(void **state) {
  (void)state;
  /* The scope of the location, of the block, the block's column: each once, however often they are
   * used. */
  expect("rfc",
         "define void @f() !dbg !10 {\n"
         "  br label %a, !dbg !30\n"
         "a:\n"
         "  br label %a, !dbg !30\n"
         "b:\n"
         "  br label %a, !dbg !31\n"
         "c:\n"
         "  ret void, !dbg !2\n"
         "}\n"
         "!30 = !DILocation(line: 1, scope: !2, inlinedAt: !6)\n"
         "!31 = !DILocation(line: 1, scope: !32)\n"
         "!32 = distinct !DILexicalBlock(scope: !12, column: 1)\n",
         "location.scope-not-local location.wrong-subprogram location.scope-required "
         "scope.declaration scope.column-without-line shape.not-a-location");
  /* Two functions: what is wrong with a location in each of them is said for each, what is wrong with the node once. */
  expect("rfc",
         "define void @f() !dbg !10 {\n  ret void, !dbg !30\n}\n"
         "define void @g() !dbg !11 {\n  ret void, !dbg !30\n}\n"
         "!30 = !DILocation(line: 1, scope: !12)\n",
         "location.wrong-subprogram location.scope-declaration location.wrong-subprogram");
  /* Each call. */
  expect("rfc",
         "define void @f() !dbg !10 {\n  call void @g()\n  call void @g()\n  call void @g(), !dbg !20\n  ret void\n}\n"
         "define void @g() !dbg !11 {\n  ret void\n}\n",
         "call.no-location call.no-location");
  expect("rfc", "define void @f() !dbg !10 !dbg !20 !dbg !10 {\n  ret void\n}\n",
         "function.two-attachments function.not-subprogram function.two-attachments");
}

/* A node that LLVM keeps when it drops debug info makes it reject the module. */
static void hard_is_what_stays(void **state) {
  (void)state;
  static const char broken[] = "!31 = !DILocation(line: 1, scope: !2)\n";
  char *in_named = join((const char *const[]){"!named = !{!31}\n", broken}, 2);
  expect("rfc", in_named, "location.scope-required!");
  free(in_named);
  static const char both[] = "define void @f() {\n  ret void, !dbg !31, !other !31\n}\n"
                             "!31 = !DILocation(line: 1, scope: !2)\n";
  expect("rfc", both, "location.scope-required!");
  static const char dropped[] = "define void @f() {\n  ret void, !dbg !31, !heapallocsite !32, !llvm.loop !33\n}\n"
                                "!31 = !DILocation(line: 1, scope: !2)\n"
                                "!32 = !{!31}\n"
                                "!33 = distinct !{!33, !31}\n";
  expect("rfc", dropped, "location.scope-required location.misplaced");
  static const char in_loop[] = "define void @f() {\n  ret void, !llvm.loop !33\n}\n"
                                "!31 = !DILocation(line: 1, scope: !2)\n"
                                "!32 = !{!31}\n"
                                "!33 = distinct !{!33, !32}\n";
  expect("rfc", in_loop, "location.scope-required");
  static const char scope_in_loop[] = "define void @f() {\n  ret void, !llvm.loop !33\n}\n"
                                      "!32 = !{!34}\n"
                                      "!33 = distinct !{!33, !32}\n"
                                      "!34 = !DILexicalBlock(scope: !2)\n";
  expect("rfc", scope_in_loop, "scope.not-local!");
}

static void misplaced_locations(void **state) {
  (void)state;
  static const char twice[] = "define void @f() {\n  ret void, !other !30, !more !30\n}\n!30 = !{!20, !21, !20}\n";
  expect("rfc", twice, "location.misplaced!");
  expect("rfc", "declare !other !30 void @f()\n!30 = !{!20}\n", "");
  expect("rfc", "define void @f() !other !30 {\n  ret void\n}\n!30 = !{!20}\n", "location.misplaced!");
  expect("rfc", "define void @f() {\n  ret void, !other !30\n}\n!30 = !{!31}\n!31 = !{!6}\n", "");
}

static void versions(void **state) {
  (void)state;
  static const char function[] = "define void @f() !dbg !10 {\n  ret void, !dbg !21\n}\n";
  static const char named[] = "!named = !{!10}\n";
  char *text = join((const char *const[]){function, units, nodes}, 3);
  test_module without_flag = read_bare(text);
  expect_in(&without_flag, "rfc", "module.version");
  release(&without_flag);
  free(text);
  /* What stays is checked, and no unit is listed any more. */
  text = join((const char *const[]){function, named, units, nodes}, 4);
  test_module with_named = read_bare(text);
  expect_in(&with_named, "rfc", "module.version unit.not-listed!");
  release(&with_named);
  free(text);
  expect("rfc", "!llvm.module.flags = !{!30}\n!30 = !{i32 1, !\"PIC Level\", i32 2}\n", "");
  expect("rfc", "!llvm.module.flags = !{!30}\n!30 = !{i32 1, !\"Debug Info Version\", i32 33}\n", "module.version");
  expect("rfc", "!llvm.module.flags = !{!30}\n!30 = !{i32 1, !\"Debug Info Version\"}\n", "");
}

/* ---- Choices ---- */

typedef struct shape_row {
  const char *profile;
  const char *definitions;
  const char *expected;
} shape_row;

static void expect_rows(const shape_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    expect_location(rows[i].profile, rows[i].definitions, rows[i].expected);
}

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void shapes(void **state) {
  (void)state;
  static const shape_row rows[] = {
      {"rfc", "!30 = !{}\n", "shape.no-operands"},
      {"rfc", "!30 = !{!23, !20}\n", "shape.primary-not-location"},
      {"rfc", "!30 = !{null, !23}\n", "shape.primary-not-location"},
      {"rfc", "!30 = !{!20}\n", "shape.no-layers"},
      {"rfc shape.no-layers=accept", "!30 = !{!20}\n", ""},
      {"rfc", "!30 = !{!20, !23}\n", ""},
      {"rfc", "!30 = distinct !{!20, !23}\n", ""},
      {"rfc shape.tuple=reject", "!30 = !{!20, !23}\n", "shape.tuple-rejected"},
      {"rfc", "!30 = !{!20, !22}\n", "shape.layer-not-tuple"},
      {"rfc", "!30 = !{!20, null}\n", "shape.layer-not-tuple"},
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!\"TileIR\"}\n", "shape.layer-arity"},
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!\"TileIR\", !22, !22}\n", "shape.layer-arity"},
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!22, !22}\n", "shape.kind-not-string"},
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!\"TileIR\", !13}\n", "shape.layer-not-location"},
      {"rfc shape.layer=any", "!30 = !{!20, !22, null, !31}\n!31 = !{!\"TileIR\", !13}\n", ""},
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!\"\", !22}\n", "shape.empty-kind"},
      {"rfc shape.empty-kind=accept", "!30 = !{!20, !31}\n!31 = !{!\"\", !22}\n", ""},
      {"rfc", "!30 = !{!20, !23, !31, !23}\n!31 = !{!\"MLIR\", !22}\n", "shape.repeated-kind"},
      {"rfc", "!30 = !{!20, !23, !31}\n!31 = !{!\"TILEIR\", !22}\n", ""},
      {"rfc shape.repeated-kind=accept", "!30 = !{!20, !23, !23}\n", ""},
      {"pr205453 source.missing=accept", "!30 = !{!20, !23, !23, !20, null}\n", ""},
  };
  expect_rows(rows, LENGTH(rows));
}

static void layers(void **state) {
  (void)state;
  static const shape_row rows[] = {
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!\"TileIR\", !32}\n!32 = !DILocation(line: 1, scope: !14)\n", ""},
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!\"TileIR\", !32}\n!32 = !DILocation(line: 1, scope: !14, inlinedAt: !20)\n",
       ""},
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!\"TileIR\", !32}\n!32 = !DILocation(line: 1, scope: !8)\n",
       "location.scope-required"},
      {"rfc", "!30 = !{!20, !31}\n!31 = !{!\"TileIR\", !32}\n!32 = !DILocation(line: 1, scope: !12)\n",
       "location.scope-declaration"},
      {"rfc", "!30 = !{!21, !23}\n", "location.wrong-subprogram"},
      {"rfc metadata.intermediate-scope=known",
       "!30 = !{!20, !31}\n!31 = !{!\"T\", !32}\n!32 = !DILocation(scope: !33)\n"
       "!33 = !DIIntermediateScope(scope: !10, file: !8)\n",
       ""},
      {"rfc metadata.intermediate-scope=known",
       "!30 = !{!20, !31}\n!31 = !{!\"T\", !32}\n!32 = !DILocation(scope: !33)\n"
       "!33 = !DIIntermediateScope(scope: !8, file: !10)\n",
       "scope.not-local scope.intermediate-file"},
      {"rfc metadata.intermediate-scope=known",
       "!30 = !DILocation(scope: !33)\n!33 = !DIIntermediateScope(scope: !10, file: !8)\n", ""},
  };
  expect_rows(rows, LENGTH(rows));
}

static void sources(void **state) {
  (void)state;
#define LIST "!llvm.intermediate_level_source = !{!40}\n"
  static const shape_row rows[] = {
      {"rfc", LIST "!30 = !{!20, !23}\n!40 = !{!\"TileIR\", !8, !\"\"}\n", ""},
      {"rfc", LIST "!30 = !{!20, !23}\n!40 = !{!\"TileIR\", !8}\n", "source.arity!"},
      {"rfc", LIST "!30 = !{!20, !23}\n!40 = !{!\"TileIR\", !8, !\"\", !\"\"}\n", "source.arity!"},
      {"rfc", LIST "!30 = !{!20, !23}\n!40 = !DIFile(filename: \"\", directory: \"\")\n", "source.arity!"},
      {"rfc", LIST "!30 = !{!20, !23}\n!40 = !{null, !\"k.tile\", !8}\n", "source.kind! source.file! source.text!"},
      {"rfc source.entries=ignore", LIST "!30 = !{!20, !23}\n!40 = !{null, !\"k.tile\", !8}\n", ""},
      {"pr205453", LIST "!30 = !{!20, !23}\n!40 = !{!\"TileIR\", !8, !\"\"}\n", ""},
      {"pr205453", LIST "!30 = !{!20, !23}\n!40 = !{!\"TileIR\", !2, !\"\"}\n", "source.undeclared"},
      {"pr205453", LIST "!30 = !{!20, !23}\n!40 = !{!\"MLIR\", !8, !\"\"}\n", ""},
      {"pr205453", "!llvm.intermediate_level_source = !{}\n!30 = !{!20, !23}\n", "source.undeclared"},
      {"pr205453", "!30 = !{!20, !23}\n", "source.missing"},
      {"pr205453", "!30 = !{!20}\n", ""},
      {"pr205453", "!30 = !DILocation(line: 1, scope: !10)\n", ""},
      {"rfc", "!30 = !{!20, !23}\n", ""},
  };
#undef LIST
  expect_rows(rows, LENGTH(rows));
  expect("pr205453",
         "define void @f() !dbg !10 {\n  br label %a, !dbg !30\na:\n  ret void, !dbg !31\n}\n"
         "!30 = !{!20, !23, !23}\n!31 = distinct !{!20, !23}\n",
         "source.missing");
}

static void records(void **state) {
  (void)state;
  static const char tuple[] = "define void @f() !dbg !10 {\n"
                              "    #dbg_value(i32 0, !30, !DIExpression(), !31)\n"
                              "    #dbg_label(!32, !31)\n"
                              "  ret void\n}\n"
                              "!30 = !DILocalVariable(name: \"v\", scope: !10)\n"
                              "!31 = !{!20, !23}\n"
                              "!32 = !DILabel(scope: !10, name: \"l\", file: !2, line: 1)\n";
  expect("rfc", tuple, "record.not-location record.not-location");
  expect("rfc verify.label-location=ignore", tuple, "record.not-location");
  expect("llvm-14 metadata.records=known", tuple, "record.not-location");
}

static void releases(void **state) {
  (void)state;
  static const char atoms[] =
      "define void @f() {\n  ret void, !dbg !30\n}\n"
      "!30 = !DILocation(line: 1, scope: !31, atomGroup: 1, atomRank: 1)\n"
      "!31 = distinct !DISubprogram(spFlags: DISPFlagDefinition, unit: !1, keyInstructions: true)\n";
  expect("rfc", atoms, "");
  expect("llvm-22", atoms, "");
  test_module m = read_module(atoms);
  dloc_profile profile = profile_of("llvm-19");
  dloc_verdict verdict;
  assert_int_equal(dloc_verify(m.module, &profile, NULL, NULL, &verdict), DLOC_OK);
  assert_int_equal(verdict.hard, 2);
  assert_int_equal(verdict.soft, 0);
  release(&m);
}

/* ---- Places ---- */

typedef struct place_list {
  dloc_violation at[8];
  size_t count;
} place_list;

static bool note_place(void *user, const dloc_violation *violation) {
  place_list *list = user;
  assert_true(list->count < LENGTH(list->at));
  list->at[list->count++] = *violation;
  return true;
}

static void violations_have_places(void **state) {
  (void)state;
  test_module m = read_module("define void @f() !dbg !10 {\n"
                              "  call void @g(), !dbg !20\n"
                              "  ret void, !dbg !21\n}\n"
                              "define void @g() !dbg !10 {\n"
                              "  ret void, !dbg !30\n}\n"
                              "!30 = !DILocation(line: 1, scope: !31)\n"
                              "!31 = distinct !DILexicalBlock(scope: !10, column: 1)\n");
  place_list list = {.count = 0};
  dloc_profile profile = profile_of("rfc");
  dloc_place place;
  assert_int_equal(dloc_verify(m.module, &profile, note_place, &list, NULL), DLOC_OK);
  assert_int_equal(list.count, 3);
  assert_int_equal(list.at[0].reason, DLOC_REASON_LOCATION_WRONG_SUBPROGRAM);
  assert_int_equal(list.at[0].clause, DLOC_CLAUSE_VERIFY_SUBPROGRAM);
  assert_int_equal(list.at[0].function, 0);
  assert_int_equal(list.at[0].instruction, 1);
  assert_int_equal(list.at[0].node, dloc_module_numbered(m.module, 21));
  assert_int_equal(list.at[1].reason, DLOC_REASON_FUNCTION_SHARED_SUBPROGRAM);
  assert_int_equal(list.at[1].function, 1);
  assert_int_equal(list.at[1].instruction, DLOC_NO_INDEX);
  assert_int_equal(list.at[2].reason, DLOC_REASON_SCOPE_COLUMN_WITHOUT_LINE);
  assert_int_equal(list.at[2].function, DLOC_NO_INDEX);
  assert_int_equal(list.at[2].node, dloc_module_numbered(m.module, 31));
  assert_true(dloc_violation_place(m.module, &list.at[2], &place));
  assert_int_equal(place.line, 9);
  release(&m);
}

/* Functions are checked in the order of the text, also when they were called before. */
static void functions_in_order(void **state) {
  (void)state;
  test_module m =
      read_module("define void @a() !dbg !10 {\n  call void @d()\n  call void @c()\n  ret void, !dbg !6\n}\n"
                  "define void @b() {\n  ret void, !dbg !30\n}\n"
                  "define void @c() {\n  ret void, !dbg !31\n}\n"
                  "define void @d() {\n  ret void, !dbg !2\n}\n"
                  "!30 = !{}\n!31 = !{!6}\n");
  expect_in(&m, "rfc", "shape.not-a-location shape.no-operands shape.primary-not-location shape.not-a-location");
  release(&m);
}

/* The same for a module that is built: a function that was named first stands where it was begun. */
static void begun_functions_in_order(void **state) {
  (void)state;
  static const char *const named[] = {"d", "b", "a", "c"}, *const begun[] = {"a", "b", "c", "d"};
  test_module m = read_module("");
  uint32_t function;
  dloc_node empty = DLOC_NULL, wrong = dloc_module_numbered(m.module, 6);
  assert_int_equal(dloc_tuple(m.context, false, NULL, 0, &empty), DLOC_OK);
  dloc_node filled = DLOC_NULL;
  assert_int_equal(dloc_tuple(m.context, false, &wrong, 1, &filled), DLOC_OK);
  dloc_node debug_locs[] = {empty, wrong, filled, dloc_module_numbered(m.module, 2)};
  for (size_t i = 0; i < LENGTH(named); i++)
    assert_int_equal(dloc_module_function_named(m.module, dloc_text_of(named[i]), &function), DLOC_OK);
  for (size_t i = 0; i < LENGTH(begun); i++) {
    dloc_instruction instruction = {.debug_loc = debug_locs[i], .callee = DLOC_NO_INDEX};
    assert_int_equal(
        dloc_module_begin_function(m.module, dloc_text_of(begun[i]), DLOC_FUNCTION_DEFINITION, 0, &function), DLOC_OK);
    if (i == 1)
      assert_int_equal(dloc_module_add_function_attachment(m.module, dloc_text_of("other"), wrong), DLOC_OK);
    assert_int_equal(dloc_module_add_instruction(m.module, &instruction), DLOC_OK);
  }
  expect_in(&m, "rfc", "shape.no-operands shape.not-a-location shape.primary-not-location shape.not-a-location");
  release(&m);
}

static bool stop_at_second(void *user, const dloc_violation *violation) {
  (void)violation;
  return ++*(int *)user < 2;
}

static void a_callback_can_stop(void **state) {
  (void)state;
  test_module m = read_module("define void @f() !dbg !10 {\n  ret void, !dbg !30\n}\n"
                              "!30 = !DILocation(line: 1, scope: !2, inlinedAt: !6)\n");
  dloc_profile profile = profile_of("rfc");
  dloc_verdict verdict = {7, 8};
  int calls = 0;
  assert_int_equal(dloc_verify(m.module, &profile, stop_at_second, &calls, &verdict), DLOC_STOPPED);
  assert_int_equal(calls, 2);
  assert_int_equal(verdict.soft, 7);
  assert_int_equal(verdict.hard, 8);
  release(&m);
}

/* ---- Built modules, long chains, cycles ---- */

enum { LONG = 1000000 };

/* A module of one function @f with the subprogram !10 of the common nodes; its instructions are added by the test. */
static test_module module_to_extend(dloc_node *ret_subprogram) {
  uint32_t function;
  test_module m = read_module("");
  *ret_subprogram = dloc_module_numbered(m.module, 10);
  assert_int_equal(dloc_module_begin_function(m.module, dloc_text_of("f"), DLOC_FUNCTION_DEFINITION, 0, &function),
                   DLOC_OK);
  assert_int_equal(dloc_module_add_function_attachment(m.module, dloc_text_of("dbg"), *ret_subprogram), DLOC_OK);
  return m;
}

static void add_instruction(test_module *m, dloc_node debug_loc) {
  dloc_instruction instruction = {.debug_loc = debug_loc, .callee = DLOC_NO_INDEX};
  assert_int_equal(dloc_module_add_instruction(m->module, &instruction), DLOC_OK);
}

static dloc_node location(test_module *m, uint32_t line, dloc_node scope, dloc_node inlined_at) {
  dloc_node ret = DLOC_NULL;
  dloc_location content = {.line = line, .scope = scope, .inlined_at = inlined_at};
  assert_int_equal(dloc_location_create(m->context, true, &content, &ret), DLOC_OK);
  return ret;
}

static dloc_node block(test_module *m, dloc_node scope) {
  dloc_node key = DLOC_NULL, ret = DLOC_NULL;
  assert_int_equal(dloc_token(m->context, dloc_text_of("scope"), &key), DLOC_OK);
  assert_int_equal(
      dloc_specialised(m->context, dloc_text_of("DILexicalBlock"), true, &(dloc_field){key, scope}, 1, NULL, &ret),
      DLOC_OK);
  return ret;
}

static void a_million_frames(void **state) {
  (void)state;
  dloc_node subprogram;
  test_module m = module_to_extend(&subprogram);
  dloc_node chain = DLOC_NULL;
  for (uint32_t i = 0; i < LONG; i++) {
    chain = location(&m, i, subprogram, chain);
    add_instruction(&m, chain); /* every frame is also an instruction's: still linear */
  }
  expect_in(&m, "rfc", "");
  release(&m);
}

static void a_million_scopes(void **state) {
  (void)state;
  dloc_node subprogram;
  test_module m = module_to_extend(&subprogram);
  dloc_node scope = subprogram;
  for (uint32_t i = 0; i < LONG; i++) {
    scope = block(&m, scope);
    if (i % 4 == 0)
      add_instruction(&m, location(&m, i, scope, DLOC_NULL));
  }
  expect_in(&m, "rfc", "");
  dloc_node other = dloc_module_numbered(m.module, 11);
  add_instruction(&m, location(&m, 1, other, location(&m, 2, scope, DLOC_NULL)));
  add_instruction(&m, location(&m, 1, scope, location(&m, 2, other, DLOC_NULL)));
  expect_in(&m, "rfc", "location.wrong-subprogram");
  release(&m);
}

/* A ring of locations, entered at many places. */
static void a_long_cycle(void **state) {
  (void)state;
  dloc_node subprogram, forward = DLOC_NULL;
  test_module m = module_to_extend(&subprogram);
  assert_int_equal(dloc_forward(m.context, &forward), DLOC_OK);
  dloc_node chain = forward;
  for (uint32_t i = 0; i < LONG / 4; i++)
    chain = location(&m, i, subprogram, chain);
  assert_int_equal(dloc_define(m.context, forward, chain), DLOC_OK);
  assert_int_equal(dloc_resolve(m.context, NULL), DLOC_OK);
  for (uint32_t i = 0; i < 1000; i++)
    add_instruction(&m, location(&m, i, subprogram, chain));
  assert_int_equal(dloc_module_resolve(m.module), DLOC_OK);
  expect_in(&m, "rfc", "location.inlined-at-cycle");
  expect_in(&m, "llvm-22", "location.inlined-at-cycle");
  release(&m);
}

static void cycles(void **state) {
  (void)state;
  static const char scopes[] = "!30 = !DILocation(scope: !31)\n"
                               "!31 = distinct !DILexicalBlock(scope: !32)\n"
                               "!32 = distinct !DILexicalBlock(scope: !31)\n";
  expect_location("rfc", scopes, "scope.cycle");
  expect_location("llvm-19", scopes, "scope.cycle");
  static const char two[] = "!30 = distinct !DILocation(scope: !31, inlinedAt: !30)\n"
                            "!31 = distinct !DILexicalBlock(scope: !31)\n";
  expect_location("rfc", two, "location.inlined-at-cycle scope.cycle");
  expect_location("llvm-22", two, "location.inlined-at-cycle");
  static const char plain[] = "define void @f() {\n  ret void, !dbg !30\n}\n"
                              "!30 = distinct !DILocation(scope: !10, inlinedAt: !30)\n";
  expect("rfc", plain, "location.inlined-at-cycle");
  expect("llvm-22", plain, "");
  expect("rfc verify.cycles=in-subprogram", plain, "");
  static const char record[] = "define void @f() {\n"
                               "    #dbg_value(i32 0, !30, !DIExpression(), !31)\n  ret void\n}\n"
                               "!30 = !DILocalVariable(name: \"v\", scope: !32)\n"
                               "!31 = !DILocation(line: 1, scope: !10)\n"
                               "!32 = distinct !DILexicalBlock(scope: !32)\n";
  expect("llvm-22", record, "scope.cycle");
  static const char subprograms[] = "define void @f() !dbg !30 {\n  ret void, !dbg !31\n}\n"
                                    "!30 = distinct !DISubprogram(scope: !30, spFlags: DISPFlagDefinition, unit: !1)\n"
                                    "!31 = !DILocation(line: 1, scope: !30)\n";
  expect("rfc", subprograms, "");
}

/* A tuple nested a million deep, attached under another kind, with a location at the bottom. */
static void deep_nesting(void **state) {
  (void)state;
  dloc_node subprogram;
  test_module m = module_to_extend(&subprogram);
  dloc_node node = location(&m, 1, subprogram, DLOC_NULL);
  for (uint32_t i = 0; i < LONG; i++)
    assert_int_equal(dloc_tuple(m.context, true, &node, 1, &node), DLOC_OK);
  add_instruction(&m, DLOC_NULL);
  assert_int_equal(dloc_module_add_attachment(m.module, dloc_text_of("other"), node), DLOC_OK);
  expect_in(&m, "rfc", "location.misplaced!");
  release(&m);
}

/* ---- Short memory ---- */

static bool accept_violation(void *user, const dloc_violation *violation) {
  (void)user;
  (void)violation;
  return true;
}

static dloc_status verify_something(const dloc_allocator *allocator) {
  static const char text[] = "define void @f() !dbg !10 {\n"
                             "    #dbg_value(i32 0, !34, !DIExpression(), !20)\n"
                             "  call void @g(), !dbg !30\n  ret void, !dbg !32, !other !33\n}\n"
                             "define void @g() !dbg !11 {\n  ret void, !dbg !21, !llvm.loop !35\n}\n"
                             "!30 = !{!20, !23}\n!31 = distinct !DILocation(line: 1, scope: !10, inlinedAt: !20)\n"
                             "!32 = !DILocation(line: 1, scope: !11, inlinedAt: !31)\n!33 = !{!20}\n"
                             "!34 = !DILocalVariable(name: \"v\", scope: !11)\n!35 = distinct !{!35, !20}\n";
  char *whole = join((const char *const[]){text, units, flags, nodes}, 4);
  dloc_context *context = dloc_context_create(allocator);
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_status status = context ? dloc_read_ll(context, dloc_text_of(whole), &diagnostic, &module) : DLOC_NO_MEMORY;
  for (size_t i = 0; status == DLOC_OK && i < dloc_profile_count(); i++)
    status = dloc_verify(module, dloc_profile_at(i), accept_violation, NULL, NULL);
  if (status == DLOC_OK)
    status = dloc_warn(module, dloc_profile_at(0), accept_violation, NULL);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  free(whole);
  return status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  fail_every_allocation(verify_something);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_wrong),
      cmocka_unit_test(all_of_them_are_found),
      cmocka_unit_test(hard_is_what_stays),
      cmocka_unit_test(misplaced_locations),
      cmocka_unit_test(versions),
      cmocka_unit_test(shapes),
      cmocka_unit_test(layers),
      cmocka_unit_test(sources),
      cmocka_unit_test(records),
      cmocka_unit_test(releases),
      cmocka_unit_test(violations_have_places),
      cmocka_unit_test(functions_in_order),
      cmocka_unit_test(begun_functions_in_order),
      cmocka_unit_test(a_callback_can_stop),
      cmocka_unit_test(a_million_frames),
      cmocka_unit_test(a_million_scopes),
      cmocka_unit_test(a_long_cycle),
      cmocka_unit_test(cycles),
      cmocka_unit_test(deep_nesting),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
