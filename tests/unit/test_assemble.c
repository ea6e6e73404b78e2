/* Writing bitcode: bits, and the layers of tests/lit/Inputs/layers.ll put into layers-plain.bc, which LLVM 19's llvm-as
 * made of the module without them (`dloc assemble` with an llvm-as that keeps a copy). tests/bitcode/assemble.py
 * tests what LLVM makes of the result. */
#include "allocation.h"
#include "bitcode/write_bits.h"
#include "dloc_formats.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- Bits ---- */

static const uint64_t values[] = {
    0, 1, 31, 32, 33, 1023, 1024, 65535, UINT32_MAX, (uint64_t)UINT32_MAX + 1, INT64_MAX, UINT64_MAX};
enum { VALUES = sizeof values / sizeof *values };

static cursor cursor_of(bit_writer *w) {
  assert_int_equal(write_align(w), DLOC_OK);
  return (cursor){w->bytes.items, w->bytes.count, 0, (uint64_t)w->bytes.count * 8, false};
}

static void test_numbers_come_back(void **state) {
  (void)state;
  for (unsigned width = 2; width <= 64; width++) {
    dloc_context *context = dloc_context_create(NULL);
    bit_writer w = {.context = context};
    uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    for (size_t i = 0; i < VALUES; i++) {
      assert_int_equal(write_fixed(&w, values[i] & mask, width), DLOC_OK);
      assert_int_equal(write_vbr(&w, values[i], width < 32 ? width : 32), DLOC_OK);
    }
    cursor c = cursor_of(&w);
    for (size_t i = 0; i < VALUES; i++) {
      assert_int_equal(cursor_fixed(&c, width), values[i] & mask);
      assert_int_equal(cursor_vbr(&c, width < 32 ? width : 32), values[i]);
    }
    assert_true(cursor_fine(&c));
    context_free(context, w.bytes.items);
    dloc_context_destroy(context);
  }
}

static void test_copies_and_patches(void **state) {
  uint8_t bytes[40];
  (void)state;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)(i * 37 + 11);
  for (unsigned shift = 0; shift < 64; shift++) {
    for (unsigned from = 0; from < 40; from += 3) {
      dloc_context *context = dloc_context_create(NULL);
      bit_writer w = {.context = context};
      stream s = {.c = {bytes, sizeof bytes, 0, sizeof bytes * 8, false}};
      assert_int_equal(write_fixed(&w, 0, shift), DLOC_OK);
      assert_int_equal(write_copy(&w, &s, from, 300), DLOC_OK);
      assert_int_equal(bit_writer_at(&w), shift + 300 - from);
      cursor ours = cursor_of(&w), theirs = s.c;
      write_patch(&w, shift + 64, UINT32_C(0x9abcdef1));
      ours.at = shift;
      theirs.at = from;
      assert_int_equal(cursor_fixed(&ours, 64), cursor_fixed(&theirs, 64));
      assert_int_equal(cursor_fixed(&ours, 32), UINT32_C(0x9abcdef1));
      theirs.at += 32;
      while (theirs.at < 300)
        assert_int_equal(cursor_fixed(&ours, 1), cursor_fixed(&theirs, 1));
      context_free(context, w.bytes.items);
      dloc_context_destroy(context);
    }
  }
}

/* ---- Files ---- */

static char ll[8192], plain[4096], whole[4096];
static size_t ll_size, plain_size, whole_size;

static size_t read_file(const char *path, char *ret, size_t limit) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(ret, 1, limit, file);
  assert_true(size > 0 && size < limit);
  fclose(file);
  return size;
}

static int read_files(void **state) {
  (void)state;
  ll_size = read_file("tests/lit/Inputs/layers.ll", ll, sizeof ll);
  plain_size = read_file("tests/lit/Inputs/layers-plain.bc", plain, sizeof plain);
  whole_size = read_file("tests/lit/Inputs/layers.bc", whole, sizeof whole);
  return 0;
}

typedef struct attempt {
  dloc_text text;
  dloc_text bytes;
  const dloc_profile *profile; /* NULL: rfc */
  dloc_buffer output;
  dloc_diagnostic diagnostic;
} attempt;

