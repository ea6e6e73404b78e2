/* names.h - numbers of texts, in the order in which they are met: the first has 0, the next one that differs 1. */
#pragma once

#include "nodes/hash.h"

typedef struct names_slot {
  dloc_text name;
  size_t number; /* + 1; 0: the slot is empty */
} names_slot;

/* Starts as {0}. */
typedef struct names {
  hash_key key;
  names_slot *slots; /* open-addressed */
  size_t room;
  size_t count;
} names;

/* The number of a name; a new one, which is borrowed, gets the count. */
size_t names_number(names *n, dloc_text name);
/* The number of a name that was met; false: it is new. */
bool names_find(const names *n, dloc_text name, size_t *ret);
void names_deinit(names *n);
