/* explain.h - what `dloc explain` knows of a name: the tables of the model, the laws, and the vectors of a folder. */
#ifndef DLOC_TOOLS_EXPLAIN_H
#define DLOC_TOOLS_EXPLAIN_H

#include "document/text.h"
#include "experiments/laws/laws.h"
#include "run/expected.h"
#include "vector/inquiry.h"
#include "shell/vectors.h"

enum { EXPLAIN_NAME_SIZE = 256 };

typedef struct explain_vector {
  vector vector;
  const char *path;
  dloc_text confirmed; /* the LLVMs that confirm it as it is, separated by blanks */
} explain_vector;

typedef struct explainer {
  const char *folder; /* of the vectors; NULL: there are none */
  vectors source;
  explain_vector *vectors;
  size_t count;
  tool_input notes;      /* the file DERIVED: */
  expected_list derived; /* how it follows what a vector expects, where no LLVM confirms it */
  law_result *laws;      /* what rfc makes of them; NULL: not tried yet */
  inquiry inquiry;
  value_arena arena; /* of what is said */
} explainer;

/* What a name may be. */
typedef struct subject_kind {
  size_t (*count)(const explainer *e);
  void (*name)(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]);
  /* Its parts in the order in which they are read, the name first. */
  value (*explain)(explainer *e, size_t index);
} subject_kind;

extern const subject_kind explain_kinds[];
extern const size_t explain_kind_count;

/* ---- What vectors show (explain_vectors.c) ---- */

/* What is asked: the operation and its args, short. */
value explain_question(explainer *e, const vector *v);
/* {NAME: what the vector expects there}: an expectation each, short unless two would then look alike. */
value explain_answers(explainer *e, const vector *v, const char *const *names,
                      const vector_expectation *const *expectations, size_t count);
/* {vector, note, asked, answers}: under its own alternative of a choice, and under the others that it lists; with
 * `only` less than the number of alternatives, only that one of these. */
value explain_witness(explainer *e, const vector *v, dloc_choice choice, unsigned only);
/* {vector, note, asked, answer} */
value explain_example(explainer *e, const vector *v);
bool explain_lists(const vector *v, dloc_choice choice, unsigned alternative);

/* {LLVM: how many of the vectors it confirms}, of those that are wanted. */
typedef bool explain_wanted(const vector *v, unsigned wanted);
value explain_confirmed(explainer *e, explain_wanted *is_wanted, unsigned wanted);
/* By alternative, the LLVMs whose confirmed answers can be none of another one. */
void explain_implementations(explainer *e, dloc_choice choice, value *ret_lists);
/* The profile that an LLVM of the file CONFIRMED is held to; NULL: none. */
const dloc_profile *explain_profile_of(dloc_text llvm);

#endif
