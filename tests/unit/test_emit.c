/* Bitcode and directives through the API: errors, ownership, many functions, traces, allocation failures. What is
 * written is the vectors' business. */
#include "allocation.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const char text[] = "!llvm.intermediate_level_source = !{!7, !8}\n"
                           "!named = !{!1, !10, !11, !12, !13, !14, !15, !16, !17}\n"
                           "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)\n"
                           "!1 = !DIFile(filename: \"a.py\", directory: \"src\")\n"
                           "!2 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !0)\n"
                           "!3 = !DIFile(filename: \"k.tile\", directory: \".\")\n"
                           "!4 = !DILexicalBlockFile(scope: !2, file: !3, discriminator: 0)\n"
                           "!7 = !{!\"TileIR\", !3, !\"abc\"}\n"
                           "!8 = !{!\"TileIR\", !1, !\"unused\"}\n"
                           "!10 = !DILocation(line: 2, column: 5, scope: !2)\n"
                           "!11 = !DILocation(line: 100, column: 10, scope: !4)\n"
                           "!12 = !{!\"TileIR\", !11}\n"
                           "!13 = !{!10, !12}\n"
                           "!14 = !{!\"TileIR\"}\n"
                           "!15 = !{!10, !12, !14, !12}\n"
                           "!16 = !{!11}\n"
                           "!17 = !{!12, !10}\n";

#define MD5_OF_ABC "900150983cd24fb0d6963f7d28e17f72"

typedef struct fixture {
  dloc_context *context;
  dloc_module *module;
  dloc_profile profile;
  dloc_emitter *emitter;
} fixture;

static dloc_status open_fixture(fixture *f, const dloc_allocator *allocator, const dloc_trace *trace) {
  dloc_diagnostic diagnostic;
  *f = (fixture){.context = dloc_context_create(allocator), .profile = *dloc_profile_at(0)};
  if (!f->context)
    return DLOC_NO_MEMORY;
  dloc_status status = dloc_read_ll(f->context, dloc_text_of(text), &diagnostic, &f->module);
  if (status == DLOC_OK)
    status = dloc_emitter_create(f->context, &f->profile, f->module, trace, &f->emitter);
  return status;
}

static void close_fixture(fixture *f) {
  dloc_emitter_destroy(f->emitter);
  dloc_module_destroy(f->module);
  dloc_context_destroy(f->context);
}

static dloc_node numbered(const fixture *f, unsigned number) { return dloc_module_numbered(f->module, number); }

static void assert_file(const fixture *f, dloc_node file, const char *name) {
  dloc_text bytes = dloc_node_text(f->context, file);
  assert_int_equal(bytes.size, strlen(name));
  assert_memory_equal(bytes.bytes, name, bytes.size);
}

static void assert_text_count(const fixture *f, size_t wanted) {
  const dloc_emitted_text *texts = NULL;
  size_t count = 0;
  assert_int_equal(dloc_emit_texts(f->emitter, &texts, &count), DLOC_OK);
  assert_int_equal(count, wanted);
}

static void what_is_no_debug_loc_is_refused(void **state) {
  static const unsigned numbers[] = {1, 12, 17};
  (void)state;
  fixture f;
  assert_int_equal(open_fixture(&f, NULL, NULL), DLOC_OK);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    dloc_emitted emitted = {.layer_count = 7};
    dloc_node node = numbered(&f, numbers[i]), result = numbered(&f, 1);
    dloc_reason reason = DLOC_REASON_NONE;
    assert_int_equal(dloc_emit_instruction(f.emitter, node, &reason, &emitted), DLOC_INVALID);
    assert_int_equal(reason, DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
    assert_int_equal(emitted.layer_count, 7);
    assert_int_equal(dloc_round_trip(f.context, &f.profile, node, NULL, &result), DLOC_INVALID);
    assert_int_equal(result, numbered(&f, 1));
  }
  close_fixture(&f);
}

