/* session.h - the model under each of its mutants: which vectors notice it. */
#ifndef DLOC_EXPERIMENTS_MUTANTS_H
#define DLOC_EXPERIMENTS_MUTANTS_H

#include "vector/mutants.h"
#include "vector/vector.h"

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
  value_arena arena; /* of expected texts */
  mutant_vector *vectors;
  size_t vector_count;
  mutant_task *tasks;
  size_t task_count;
  uint64_t jobs;
  bool all;        /* every vector under every mutant, also when it is known to be noticed */
  bool terminal;   /* progress is shown on stderr */
  char error[256]; /* why mutants_run returned false */
} mutant_session;

bool mutant_names(const vector *v, const char *mutant); /* does the vector claim to notice it? */

/* Add a vector, which is borrowed with what it consists of, and find out what it expects under every profile that
 * `dloc check` compares under. DLOC_INVALID with a diagnostic when an expectation cannot be. */
dloc_status mutants_add_vector(mutant_session *session, const vector *v, dloc_context *context,
                               value_diagnostic *diagnostic);
/* Make a task of every mutant that has one of these names; no names: of every mutant. */
void mutants_make_tasks(mutant_session *session, const char *const *names, size_t count);
/* Run all tasks; false when processes could not be made. */
bool mutants_run(mutant_session *session);

/* What the vectors say about one mutant. */
typedef struct mutant_outcome {
  const mutant *mutant;
  size_t killers;
  const vector *killer;  /* the first, one that names it before any other; NULL: it survives */
  bool crashed;          /* killer's way */
  bool named;            /* killer names it */
  const vector *wrongly; /* names it and does not kill it; NULL */
} mutant_outcome;

mutant_outcome mutants_judge(const mutant_session *session, const mutant_task *task);
/* Whether a vector that names it kills it, and every one that names it does; or it has a proof, and none kills it. */
bool mutants_outcome_is_fine(const mutant_outcome *o);

void mutants_end(mutant_session *session);

#endif