static dloc_status assemble_in(dloc_context *context, attempt *a) {
  dloc_module *module = NULL;
  dloc_assembly *assembly = NULL;
  const dloc_profile *profile = a->profile ? a->profile : dloc_profile_at(0);
  dloc_status status = dloc_read_ll(context, a->text, &a->diagnostic, &module);
  if (status == DLOC_OK)
    status = dloc_assembly_create(module, profile, &assembly);
  if (status == DLOC_OK)
    status = dloc_assembly_bitcode(assembly, a->bytes, &a->diagnostic, dloc_buffer_sink(&a->output));
  dloc_assembly_destroy(assembly);
  dloc_module_destroy(module);
  return status;
}

static dloc_status assemble(attempt *a) {
  dloc_context *context = dloc_context_create(NULL);
  assert_non_null(context);
  dloc_status status = assemble_in(context, a);
  dloc_context_destroy(context);
  return status;
}

/* The locations of all instructions, as one graph. */
static dloc_status print_locations(dloc_context *context, const dloc_module *module, dloc_buffer *ret) {
  dloc_node nodes[64];
  size_t count = dloc_module_instruction_count(module);
  assert_true(count > 0 && count <= 64);
  for (size_t i = 0; i < count; i++)
    nodes[i] = dloc_module_instruction(module, i)->debug_loc;
  return dloc_print_graph(context, "!dbg", nodes, count, dloc_buffer_sink(ret));
}

static void print_module(dloc_text text, const dloc_profile *profile, dloc_buffer *ret) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_status status = dloc_is_bitcode(text) ? dloc_read_bitcode(context, profile, text, &diagnostic, &module, NULL)
                                             : dloc_read_ll(context, text, &diagnostic, &module);
  assert_int_equal(status, DLOC_OK);
  assert_int_equal(print_locations(context, module, ret), DLOC_OK);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
}

static void check_same_locations(dloc_text bitcode, const dloc_profile *profile) {
  dloc_buffer ours = {0}, theirs = {0};
  print_module(bitcode, profile, &ours);
  print_module((dloc_text){ll, ll_size}, NULL, &theirs);
  assert_string_equal(ours.bytes, theirs.bytes);
  dloc_buffer_deinit(&ours);
  dloc_buffer_deinit(&theirs);
}

static void check_profile(const dloc_profile *profile) {
  attempt a = {{ll, ll_size}, {plain, plain_size}, profile, {0}, {0}};
  assert_int_equal(assemble(&a), DLOC_OK);
  check_same_locations((dloc_text){a.output.bytes, a.output.size}, profile);
  dloc_buffer_deinit(&a.output);
}

/* Whatever the alternatives: who reads by those by which it was written finds what was written. */
static void test_layers_come_back(void **state) {
  static const dloc_choice choices[] = {DLOC_CHOICE_BITCODE_LAYOUT, DLOC_CHOICE_BITCODE_AGAIN,
                                        DLOC_CHOICE_METADATA_ATOMS};
  enum { CHOICES = sizeof choices / sizeof *choices };
  dloc_profile profile = *dloc_profile_at(0);
  (void)state;
  for (size_t i = 0; i < CHOICES; i++)
    profile.alternative[choices[i]] = 0;
  for (size_t i = 0; i < CHOICES;) {
    check_profile(&profile);
    for (i = 0; i < CHOICES; i++) { /* the next combination */
      if (++profile.alternative[choices[i]] < dloc_choice_alternatives(choices[i]))
        break;
      profile.alternative[choices[i]] = 0;
    }
  }
}

/* ---- What else is in the file ---- */

enum { FUNCTION_BLOCK = 12, METADATA_BLOCK = 15, DEBUG_LOC = 35, DEBUG_LOC_AGAIN = 33, NAME = 4, NAMED_NODE = 10 };

typedef struct item_list {
  dloc_buffer text;
  bool named; /* the last record was the carrier's name */
} item_list;