static void stock_profiles_refuse_composites(void **state) {
  (void)state;
  fixture f;
  dloc_emitted emitted;
  dloc_node result = DLOC_NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  assert_int_equal(open_fixture(&f, NULL, NULL), DLOC_OK);
  f.profile = *dloc_profile_find(dloc_text_of("llvm-22"));
  assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 13), NULL, &emitted), DLOC_INVALID);
  assert_int_equal(dloc_round_trip(f.context, &f.profile, numbered(&f, 13), &reason, &result), DLOC_INVALID);
  assert_int_equal(reason, DLOC_REASON_SHAPE_TUPLE_REJECTED);
  close_fixture(&f);
}

/* `shape.layer: any` lets them stand in a tuple; they are no layers, so nothing can come of them. */
static void operands_that_are_no_layers_are_passed_over(void **state) {
  (void)state;
  fixture f;
  dloc_node result = DLOC_NULL;
  dloc_emitted emitted;
  assert_int_equal(open_fixture(&f, NULL, NULL), DLOC_OK);
  assert_int_equal(dloc_round_trip(f.context, &f.profile, numbered(&f, 15), NULL, &result), DLOC_OK);
  assert_int_equal(dloc_operand_count(f.context, result), 3);
  assert_int_equal(dloc_operand(f.context, result, 2), numbered(&f, 12));
  assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 15), NULL, &emitted), DLOC_OK);
  assert_int_equal(emitted.layer_count, 2);
  close_fixture(&f);
}

static void each_function_begins_anew_and_texts_are_written_once(void **state) {
  (void)state;
  fixture f;
  dloc_emitted emitted;
  assert_int_equal(open_fixture(&f, NULL, NULL), DLOC_OK);
  assert_text_count(&f, 0);
  for (int i = 0; i < 3; i++) {
    dloc_emitter_begin_function(f.emitter);
    for (int j = 0; j < 2; j++) {
      assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 13), NULL, &emitted), DLOC_OK);
      assert_int_equal(emitted.has_primary, j == 0);
      assert_int_equal(emitted.layer_count, j == 0);
    }
  }
  dloc_emitter_begin_function(f.emitter);
  assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 13), NULL, &emitted), DLOC_OK);
  assert_file(&f, emitted.primary.file, "src/a.py");
  assert_file(&f, emitted.layers[0].file, "./" MD5_OF_ABC);
  assert_text_count(&f, 1);
  assert_text_count(&f, 1);
  close_fixture(&f);
}

/* Without a module there are no texts: a layer's file has its own name. */
static void the_module_may_be_absent(void **state) {
  (void)state;
  fixture f;
  dloc_emitted emitted;
  assert_int_equal(open_fixture(&f, NULL, NULL), DLOC_OK);
  dloc_emitter_destroy(f.emitter);
  assert_int_equal(dloc_emitter_create(f.context, &f.profile, NULL, NULL, &f.emitter), DLOC_OK);
  assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 13), NULL, &emitted), DLOC_OK);
  assert_file(&f, emitted.layers[0].file, "./k.tile");
  assert_text_count(&f, 0);
  close_fixture(&f);
}

