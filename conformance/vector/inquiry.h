/* inquiry.h - the model asked about a vector under one profile after the other: it is built once, or anew before each
 * question where the order of questions can be seen (vector_has_atoms). An answer lives until the next question. */
#pragma once

#include "vector.h"

/* Starts as {0}; serves many vectors. */
typedef struct inquiry {
  const vector *vector;
  dloc_context *context;
  value_arena arena; /* of the case and the answers */
  bool is_built;
  bool has_atoms; /* of the vector: each question builds it anew */
  vector_case built;
} inquiry;

void inquiry_begin(inquiry *q, const vector *v);
void inquiry_deinit(inquiry *q);

/* What the model answers. */
dloc_status inquiry_ask(inquiry *q, const dloc_profile *profile, vector_answer *ret);
/* An expectation of the vector. DLOC_INVALID with a diagnostic when one of its nodes cannot exist. */
dloc_status inquiry_state(inquiry *q, const vector_expectation *expectation, value_diagnostic *diagnostic,
                          vector_answer *ret);
/* Whether the model answers the same under both profiles. */
dloc_status inquiry_same(inquiry *q, const dloc_profile *a, const dloc_profile *b, bool *ret);
/* The expectation that somebody derived for the profile, or for a point near it where the model gives the same answer;
 * NULL when there is none, so that nobody but the model can say what holds. The vector applies to the profile. */
dloc_status inquiry_expectation(inquiry *q, const dloc_profile *profile, const vector_expectation **ret);