static bool is_carrier_name(const dloc_bitcode_item *item) {
  static const char name[] = "dloc.layers";
  bool same = item->block == METADATA_BLOCK && item->code == NAME && item->value_count == sizeof name - 1;
  for (size_t i = 0; same && i < item->value_count; i++)
    same = item->values[i] == (unsigned char)name[i];
  return same;
}

/* Records as text, without the carrier, locations and what says where something is. */
static dloc_status add_item(void *user, const dloc_bitcode_item *item) {
  item_list *list = user;
  char line[64];
  bool is_carrier = item->kind == DLOC_BITCODE_RECORD && (is_carrier_name(item) || list->named);
  bool is_location = item->kind == DLOC_BITCODE_RECORD && item->block == FUNCTION_BLOCK &&
                     (item->code == DEBUG_LOC || item->code == DEBUG_LOC_AGAIN);
  bool is_place = item->kind == DLOC_BITCODE_RECORD && ((item->block == 8 && item->code == 13) ||
                                                        (item->block == 14 && item->code == 3 && item->depth == 2));
  list->named = item->kind == DLOC_BITCODE_RECORD && is_carrier_name(item);
  if (is_carrier || is_location || is_place)
    return DLOC_OK;
  dloc_sink sink = dloc_buffer_sink(&list->text);
  int size = snprintf(line, sizeof line, "\n%d %zu %u %u %u:", (int)item->kind, item->depth, item->block,
                      item->abbreviation, item->code);
  assert_true(sink.write(sink.user, line, (size_t)size));
  for (size_t i = 0; item->kind == DLOC_BITCODE_RECORD && i < item->value_count; i++) {
    size = snprintf(line, sizeof line, " %llu", (unsigned long long)item->values[i]);
    assert_true(sink.write(sink.user, line, (size_t)size));
  }
  return DLOC_OK;
}

static void list_items(dloc_text bytes, item_list *ret) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_diagnostic diagnostic;
  assert_int_equal(dloc_bitcode_items(context, bytes, &diagnostic, add_item, ret), DLOC_OK);
  dloc_context_destroy(context);
}

static void test_the_rest_is_the_same(void **state) {
  (void)state;
  attempt a = {{ll, ll_size}, {plain, plain_size}, NULL, {0}, {0}};
  item_list before = {{0}, false}, after = {{0}, false};
  assert_int_equal(assemble(&a), DLOC_OK);
  list_items(a.bytes, &before);
  list_items((dloc_text){a.output.bytes, a.output.size}, &after);
  assert_string_equal(before.text.bytes, after.text.bytes);
  dloc_buffer_deinit(&before.text);
  dloc_buffer_deinit(&after.text);
  dloc_buffer_deinit(&a.output);
}

/* A module without layers is what the assembler made of it. */
static void test_no_layers(void **state) {
  static const char text[] = "declare void @f()\n";
  (void)state;
  attempt a = {{text, sizeof text - 1}, {plain, plain_size}, NULL, {0}, {0}};
  assert_int_equal(assemble(&a), DLOC_OK);
  assert_int_equal(a.output.size, plain_size);
  assert_memory_equal(a.output.bytes, plain, plain_size);
  dloc_buffer_deinit(&a.output);
}

/* Apple's targets: [magic, version, offset, size, processor], and zeros up to 16 bytes. */
static void test_wrapper(void **state) {
  enum { HEADER = 20 };
  char wrapped[HEADER + sizeof plain] = {(char)0xde, (char)0xc0, 0x17, 0x0b, 0, 0, 0, 0, HEADER};
  (void)state;
  memcpy(wrapped + HEADER, plain, plain_size);
  wrapped[12] = (char)plain_size;
  wrapped[13] = (char)(plain_size >> 8);
  attempt a = {{ll, ll_size}, {plain, plain_size}, NULL, {0}, {0}};
  attempt b = {{ll, ll_size}, {wrapped, HEADER + plain_size}, NULL, {0}, {0}};
  assert_int_equal(assemble(&a), DLOC_OK);
  assert_int_equal(assemble(&b), DLOC_OK);
  assert_int_equal(b.output.size % 16, 0);
  assert_in_range(b.output.size, HEADER + a.output.size, HEADER + a.output.size + 15);
  assert_int_equal((uint8_t)b.output.bytes[12] | (uint8_t)b.output.bytes[13] << 8, a.output.size);
  assert_memory_equal(b.output.bytes + HEADER, a.output.bytes, a.output.size);
  check_same_locations((dloc_text){b.output.bytes, b.output.size}, NULL);
  dloc_buffer_deinit(&a.output);
  dloc_buffer_deinit(&b.output);
}

