/* md5.c - RFC 1321. */
#include <md5.h>

#include <stdio.h>
#include <string.h>

/* floor(2^32 * abs(sin(i + 1))) */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
static const uint8_t rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d) {
  switch (round) {
  case 0:
    return (b & c) | (~b & d);
  case 1:
    return (b & d) | (c & ~d);
  case 2:
    return b ^ c ^ d;
  default:
    return c ^ (b | ~d);
  }
}

static void take_block(MD5_CTX *md5) {
  static const uint8_t steps[4] = {1, 5, 3, 7}, starts[4] = {0, 1, 5, 0};
  uint32_t a = md5->state[0], b = md5->state[1], c = md5->state[2], d = md5->state[3];
  for (unsigned i = 0; i < 64; i++) {
    unsigned round = i / 16, turn = rotations[round][i % 4];
    const uint8_t *word = &md5->block[(steps[round] * i + starts[round]) % 16 * 4];
    uint32_t sum = a + mix(round, b, c, d) + sines[i] +
                   (word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 | (uint32_t)word[3] << 24);
    a = d, d = c, c = b;
    b += sum << turn | sum >> (32 - turn);
  }
  md5->state[0] += a, md5->state[1] += b, md5->state[2] += c, md5->state[3] += d;
}

void MD5Init(MD5_CTX *md5) { *md5 = (MD5_CTX){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}}; }

void MD5Update(MD5_CTX *md5, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    md5->block[md5->size++ % 64] = bytes[i];
    if (md5->size % 64 == 0)
      take_block(md5);
  }
}

void MD5Final(uint8_t ret[MD5_DIGEST_LENGTH], MD5_CTX *md5) {
  uint64_t bits = md5->size * 8;
  uint8_t length[8];
  for (unsigned i = 0; i < 8; i++)
    length[i] = (uint8_t)(bits >> 8 * i);
  MD5Update(md5, (const uint8_t[]){0x80}, 1);
  while (md5->size % 64 != 56)
    MD5Update(md5, (const uint8_t[]){0}, 1);
  MD5Update(md5, length, sizeof length);
  for (unsigned i = 0; i < MD5_DIGEST_LENGTH; i++)
    ret[i] = (uint8_t)(md5->state[i / 4] >> 8 * (i % 4));
}

char *MD5End(MD5_CTX *md5, char *ret) {
  uint8_t digest[MD5_DIGEST_LENGTH];
  MD5Final(digest, md5);
  for (unsigned i = 0; i < MD5_DIGEST_LENGTH; i++)
    sprintf(ret + 2 * i, "%02x", (unsigned)digest[i]);
  return ret;
}

char *MD5Data(const uint8_t *bytes, size_t size, char *ret) {
  MD5_CTX md5;
  MD5Init(&md5);
  MD5Update(&md5, bytes, size);
  return MD5End(&md5, ret);
}
