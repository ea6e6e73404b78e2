/* search.h - the walk over the inputs of a scope, and one input tried again. */
#ifndef DLOC_LAWS_SEARCH_H
#define DLOC_LAWS_SEARCH_H

#include "trial.h"

/* One input, tried with its questions written down: *stock is the trial's. False: the scope has no input of that
 * number. search_end is due in any case. */
bool search_reenact(const laws_settings *settings, law l, uint64_t input, dloc_profile *stock, trial *ret);
void search_end(trial *t);

/* Of a trial whose questions were written down: laws_explain and laws_write_witness. */
void witness_explain(const trial *t, dloc_buffer *out);
void witness_write(const trial *t, law l, dloc_buffer *out);

#endif
