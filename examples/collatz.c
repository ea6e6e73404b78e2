/* A program to step through, in its source or in a layer: README.md. */
#include <stdio.h>

__attribute__((noinline)) static int steps(unsigned n) {
  int count = 0;
  for (; n != 1; count++)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return count;
}

int main(void) {
  printf("%d\n", steps(27));
  return 0;
}
