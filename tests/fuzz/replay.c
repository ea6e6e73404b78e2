/* replay.c - a target without libFuzzer, for valgrind and the thread sanitizer: `NAME THREADS FILE...` gives it each
 * file in so many threads, which share nothing but the bytes. `NAME FROM-TO` gives it the numbers of a range, mixed, in
 * eight bytes each, as fast as it takes them. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Those of a target that reads files of its own. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
/* What mutators call; nobody calls them here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) { return (void)data, (void)most, size; }

enum { MOST_THREADS = 16, MOST_BYTES = 1 << 24 };

typedef struct file {
  uint8_t *bytes;
  size_t size;
} file;

/* Ends with a null pointer. All is read before a thread starts: reading would order what threads do. */
static file *files;
static pthread_barrier_t start;

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(2);
}

static void read_file(const char *path, file *ret) {
  FILE *from = fopen(path, "rb");
  uint8_t *bytes = malloc(MOST_BYTES);
  if (!from || !bytes)
    fail(path);
  ret->size = fread(bytes, 1, MOST_BYTES, from);
  if (ferror(from) || ret->size == MOST_BYTES)
    fail(path);
  fclose(from);
  ret->bytes = realloc(bytes, ret->size + !ret->size); /* no more, so that reading on is noticed */
}

static void *give_all(void *user) {
  pthread_barrier_wait(&start);
  for (const file *f = files; f->bytes; f++)
    LLVMFuzzerTestOneInput(f->bytes, f->size);
  return user;
}

static int give_numbers(const char *range) {
  char *end = NULL;
  uint64_t first = strtoull(range, &end, 10), last = *end == '-' ? strtoull(end + 1, &end, 10) : 0;
  if (*end || last < first)
    return fprintf(stderr, "%s: no range, such as 0-1000\n", range), 2;
  for (uint64_t i = first; i < last; i++) {
    uint64_t mixed = i * 0x9e3779b97f4a7c15; /* so that neighbours differ in every byte */
    LLVMFuzzerTestOneInput((const uint8_t *)&mixed, sizeof mixed);
  }
  return printf("%llu inputs\n", (unsigned long long)(last - first)), 0;
}

int main(int argc, char **argv) {
  pthread_t threads[MOST_THREADS];
  unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  if (argc == 2 && strchr(argv[1], '-')) {
    if (LLVMFuzzerInitialize)
      LLVMFuzzerInitialize(&argc, &argv);
    return give_numbers(argv[1]);
  }
  if (count < 1 || count > MOST_THREADS || argc < 3)
    return fprintf(stderr, "usage: %s THREADS FILE... | FROM-TO\n", argv[0]), 2;
  files = calloc((size_t)argc - 1, sizeof *files);
  for (int i = 2; i < argc; i++)
    read_file(argv[i], &files[i - 2]);
  if (LLVMFuzzerInitialize)
    LLVMFuzzerInitialize(&argc, &argv);
  pthread_barrier_init(&start, NULL, count);
  for (unsigned i = 0; i < count; i++)
    if (pthread_create(&threads[i], NULL, give_all, NULL) != 0)
      fail("a thread");
  for (unsigned i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
  for (file *f = files; f->bytes; f++)
    free(f->bytes);
  free(files);
  return 0;
}