/* The list of layers is made anew with each call: many layers, the end of each, and none. */
static void many_layers(void **state) {
  enum { MANY = 1000 };
  (void)state;
  fixture f;
  static dloc_layer layers[MANY];
  dloc_emitted emitted;
  dloc_node all = DLOC_NULL, result = DLOC_NULL;
  assert_int_equal(open_fixture(&f, NULL, NULL), DLOC_OK);
  for (unsigned i = 0; i < MANY; i++) {
    char kind[16];
    dloc_location place = {.line = i + 1, .scope = numbered(&f, 4)};
    snprintf(kind, sizeof kind, "K%u", i);
    assert_int_equal(dloc_string(f.context, dloc_text_of(kind), &layers[i].kind), DLOC_OK);
    assert_int_equal(dloc_location_create(f.context, false, &place, &layers[i].location), DLOC_OK);
  }
  assert_int_equal(dloc_debug_loc_create(f.context, numbered(&f, 10), layers, MANY, &all), DLOC_OK);
  assert_int_equal(dloc_round_trip(f.context, &f.profile, all, NULL, &result), DLOC_OK);
  assert_int_equal(result, all);
  assert_int_equal(dloc_emit_instruction(f.emitter, all, NULL, &emitted), DLOC_OK);
  assert_int_equal(emitted.layer_count, MANY);
  for (unsigned i = 0; i < MANY; i++)
    assert_int_equal(emitted.layers[i].line, i + 1);
  assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 16), NULL, &emitted), DLOC_OK);
  assert_true(emitted.has_primary);
  assert_int_equal(emitted.layer_count, MANY);
  for (unsigned i = 0; i < MANY; i++)
    assert_int_equal(emitted.layers[i].line, 0);
  assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 10), NULL, &emitted), DLOC_OK);
  assert_true(emitted.has_primary);
  assert_int_equal(emitted.layer_count, 0);
  close_fixture(&f);
}

typedef struct step_log {
  dloc_clause clauses[8];
  size_t count;
} step_log;

static void log_step(void *user, dloc_clause clause, const char *decision) {
  step_log *log = user;
  assert_true(strlen(decision) > 0);
  assert_true(log->count < 8);
  log->clauses[log->count++] = clause;
}

static void the_trace_names_clauses(void **state) {
  (void)state;
  fixture f;
  step_log log = {.count = 0};
  const dloc_trace trace = {log_step, &log};
  dloc_emitted emitted;
  assert_int_equal(open_fixture(&f, NULL, &trace), DLOC_OK);
  assert_int_equal(dloc_emit_instruction(f.emitter, DLOC_NULL, NULL, &emitted), DLOC_OK);
  assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 13), NULL, &emitted), DLOC_OK);
  assert_int_equal(dloc_emit_instruction(f.emitter, numbered(&f, 10), NULL, &emitted), DLOC_OK);
  static const dloc_clause wanted[] = {DLOC_CLAUSE_EMIT_EMPTY, DLOC_CLAUSE_EMIT_PRIMARY, DLOC_CLAUSE_EMIT_TEXT_NAME,
                                       DLOC_CLAUSE_EMIT_REPEAT, DLOC_CLAUSE_EMIT_LAYER_END};
  assert_int_equal(log.count, 5);
  assert_memory_equal(log.clauses, wanted, sizeof wanted);
  close_fixture(&f);
}

static dloc_status emit_something(const dloc_allocator *allocator) {
  fixture f;
  dloc_emitted emitted;
  const dloc_emitted_text *texts = NULL;
  size_t count = 0;
  dloc_node result = DLOC_NULL;
  dloc_status status = open_fixture(&f, allocator, NULL);
  for (unsigned i = 0; status == DLOC_OK && i < 2; i++)
    status = dloc_emit_instruction(f.emitter, numbered(&f, i ? 10 : 15), NULL, &emitted);
  if (status == DLOC_OK)
    status = dloc_emit_texts(f.emitter, &texts, &count);
  if (status == DLOC_OK)
    status = dloc_round_trip(f.context, &f.profile, numbered(&f, 15), NULL, &result);
  close_fixture(&f);
  return status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  fail_every_allocation(emit_something);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_debug_loc_is_refused),
      cmocka_unit_test(stock_profiles_refuse_composites),
      cmocka_unit_test(operands_that_are_no_layers_are_passed_over),
      cmocka_unit_test(each_function_begins_anew_and_texts_are_written_once),
      cmocka_unit_test(the_module_may_be_absent),
      cmocka_unit_test(many_layers),
      cmocka_unit_test(the_trace_names_clauses),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
