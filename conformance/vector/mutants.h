/* mutants.h - the table of the model's mutants (model/mutants.def), in every build: vectors name the mutants that they
 * are responsible for. Only a build with DLOC_MUTANTS can select one (model/mutants.h). */
#ifndef DLOC_CONFORMANCE_MUTANTS_H
#define DLOC_CONFORMANCE_MUTANTS_H

#include "dloc.h"

typedef struct mutant {
  const char *name; /* its clause's anchor or family and what is wrong: "merge.line.first" */
  dloc_clause clause;
  const char *what;  /* what the mutated model does, a sentence */
  const char *proof; /* why no answer can tell it from the model; NULL when one can */
} mutant;

size_t mutant_count(void);
/* In the order of the clauses. Mutant i is selected as i + 1. */
const mutant *mutant_at(size_t index);
bool mutant_find(dloc_text name, size_t *ret);
/* Why a clause has no mutant; NULL when the table gives no reason. */
const char *mutant_exemption(dloc_clause clause);

#endif
