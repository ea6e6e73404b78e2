/* spec_trace.h - what stands behind each clause: its vectors, the mutants of the model, the verdicts of runs; or why no
 * test can reach it. */
#ifndef DLOC_TOOLS_SPEC_TRACE_H
#define DLOC_TOOLS_SPEC_TRACE_H

#include "tools.h"

#include "run/expected.h"
#include "reports/record.h"

typedef struct trace_vector {
  const char *id;
  const char *op;
  const char *level;
  const char *llvms;             /* that confirm what it expects; "" */
  const record_result **results; /* one for each run; NULL: it has none */
} trace_vector;

/* A vector in the list of one of its clauses. */
typedef struct trace_link {
  const trace_vector *vector;
  struct trace_link *next;
} trace_link;

typedef struct trace_mutant {
  const char *name;
  const char *what;
  const char *outcome;        /* killed, survived or equivalent */
  bool failed;                /* not as the vectors that name it say */
  const char *const *noticed; /* ids of vectors */
  size_t noticed_count;
  struct trace_mutant *next; /* of the same clause */
} trace_mutant;

typedef struct trace_clause {
  trace_link *vectors; /* in the order of the files */
  trace_link *last_vector;
  trace_mutant *mutants;
  trace_mutant *last_mutant;
  size_t applied;         /* vectors whose answer the model applied it for, where it tells so (dloc_trace) */
  const char *untestable; /* why no test can reach it; NULL: some can */
} trace_clause;

typedef struct trace {
  value_arena arena;
  record *runs;
  size_t run_count;
  bool has_mutants;
  size_t vector_count, mutant_count;
  bool has_evidence;
  trace_clause clauses[DLOC_CLAUSE_COUNT];
} trace;

typedef struct trace_paths {
  const char *const *vectors;
  size_t vector_count;
  tool_list runs;
  const char *mutants;    /* or NULL */
  const char *untestable; /* the same */
} trace_paths;

/* Read it all. Returns TOOL_CONTINUE, or an exit status after messages; then there is nothing to close. */
int trace_open(const trace_paths *paths, trace *ret);
void trace_close(trace *t);

/* Reasons of clauses that no test can reach: lines `ANCHOR: REASON`. Calls use for each; false after a message. path
 * may be NULL. */
typedef void trace_use(void *user, dloc_clause clause, dloc_text reason, uint32_t line);
int trace_read_untestable(const char *path, trace_use *use, void *user);

#endif
