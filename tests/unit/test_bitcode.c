/* Reading bitcode: numbers of any width at any bit, and tests/lit/Inputs/layers.bc through the library. What whole
 * files say is compared with LLVM by tests/bitcode. */
#include "allocation.h"
#include "bitcode/bits.h"
#include "dloc_formats.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- Bits ---- */

typedef struct bit_writer {
  uint8_t bytes[4096];
  uint64_t at;
} bit_writer;

static void write_bits(bit_writer *w, uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; i++, w->at++)
    if (value >> i & 1)
      w->bytes[w->at / 8] |= (uint8_t)(1 << w->at % 8);
}

static void write_vbr(bit_writer *w, uint64_t value, unsigned width) {
  uint64_t more = UINT64_C(1) << (width - 1);
  for (; value >= more; value >>= width - 1)
    write_bits(w, (value & (more - 1)) | more, width);
  write_bits(w, value, width);
}

static cursor cursor_of(const bit_writer *w) { return (cursor){w->bytes, (size_t)(w->at + 7) / 8, 0, w->at, false}; }

static const uint64_t values[] = {
    0, 1, 31, 32, 33, 1023, 1024, 1025, 65535, UINT32_MAX, (uint64_t)UINT32_MAX + 1, INT64_MAX, UINT64_MAX};
enum { VALUES = sizeof values / sizeof *values };

static void test_numbers_of_chunks(void **state) {
  (void)state;
  for (unsigned width = 2; width <= 32; width++) {
    for (unsigned shift = 0; shift < 9; shift++) {
      bit_writer w = {.at = 0};
      write_bits(&w, 0, shift);
      for (size_t i = 0; i < VALUES; i++)
        write_vbr(&w, values[i], width);
      cursor c = cursor_of(&w);
      c.at = shift;
      for (size_t i = 0; i < VALUES; i++)
        assert_int_equal(cursor_vbr(&c, width), values[i]);
      assert_true(cursor_fine(&c) && c.at == w.at);
    }
  }
}

static void test_fixed_numbers(void **state) {
  (void)state;
  for (unsigned width = 0; width <= 64; width++) {
    bit_writer w = {.at = 0};
    uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    write_bits(&w, 5, 3);
    for (size_t i = 0; i < VALUES; i++)
      write_bits(&w, values[i], width);
    cursor c = cursor_of(&w);
    assert_int_equal(cursor_fixed(&c, 3), 5);
    for (size_t i = 0; i < VALUES; i++)
      assert_int_equal(cursor_fixed(&c, width), values[i] & mask);
    assert_true(cursor_fine(&c));
  }
}

/* Behind the end there are zeros, and the cursor says that it has passed it; a number of more than 64 bits is
 * malformed. */
static void test_bad_numbers(void **state) {
  (void)state;
  uint8_t ones[32];
  memset(ones, 0xff, sizeof ones);
  cursor c = {ones, 2, 0, 16, false};
  (void)cursor_vbr(&c, 6);
  assert_false(cursor_fine(&c));
  c = (cursor){ones, sizeof ones, 0, 256, false};
  (void)cursor_vbr(&c, 6);
  assert_true(c.malformed);
  c = (cursor){ones, 2, 1000, 16, false};
  assert_int_equal(cursor_fixed(&c, 8), 0);
}

static void test_signed_numbers(void **state) {
  (void)state;
  assert_int_equal(signed_vbr(0), 0);
  assert_int_equal(signed_vbr(6), 3);
  assert_int_equal(signed_vbr(7), -3);
  assert_true(signed_vbr(1) == INT64_MIN);
}

/* ---- Files ---- */

static dloc_text read_file(void) {
  static char bytes[8192];
  FILE *file = fopen("tests/lit/Inputs/layers.bc", "rb");
  assert_non_null(file);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return (dloc_text){bytes, size};
}

static dloc_status count_layers(void *user, const dloc_bitcode_location *location) {
  *(size_t *)user += location->form == DLOC_BITCODE_LAYER;
  return DLOC_OK;
}

static dloc_status name_scopes(void *user, const dloc_bitcode_location *location) {
  dloc_bitcode_metadata scope;
  return dloc_bitcode_metadata_at(user, location->scope - 1, &scope);
}

static dloc_status locate_all(dloc_context *context, size_t *layers) {
  dloc_diagnostic diagnostic;
  dloc_bitcode *bitcode = NULL;
  dloc_status status = dloc_bitcode_open(context, NULL, read_file(), &diagnostic, &bitcode);
  for (size_t i = 0; status == DLOC_OK && i < dloc_bitcode_function_count(bitcode); i++) {
    uint32_t instructions = 0;
    status = dloc_bitcode_locate(bitcode, i, count_layers, layers, &instructions);
    if (status == DLOC_OK)
      status = dloc_bitcode_locate(bitcode, i, name_scopes, bitcode, &instructions);
  }
  dloc_bitcode_close(bitcode);
  return status;
}

static dloc_status on_item(void *user, const dloc_bitcode_item *item) {
  *(size_t *)user += item->kind == DLOC_BITCODE_RECORD;
  return DLOC_OK;
}

static dloc_status read_every_way(const dloc_allocator *allocator) {
  dloc_context *context = dloc_context_create(allocator);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  size_t layers = 0, records = 0;
  if (!context)
    return DLOC_NO_MEMORY;
  dloc_status status = locate_all(context, &layers);
  if (status == DLOC_OK)
    status = dloc_bitcode_items(context, read_file(), &diagnostic, on_item, &records);
  if (status == DLOC_OK)
    status = dloc_read_bitcode(context, NULL, read_file(), &diagnostic, &module, NULL);
  if (status == DLOC_OK) {
    assert_int_equal(layers, 6);
    assert_true(records > 100);
    assert_int_equal(dloc_module_function_count(module), 3);
  }
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  return status;
}

static void test_allocation_failures(void **state) {
  (void)state;
  fail_every_allocation(read_every_way);
}

/* A visitor that fails stops the visit, and the reader can be asked again. */
static dloc_status stop(void *user, const dloc_bitcode_location *location) {
  (void)user, (void)location;
  return DLOC_STOPPED;
}

static void test_stopping(void **state) {
  (void)state;
  dloc_context *context = dloc_context_create(NULL);
  dloc_diagnostic diagnostic;
  dloc_bitcode *bitcode = NULL;
  uint32_t instructions = 0;
  size_t layers = 0;
  assert_int_equal(dloc_bitcode_open(context, NULL, read_file(), &diagnostic, &bitcode), DLOC_OK);
  assert_int_equal(dloc_bitcode_locate(bitcode, 1, stop, NULL, &instructions), DLOC_STOPPED);
  assert_int_equal(dloc_bitcode_locate(bitcode, 1, count_layers, &layers, &instructions), DLOC_OK);
  assert_int_equal(layers, 2);
  assert_int_equal(instructions, 3);
  assert_int_equal(dloc_bitcode_locate(bitcode, 99, count_layers, &layers, &instructions), DLOC_INVALID);
  dloc_bitcode_close(bitcode);
  dloc_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers_of_chunks),   cmocka_unit_test(test_fixed_numbers),
      cmocka_unit_test(test_bad_numbers),         cmocka_unit_test(test_signed_numbers),
      cmocka_unit_test(test_allocation_failures), cmocka_unit_test(test_stopping),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
