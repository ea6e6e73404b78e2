/* Writing bitcode through the API: what each alternative makes of one location, errors, ownership, allocation failures.
 * The rules are the vectors' business. */
#include "allocation.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const char text[] =
    "!named = !{!10, !13, !14, !15}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)\n"
    "!1 = !DIFile(filename: \"a.py\", directory: \"src\")\n"
    "!2 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !0)\n"
    "!5 = distinct !DILocation(line: 9, scope: !2)\n"
    "!10 = !DILocation(line: 2, column: 5, scope: !2, inlinedAt: !5, isImplicitCode: true, atomGroup: 3, atomRank: 1)\n"
    "!11 = !DILocation(line: 100, column: 10, scope: !2, atomGroup: 4294967297, atomRank: 2)\n"
    "!12 = !{!\"TileIR\", !11}\n"
    "!13 = !{!10, !12}\n"
    "!14 = !{!10, !12, !{!\"MLIR\", !5}}\n"
    "!15 = !{!12}\n";

typedef struct fixture {
  dloc_context *context;
  dloc_module *module;
  dloc_profile profile;
  dloc_encoder *encoder;
  dloc_node refused; /* a node that has no number */
} fixture;

static dloc_node numbered(const fixture *f, unsigned number) { return dloc_module_numbered(f->module, number); }

/* Nodes have the number that they have in the text, kinds 20 and 21. */
static dloc_status number_of(void *user, dloc_node node, uint64_t *ret) {
  const fixture *f = user;
  if (node == f->refused)
    return DLOC_STOPPED;
  dloc_text kind = dloc_node_text(f->context, node);
  if (kind.size)
    *ret = kind.bytes[0] == 'T' ? 20 : 21;
  else
    assert_true(dloc_module_number_of(f->module, node, ret));
  return DLOC_OK;
}

static dloc_status open_fixture(fixture *f, const dloc_allocator *allocator) {
  dloc_diagnostic diagnostic;
  *f = (fixture){.context = dloc_context_create(allocator), .profile = *dloc_profile_at(0)};
  if (!f->context)
    return DLOC_NO_MEMORY;
  dloc_status status = dloc_read_ll(f->context, dloc_text_of(text), &diagnostic, &f->module);
  if (status == DLOC_OK)
    status = dloc_encoder_create(f->context, &f->profile, number_of, f, &f->encoder);
  return status;
}

static void close_fixture(fixture *f) {
  dloc_encoder_destroy(f->encoder);
  dloc_module_destroy(f->module);
  dloc_context_destroy(f->context);
}

/* `35* 1 2; 33;`: a record's code, an asterisk when it is abbreviated, and its values. */
static void assert_records(fixture *f, dloc_node debug_loc, const char *wanted) {
  const dloc_location_record *records = NULL;
  size_t count = 0, at = 0;
  char got[500] = "";
  assert_int_equal(dloc_encode_instruction(f->encoder, debug_loc, NULL, &records, &count), DLOC_OK);
  for (size_t i = 0; i < count; i++) {
    at += (size_t)snprintf(got + at, sizeof got - at, "%" PRIu32 "%s", records[i].code,
                           records[i].abbreviated ? "*" : "");
    for (size_t j = 0; j < records[i].count; j++)
      at += (size_t)snprintf(got + at, sizeof got - at, " %" PRIu64, records[i].values[j]);
    at += (size_t)snprintf(got + at, sizeof got - at, "; ");
  }
  assert_string_equal(got, wanted);
}

static void the_default(void **state) {
  (void)state;
  fixture f;
  assert_int_equal(open_fixture(&f, NULL), DLOC_OK);
  assert_records(&f, DLOC_NULL, "");
  assert_records(&f, numbered(&f, 10), "35* 2 5 3 6 1 3 1; ");
  assert_records(&f, numbered(&f, 14), "35* 2 5 3 6 1 3 1; 35 100 10 3 0 0 4294967297 2 21; 35 9 0 3 0 0 0 0 22; ");
  assert_records(&f, DLOC_NULL, "");
  assert_records(&f, numbered(&f, 14), "33; ");
  assert_records(&f, numbered(&f, 13), "35* 2 5 3 6 1 3 1; 35 100 10 3 0 0 4294967297 2 21; ");
  dloc_encoder_begin_function(f.encoder);
  assert_records(&f, numbered(&f, 13), "35* 2 5 3 6 1 3 1; 35 100 10 3 0 0 4294967297 2 21; ");
  close_fixture(&f);
}

