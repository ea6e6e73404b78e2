/* Modules that are built, not read: what they hold, and how they print. */
#include "nodes/module.h"
#include "allocation.h"
#include "dloc_formats.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static dloc_context *context;
static dloc_module *module;

static int set_up(void **state) {
  (void)state;
  module = NULL;
  context = dloc_context_create(NULL);
  return context && dloc_module_create(context, &module) == DLOC_OK ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  return 0;
}

static dloc_text text(const char *c_string) { return dloc_text_of(c_string); }

static dloc_node tuple(bool distinct) {
  dloc_node node = DLOC_NULL;
  assert_int_equal(dloc_tuple(context, distinct, NULL, 0, &node), DLOC_OK);
  return node;
}

static dloc_node location(uint32_t line, dloc_node scope) {
  dloc_node node = DLOC_NULL;
  dloc_location content = {.line = line, .scope = scope};
  assert_int_equal(dloc_location_create(context, false, &content, &node), DLOC_OK);
  return node;
}

static uint32_t begin(const char *name, uint32_t flags) {
  uint32_t index = 0;
  assert_int_equal(dloc_module_begin_function(module, text(name), flags, 0, &index), DLOC_OK);
  return index;
}

static void add(uint32_t flags, uint32_t callee, dloc_node debug_loc) {
  dloc_instruction instruction = {.flags = flags, .callee = callee, .debug_loc = debug_loc};
  assert_int_equal(dloc_module_add_instruction(module, &instruction), DLOC_OK);
}

static void test_order(void **state) {
  (void)state;
  dloc_instruction instruction = {.callee = DLOC_NO_INDEX};
  assert_int_equal(dloc_module_add_instruction(module, &instruction), DLOC_INVALID);
  assert_int_equal(dloc_module_add_attachment(module, text("x"), tuple(false)), DLOC_INVALID);
  assert_int_equal(dloc_module_add_function_attachment(module, text("x"), tuple(false)), DLOC_INVALID);
  uint32_t index = 0, again = 0;
  assert_int_equal(dloc_module_function_named(module, text("g"), &index), DLOC_OK);
  assert_int_equal(begin("f", DLOC_FUNCTION_DEFINITION), 1);
  assert_int_equal(begin("g", 0), index);
  assert_int_equal(dloc_module_begin_function(module, text("g"), 0, 0, &again), DLOC_INVALID);
  assert_true(dloc_module_find_function(module, text("f"), &again));
  assert_int_equal(again, 1);
  assert_false(dloc_module_find_function(module, text("h"), &again));
  assert_null(dloc_module_function(module, 2));
  assert_null(dloc_module_instruction(module, 0));
}

static void test_finding_makes_no_node(void **state) {
  (void)state;
  uint32_t limit = dloc_node_limit(context), index = 0;
  dloc_named_metadata named;
  assert_false(dloc_module_find_function(module, text("no such function"), &index));
  assert_false(dloc_module_find_named(module, text("no such name"), &named));
  assert_int_equal(dloc_node_limit(context), limit);
}

static void test_attachments(void **state) {
  (void)state;
  dloc_node a = tuple(true), b = tuple(true);
  begin("f", DLOC_FUNCTION_DEFINITION);
  assert_int_equal(dloc_module_add_function_attachment(module, text("x"), a), DLOC_OK);
  assert_int_equal(dloc_module_add_function_attachment(module, text("dbg"), b), DLOC_OK);
  add(0, DLOC_NO_INDEX, DLOC_NULL);
  assert_int_equal(dloc_module_add_attachment(module, text("y"), b), DLOC_OK);
  assert_int_equal(dloc_module_add_attachment(module, text("z"), a), DLOC_OK);
  add(DLOC_INSTRUCTION_RET, DLOC_NO_INDEX, DLOC_NULL);
  assert_int_equal(dloc_function_subprogram(module, 0), b);
  assert_int_equal(dloc_function_subprogram(module, 7), DLOC_NULL);
  assert_int_equal(dloc_module_attachment_count(module, 0), 2);
  assert_int_equal(dloc_module_attachment_count(module, 1), 0);
  assert_int_equal(dloc_module_attachment(module, 0, 1).node, a);
  assert_int_equal(dloc_module_attachment(module, 0, 2).node, DLOC_NULL);
  assert_int_equal(module_function_attachment(module, 0, 0).node, a);
}

