/* names.c - numbers of texts: a table with a keyed hash, so that no input can fill it badly. */
#include "names.h"

#include "memory.h"

#include <stdlib.h>

/* The slot that holds the name, or the empty one where it belongs. */
static names_slot *find_slot(const names *n, dloc_text name) {
  size_t at = (size_t)hash_bytes(&n->key, n->key.start, name) & (n->room - 1);
  while (n->slots[at].number && !dloc_text_equal(n->slots[at].name, name))
    at = (at + 1) & (n->room - 1);
  return &n->slots[at];
}

static void grow(names *n) {
  names grown = {.key = n->room ? n->key : hash_key_choose(n), .room = n->room ? 2 * n->room : 16, .count = n->count};
  grown.slots = memory_allocate(grown.room, sizeof *grown.slots);
  for (size_t i = 0; i < n->room; i++)
    if (n->slots[i].number)
      *find_slot(&grown, n->slots[i].name) = n->slots[i];
  free(n->slots);
  *n = grown;
}

size_t names_number(names *n, dloc_text name) {
  if (2 * n->count >= n->room)
    grow(n);
  names_slot *slot = find_slot(n, name);
  if (!slot->number)
    *slot = (names_slot){name, ++n->count};
  return slot->number - 1;
}

bool names_find(const names *n, dloc_text name, size_t *ret) {
  const names_slot *slot = n->room ? find_slot(n, name) : NULL;
  if (!slot || !slot->number)
    return false;
  *ret = slot->number - 1;
  return true;
}

void names_deinit(names *n) {
  free(n->slots);
  *n = (names){0};
}
