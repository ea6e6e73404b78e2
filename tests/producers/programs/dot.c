/* Calls dot of dot.f90, and prints what it returns. */
#include <stdio.h>

double dot(int n, const double *a, const double *b);

int main(void) {
  double a[9], b[9];
  for (int i = 0; i < 9; i++) {
    a[i] = i + 1;
    b[i] = 2 * i - 3;
  }
  printf("%.0f\n", dot(9, a, b));
}
