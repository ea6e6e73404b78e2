/* The symbolizer, and layers by address: what they hold when an allocation fails, and what they answer.
 * spec/hidden.md 18.2 */
#include "allocation.h"
#include "objects/dloc_symbolizer.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* Two instructions with layers at 0 and 1, one without at 2 (tests/lit/symbolize-layers.test); linked by GNU ld, with
 * the layer's table merged into .debug_line and the function at 0x401000. */
static char object_bytes[4096], merged_bytes[8192];
static dloc_text object, merged;

typedef struct opened {
  dloc_object *object;
  dloc_symbolizer *symbolizer;
} opened;

static void close_file(opened *o) {
  dloc_symbolizer_close(o->symbolizer);
  dloc_object_close(o->object);
}

/* Nothing is wrong in these files. */
static dloc_status no_problem(void *user, dloc_reason reason, dloc_text section, size_t at) {
  (void)user, (void)section, (void)at;
  fail_msg("%s", dloc_reason_name(reason));
  return DLOC_OK;
}

static dloc_status open_file(dloc_context *context, dloc_text bytes, opened *ret) {
  const dloc_symbolizer_options options = {.on_problem = no_problem};
  dloc_diagnostic diagnostic;
  dloc_status status = dloc_object_open(context, bytes, &diagnostic, &ret->object);
  return status == DLOC_OK ? dloc_symbolizer_open(ret->object, &options, &diagnostic, &ret->symbolizer) : status;
}

/* The layer of an address is at that line, and the line of its text is there; 0: it has none. */
static void check_layer(dloc_symbolizer *symbolizer, uint64_t address, uint32_t line, const char *source) {
  dloc_symbol symbol;
  assert_int_equal(dloc_symbolizer_ask(symbolizer, address, &symbol), DLOC_OK);
  assert_int_equal(symbol.layer_count, line != 0);
  assert_int_equal(symbol.frame_count, 1);
  if (!line)
    return;
  const dloc_layer_line *layer = symbol.layers;
  assert_true(dloc_text_equal(layer->kind, dloc_text_of("tileir")));
  assert_int_equal(layer->line, line);
  assert_int_equal(layer->text, 0);
  assert_true(layer->has == DLOC_LAYER_TEXT_LINE && dloc_text_equal(layer->source, dloc_text_of(source)));
}

static void test_answers(void **state) {
  (void)state;
  dloc_context *context = dloc_context_create(NULL);
  opened o = {NULL, NULL}, m = {NULL, NULL};
  size_t kinds, texts;
  uint64_t address;
  assert_int_equal(open_file(context, object, &o), DLOC_OK);
  assert_int_equal(open_file(context, merged, &m), DLOC_OK);
  for (int round = 0; round < 2; round++) {
    check_layer(o.symbolizer, 1, 3, "  %1 = add");
    check_layer(o.symbolizer, 0, 2, "  %0 = load");
    check_layer(o.symbolizer, 2, 0, NULL);
    check_layer(m.symbolizer, 0x401001, 3, "  %1 = add");
  }
  (void)dloc_layer_lines_kinds(dloc_symbolizer_layers(o.symbolizer), &kinds);
  const dloc_embedded_text *text = dloc_layer_lines_texts(dloc_symbolizer_layers(o.symbolizer), &texts);
  assert_true(kinds == 1 && texts == 1 && dloc_text_equal(text->kind, dloc_text_of("tileir")));
  assert_true(dloc_symbolizer_has_rows(o.symbolizer) && !dloc_symbolizer_has_units(o.symbolizer));
  assert_int_equal(dloc_object_base(m.object), 0x400000);
  assert_true(dloc_object_address_at(m.object, 0x1001, &address) && address == 0x401001);
  assert_false(dloc_object_address_at(m.object, 0x100000, &address) || dloc_object_address_at(o.object, 0, &address));
  close_file(&o);
  close_file(&m);
  dloc_context_destroy(context);
}

static dloc_status open_and_ask(const dloc_allocator *allocator, dloc_text bytes) {
  dloc_context *context = dloc_context_create(allocator);
  opened o = {NULL, NULL};
  dloc_symbol symbol;
  if (!context)
    return DLOC_NO_MEMORY;
  dloc_status status = open_file(context, bytes, &o);
  for (uint64_t address = 0; status == DLOC_OK && address < 0x401003; address += 0x401001)
    status = dloc_symbolizer_ask(o.symbolizer, address, &symbol);
  close_file(&o);
  dloc_context_destroy(context);
  return status;
}

static dloc_status ask_object(const dloc_allocator *allocator) { return open_and_ask(allocator, object); }
static dloc_status ask_merged(const dloc_allocator *allocator) { return open_and_ask(allocator, merged); }

static void test_no_memory(void **state) {
  (void)state;
  fail_every_allocation(ask_object);
  fail_every_allocation(ask_merged);
}

static dloc_text read_file(const char *path, char *bytes, size_t size) {
  FILE *file = fopen(path, "rb");
  size_t got = file ? fread(bytes, 1, size, file) : 0;
  if (file)
    fclose(file);
  return (dloc_text){bytes, got};
}

static int read_inputs(void **state) {
  (void)state;
  object = read_file("tests/fuzz/corpus-layers/layers.o", object_bytes, sizeof object_bytes);
  merged = read_file("tests/fuzz/corpus-layers/merged", merged_bytes, sizeof merged_bytes);
  return object.size && merged.size ? 0 : -1;
}

/* A pipe that nobody writes into is no file, and nobody waits for it. */
static void test_pipe(void **state) {
  (void)state;
  char folder[] = "/tmp/dloc-unit-XXXXXX", path[sizeof folder + 5];
  dloc_context *context = dloc_context_create(NULL);
  dloc_object *opened = NULL;
  dloc_diagnostic diagnostic;
  assert_non_null(context);
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/pipe", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  alarm(60);
  assert_int_equal(dloc_object_open_file(context, path, &diagnostic, &opened), DLOC_INVALID);
  alarm(0);
  assert_null(opened);
  assert_int_equal(unlink(path) + rmdir(folder), 0);
  dloc_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_no_memory),
                                     cmocka_unit_test(test_pipe)};
  return cmocka_run_group_tests(tests, read_inputs, NULL);
}
