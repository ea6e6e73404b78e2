/* vector_internal.h - what the files of vector/ share. */
#ifndef DLOC_CONFORMANCE_VECTOR_INTERNAL_H
#define DLOC_CONFORMANCE_VECTOR_INTERNAL_H

#include "try.h"
#include "vector.h"

/* An answer {outcome, reason, severity, value} to a vector whose question has been read. */
dloc_status expectation_read(const reading *r, const vector *v, const value *answer, vector_expectation *ret);
/* A vector has no other keys than the format. */
dloc_status vector_check_keys(const reading *r, const value *document);
/* The answer that refuses. */
vector_answer vector_rejection(vector_op op, dloc_reason reason);

#endif
