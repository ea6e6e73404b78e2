/* Calls nest of nest.mlir, and prints what it returns. */
#include <stdint.h>
#include <stdio.h>

typedef struct matrix {
  double *base, *data;
  int64_t offset, sizes[2], strides[2];
} matrix;
typedef struct vector {
  double *base, *data;
  int64_t offset, size, stride;
} vector;

double _mlir_ciface_nest(matrix *a, vector *b);

int main(void) {
  static double a[5][7], b[7];
  matrix x = {a[0], a[0], 0, {5, 7}, {7, 1}};
  vector y = {b, b, 0, 7, 1};
  for (int j = 0; j < 7; j++) {
    b[j] = j + 1;
    for (int i = 0; i < 5; i++)
      a[i][j] = i * 7 + j;
  }
  printf("%.0f\n", _mlir_ciface_nest(&x, &y));
}
