/* Calls matmul of matmul.mlir, and prints the sum of c[i][j] * (3 * i + j). */
#include <stdint.h>
#include <stdio.h>

typedef struct matrix {
  double *base, *data;
  int64_t offset, sizes[2], strides[2];
} matrix;

void _mlir_ciface_matmul(matrix *a, matrix *b, matrix *c);

int main(void) {
  static double a[8][8], b[8][8], c[8][8];
  matrix x = {a[0], a[0], 0, {8, 8}, {8, 1}}, y = {b[0], b[0], 0, {8, 8}, {8, 1}}, z = {c[0], c[0], 0, {8, 8}, {8, 1}};
  double sum = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      a[i][j] = i + 2 * j;
      b[i][j] = i - j;
    }
  _mlir_ciface_matmul(&x, &y, &z);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      sum += c[i][j] * (3 * i + j);
  printf("%.0f\n", sum);
}
