/* Units of line tables, and objects that hold them: strings at any offset, allocations that fail. */
#include "allocation.h"
#include "objects/dloc_dwarf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- A table of version 5 whose files are strings of .debug_line_str ---- */

static const char header[] = "\5\0\10\0....\1\1\1\373\16\15\0\1\1\1\1\0\0\0\1\0\0\1"
                             "\1\1\37\1\0\0\0\0" /* a directory at offset 0 */
                             "\1\1\37";
enum { HEADER = sizeof header - 1, LENGTH = 4, HEADER_LENGTH = 8 };

static void put(char *at, size_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (char)(value >> 8 * i);
}

/* count files: every offset from 0 on. malloc's. */
static dloc_text make_table(size_t count) {
  size_t size = LENGTH + HEADER + 3 + 4 * count;
  char *bytes = malloc(size), *at = bytes + LENGTH + HEADER;
  assert_non_null(bytes);
  memcpy(bytes + LENGTH, header, HEADER);
  put(bytes, size - LENGTH);
  put(bytes + LENGTH + 4, size - LENGTH - HEADER_LENGTH);
  *at++ = (char)(count | 0x80);
  *at++ = (char)(count >> 7 | 0x80);
  *at++ = (char)(count >> 14);
  for (size_t i = 0; i < count; i++, at += 4)
    put(at, i);
  return (dloc_text){bytes, size};
}

typedef struct strings {
  const char *bytes;
  size_t size;
  size_t missing; /* told */
} strings;

static dloc_status on_problem(void *user, dloc_reason reason, size_t at) {
  strings *s = user;
  assert_int_equal(reason, DLOC_REASON_LINES_STRING);
  assert_true(at > 0);
  s->missing++;
  return DLOC_OK;
}

static void check_strings(char *bytes, size_t size) {
  strings s = {bytes, size, 0};
  dloc_text table_bytes = make_table(size + 2);
  const dloc_line_sections sections = {.line = table_bytes, .line_str = {bytes, size}, .address_size = 8};
  dloc_context *context = dloc_context_create(NULL);
  dloc_line_table *table = NULL;
  size_t count, missing = 2;
  assert_int_equal(dloc_line_table_read(context, dloc_profile_at(0), &sections, on_problem, &s, &table), DLOC_OK);
  const dloc_line_unit *unit = dloc_line_table_units(table, &count);
  assert_int_equal(count, 1);
  assert_int_equal(unit->file_count, size + 2);
  const dloc_line_file *files = dloc_line_unit_files(table, unit);
  for (size_t i = 0; i < size; i++) {
    const char *end = memchr(bytes + i, 0, size - i);
    missing += !end;
    assert_int_equal(files[i].name.size, end ? (size_t)(end - bytes) - i : 0);
    assert_true(!end || files[i].name.bytes == bytes + i);
  }
  assert_int_equal(s.missing, missing + !memchr(bytes, 0, size));
  dloc_line_table_destroy(table);
  dloc_context_destroy(context);
  free((char *)table_bytes.bytes);
}

/* The ends that are kept are those of blocks of 4096 bytes. */
static void test_strings_across_blocks(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 100, 4095, 4096, 4097, 8191, 8192, 8193, 13000};
  static const size_t gaps[] = {1, 7, 4095, 4096, 4097, 5000, 20000};
  static char bytes[13000];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t j = 0; j < sizeof gaps / sizeof *gaps; j++) {
      memset(bytes, 'a', sizeof bytes);
      for (size_t end = gaps[j] - 1; end < sizes[i]; end += gaps[j])
        bytes[end] = '\0';
      check_strings(bytes, sizes[i]);
    }
}

/* ---- A header that ends before its tables ---- */

static dloc_status count_short(void *user, dloc_reason reason, size_t at) {
  assert_int_equal(reason, DLOC_REASON_LINES_HEADER_SHORT);
  assert_int_equal(at, 0);
  ++*(int *)user;
  return DLOC_OK;
}

/* The logicals begin at the byte behind header_length, and the section ends behind their offset: a sanitizer sees when
 * more is read. */
static void test_logicals_before_the_tables(void **state) {
  (void)state;
  static const char unit[] = "\52\0\0\0\6\360\0\0\0\0\1\1\1\373\16\20\0\1\1\1\1\0\0\0\1\0\0\1\1\2\0"
                             "\0\0\0\377\377\177\177\0\0\0\0\0\0\0";
  char *bytes = malloc(sizeof unit);
  assert_non_null(bytes);
  memcpy(bytes, unit, sizeof unit);
  const dloc_line_sections sections = {.line = {bytes, sizeof unit}, .address_size = 8};
  dloc_context *context = dloc_context_create(NULL);
  dloc_line_table *table = NULL;
  int problems = 0;
  assert_int_equal(dloc_line_table_read(context, dloc_profile_at(0), &sections, count_short, &problems, &table),
                   DLOC_OK);
  assert_int_equal(problems, 1);
  dloc_line_table_destroy(table);
  dloc_context_destroy(context);
  free(bytes);
}

/* ---- Allocations ---- */

static dloc_status read_table(const dloc_allocator *allocator) {
  static char bytes[10000];
  dloc_text table_bytes = make_table(200);
  const dloc_line_sections sections = {.line = table_bytes, .line_str = {bytes, sizeof bytes}, .address_size = 8};
  dloc_context *context = dloc_context_create(allocator);
  dloc_line_table *table = NULL;
  dloc_status status =
      context ? dloc_line_table_read(context, dloc_profile_at(0), &sections, NULL, NULL, &table) : DLOC_NO_MEMORY;
  dloc_line_table_destroy(table);
  dloc_context_destroy(context);
  free((char *)table_bytes.bytes);
  return status;
}

static void test_allocations_of_a_table(void **state) {
  (void)state;
  fail_every_allocation(read_table);
}

/* An object with relocations, of the fuzzer's inputs. */
static dloc_status read_object(const dloc_allocator *allocator) {
  char bytes[4096];
  FILE *file = fopen("tests/fuzz/corpus-object/zdebug.o", "rb");
  assert_non_null(file);
  dloc_text text = {bytes, fread(bytes, 1, sizeof bytes, file)};
  fclose(file);
  dloc_diagnostic diagnostic;
  dloc_object_section section;
  bool found = false;
  dloc_object *object = NULL;
  dloc_context *context = dloc_context_create(allocator);
  dloc_status status = context ? dloc_object_open(context, text, &diagnostic, &object) : DLOC_NO_MEMORY;
  if (status == DLOC_OK)
    status = dloc_object_section_find(object, dloc_text_of(".debug_line"), &diagnostic, &section, &found);
  if (status == DLOC_OK) {
    assert_true(found && section.bytes.size > 4 && !section.unapplied);
    assert_true(dloc_text_equal(section.name, dloc_text_of(".zdebug_line")));
  }
  dloc_object_close(object);
  dloc_context_destroy(context);
  return status;
}

static void test_allocations_of_an_object(void **state) {
  (void)state;
  fail_every_allocation(read_object);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strings_across_blocks), cmocka_unit_test(test_logicals_before_the_tables),
      cmocka_unit_test(test_allocations_of_a_table), cmocka_unit_test(test_allocations_of_an_object)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
