#include "hash.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

/* A system without random bytes still has a clock, and places memory as it likes. */
hash_key hash_key_choose(const void *place) {
  hash_key key;
  if (getentropy(&key, sizeof key) != 0)
    key = (hash_key){(uint64_t)(uintptr_t)place, (uint64_t)(uintptr_t)&key ^ (uint64_t)clock() << 32};
  key.factor |= 1;
  return key;
}

uint64_t hash_bytes(const hash_key *key, uint64_t hash, dloc_text text) {
  uint64_t word = 0;
  size_t at = 0;
  hash = hash_word(key, hash, text.size);
  for (; text.size - at >= sizeof word; at += sizeof word) {
    memcpy(&word, text.bytes + at, sizeof word);
    hash = hash_word(key, hash, word);
  }
  word = 0;
  if (at < text.size)
    memcpy(&word, text.bytes + at, text.size - at);
  return hash_word(key, hash, word);
}
