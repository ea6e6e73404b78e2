/* require.h - what a fuzz target checks. */
#ifndef DLOC_FUZZ_REQUIRE_H
#define DLOC_FUZZ_REQUIRE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program, and says what does not hold: a log is often all that is left of a finding. */
static inline void require_at(bool fine, const char *what, const char *file, int line) {
  if (fine)
    return;
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
  abort();
}

#define require(fine) require_at(fine, #fine, __FILE__, __LINE__)

#endif
