/* Calls cubes of inlining.mlir, and prints what it returns. */
#include <stdint.h>
#include <stdio.h>

int64_t cubes(int64_t x, int64_t y);

int main(void) { printf("%d\n", (int)cubes(7, 5)); }