static void test_named(void **state) {
  (void)state;
  dloc_node a = tuple(true), b = tuple(true);
  dloc_named_metadata named;
  assert_int_equal(dloc_module_add_named(module, text("n"), &a, 1), DLOC_OK);
  assert_int_equal(dloc_module_add_named(module, text("m"), NULL, 0), DLOC_OK);
  assert_int_equal(dloc_module_add_named(module, text("m"), &b, 1), DLOC_OK);
  assert_int_equal(dloc_module_add_named(module, text("n"), &b, 1), DLOC_OK);
  assert_int_equal(dloc_module_named_count(module), 2);
  assert_true(dloc_module_find_named(module, text("n"), &named));
  assert_int_equal(named.operand_count, 2);
  assert_int_equal(dloc_module_named_operand(module, &named, 0), a);
  assert_int_equal(dloc_module_named_operand(module, &named, 1), b);
  assert_int_equal(dloc_module_named_operand(module, &named, 2), DLOC_NULL);
}

static void test_drop_named(void **state) {
  (void)state;
  static const char source[] = "!n = !{!0}\n!m = !{!0} ; rest\n!n = !{!0}!0 = !{}";
  dloc_node a = tuple(true);
  dloc_module *read = NULL;
  dloc_diagnostic diagnostic;
  dloc_buffer before = {0}, after = {0};
  assert_int_equal(dloc_read_ll(context, text(source), &diagnostic, &read), DLOC_OK);
  dloc_module_drop_named(read, text("no such name"));
  dloc_module_drop_named(read, text("n"));
  assert_int_equal(dloc_write_ll(read, dloc_buffer_sink(&before)), DLOC_OK);
  assert_string_equal(before.bytes, "!m = !{!0} ; rest\n!0 = !{}\n");
  assert_int_equal(dloc_module_add_named(read, text("n"), &a, 1), DLOC_OK);
  assert_int_equal(dloc_write_ll(read, dloc_buffer_sink(&after)), DLOC_OK);
  assert_string_equal(after.bytes, "!m = !{!0} ; rest\n!0 = !{}\n!n = !{!1}\n!1 = distinct !{}\n");
  dloc_buffer_deinit(&before);
  dloc_buffer_deinit(&after);
  dloc_module_destroy(read);
}

static void test_drop_named_built(void **state) {
  (void)state;
  dloc_node a = tuple(true);
  dloc_named_metadata named;
  dloc_buffer buffer = {0};
  assert_int_equal(dloc_module_add_named(module, text("n"), &a, 1), DLOC_OK);
  assert_int_equal(dloc_module_add_named(module, text("m"), NULL, 0), DLOC_OK);
  dloc_module_drop_named(module, text("n"));
  assert_true(dloc_module_find_named(module, text("n"), &named));
  assert_int_equal(named.operand_count, 0);
  assert_int_equal(dloc_write_ll(module, dloc_buffer_sink(&buffer)), DLOC_OK);
  assert_string_equal(buffer.bytes, "!m = !{}\n");
  dloc_buffer_deinit(&buffer);
}

static void test_resolve(void **state) {
  (void)state;
  dloc_node forward = DLOC_NULL, node = tuple(true);
  assert_int_equal(dloc_forward(context, &forward), DLOC_OK);
  begin("f", DLOC_FUNCTION_DEFINITION);
  assert_int_equal(dloc_module_add_function_attachment(module, text("dbg"), forward), DLOC_OK);
  add(DLOC_INSTRUCTION_RECORD, forward, forward);
  assert_int_equal(dloc_module_add_attachment(module, text("x"), forward), DLOC_OK);
  assert_int_equal(module_add_global_attachment(module, text("x"), forward), DLOC_OK);
  assert_int_equal(dloc_module_add_named(module, text("n"), &forward, 1), DLOC_OK);
  assert_int_equal(dloc_define(context, forward, node), DLOC_OK);
  assert_int_equal(dloc_resolve(context, NULL), DLOC_OK);
  assert_int_equal(dloc_module_resolve(module), DLOC_OK);
  dloc_named_metadata named = dloc_module_named(module, 0);
  assert_int_equal(dloc_function_subprogram(module, 0), node);
  assert_int_equal(dloc_module_instruction(module, 0)->entity, node);
  assert_int_equal(dloc_module_instruction(module, 0)->debug_loc, node);
  assert_int_equal(dloc_module_attachment(module, 0, 0).node, node);
  assert_int_equal(module->global_attachments.items[0].node, node);
  assert_int_equal(dloc_module_named_operand(module, &named, 0), node);
}

