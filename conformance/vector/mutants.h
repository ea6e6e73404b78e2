/* mutants.h - the mutants of the model (model/mutants.def), in every build: vectors name those that they are
 * responsible for. Only the model that `make mutants` builds can be mutated. */
#pragma once

#include "dloc.h"

typedef struct mutant {
  const char *name; /* its clause's anchor or family and what is wrong: "merge.line.first" */
  dloc_clause clause;
  const char *what;  /* what the mutated model does, a sentence */
  const char *proof; /* why no answer can tell it from the model; NULL when one can */
} mutant;

/* In this thread the model makes the mistake of this mutant from now on, counted from 1; 0: none. */
extern _Thread_local unsigned mutant_selected;
/* Whether the model looks at mutant_selected: in the build of `make mutants`. */
bool mutants_present(void);

size_t mutant_count(void);
/* In the order of the clauses. Mutant i is selected as i + 1. */
const mutant *mutant_at(size_t index);
bool mutant_find(dloc_text name, size_t *ret);
/* Why a clause has no mutant; NULL when the table gives no reason. */
const char *mutant_exemption(dloc_clause clause);
/* File and function of the model that names the clause and that one of its mutants changes; NULL: there is none. */
const char *clause_implementation(dloc_clause clause);