typedef struct alternative_case {
  dloc_choice choices[3];
  uint8_t alternatives[3];
  const char *first; /* the records of !13 */
  const char *again; /* and of the same a second time */
} alternative_case;

static void each_alternative(void **state) {
  (void)state;
#define CHOICES(a, b, c)                                                                                               \
  { DLOC_CHOICE_##a, DLOC_CHOICE_##b, DLOC_CHOICE_##c }
  static const alternative_case cases[] = {
      {CHOICES(BITCODE_LAYOUT, BITCODE_LAYOUT, BITCODE_LAYOUT),
       {DLOC_BITCODE_LAYOUT_OPERANDS, DLOC_BITCODE_LAYOUT_OPERANDS, DLOC_BITCODE_LAYOUT_OPERANDS},
       "35 2 5 3 6 1 3 1 100 10 3 0 0 4294967297 2 21; ",
       "33; "},
      {CHOICES(BITCODE_LAYOUT, BITCODE_AGAIN, BITCODE_AGAIN),
       {DLOC_BITCODE_LAYOUT_OPERANDS, DLOC_BITCODE_AGAIN_PRIMARY, DLOC_BITCODE_AGAIN_PRIMARY},
       "35 2 5 3 6 1 3 1 100 10 3 0 0 4294967297 2 21; ",
       "33 100 10 3 0 0 4294967297 2 21; "},
      {CHOICES(BITCODE_AGAIN, BITCODE_AGAIN, BITCODE_ATOM_GROUP),
       {DLOC_BITCODE_AGAIN_PRIMARY, DLOC_BITCODE_AGAIN_PRIMARY, DLOC_BITCODE_ATOM_GROUP_LOW_32},
       "35* 2 5 3 6 1 3 1; 35 100 10 3 0 0 1 2 21; ",
       "33; 35 100 10 3 0 0 1 2 21; "},
      {CHOICES(METADATA_ATOMS, BITCODE_AGAIN, BITCODE_AGAIN),
       {DLOC_METADATA_ATOMS_UNKNOWN, DLOC_BITCODE_AGAIN_WHOLE, DLOC_BITCODE_AGAIN_WHOLE},
       "35 2 5 3 6 1; 35 100 10 3 0 0 0 0 21; ",
       "33; "},
      {CHOICES(METADATA_ATOMS, BITCODE_LAYOUT, BITCODE_LAYOUT),
       {DLOC_METADATA_ATOMS_UNKNOWN, DLOC_BITCODE_LAYOUT_OPERANDS, DLOC_BITCODE_LAYOUT_OPERANDS},
       "35 2 5 3 6 1 0 0 100 10 3 0 0 0 0 21; ",
       "33; "},
  };
#undef CHOICES
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f;
    assert_int_equal(open_fixture(&f, NULL), DLOC_OK);
    for (size_t j = 0; j < 3; j++)
      f.profile.alternative[cases[i].choices[j]] = cases[i].alternatives[j];
    assert_records(&f, numbered(&f, 13), cases[i].first);
    assert_records(&f, numbered(&f, 13), cases[i].again);
    close_fixture(&f);
  }
}

static void the_first_layer_only(void **state) {
  (void)state;
  fixture f;
  assert_int_equal(open_fixture(&f, NULL), DLOC_OK);
  f.profile.alternative[DLOC_CHOICE_BITCODE_LAYERS] = DLOC_BITCODE_LAYERS_FIRST;
  assert_records(&f, numbered(&f, 14), "35* 2 5 3 6 1 3 1; 35 100 10 3 0 0 4294967297 2 21; ");
  f.profile.alternative[DLOC_CHOICE_BITCODE_LAYOUT] = DLOC_BITCODE_LAYOUT_OPERANDS;
  dloc_encoder_begin_function(f.encoder);
  assert_records(&f, numbered(&f, 14), "35 2 5 3 6 1 3 1 100 10 3 0 0 4294967297 2 21; ");
  close_fixture(&f);
}

