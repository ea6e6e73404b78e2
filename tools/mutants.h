/* mutants.h - between mutants.c, the command, and mutants_run.c, which runs the vectors under each mutant. */
#ifndef DLOC_TOOLS_MUTANTS_H
#define DLOC_TOOLS_MUTANTS_H

#include "vector/mutants.h"
#include "vectors.h"

/* What became of a vector under a mutant. */
typedef enum mutant_verdict {
  MUTANT_NOT_RUN,
  MUTANT_RUNNING,
  MUTANT_UNNOTICED, /* every answer is as expected */
  MUTANT_NOTICED,   /* one is not */
  MUTANT_CRASHED    /* the model crashed, or was still busy at the time limit */
} mutant_verdict;

/* One answer that a vector expects. */
typedef struct mutant_comparison {
  dloc_profile profile;
  dloc_text expected; /* vector_answer_text */
} mutant_comparison;

typedef struct mutant_vector {
  vector vector;
  const mutant_comparison *comparisons;
  size_t comparison_count;
} mutant_vector;

/* Which vectors run under a mutant, and the outcome. */
typedef struct mutant_task {
  size_t mutant;     /* index into the table */
  uint8_t *verdicts; /* one for each vector; shared between processes */
} mutant_task;

typedef struct mutant_session {
  vectors input;
  value_arena arena; /* of expected texts */
  mutant_vector *vectors;
  size_t vector_count;
  mutant_task *tasks;
  size_t task_count;
  uint64_t jobs;
  bool all; /* every vector under every mutant, also when it is known to be noticed */
  bool terminal;
} mutant_session;

bool mutant_names(const vector *v, const char *mutant); /* does the vector claim to notice it? */

/* Run all tasks; false, after a message, when processes could not be made. */
bool mutants_run(mutant_session *session);

#endif