/* One instruction of each class, as LLVM can read it. */
static void build(void) {
  dloc_node scope = tuple(true), loc = location(1, scope);
  uint32_t callee = 0, intrinsic = 0;
  assert_int_equal(dloc_module_function_named(module, text("g h"), &callee), DLOC_OK);
  assert_int_equal(dloc_module_function_named(module, text("llvm.dbg.value"), &intrinsic), DLOC_OK);
  begin("f", DLOC_FUNCTION_DEFINITION | DLOC_FUNCTION_INTERPOSABLE | DLOC_FUNCTION_ALWAYS_INLINE |
                 DLOC_FUNCTION_NO_INLINE_LINE_TABLES);
  assert_int_equal(dloc_module_add_function_attachment(module, text("x"), scope), DLOC_OK);
  add(DLOC_INSTRUCTION_ALLOCA, DLOC_NO_INDEX, loc);
  add(DLOC_INSTRUCTION_DBG_CALL | DLOC_INSTRUCTION_CALL, scope, loc);
  add(DLOC_INSTRUCTION_DBG_CALL | DLOC_INSTRUCTION_CALL | DLOC_INSTRUCTION_LABEL_RECORD, scope, loc);
  add(DLOC_INSTRUCTION_CALL, callee, loc);
  assert_int_equal(dloc_module_add_attachment(module, text("y z"), scope), DLOC_OK);
  add(DLOC_INSTRUCTION_CALL | DLOC_INSTRUCTION_PROBE, DLOC_NO_INDEX, loc);
  add(DLOC_INSTRUCTION_RET, DLOC_NO_INDEX, DLOC_NULL);
  add(0, DLOC_NO_INDEX, location(2, scope));
  begin("g h", 0);
  assert_int_equal(dloc_module_add_function_attachment(module, text("x"), scope), DLOC_OK);
  begin("r", DLOC_FUNCTION_DEFINITION);
  add(DLOC_INSTRUCTION_RECORD, scope, loc);
  add(DLOC_INSTRUCTION_RECORD | DLOC_INSTRUCTION_LABEL_RECORD, scope, loc);
  add(DLOC_INSTRUCTION_RET, DLOC_NO_INDEX, loc);
  assert_int_equal(module_add_global_attachment(module, text("x"), scope), DLOC_OK);
  assert_int_equal(dloc_module_add_named(module, text("n.m"), &loc, 1), DLOC_OK);
  assert_int_equal(dloc_module_add_named(module, text("empty"), NULL, 0), DLOC_OK);
}

static const char built[] =
    "@g0 = global i32 0, !x !0\n\n"
    "declare !x !0 void @\"g h\"()\n\n"
    "define weak void @f() alwaysinline \"no-inline-line-tables\" !x !0 {\n"
    "  %i0 = alloca i32, !dbg !1\n"
    "  call void @llvm.dbg.value(metadata i32 0, metadata !0, metadata !DIExpression()), !dbg !1\n"
    "  call void @llvm.dbg.label(metadata !0), !dbg !1\n"
    "  call void @\"g h\"(), !dbg !1, !y\\20z !0\n"
    "  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1), !dbg !1\n"
    "  ret void\n"
    "b6:\n"
    "  %i6 = add i32 0, 0, !dbg !2\n"
    "  unreachable\n}\n\n"
    "define void @r() {\n"
    "    #dbg_value(i32 0, !0, !DIExpression(), !1)\n"
    "    #dbg_label(!0, !1)\n"
    "  ret void, !dbg !1\n}\n\n"
    "declare void @llvm.dbg.value(metadata, metadata, metadata)\n\n"
    "declare void @llvm.dbg.label(metadata)\n\n"
    "declare void @llvm.pseudoprobe(i64, i64, i32, i64)\n\n"
    "!n.m = !{!1}\n"
    "!empty = !{}\n"
    "!0 = distinct !{}\n"
    "!1 = !DILocation(line: 1, scope: !0)\n"
    "!2 = !DILocation(line: 2, scope: !0)\n";

static void test_print(void **state) {
  (void)state;
  dloc_buffer buffer = {0};
  build();
  assert_int_equal(dloc_write_ll(module, dloc_buffer_sink(&buffer)), DLOC_OK);
  assert_string_equal(buffer.bytes, built);
  dloc_buffer_deinit(&buffer);
  uint64_t number = 0;
  dloc_violation violation = {.function = 0, .instruction = 0};
  dloc_place place;
  assert_false(dloc_module_number_of(module, 1, &number));
  assert_false(dloc_violation_place(module, &violation, &place));
}

