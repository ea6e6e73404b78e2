/* A profiler's use of libdloc: which line of the source, and of each layer, costs how many samples.
 *
 *   cc profiler.c $(pkg-config --cflags --libs dloc-objects) -o profiler
 *   perf record -e cycles:u -- PROGRAM && perf script -F ip >ips        # of a program that is not loaded just anywhere
 *   ./profiler PROGRAM [BASE] <ips
 *
 * Standard input has an address a line, in hexadecimal; BASE is where a position-independent PROGRAM was loaded. */
#include <dloc_symbolizer.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line, and how often it was met. */
typedef struct line {
  char *text;
  size_t samples;
} line;

typedef struct profile {
  line *lines;
  size_t count, capacity;
} profile;

static void fail(const char *why) {
  fprintf(stderr, "profiler: %s\n", why);
  exit(2);
}

static void *checked(void *memory) {
  if (!memory)
    fail("no memory");
  return memory;
}

/* A search through all lines will do for an example. */
static void count_line(profile *p, const char *text) {
  for (size_t i = 0; i < p->count; i++)
    if (strcmp(p->lines[i].text, text) == 0) {
      p->lines[i].samples++;
      return;
    }
  if (p->count == p->capacity) {
    p->capacity = p->capacity ? 2 * p->capacity : 64;
    p->lines = checked(realloc(p->lines, p->capacity * sizeof *p->lines));
  }
  char *copy = checked(malloc(strlen(text) + 1));
  p->lines[p->count++] = (line){strcpy(copy, text), 1};
}

static void count_sample(profile *p, dloc_symbolizer *symbolizer, uint64_t address) {
  char text[1024];
  dloc_symbol symbol;
  if (dloc_symbolizer_ask(symbolizer, address, &symbol) != DLOC_OK)
    fail("no memory");
  if (symbol.frame_count) { /* the innermost; the others are its callers, as far as they were inlined */
    const dloc_symbol_frame *frame = &symbol.frames[0];
    snprintf(text, sizeof text, "source  %.*s:%" PRIu32, DLOC_TEXT_ARGUMENTS(frame->path), frame->line);
    count_line(p, text);
  }
  for (size_t i = 0; i < symbol.layer_count; i++) {
    const dloc_layer_line *layer = &symbol.layers[i];
    snprintf(text, sizeof text, "%.*s  %" PRIu32 ": %.*s", DLOC_TEXT_ARGUMENTS(layer->kind), layer->line,
             DLOC_TEXT_ARGUMENTS(layer->source));
    count_line(p, text);
  }
}

/* Faults of the file are told, and everything else works. */
static dloc_status warn(void *user, dloc_reason reason, dloc_text section, size_t at) {
  (void)user;
  fprintf(stderr, "profiler: %.*s+0x%zx: %s\n", DLOC_TEXT_ARGUMENTS(section), at, dloc_reason_text(reason));
  return DLOC_OK;
}

static int by_samples(const void *a, const void *b) {
  const line *x = a, *y = b;
  return x->samples != y->samples ? (x->samples < y->samples) - (x->samples > y->samples) : strcmp(x->text, y->text);
}

int main(int argc, char **argv) {
  if (argc < 2)
    fail("usage: profiler PROGRAM [BASE] <ADDRESSES");
  const dloc_symbolizer_options options = {.on_problem = warn};
  dloc_diagnostic diagnostic;
  dloc_object *object;
  dloc_symbolizer *symbolizer;
  dloc_context *context = checked(dloc_context_create(NULL));
  if (dloc_object_open_file(context, argv[1], &diagnostic, &object) != DLOC_OK ||
      dloc_symbolizer_open(object, &options, &diagnostic, &symbolizer) != DLOC_OK)
    fail(diagnostic.message);
  const uint64_t shift = argc > 2 ? dloc_object_base(object) - strtoull(argv[2], NULL, 16) : 0;
  profile p = {NULL, 0, 0};
  for (uint64_t address; scanf("%" SCNx64, &address) == 1;)
    count_sample(&p, symbolizer, address + shift);
  if (p.count)
    qsort(p.lines, p.count, sizeof *p.lines, by_samples);
  for (size_t i = 0; i < p.count; i++) {
    printf("%8zu  %s\n", p.lines[i].samples, p.lines[i].text);
    free(p.lines[i].text);
  }
  free(p.lines);
  dloc_symbolizer_close(symbolizer);
  dloc_object_close(object);
  dloc_context_destroy(context);
}
