/* answers.h - what an implementation answers to the questions of laws.
 *
 * A trial asks one question after the other, an implementation wants thousands at once. So a question whose answer is
 * not known yet is written down, its results are a node that stands for something unknown, and the trial is tried again
 * behind answers_ask. Everything is forgotten between two batches of trials. */
#pragma once

#include "run/runner.h"
#include "trial.h"

/* ASKED: the answer is not known yet. UNTOLD: the implementation cannot be asked that, or did not say. */
typedef enum told { ASKED, TOLD, REFUSED, UNTOLD } told;

typedef struct answers answers;

/* All are borrowed. */
answers *answers_create(adapter *a, uint64_t capabilities, world *w);
void answers_destroy(answers *a);
/* Forget all answers; the world's nodes are made anew. */
void answers_forget(answers *a);
/* Whether an operand is the result of a question whose answer is not known. */
bool answers_has_unknown(const answers *a, const question *q);
/* Fill in results, verdict, text and refusal of a question. */
told answers_to(answers *a, question *q);
/* Ask all that was written down. False: the run cannot go on. */
bool answers_ask(answers *a);

/* ---- adopt.c: from the text of an answer to nodes of the world ---- */

/* Read the results of the canonical text of an answer, at most `most`. Uniqued nodes are the world's of that content. A
 * distinct one is that of the question which has its content, or else new. An inlinedAt is never a location of the call
 * that is inlined, but a copy (`inline.call-site`). An atom group that no operand has is fresh. False: the text is
 * none. */
bool adopt_results(world *w, dloc_context *scratch, const question *q, const char *text, dloc_node *ret, size_t most);
