#include "inline.h"

int one(void);
int two(int);
extern int table[64];

int choose(int i) {
  int x = i == 1 ? one() : two(i);
  return x > 0 && i < 9 ? clamped(x, 1, 40) : squared(i);
}

int dispatch(int i) {
  switch (i) { case 0: return one(); case 1: return two(1); case 2: return two(2); case 3: return choose(9); case 4: return 7; default: break; }
  return -1;
}

long sum(int n) {
  long result = 0;
  for (int i = 0; i < n; i++) result += table[i & 63] & 1 ? squared(table[i & 63]) : -i;
  while (n-- > 0)
    if (table[n & 7] == n)
      result ^= clamped(n, -3, 3);
  return result;
}

#line 70000 "generated/far.y"
void clear(void) {
  for (int i = 0; i < 64; i++)
    table[i] = dispatch(i);
}

#line 3 "/usr/share/near.y"
int one(void) { return table[1]; }
__attribute__((cold, noinline)) int two(int i) { return table[i & 63] + 2; }
int table[64];

int main(int argc, char **argv) {
  (void)argv;
  clear();
  return (int)sum(argc) & 1;
}