/* ---- Bitcode of something else ---- */

static void check_refused(dloc_text text, dloc_text bytes, const char *message) {
  attempt a = {text, bytes, NULL, {0}, {0}};
  assert_int_equal(assemble(&a), DLOC_INVALID);
  assert_string_equal(dloc_reason_name(a.diagnostic.reason), "bitcode.other-module");
  assert_non_null(strstr(a.diagnostic.message, message));
  assert_null(a.output.bytes);
}

/* The text with one part replaced by another. */
static dloc_text replaced(char *ret, const char *from, const char *to) {
  const char *at = strstr(ll, from);
  assert_non_null(at);
  int size = sprintf(ret, "%.*s%s%s", (int)(at - ll), ll, to, at + strlen(from));
  return (dloc_text){ret, (size_t)size};
}

static void test_other_bitcode(void **state) {
  static char text[sizeof ll];
  static const struct {
    const char *from;
    const char *to;
    const char *message;
  } changes[] = {
      {"  call void @store(i32 %d), !dbg !31\n", "", "@scale the module and its bitcode have other instructions"},
      {"  ret void, !dbg !12\n", "  %q = add i32 0, 0\n  ret void, !dbg !12\n",
       "@scale the module and its bitcode have other"},
      {"  ret void, !dbg !23\n", "  ret void\n", "@kernel the module and its bitcode have other locations"},
      {"!11 = !DILocation(line: 2", "!11 = !DILocation(line: 4",
       "@scale the module and its bitcode have other locations"},
      {"column: 5, scope: !10", "column: 6, scope: !10", "@scale the module and its bitcode have other locations"},
      {"!\"MLIR\", !DILocation(line: 40, scope: !25)", "!\"MLIR\", !DILocation(line: 40, scope: !20)",
       "@kernel the module and its bitcode have other locations"},
      {"define void @kernel(", "define void @kernex(", "1 of 2 functions with layers are in the bitcode"},
      {"!\"MLIR\", !DILocation", "!\"MLIS\", !DILocation", "what the layers name"},
      {"!40 = !DILocation(line: 6, column: 3, scope: !20)", "!40 = !DILocation(line: 6, column: 3, scope: !24)",
       "@kernel the module and its bitcode have other locations"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
    check_refused(replaced(text, changes[i].from, changes[i].to), (dloc_text){plain, plain_size}, changes[i].message);
  check_refused((dloc_text){ll, ll_size}, (dloc_text){whole, whole_size}, "what the layers name"); /* has no carrier */
}

static dloc_status assemble_with(const dloc_allocator *allocator) {
  attempt a = {{ll, ll_size}, {plain, plain_size}, NULL, {0}, {0}};
  dloc_context *context = dloc_context_create(allocator);
  if (!context)
    return DLOC_NO_MEMORY;
  dloc_status status = assemble_in(context, &a);
  dloc_context_destroy(context);
  dloc_buffer_deinit(&a.output);
  return status;
}

static void test_allocation_failures(void **state) {
  (void)state;
  fail_every_allocation(assemble_with);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers_come_back), cmocka_unit_test(test_copies_and_patches),
      cmocka_unit_test(test_layers_come_back),  cmocka_unit_test(test_the_rest_is_the_same),
      cmocka_unit_test(test_no_layers),         cmocka_unit_test(test_wrapper),
      cmocka_unit_test(test_other_bitcode),     cmocka_unit_test(test_allocation_failures),
  };
  return cmocka_run_group_tests(tests, read_files, NULL);
}
