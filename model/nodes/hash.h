/* Hashes of what inputs say. They have a key, so that no input can be made whose hashes collide; nothing else depends
 * on it. Every table of the program takes its hashes from here. */
#pragma once

#include "dloc.h"
#include "private.h"

typedef struct hash_key {
  uint64_t start, factor;
} hash_key;

/* Another one each time. place: where it is kept. */
hash_key hash_key_choose(const void *place);

/* A word more of what is hashed, which begins with key->start. The factor is secret, so that no two words are known
 * whose products differ in a known way; a hash must not be the word of another one. */
static inline uint64_t hash_word(const hash_key *key, uint64_t hash, uint64_t word) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)(hash ^ word) * key->factor;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A text more. */
uint64_t hash_bytes(const hash_key *key, uint64_t hash, dloc_text text) PRIVATE(hash_bytes);
