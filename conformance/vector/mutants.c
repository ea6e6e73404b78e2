/* mutants.c - the table of the model's mutants. */
#include "mutants.h"

static const mutant mutants[] = {
#define MUTANT(id, name, clause, what) {name, DLOC_CLAUSE_##clause, what, NULL},
#define EQUIVALENT(id, name, clause, what, proof) {name, DLOC_CLAUSE_##clause, what, proof},
#define UNMUTATED(clause, reason)
#include "mutants.def"
#undef MUTANT
#undef EQUIVALENT
#undef UNMUTATED
};

static const char *const exemptions[DLOC_CLAUSE_COUNT] = {
    [0] = NULL,
#define MUTANT(id, name, clause, what)
#define EQUIVALENT(id, name, clause, what, proof)
#define UNMUTATED(clause, reason) [DLOC_CLAUSE_##clause] = reason,
#include "mutants.def"
#undef MUTANT
#undef EQUIVALENT
#undef UNMUTATED
};

size_t mutant_count(void) { return sizeof mutants / sizeof *mutants; }

const mutant *mutant_at(size_t index) { return &mutants[index]; }

bool mutant_find(dloc_text name, size_t *ret) {
  for (size_t i = 0; i < mutant_count(); i++)
    if (dloc_text_equal(name, dloc_text_of(mutants[i].name))) {
      *ret = i;
      return true;
    }
  return false;
}

const char *mutant_exemption(dloc_clause clause) { return exemptions[clause]; }
