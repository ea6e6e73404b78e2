/* search.h - the walk over the inputs of a scope, and one input tried again. */
#ifndef DLOC_LAWS_SEARCH_H
#define DLOC_LAWS_SEARCH_H

#include "trial.h"

/* One input, tried with its questions written down. */
typedef struct reenactment {
  world *world;
  dloc_profile stock;
  trial trial;
  finding found;
} reenactment;

/* DLOC_INVALID when the scope has no input of that number. reenactment_end is due in any case. */
dloc_status search_reenact(const laws_settings *settings, law l, uint64_t input, reenactment *ret);
void reenactment_end(reenactment *r);

#endif
