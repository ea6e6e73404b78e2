/* Private to model/: mutation points. `MUTATED(ID)` is true when the mutant of that row of mutants.def is selected; in
 * the normal build it is the constant false, and nothing of it is left in the library. A point stands where a clause's
 * function decides. */
#ifndef DLOC_MUTANTS_H
#define DLOC_MUTANTS_H

#ifdef DLOC_MUTANTS

typedef enum mutant_id {
  MUTANT_NONE,
#define MUTANT(id, name, clause, what) MUTANT_##id,
#define EQUIVALENT(id, name, clause, what, proof) MUTANT_##id,
#define UNMUTATED(clause, reason)
#include "mutants.def"
#undef MUTANT
#undef EQUIVALENT
#undef UNMUTATED
} mutant_id;

extern mutant_id mutant_selected;

#define MUTATED(id) (mutant_selected == MUTANT_##id)

#else
#define MUTATED(id) false
#endif

#endif
