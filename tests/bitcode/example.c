/* Instructions of many kinds, for the reader of bitcode: calls, direct and not, switches, indirect branches, variable arrays, inlined calls. */
#include <stdarg.h>

struct pair {
  int first;
  double second;
};

extern int printf(const char *, ...);
int (*callback)(int, struct pair *);
static int table[8] = {1, 2, 3};

static inline int twice(int x) {
  if (x > 100) {
    int y = x - 100;
    return y * 2;
  }
  return x * 2;
}

static inline int four_times(int x) { return twice(twice(x)); }

int sum(int count, ...) {
  va_list rest;
  int result = 0;
  va_start(rest, count);
  for (int i = 0; i < count; i++)
    result += va_arg(rest, int);
  va_end(rest);
  return result;
}

int dispatch(const unsigned char *code, int *stack) {
  static void *labels[] = {&&push, &&add, &&stop};
  int top = 0;
  goto *labels[*code];
push:
  stack[top++] = twice(*++code);
  goto *labels[*++code];
add:
  top--;
  stack[top - 1] += stack[top];
  goto *labels[*++code];
stop:
  return stack[0];
}

double mixed(int n, struct pair *p) {
  int local[n > 0 ? n : 1];
  double total = 0;
  for (int i = 0; i < n; i++) {
    local[i] = four_times(i) + table[i & 7];
    switch (local[i] % 4) {
    case 0:
      total += p[i].second;
      break;
    case 1:
      total -= callback ? callback(i, p) : twice(i);
      break;
    default:
      __atomic_fetch_add(&table[i & 7], 1, __ATOMIC_SEQ_CST);
      printf("%d %f\n", local[i], total);
    }
  }
  return total + sum(3, n, local[0], table[1]);
}
