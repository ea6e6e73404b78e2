/* What the two programs that time merging share, in C and in C++: which pairs are merged, and what the results amount
 * to. */
#ifndef DLOC_BENCH_PAIRS_H
#define DLOC_BENCH_PAIRS_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* SplitMix64: the next of a sequence of random numbers. */
static inline uint64_t bench_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Two located instructions of one function, each by its number among all located instructions of the module.
 * ends[i]: the number behind the last one of the function that instruction i is in. */
typedef struct bench_pair {
  uint32_t first, second;
} bench_pair;

static inline bench_pair bench_pick(uint64_t *state, const uint32_t *begins, const uint32_t *ends, size_t located) {
  uint32_t first = (uint32_t)(bench_random(state) % located);
  uint32_t second = begins[first] + (uint32_t)(bench_random(state) % (ends[first] - begins[first]));
  bench_pair pair = {first, second};
  return pair;
}

static inline double bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What one result adds to the sum by which the results of both programs are compared. */
static inline uint64_t bench_weight(uint32_t line, uint32_t column, uint32_t frames) {
  uint64_t state = ((uint64_t)line << 32 | column) + frames * UINT64_C(0x100000001b3);
  return bench_random(&state);
}

static inline void bench_print(size_t located, double seconds, uint64_t sum) {
  printf("{\"located\": %zu, \"seconds\": %.6f, \"sum\": \"%016llx\"}\n", located, seconds, (unsigned long long)sum);
}

#endif
