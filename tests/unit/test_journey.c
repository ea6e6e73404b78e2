/* A whole use of the library: a module is read, verified, merged, inlined, hidden and revealed; a program is symbolized, and gets a layer for its own
 * line table. Each allocation fails in turn, of the context's allocator and of malloc, which libelf, libdw and libmd call as well: it ends as if nothing
 * had failed, or with DLOC_NO_MEMORY, and holds nothing. */
#define _GNU_SOURCE /* dladdr */
#include "allocation.h"
#include "contract.h"
#include "nodes/try.h"
#include "objects/dloc_symbolizer.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- The way ---- */

typedef struct journey {
  dloc_context *context;
  dloc_profile profile;
  dloc_diagnostic diagnostic;
  dloc_module *module;
  dloc_inliner *inliner;
  dloc_hidden *hidden;
  dloc_object *object;
  dloc_symbolizer *symbolizer;
  dloc_sink out;
} journey;

static dloc_node numbered(const journey *j, uint64_t number) { return dloc_module_numbered(j->module, number); }

static bool ignore(void *user, const dloc_violation *violation) { return !user && violation; }

static dloc_status read_module(journey *j) {
  const dloc_text text = dloc_text_of(contract_text);
  dloc_verdict verdict;
  TRY(dloc_read_ll(j->context, text, &j->diagnostic, &j->module));
  TRY(dloc_verify(j->module, &j->profile, ignore, NULL, &verdict));
  return dloc_warn(j->module, &j->profile, ignore, NULL);
}

static dloc_status merge_and_inline(journey *j) {
  const dloc_node locations[] = {numbered(j, LAYERED), numbered(j, 10)};
  const dloc_call_site site = {.debug_loc = locations[0], .callee_has_subprogram = true};
  dloc_reason reason;
  dloc_node made[2];
  TRY(dloc_merge(j->context, &j->profile, locations, 2, NULL, &reason, &made[0]));
  TRY(dloc_inliner_create(j->context, &j->profile, &site, NULL, &j->inliner));
  TRY(dloc_inline_instruction(j->inliner, DLOC_INSTRUCTION_PLAIN, locations[0], &made[1]));
  return dloc_print_graph(j->context, "!dbg", made, 2, j->out);
}

static dloc_status hide_and_reveal(journey *j) {
  TRY(dloc_hide(j->module, &(dloc_hide_options){.in = DLOC_HIDDEN_IN_DISCRIMINATOR}, &j->hidden));
  TRY(dloc_write_ll(j->module, j->out));
  TRY(dloc_reveal(j->module, j->hidden, NULL, NULL));
  return dloc_write_ll(j->module, j->out);
}

/* An executable with units and layers. */
static struct {
  char bytes[8192];
  size_t size;
} program;

/* Nothing is wrong in this file. */
static dloc_status no_problem(void *user, dloc_reason reason, dloc_text section, size_t at) {
  (void)user, (void)section, (void)at;
  fail_msg("%s", dloc_reason_name(reason));
  return DLOC_OK;
}

static dloc_status symbolize_and_select(journey *j) {
  const dloc_text file = {program.bytes, program.size};
  const dloc_symbolizer_options told = {.on_problem = no_problem};
  dloc_symbol symbol = {.frames = NULL};
  TRY(dloc_object_open(j->context, file, &j->diagnostic, &j->object));
  TRY(dloc_symbolizer_open(j->object, &told, &j->diagnostic, &j->symbolizer));
  TRY(dloc_symbolizer_ask(j->symbolizer, 0x2011a1, &symbol));
  for (size_t i = 0; i < symbol.frame_count; i++)
    TRY(dloc_print_string(symbol.frames[i].function, j->out));
  for (size_t i = 0; i < symbol.layer_count; i++)
    TRY(dloc_print_string(symbol.layers[i].source, j->out));
  return dloc_symbolizer_select(j->symbolizer, file, dloc_text_of("tileir"), dloc_text_of("/d"), &j->diagnostic,
                                j->out);
}

static dloc_status travel(const dloc_allocator *allocator, dloc_buffer *out) {
  journey j = {.context = dloc_context_create(allocator), .profile = *dloc_profile_at(0), .out = dloc_buffer_sink(out)};
  if (!j.context)
    return DLOC_NO_MEMORY;
  dloc_status status = read_module(&j);
  status = status == DLOC_OK ? merge_and_inline(&j) : status;
  status = status == DLOC_OK ? hide_and_reveal(&j) : status;
  status = status == DLOC_OK ? symbolize_and_select(&j) : status;
  dloc_symbolizer_close(j.symbolizer);
  dloc_object_close(j.object);
  dloc_hidden_destroy(j.hidden);
  dloc_inliner_destroy(j.inliner);
  dloc_module_destroy(j.module);
  dloc_context_destroy(j.context);
  return status;
}

