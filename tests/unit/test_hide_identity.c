/* Hiding and revealing without a pass between changes nothing (`reveal.identity`): every module of the suite, in
 * discriminators and in columns, through texts as the commands write them. */
#include "dloc_formats.h"
#include "nodes/module.h"
#include "objects/dloc_hidden.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* What cannot be hidden, and why. Everything else can be. */
static const struct {
  const char *module; /* the end of its name */
  dloc_reason reason;
} refusals[] = {{"verify-shape.ll", DLOC_REASON_OPERAND_NOT_DEBUG_LOC},
                {"roles/mistakes.ll", DLOC_REASON_OPERAND_NOT_DEBUG_LOC},
                {"shape.other.layer.ll", DLOC_REASON_OPERAND_NOT_DEBUG_LOC},
                {"shape.other.list.ll", DLOC_REASON_OPERAND_NOT_DEBUG_LOC},
                {"verify.inlined-at.composite.ll", DLOC_REASON_LOCATION_INLINED_AT},
                {"verify.inlined-at.no-layers.ll", DLOC_REASON_LOCATION_INLINED_AT},
                {"verify.inlined-at.composite-outer.ll", DLOC_REASON_LOCATION_INLINED_AT},
                {"verify.list.operand.after-inlined-at.ll", DLOC_REASON_LOCATION_INLINED_AT},
                {"cyclic-inlined-at.ll", DLOC_REASON_LOCATION_INLINED_AT_CYCLE},
                {"verify.scope-local.composite.ll", DLOC_REASON_OPERAND_BROKEN_SCOPE},
                {"verify.list.operand.after-scope.ll", DLOC_REASON_OPERAND_BROKEN_SCOPE}};

/* A debug record or a call of a debug intrinsic has layers, which it may not have: `reveal.record` leaves it the
 * primary. */
static const char *const broken_records[] = {
    "verify.record.location.composite.ll", "verify.record.location.label-composite.ll",
    "verify.record.location.label-second.ll", "test/intrinsics.ll", "test/intrinsics-inlined.ll"};

/* Texts that dloc reads and no LLVM does. */
static const char no_modules[] = "tests/fuzz/";

static dloc_hidden_in in;
static size_t compared, unreadable, refused;

/* ---- Files ---- */

static dloc_buffer read_file(const char *path) {
  dloc_buffer content = {0};
  char bytes[4096];
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
    assert_true(dloc_buffer_sink(&content).write(&content, bytes, size));
  fclose(file);
  return content;
}

/* The next part of a file for split-file, whose parts begin with `;--- NAME`. */
static dloc_text next_part(dloc_text *rest, char name[64]) {
  static const char mark[] = "\n;--- ";
  dloc_text part = *rest;
  const char *end = part.size ? strstr(part.bytes + 1, mark) : NULL;
  part.size = end ? (size_t)(end - part.bytes) : part.size;
  *rest = (dloc_text){part.bytes + part.size, rest->size - part.size};
  if (part.size > sizeof mark && memcmp(part.bytes, mark, sizeof mark - 1) == 0)
    sscanf(part.bytes + sizeof mark - 1, "%63s", name);
  return part;
}

/* ---- There and back ---- */

static dloc_buffer written(const dloc_module *module) {
  dloc_buffer text = {0};
  assert_int_equal(dloc_write_ll(module, dloc_buffer_sink(&text)), DLOC_OK);
  return text;
}

static dloc_module *read_again(dloc_context *context, const dloc_buffer *text) {
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  dloc_status status = dloc_read_ll(context, (dloc_text){text->bytes, text->size}, &diagnostic, &module);
  assert_int_equal(status, DLOC_OK);
  return module;
}

static dloc_status no_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  (void)instruction, (void)node;
  *(dloc_reason *)user = reason;
  return DLOC_OK;
}

/* The graph of all that instructions and the list of texts refer to: sharing counts, names of nodes do not. */
static dloc_buffer graph_of(const dloc_module *module) {
  dloc_buffer text = {.size = 0};
  dloc_named_metadata list = {.operand_count = 0};
  (void)dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list);
  size_t count = 0, room = list.operand_count;
  for (size_t i = 0; i < dloc_module_instruction_count(module); i++)
    room += 1 + dloc_module_attachment_count(module, i) + module_metadata_operand_count(module, i);
  dloc_node *roots = calloc(room + 1, sizeof *roots);
  assert_non_null(roots);
  for (size_t i = 0; i < dloc_module_instruction_count(module); i++) {
    roots[count++] = dloc_module_instruction(module, i)->debug_loc;
    for (size_t j = 0; j < dloc_module_attachment_count(module, i); j++)
      roots[count++] = dloc_module_attachment(module, i, j).node;
    for (size_t j = 0; j < module_metadata_operand_count(module, i); j++)
      roots[count++] = module_metadata_operand(module, i, j);
  }
  for (size_t i = 0; i < list.operand_count; i++)
    roots[count++] = dloc_module_named_operand(module, &list, i);
  assert_int_equal(dloc_print_graph(dloc_module_context(module), "!dbg", roots, count, dloc_buffer_sink(&text)),
                   DLOC_OK);
  free(roots);
  assert_true(dloc_buffer_sink(&text).write(&text, "\n", 1));
  return text;
}