static void what_cannot_be_written(void **state) {
  (void)state;
  fixture f;
  const dloc_location_record *records = NULL;
  size_t count = 0;
  dloc_reason reason = DLOC_REASON_NONE;
  assert_int_equal(open_fixture(&f, NULL), DLOC_OK);
  assert_int_equal(dloc_encode_instruction(f.encoder, numbered(&f, 15), &reason, &records, &count), DLOC_INVALID);
  assert_int_equal(reason, DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
  f.refused = numbered(&f, 5);
  assert_int_equal(dloc_encode_instruction(f.encoder, numbered(&f, 10), NULL, &records, &count), DLOC_STOPPED);
  assert_null(records);
  assert_records(&f, numbered(&f, 11), "35* 100 10 3 0 0 4294967297 2; "); /* nothing of the above is remembered */
  close_fixture(&f);
}

/* ---- Numbers ---- */

static const char numbered_text[] =
    "define void @f(ptr %p) !dbg !2 {\n"
    "  call void @g(metadata !\"round\", metadata i32 7), !dbg !4\n"
    "    #dbg_value(ptr %p, !3, !DIExpression(DW_OP_deref), !4)\n"
    "    #dbg_value(!DIArgList(ptr %p, i32 5), !3, !DIExpression(), !4)\n"
    "    #dbg_assign(i8 3, !3, !DIExpression(), !5, ptr null, !DIExpression(DW_OP_LLVM_arg, 0), !4)\n"
    "  store i8 1, ptr %p, !zeta !{}, !DIAssignID !5\n"
    "  ret void, !dbg !4\n"
    "}\n"
    "!llvm.dbg.cu = !{!0}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)\n"
    "!1 = !DIFile(filename: \"a.c\", directory: \"\")\n"
    "!2 = distinct !DISubprogram(name: \"f\", file: !1, spFlags: DISPFlagDefinition, unit: !0)\n"
    "!3 = !DILocalVariable(scope: !2, name: \"v\", type: !6)\n"
    "!4 = !DILocation(line: 2, scope: !2)\n"
    "!5 = distinct !DIAssignID()\n"
    "!6 = !DIDerivedType(tag: DW_TAG_member, baseType: null, extraData: !\"a\\22b\", size: 8)\n";

static dloc_status open_numbers(fixture *f, const dloc_allocator *allocator, dloc_numbers **ret) {
  dloc_diagnostic diagnostic;
  *f = (fixture){.context = dloc_context_create(allocator), .profile = *dloc_profile_at(0)};
  if (!f->context)
    return DLOC_NO_MEMORY;
  dloc_status status = dloc_read_ll(f->context, dloc_text_of(numbered_text), &diagnostic, &f->module);
  return status == DLOC_OK ? dloc_numbers_create(f->module, &f->profile, ret) : status;
}

static void assert_bucket(const fixture *f, const dloc_numbers *numbers, uint32_t function, uint64_t first,
                          const char *wanted) {
  size_t count = 0, at = 0;
  const dloc_node *nodes = dloc_numbers_bucket(numbers, function, &count);
  char got[500] = "";
  for (size_t i = 0; i < count; i++) {
    uint64_t number = 0;
    dloc_text class = dloc_node_class(f->context, nodes[i]), text = dloc_node_text(f->context, nodes[i]);
    dloc_text shown = class.size ? class : text.size ? text : dloc_text_of("tuple");
    at += (size_t)snprintf(got + at, sizeof got - at, "%.*s; ", (int)shown.size, shown.bytes);
    assert_int_equal(dloc_number_of((void *)(uintptr_t)numbers, nodes[i], &number), DLOC_OK);
    assert_int_equal(number, first + i);
  }
  assert_string_equal(got, wanted);
}

static void metadata_of_a_text(void **state) {
  (void)state;
  fixture f;
  dloc_numbers *numbers = NULL;
  uint64_t number = 0;
  size_t count = 0;
  dloc_node stranger = DLOC_NULL;
  assert_int_equal(open_numbers(&f, NULL, &numbers), DLOC_OK);
  assert_bucket(&f, numbers, DLOC_NO_INDEX, 0, "a.c; DICompileUnit; DIFile; ");
  assert_bucket(&f, numbers, 0, 3,
                "f; round; v; a\"b; i32 7; i64 8; i32 5; i8 3; ptr null; DISubprogram; DIAssignID; DIExpression; "
                "DIDerivedType; DILocalVariable; DILocation; DIExpression; DIExpression; tuple; ");
  assert_null(dloc_numbers_bucket(numbers, 7, &count));
  assert_int_equal(count, 0);
  assert_int_equal(dloc_string(f.context, dloc_text_of("a stranger"), &stranger), DLOC_OK);
  assert_int_equal(dloc_number_of(numbers, stranger, &number), DLOC_INVALID);
  dloc_numbers_destroy(numbers);
  close_fixture(&f);
}

static void operands_of_a_node(void **state) {
  (void)state;
  fixture f;
  dloc_numbers *numbers = NULL;
  uint32_t cursor = 0;
  dloc_node operand = DLOC_NULL;
  assert_int_equal(open_numbers(&f, NULL, &numbers), DLOC_OK);
  static const unsigned file_name_unit[] = {1, 0, 0};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(dloc_numbers_operand(numbers, numbered(&f, 2), &cursor, &operand), DLOC_OK);
    if (i == 1)
      assert_true(dloc_text_equal(dloc_node_text(f.context, operand), dloc_text_of("f")));
    else
      assert_int_equal(operand, numbered(&f, file_name_unit[i]));
  }
  assert_int_equal(dloc_numbers_operand(numbers, numbered(&f, 2), &cursor, &operand), DLOC_OK);
  assert_int_equal(operand, DLOC_NULL);
  dloc_numbers_destroy(numbers);
  close_fixture(&f);
}

