/* Lines with several blocks: the examples of the design of 2009, and what C makes of one line besides. */
#include "inputs/inc/inline.h"

int one(void), two(void);
int table[256];

int conditional(int i) {
  int x;
  x = (i == 1 ? one() : two());
  return x;
}

const char *dense_switch(int i) {
  const char *s;
  switch (i) {
  case 1: s = "1"; break;
  case 2: s = "2"; break;
  case 3: s = "3"; break;
  case 4: s = "4"; break;
  case 198: s = "198"; break;
  case 199: s = "199"; break;
  case 200: s = "200"; break;
  default: s = "?"; break;
  }
  return s;
}

void copy_loop(char *a, const char *b, int i, int j, int n) {
  char *to = &a[i]; const char *from = &b[j]; while (n-- > 0) *to++ = *from++;
}

struct large { int words[40]; } first, second;
int structure_copy(int i) { first = second; return first.words[i] ? one() : two(); }

int short_circuit(int a, int b, int c) { return (a && b) || (c && one()) || two(); }
int calls(void) { return one() + one() + (two() ? one() + two() : 0); }
int for_loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += table[i & 255]; return s; }
int do_loop(int n) { do n -= one(); while (n > 0); return n; }
int nested(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) if (table[j] > i) table[j] -= one(); return table[n & 255]; }
int one_line_switch(int i) { switch (i & 7) { case 0: return one(); case 1: i++; case 2: return two(); case 3: case 4: break; default: i = one() ? i : two(); } return i; }

#define EITHER(c) ((c) ? one() : two())
int macro(int i) {
  return EITHER(i > 1) +
         EITHER(i > 2);
}

int included(int i) { return clamped(i, 1, 9) ? squared(i) : clamped(i, -1, 1); }
