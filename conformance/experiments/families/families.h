/* families.h - families of vectors that are made: what is expected is the model's answer, and the same numbers give the
 * same bytes everywhere. */
#pragma once

#include "vector/vector.h"

#include <stdio.h>

enum { FAMILY_STRENGTH_LIMIT = 3 };

/* Merges with layers, or of bare locations, by their questions, a line of JSON
 * each. DLOC_STOPPED when the sink stopped. */
dloc_status family_of_merges(FILE *questions, bool layers, dloc_sink sink);
/* Scenes of an operation at random (world/scene.h), as YAML or as JSON Lines. */
dloc_status family_random(vector_op op, uint64_t seed, uint64_t count, bool as_lines, dloc_sink sink);
/* Scenes of an operation in which every combination of the values of any two dimensions occurs; of any three when
 * strength is 3. */
dloc_status family_pairwise(vector_op op, unsigned strength, uint64_t seed, bool as_lines, dloc_sink sink);
