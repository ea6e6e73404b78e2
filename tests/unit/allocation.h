/* An allocator that fails on purpose: every allocation of a test is made to fail in turn. */
#ifndef DLOC_TEST_ALLOCATION_H
#define DLOC_TEST_ALLOCATION_H

#include "dloc_formats.h"

typedef struct failing_allocator {
  size_t budget; /* this many allocations succeed, all later ones fail */
  size_t live;   /* blocks not freed yet */
} failing_allocator;

dloc_allocator failing_allocator_of(failing_allocator *state);

/* Run with a budget of 0, 1, 2, ... allocations until it succeeds. run makes its own context from the allocator, frees
 * everything, and returns DLOC_OK or DLOC_NO_MEMORY. Fails the test on any other status, on a leak, or when nothing was
 * ever allocated. */
void fail_every_allocation(dloc_status (*run)(const dloc_allocator *allocator));

#endif
