/* gen_vector.h - making vectors from scenes: what `dloc gen` and `dloc fuzz` share. */
#ifndef DLOC_TOOLS_GEN_VECTOR_H
#define DLOC_TOOLS_GEN_VECTOR_H

#include "vector/complete.h"
#include "vectors.h"

/* Makes one vector after the other: begin, put its text into `text`, read it, complete it (complete.h), write it. */
typedef struct vector_maker {
  completer completer; /* its arena holds the vector */
  dloc_buffer
      text; /* of the vector, in YAML, with a stand-in for what is expected and for its clauses: buffer_format */
} vector_maker;

void vector_maker_init(vector_maker *g);
void vector_maker_deinit(vector_maker *g);
/* Forget the vector before. */
void vector_maker_begin(vector_maker *g);
/* Read the text as a vector, without the nodes that it does not use. */
dloc_status vector_maker_read(vector_maker *g, value **ret_document, vector *ret);

/* splitmix64 */
uint64_t vector_random(uint64_t *state);

#endif
