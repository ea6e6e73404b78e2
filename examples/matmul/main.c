/* Runs matmul.mlir: MLIR's C interface takes a memref as a descriptor. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 256, RUNS = 60 };

typedef struct matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

void _mlir_ciface_matmul(matrix *a, matrix *b, matrix *c);

static matrix make(void) {
  float *items = malloc(sizeof(float) * N * N);
  for (int i = 0; items && i < N * N; i++)
    items[i] = (float)(i * 7919 % 101) / 101;
  return (matrix){items, items, 0, {N, N}, {N, 1}};
}

int main(void) {
  matrix a = make(), b = make(), c = make();
  for (int i = 0; i < RUNS && a.aligned && b.aligned && c.aligned; i++)
    _mlir_ciface_matmul(&a, &b, &c);
  double sum = 0;
  for (int i = 0; c.aligned && i < N * N; i++)
    sum += c.aligned[i];
  printf("%.0f\n", sum);
  return 0;
}
