/* usage: merge FILE.ll bare|layers PAIRS SEED
 *
 * Times dloc_merge on random pairs of located instructions; merge_llvm.cpp does the same with LLVM. With `layers` each
 * location gets one layer. Only the merging is timed. */
#include "dloc_formats.h"

#include "pairs.h"

#include <string.h>

typedef struct bench {
  dloc_context *context;
  dloc_node *locations;
  uint32_t *begins, *ends;
  size_t located;
} bench;

static void check(dloc_status status, const char *what) {
  if (status == DLOC_OK)
    return;
  fprintf(stderr, "merge: %s: %s\n", what, dloc_status_text(status));
  exit(1);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    check(DLOC_NO_MEMORY, "allocation");
  return memory;
}

static dloc_text read_file(const char *name) {
  FILE *file = fopen(name, "rb");
  size_t room = 0;
  char *bytes = NULL;
  ssize_t size = file ? getdelim(&bytes, &room, 0, file) : -1;
  check(size < 0 ? DLOC_INVALID : DLOC_OK, name);
  fclose(file);
  return (dloc_text){bytes, (size_t)size};
}

/* A composite of a location and one layer: a line of another file, several instructions to a line. */
static dloc_node with_layer(bench *b, dloc_node location, uint32_t line) {
  dloc_node file = DLOC_NULL, scope = DLOC_NULL, kind = DLOC_NULL, place = DLOC_NULL, composite = DLOC_NULL;
  dloc_node subprogram = dloc_scope_subprogram(b->context, dloc_location_get(b->context, location).scope);
  check(dloc_file(b->context, dloc_text_of("low.mlir"), dloc_text_of("/ir"), &file), "file");
  check(dloc_lexical_block_file(b->context, subprogram, file, 0, &scope), "scope");
  check(dloc_string(b->context, dloc_text_of("low"), &kind), "kind");
  check(dloc_location_at(b->context, 1 + line / 4, 1, scope, &place), "layer");
  dloc_layer layer = {kind, place};
  check(dloc_debug_loc_create(b->context, location, &layer, 1, &composite), "composite");
  return composite;
}

static void collect(bench *b, const dloc_module *module) {
  size_t count = dloc_module_instruction_count(module);
  b->locations = allocate(count, sizeof *b->locations);
  b->begins = allocate(count, sizeof *b->begins);
  b->ends = allocate(count, sizeof *b->ends);
  for (size_t f = 0; f < dloc_module_function_count(module); f++) {
    const dloc_function *function = dloc_module_function(module, f);
    uint32_t begin = (uint32_t)b->located;
    for (size_t i = 0; i < function->instruction_count; i++) {
      const dloc_instruction *instruction = dloc_module_instruction(module, function->first_instruction + i);
      if (instruction->debug_loc && !(instruction->flags & DLOC_INSTRUCTION_RECORD))
        b->locations[b->located++] = instruction->debug_loc;
    }
    for (size_t i = begin; i < b->located; i++) {
      b->begins[i] = begin;
      b->ends[i] = (uint32_t)b->located;
    }
  }
}

static uint64_t sum_of(const bench *b, const dloc_node *results, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    dloc_location content = dloc_location_get(b->context, dloc_primary(b->context, results[i]));
    uint32_t frames = 0;
    for (dloc_node at = content.inlined_at; at; at = dloc_location_get(b->context, at).inlined_at)
      frames++;
    sum += bench_weight(content.line, content.column, frames);
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: merge FILE.ll bare|layers PAIRS SEED\n");
    return 2;
  }
  bench b = {.context = dloc_context_create(NULL)};
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  if (!b.context)
    check(DLOC_NO_MEMORY, "context");
  check(dloc_read_ll(b.context, read_file(argv[1]), &diagnostic, &module), argv[1]);
  collect(&b, module);
  for (size_t i = 0; i < b.located && strcmp(argv[2], "layers") == 0; i++)
    b.locations[i] = with_layer(&b, b.locations[i], (uint32_t)i);
  size_t count = strtoul(argv[3], NULL, 10);
  uint64_t state = strtoul(argv[4], NULL, 10);
  dloc_node *pairs = allocate(2 * count, sizeof *pairs), *results = allocate(count, sizeof *results);
  for (size_t i = 0; i < count; i++) {
    bench_pair pair = bench_pick(&state, b.begins, b.ends, b.located);
    pairs[2 * i] = b.locations[pair.first];
    pairs[2 * i + 1] = b.locations[pair.second];
  }
  memset(results, 0xff, count * sizeof *results); /* LLVM's are there before the start, too */
  const dloc_profile *profile = dloc_profile_at(0);
  double start = bench_seconds();
  for (size_t i = 0; i < count; i++)
    check(dloc_merge(b.context, profile, &pairs[2 * i], 2, NULL, NULL, &results[i]), "merge");
  double seconds = bench_seconds() - start;
  bench_print(b.located, seconds, sum_of(&b, results, count));
  return 0;
}
