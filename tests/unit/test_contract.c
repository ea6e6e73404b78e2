/* The promise of the public headers: *ret is untouched on failure, and ret_reason may be NULL. Each public
 * function with a ret has a row: it is called with an input that it must refuse, and with a good one while one
 * allocation after the other fails. */
#include "allocation.h"
#include "contract.h"

#include <ctype.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static dloc_status call_row(const contract_row *row, world *w, bool wrong) {
  contract_result ret;
  memset(&ret, 0xa5, sizeof ret);
  dloc_status status = contract_call(row, w, wrong, &ret);
  for (size_t i = 0; status != DLOC_OK && i < sizeof ret; i++)
    if (ret.bytes[i] != 0xa5)
      fail_msg("%s writes *ret and returns: %s", row->name, dloc_status_text(status));
  return status;
}

static void refuse_input(const contract_row *row, void *user) {
  (void)user;
  world w;
  if (!row->call)
    return;
  world_init(&w, NULL);
  if (call_row(row, &w, true) != DLOC_INVALID)
    fail_msg("%s does not refuse the input", row->name);
  world_deinit(&w);
}

static void test_refused_input(void **state) {
  (void)state;
  contract_each_row(refuse_input, NULL);
}

static void fail_allocations(const contract_row *row, void *user) {
  (void)user;
  dloc_status status = DLOC_NO_MEMORY;
  for (size_t budget = 0; status != DLOC_OK; budget++) {
    failing_allocator allocations = {.budget = SIZE_MAX};
    dloc_allocator allocator = failing_allocator_of(&allocations);
    world w;
    world_init(&w, &allocator);
    allocations.budget = budget;
    status = call_row(row, &w, false);
    if (status != DLOC_OK && status != DLOC_NO_MEMORY)
      fail_msg("%s: %s", row->name, dloc_status_text(status));
    world_deinit(&w);
    assert_int_equal(allocations.live, 0);
  }
}

static void test_failing_allocation(void **state) {
  (void)state;
  contract_each_row(fail_allocations, NULL);
}

typedef struct search {
  dloc_text name;
  bool found;
} search;

static void compare_name(const contract_row *row, void *user) {
  search *s = user;
  s->found |= dloc_text_equal(dloc_text_of(row->name), s->name);
}

/* Replace the comments of C by blanks. */
static void blank_comments(char *source) {
  for (char *at = source, *end; (at = strstr(at, "/*")) && (end = strstr(at, "*/")); at = end)
    memset(at, ' ', (size_t)(end + 2 - at));
}

/* Functions that return nothing, or a count, cannot fail. */
static bool can_fail(const char *declaration) {
  return strncmp(declaration, "dloc_status ", 12) == 0 || strncmp(declaration, "bool ", 5) == 0;
}

/* How many functions of a header have a row; each must. */
static size_t count_rows(const char *path) {
  static char header[100000];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t size = fread(header, 1, sizeof header, file);
  fclose(file);
  assert_true(size < sizeof header);
  header[size] = '\0';
  blank_comments(header);
  size_t count = 0;
  for (char *line = header, *end; (end = strchr(line, ';')); line = end + 1) {
    *end = '\0';
    while (isspace((unsigned char)*line))
      line++;
    const char *name = strstr(line, " dloc_");
    if (!can_fail(line) || !name || !strstr(name, "*ret") || strstr(name, "*ret_undefined")) /* that says why */
      continue;
    search called = {{name + 1, strcspn(name + 1, "(")}, false};
    contract_each_row(compare_name, &called);
    if (!called.found)
      fail_msg("%.*s has no row", (int)called.name.size, called.name.bytes);
    count++;
  }
  return count;
}

static void test_every_function_has_a_row(void **state) {
  (void)state;
  glob_t headers;
  assert_int_equal(glob("model/dloc*.h", 0, NULL, &headers), 0);
  assert_int_equal(glob("model/objects/dloc_*.h", GLOB_APPEND, NULL, &headers), 0);
  for (size_t i = 0; i < headers.gl_pathc; i++)
    assert_true(count_rows(headers.gl_pathv[i]) > 2);
  globfree(&headers);
}

static int read_inputs(void **state) {
  (void)state;
  return contract_read_inputs() ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_function_has_a_row),
                                     cmocka_unit_test(test_refused_input), cmocka_unit_test(test_failing_allocation)};
  return cmocka_run_group_tests(tests, read_inputs, NULL);
}
