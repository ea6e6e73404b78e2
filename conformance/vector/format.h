/* format.h - the format of a vector, and what else the files of vector/ share. */
#pragma once

#include "nodes/try.h"
#include "vector.h"

/* An answer {outcome, reason, severity, value} to a vector whose question has been read. */
dloc_status expectation_read(const reading *r, const vector *v, const value *answer, vector_expectation *ret);
/* The format (format.c). */
extern const type outcome_type, node_type;
extern const type *const vector_type;
/* The answer that refuses. */
vector_answer vector_rejection(vector_op op, dloc_reason reason);
