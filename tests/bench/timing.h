/* What the programs that time the decoding of line tables have in common: FILE is decoded ROUNDS times, each time anew,
 * and every row kept. */
#ifndef DLOC_BENCH_TIMING_H
#define DLOC_BENCH_TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

typedef struct timing {
  double seconds; /* of processor time */
  double started;
  size_t rows; /* of one round */
  long memory; /* KiB, before the first round */
} timing;

static inline double timing_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline long timing_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static inline void timing_start(timing *t) {
  if (!t->memory)
    t->memory = timing_memory();
  t->rows = 0;
  t->started = timing_now();
}

static inline void timing_stop(timing *t) { t->seconds += timing_now() - t->started; }

static inline void timing_print(const timing *t, int rounds) {
  printf("{\"rows\": %zu, \"seconds\": %.6f, \"kib\": %ld}\n", t->rows, t->seconds / rounds,
         timing_memory() - t->memory);
}

/* The file and the rounds that the command line names. */
static inline int timing_rounds(int argc, char **argv) {
  if (argc == 3 && atoi(argv[2]) > 0)
    return atoi(argv[2]);
  fprintf(stderr, "usage: %s FILE ROUNDS\n", argv[0]);
  exit(2);
}

static inline void timing_fail(const char *name, const char *why) {
  fprintf(stderr, "%s: %s\n", name, why);
  exit(1);
}

#endif
