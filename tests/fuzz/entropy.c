/* entropy.c - of fuzz targets: no random bytes, so that an input takes the same path each time, whatever keys its hash
 * tables would have. */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

int getentropy(void *bytes, size_t size) {
  memset(bytes, 0x5a, size);
  return 0;
}
