/* The selected mutant: in the build of `make mutants` only. */
#include "mutants.h"

mutant_id mutant_selected = MUTANT_NONE;
