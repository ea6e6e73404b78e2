/* md5.h - of libmd, what the model takes: WebAssembly has no libmd. */
#ifndef PLAYGROUND_MD5_H
#define PLAYGROUND_MD5_H

#include <stddef.h>
#include <stdint.h>

enum { MD5_DIGEST_LENGTH = 16, MD5_DIGEST_STRING_LENGTH = 33 };

typedef struct MD5_CTX {
  uint32_t state[4];
  uint64_t size;
  uint8_t block[64];
} MD5_CTX;

void MD5Init(MD5_CTX *md5);
void MD5Update(MD5_CTX *md5, const uint8_t *bytes, size_t size);
void MD5Final(uint8_t ret[MD5_DIGEST_LENGTH], MD5_CTX *md5);
char *MD5End(MD5_CTX *md5, char *ret);
char *MD5Data(const uint8_t *bytes, size_t size, char *ret);

#endif
