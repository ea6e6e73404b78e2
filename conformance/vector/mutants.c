/* mutants.c - the table of the model's mutants, which tools/make/mutate.py makes from model/mutants.def. */
#include "mutants.h"

#include "mutants_table.h"

_Thread_local unsigned mutant_selected;

bool mutants_present(void) {
#ifdef DLOC_MUTANTS
  return true;
#else
  return false;
#endif
}

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

const char *clause_implementation(dloc_clause clause) { return implementations[clause]; }