/* Deep and wide metadata is walked without recursion, and in linear time. */
static void deep_metadata(void **state) {
  (void)state;
  enum { DEPTH = 200000 };
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = NULL;
  dloc_numbers *numbers = NULL;
  dloc_node node = DLOC_NULL;
  size_t count = 0;
  assert_non_null(context);
  assert_int_equal(dloc_string(context, dloc_text_of("end"), &node), DLOC_OK);
  for (unsigned i = 0; i < DEPTH; i++)
    assert_int_equal(dloc_tuple(context, i % 3 == 0, (dloc_node[]){node, node}, 2, &node), DLOC_OK);
  assert_int_equal(dloc_module_create(context, &module), DLOC_OK);
  assert_int_equal(dloc_module_add_named(module, dloc_text_of("deep"), &node, 1), DLOC_OK);
  assert_int_equal(dloc_numbers_create(module, dloc_profile_at(0), &numbers), DLOC_OK);
  dloc_numbers_bucket(numbers, DLOC_NO_INDEX, &count);
  assert_int_equal(count, DEPTH + 1);
  dloc_numbers_destroy(numbers);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
}

static dloc_status number_something(const dloc_allocator *allocator) {
  fixture f;
  dloc_numbers *numbers = NULL;
  dloc_status status = open_numbers(&f, allocator, &numbers);
  dloc_numbers_destroy(numbers);
  close_fixture(&f);
  return status;
}

static dloc_status encode_something(const dloc_allocator *allocator) {
  fixture f;
  const dloc_location_record *records = NULL;
  size_t count = 0;
  dloc_status status = open_fixture(&f, allocator);
  if (status == DLOC_OK)
    status = dloc_encode_instruction(f.encoder, numbered(&f, 14), NULL, &records, &count);
  close_fixture(&f);
  return status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  fail_every_allocation(encode_something);
  fail_every_allocation(number_something);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_default),          cmocka_unit_test(each_alternative),
      cmocka_unit_test(the_first_layer_only), cmocka_unit_test(what_cannot_be_written),
      cmocka_unit_test(metadata_of_a_text),   cmocka_unit_test(operands_of_a_node),
      cmocka_unit_test(deep_metadata),        cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
