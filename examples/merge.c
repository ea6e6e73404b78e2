/* What becomes of the locations of two instructions when a pass makes one of them?
 *
 *   cc merge.c $(pkg-config --cflags --libs dloc) -o merge
 *   ./merge
 *
 * Two operations of a kernel have each a place in its source and one in its MLIR. The program makes these locations,
 * merges them by the rules of the RFC, and prints each rule that was applied, and the result. */
#include <dloc.h>

#include <stdio.h>
#include <stdlib.h>

static void check(dloc_status status) {
  if (status == DLOC_OK)
    return;
  fprintf(stderr, "merge: %s\n", dloc_status_text(status));
  exit(2);
}

static dloc_node file_named(dloc_context *context, const char *name) {
  dloc_node file;
  check(dloc_file(context, dloc_text_of(name), dloc_text_of("/src"), &file));
  return file;
}

/* `!{!DILocation(line: LINE), !{!"MLIR", !DILocation(line: MLIR_LINE)}}` */
static dloc_node make_location(dloc_context *context, dloc_node function, dloc_node mlir, uint32_t line,
                               uint32_t mlir_line) {
  dloc_node primary, scope, composite;
  dloc_layer layer;
  check(dloc_location_at(context, line, 5, function, &primary));
  check(dloc_lexical_block_file(context, function, mlir, 0, &scope));
  check(dloc_string(context, dloc_text_of("MLIR"), &layer.kind));
  check(dloc_location_at(context, mlir_line, 1, scope, &layer.location));
  check(dloc_debug_loc_create(context, primary, &layer, 1, &composite));
  return composite;
}

static void print_step(void *user, dloc_clause clause, const char *decision) {
  (void)user;
  printf("; %s: %s\n", dloc_clause_anchor(clause), decision);
}

static bool print(void *user, const char *bytes, size_t size) { return fwrite(bytes, 1, size, user) == size; }

int main(void) {
  const dloc_profile *rules = dloc_profile_find(dloc_text_of("rfc"));
  const dloc_trace trace = {print_step, NULL};
  dloc_context *context = dloc_context_create(NULL); /* owns every node that is made */
  if (!context)
    check(DLOC_NO_MEMORY);
  dloc_node source = file_named(context, "kernel.py"), mlir = file_named(context, "kernel.mlir"), unit, function;
  check(dloc_compile_unit(context, dloc_text_of("DW_LANG_Python"), source, dloc_text_of("a compiler"), &unit));
  check(dloc_subprogram(context, dloc_text_of("kernel"), source, 1, unit, &function));
  dloc_node locations[] = {make_location(context, function, mlir, 7, 40),
                           make_location(context, function, mlir, 7, 41)};
  dloc_node merged;
  check(dloc_merge(context, rules, locations, 2, &trace, NULL, &merged));
  check(dloc_print_graph(context, "!dbg", &merged, 1, (dloc_sink){print, stdout}));
  dloc_context_destroy(context);
  return fflush(stdout) == 0 ? 0 : 2;
}