/* ---- Allocations that fail ---- */

static dloc_buffer expected;

static void check_end(dloc_status status, dloc_buffer *out, size_t number) {
  if (status != DLOC_OK && status != DLOC_NO_MEMORY)
    fail_msg("allocation %zu: %s", number, dloc_status_text(status));
  if (status == DLOC_OK && (out->size != expected.size || memcmp(out->bytes, expected.bytes, out->size) != 0))
    fail_msg("allocation %zu: %zu bytes of output instead of %zu, without an error", number, out->size, expected.size);
  dloc_buffer_deinit(out);
}

static dloc_status travel_and_compare(const dloc_allocator *allocator) {
  dloc_buffer out = {0};
  dloc_status status = travel(allocator, &out);
  check_end(status, &out, 0);
  return status;
}

static void test_context(void **state) {
  (void)state;
  fail_every_allocation(travel_and_compare);
}

/* An earlier failure is no reason: errno may be anything. */
static void test_earlier_failure(void **state) {
  (void)state;
  journey j = {.context = dloc_context_create(NULL)};
  errno = ENOMEM;
  dloc_status status = dloc_object_open(j.context, dloc_text_of("no object"), &j.diagnostic, &j.object);
  assert_int_equal(status, DLOC_INVALID);
  dloc_context_destroy(j.context);
}

/* A sanitizer has an allocator of its own in this place; this project takes clang's sanitizers, and gcc's for threads. */
#if !defined __clang__ && !defined __SANITIZE_THREAD__
#define COUNTS_MALLOC
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

static struct {
  bool on;
  size_t count, fails_at; /* none at 0 */
  size_t live, spared;
  bool leaks;
} heap;

/* libdw ends the program when it gets no memory, or crashes later. It loses a block when tsearch gets none. */
static bool is_spared(const void *caller) {
  Dl_info in;
  bool known = dladdr(caller, &in) != 0;
  heap.leaks = known && in.dli_sname && strstr(in.dli_sname, "tsearch");
  return known && strstr(in.dli_fname, "/libdw");
}

static bool fails(const void *caller) {
  if (!heap.on || ++heap.count != heap.fails_at)
    return false;
  heap.on = false; /* dladdr is not of the way */
  bool spared = is_spared(caller);
  heap.on = true;
  heap.spared += spared;
  errno = ENOMEM;
  return !spared;
}

static void *counted(void *block) {
  heap.live += heap.on && block;
  return block;
}

#pragma GCC visibility push(default)
void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : counted(__libc_calloc(count, size));
}
void *realloc(void *old, size_t size) {
  if (fails(__builtin_return_address(0)))
    return NULL;
  void *block = __libc_realloc(old, size);
  return old ? block : counted(block);
}
void free(void *old) {
  heap.live -= heap.on && old;
  __libc_free(old);
}
#pragma GCC visibility pop

/* How many allocations there were. */
static size_t travel_failing_at(size_t number) {
  dloc_buffer out = {0};
  heap.count = heap.live = 0;
  heap.leaks = false;
  heap.fails_at = number;
  heap.on = true;
  dloc_status status = travel(NULL, &out);
  check_end(status, &out, number);
  heap.on = false;
  if (heap.live > heap.leaks)
    fail_msg("allocation %zu: %zu blocks are left", number, heap.live);
  return heap.count;
}

static void test_heap(void **state) {
  (void)state;
  const size_t count = travel_failing_at(0);
  if (count == 0)
    skip(); /* valgrind has taken the place */
  for (size_t number = 1; number <= count; number++)
    (void)travel_failing_at(number);
  print_message("%zu allocations, %zu of libdw\n", count, heap.spared);
  assert_true(count > 200 && heap.spared > 0);
}
#endif

static int prepare(void **state) {
  (void)state;
  FILE *file = fopen("tests/fuzz/corpus-layers/names", "rb");
  program.size = file ? fread(program.bytes, 1, sizeof program.bytes, file) : 0;
  if (file)
    fclose(file);
  return travel(NULL, &expected) == DLOC_OK && expected.size ? 0 : -1;
}

static int clear(void **state) {
  (void)state;
  dloc_buffer_deinit(&expected);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_context),
      cmocka_unit_test(test_earlier_failure),
#ifdef COUNTS_MALLOC
      cmocka_unit_test(test_heap),
#endif
  };
  return cmocka_run_group_tests(tests, prepare, clear);
}
