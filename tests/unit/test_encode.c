/* Writing bitcode through the API: what each alternative makes of one location, errors, ownership, allocation failures. The rules are the
 * vectors' business. */
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
      {CHOICES(BITCODE_LAYOUT, BITCODE_AGAIN, BITCODE_KIND_BIAS),
       {DLOC_BITCODE_LAYOUT_OPERANDS, DLOC_BITCODE_AGAIN_PRIMARY, DLOC_BITCODE_KIND_BIAS_NONE},
       "35 2 5 3 6 1 3 1 100 10 3 0 0 4294967297 2 20; ",
       "33 100 10 3 0 0 4294967297 2 20; "},
      {CHOICES(BITCODE_AGAIN, BITCODE_KIND_BIAS, BITCODE_ATOM_GROUP),
       {DLOC_BITCODE_AGAIN_PRIMARY, DLOC_BITCODE_KIND_BIAS_NONE, DLOC_BITCODE_ATOM_GROUP_LOW_32},
       "35* 2 5 3 6 1 3 1; 35 100 10 3 0 0 1 2 20; ",
       "33; 35 100 10 3 0 0 1 2 20; "},
      {CHOICES(METADATA_ATOMS, BITCODE_AGAIN, BITCODE_PADDING),
       {DLOC_METADATA_ATOMS_UNKNOWN, DLOC_BITCODE_AGAIN_WHOLE, DLOC_BITCODE_PADDING_ZEROS},
       "35 2 5 3 6 1; 35 100 10 3 0 0 0 0 21; ",
       "33; "},
      {CHOICES(METADATA_ATOMS, BITCODE_AGAIN, BITCODE_PADDING),
       {DLOC_METADATA_ATOMS_UNKNOWN, DLOC_BITCODE_AGAIN_WHOLE, DLOC_BITCODE_PADDING_NONE},
       "35 2 5 3 6 1; 35 100 10 3 0 0 21; ",
       "33; "},
      {CHOICES(METADATA_ATOMS, BITCODE_LAYOUT, BITCODE_PADDING),
       {DLOC_METADATA_ATOMS_UNKNOWN, DLOC_BITCODE_LAYOUT_OPERANDS, DLOC_BITCODE_PADDING_ZEROS},
       "35 2 5 3 6 1 0 0 100 10 3 0 0 0 0 21; ",
       "33; "},
      {CHOICES(METADATA_ATOMS, BITCODE_LAYOUT, BITCODE_PADDING),
       {DLOC_METADATA_ATOMS_UNKNOWN, DLOC_BITCODE_LAYOUT_OPERANDS, DLOC_BITCODE_PADDING_NONE},
       "35 2 5 3 6 1 100 10 3 0 0 21; ",
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
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_default),
      cmocka_unit_test(each_alternative),
      cmocka_unit_test(the_first_layer_only),
      cmocka_unit_test(what_cannot_be_written),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