/* What was printed reads as the same module. */
static void test_read_back(void **state) {
  (void)state;
  dloc_module *read = NULL;
  dloc_diagnostic diagnostic;
  dloc_buffer buffer = {0};
  build();
  assert_int_equal(dloc_read_ll(context, text(built), &diagnostic, &read), DLOC_OK);
  assert_int_equal(dloc_module_instruction_count(read), dloc_module_instruction_count(module) + 1);
  assert_int_equal(dloc_write_ll(read, dloc_buffer_sink(&buffer)), DLOC_OK);
  assert_string_equal(buffer.bytes, built);
  dloc_buffer_deinit(&buffer);
  dloc_module_destroy(read);
}

typedef enum entrance {
  IN_WORD,
  IN_PLACE,
  IN_KEY,
  IN_CLASS,
  IN_CONSTANT,
  IN_FUNCTION,
  IN_CALLEE,
  IN_KIND,
  IN_OF_FUNCTION,
  IN_NAMED,
  ENTRANCES
} entrance;

/* A module where that name stands at one entrance. */
static dloc_status name_it(entrance where, dloc_text name) {
  dloc_node word = DLOC_NULL, key = DLOC_NULL, made = DLOC_NULL, constant = DLOC_NULL;
  uint32_t function = 0, callee = DLOC_NO_INDEX;
#define NAME(entrance, other) (where == (entrance) ? name : text(other))
  TRY(dloc_token(context, where == IN_PLACE ? name : NAME(IN_WORD, "7"), &word));
  TRY(dloc_token(context, NAME(IN_KEY, "foo"), &key));
  TRY(dloc_specialised(context, NAME(IN_CLASS, where == IN_PLACE ? "DIExpression" : "DIFoo"), where != IN_PLACE,
                       &(dloc_field){where == IN_PLACE ? DLOC_NULL : key, word}, 1, NULL, &made));
  TRY(dloc_constant(context, NAME(IN_CONSTANT, "i32 7"), &constant));
  TRY(dloc_tuple(context, false, (const dloc_node[]){constant, made}, 2, &made));
  TRY(dloc_module_begin_function(module, NAME(IN_FUNCTION, "f"), DLOC_FUNCTION_DEFINITION, 0, &function));
  TRY(dloc_module_add_function_attachment(module, NAME(IN_OF_FUNCTION, "a"), made));
  if (where == IN_CALLEE)
    TRY(dloc_module_function_named(module, name, &callee));
  TRY(dloc_module_add_instruction(module, &(dloc_instruction){.callee = callee}));
  TRY(dloc_module_add_attachment(module, NAME(IN_KIND, "b"), made));
#undef NAME
  return dloc_module_add_named(module, where == IN_NAMED ? name : text("n"), &made, 1);
}

/* A name by a caller is refused where it enters, or the module is read with the same name. */
static void test_names(void **state) {
  static const char *const names[] = {
      "",           "\"",   "a\"b", "\"a\"", "\n", "{",    ")",   "a)",  "(",
      "}{",         ",",    "; x",  "!",     "!0", "!a",   "!\"", "\\",  "\\22",
      "\xc3\xa9",   "\x80", "\x01", "@",     "%",  "null", "0",   "a b", "i32 1, !dbg !0",
      "!\"a\", !0", "<",    ">"};
  unsigned fine = 0;
  for (int where = 0; where < ENTRANCES; where++)
    for (size_t i = 0; i < sizeof names / sizeof *names; i++, tear_down(state)) {
      assert_int_equal(set_up(state), 0);
      dloc_status status = name_it(where, text(names[i]));
      if (status == DLOC_INVALID ||
          (where == IN_CONSTANT && strcmp(names[i], "a b") == 0)) /* of a type that nobody knows */
        continue;
      dloc_module *read = NULL;
      dloc_diagnostic diagnostic = {0};
      dloc_buffer once = {0}, again = {0};
      assert_int_equal(status, DLOC_OK);
      assert_int_equal(dloc_write_ll(module, dloc_buffer_sink(&once)), DLOC_OK);
      if (dloc_read_ll(context, text(once.bytes), &diagnostic, &read) != DLOC_OK)
        fail_msg("%s\n%s", diagnostic.message, once.bytes);
      assert_int_equal(dloc_write_ll(read, dloc_buffer_sink(&again)), DLOC_OK);
      assert_string_equal(once.bytes, again.bytes);
      dloc_module_destroy(read);
      dloc_buffer_deinit(&once);
      dloc_buffer_deinit(&again);
      fine++;
    }
  assert_true(fine > 100); /* names of functions, attachments and named metadata are texts of any bytes */
  set_up(state);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_order),       TEST(test_finding_makes_no_node),
      TEST(test_attachments), TEST(test_named),
      TEST(test_resolve),     TEST(test_print),
      TEST(test_drop_named),  TEST(test_drop_named_built),
      TEST(test_read_back),   TEST(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
