/* difference.h - what changed since an earlier run. */
#ifndef DLOC_REPORTS_DIFFERENCE_H
#define DLOC_REPORTS_DIFFERENCE_H

#include "record.h"

/* DIFFERENCE(id, name): in which way. */
#define DIFFERENCES(DIFFERENCE)                                                                                        \
  DIFFERENCE(NEWLY_FAILING, "newly failing")   /* it did not fail before */                                            \
  DIFFERENCE(NEWLY_PASSING, "newly passing")   /* it failed, or was known to */                                        \
  DIFFERENCE(OTHER_VERDICT, "other verdict")   /* neither */                                                           \
  DIFFERENCE(OTHER_ANSWER, "other answer")     /* the verdict is the same */                                           \
  DIFFERENCE(CHANGED_VECTOR, "changed vector") /* the vector itself is another; its verdict is the same */             \
  DIFFERENCE(NEW, "new")                                                                                               \
  DIFFERENCE(GONE, "gone")

typedef enum difference_kind {
#define DIFFERENCE(id, name) DIFFERENCE_##id,
  DIFFERENCES(DIFFERENCE)
#undef DIFFERENCE
      DIFFERENCE_COUNT
} difference_kind;

const char *difference_name(difference_kind kind);

typedef struct difference {
  difference_kind kind;
  const run_result *before; /* NULL: new */
  const run_result *now;    /* NULL: gone */
} difference;

typedef struct differences {
  difference *items; /* by kind, then by id; malloc's */
  size_t count;
  size_t by_kind[DIFFERENCE_COUNT];
} differences;

differences differences_find(const record *before, const record *now);
void differences_deinit(differences *d);
/* As text: each kind with its vectors, and a line of totals. */
dloc_status differences_write(const record *before, const record *now, const differences *d, dloc_sink sink);

#endif