/* Each step has a context of its own, as commands have. Returns why the module cannot be hidden. */
static dloc_reason hide(dloc_module *module, dloc_buffer *ret_plain, dloc_buffer *ret_table) {
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_hidden *hidden = NULL;
  dloc_module *table = NULL;
  dloc_hide_options options = {.in = in, .on_problem = no_problem, .user = &reason};
  dloc_status status = dloc_hide(module, &options, &hidden);
  assert_true(status == DLOC_OK || (status == DLOC_INVALID && reason));
  if (status == DLOC_OK) {
    assert_int_equal(dloc_hidden_write(hidden, &table), DLOC_OK);
    *ret_table = written(table);
    *ret_plain = written(module);
    dloc_module_destroy(table);
    dloc_hidden_destroy(hidden);
  }
  return reason;
}

static void assert_comes_back(const dloc_buffer *plain, const dloc_buffer *table_text, const dloc_buffer *expected) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_hidden *hidden = NULL;
  dloc_module *module = read_again(context, plain), *table = read_again(context, table_text);
  assert_int_equal(dloc_hidden_create(context, &hidden), DLOC_OK);
  assert_int_equal(dloc_hidden_read(hidden, table, &reason), DLOC_OK);
  assert_int_equal(dloc_reveal(module, hidden, no_problem, &reason), DLOC_OK);
  assert_string_equal(dloc_reason_name(reason), dloc_reason_name(DLOC_REASON_NONE));
  dloc_hidden_destroy(hidden);
  dloc_module_destroy(table);
  dloc_buffer text = written(module);
  dloc_module *revealed = read_again(context, &text);
  dloc_buffer graph = graph_of(revealed);
  assert_string_equal(graph.bytes, expected->bytes);
  dloc_module_destroy(revealed);
  dloc_module_destroy(module);
  dloc_buffer_deinit(&graph);
  dloc_buffer_deinit(&text);
  dloc_context_destroy(context);
}

static bool ends_in(const char *name, const char *end) {
  size_t size = strlen(name), end_size = strlen(end);
  return size >= end_size && strcmp(name + size - end_size, end) == 0;
}

/* A unit that is compiled for profiling: passes change discriminators. */
static bool is_profiled(dloc_text text) {
  const char *found = text.size ? strstr(text.bytes, "debugInfoForProfiling: true") : NULL;
  return in == DLOC_HIDDEN_IN_DISCRIMINATOR && found && found < text.bytes + text.size;
}

static dloc_reason reason_to_refuse(const char *name) {
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    if (ends_in(name, refusals[i].module))
      return refusals[i].reason;
  return DLOC_REASON_NONE;
}

static bool has_broken_record(const char *name) {
  bool found = false;
  for (size_t i = 0; i < sizeof broken_records / sizeof *broken_records; i++)
    found = found || ends_in(name, broken_records[i]);
  return found;
}

static void try_module(dloc_text text, const char *name) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_buffer plain = {0}, table = {0};
  if (dloc_read_ll(context, text, &diagnostic, &module) != DLOC_OK) {
    unreadable++;
    dloc_context_destroy(context);
    return;
  }
  dloc_buffer before = graph_of(module);
  dloc_reason reason = hide(module, &plain, &table);
  assert_string_equal(dloc_reason_name(reason),
                      dloc_reason_name(is_profiled(text) ? DLOC_REASON_HIDE_PROFILING : reason_to_refuse(name)));
  if (reason)
    refused += !is_profiled(text);
  else if (!has_broken_record(name))
    assert_comes_back(&plain, &table, &before);
  compared += !reason;
  dloc_module_destroy(module);
  dloc_buffer_deinit(&plain);
  dloc_buffer_deinit(&table);
  dloc_buffer_deinit(&before);
  dloc_context_destroy(context);
}

static int try_file(const char *path, const struct stat *status, int flag) {
  (void)status;
  if (flag != FTW_F || !ends_in(path, ".ll") || strncmp(path, no_modules, strlen(no_modules)) == 0)
    return 0;
  char name[64] = "";
  dloc_buffer content = read_file(path);
  dloc_text rest = {content.bytes, content.size};
  while (rest.size) {
    dloc_text part = next_part(&rest, name);
    try_module(part, name[0] ? name : path);
  }
  dloc_buffer_deinit(&content);
  return 0;
}

static void every_module_comes_back(dloc_hidden_in where) {
  in = where;
  compared = unreadable = refused = 0;
  assert_int_equal(ftw("tests", try_file, 16), 0);
  assert_int_equal(ftw("conformance/llvm/test", try_file, 16), 0);
  printf("# %zu modules come back, %zu cannot be hidden, %zu cannot be read\n", compared, refused, unreadable);
  assert_true(compared > 300);
  assert_int_equal(refused, sizeof refusals / sizeof *refusals);
}

static void discriminators_come_back(void **state) {
  (void)state;
  every_module_comes_back(DLOC_HIDDEN_IN_DISCRIMINATOR);
}

static void columns_come_back(void **state) {
  (void)state;
  every_module_comes_back(DLOC_HIDDEN_IN_COLUMN);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(discriminators_come_back), cmocka_unit_test(columns_come_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
