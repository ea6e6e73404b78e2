/* What the test compiles: inlined calls, loops, a switch, cold code, functions in sections of their own, inline
 * assembler that goes to another section. */
static inline int act(int x) { return x > 0 ? x : x / 3; }
int data[10];

__attribute__((noinline)) int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += act(p[i]);
  __asm__ volatile("nop\n\t.pushsection .note.x,\"\",%progbits; .byte 1; .popsection\n\tnop");
  return s;
}

__attribute__((noinline, section(".text.other"))) int fold(int a, int b) {
  while (a != b)
    if (a > b)
      a -= act(b);
    else
      b -= act(a);
  return a;
}

__attribute__((cold, noinline)) int fails(int code) { return fold(code, 12) + sum(data, code); }

int start(int argc, char **argv) {
  switch (argc) {
  case 1:
    return sum(data, 10);
  case 2:
    return sum(data, 9) + 1;
  case 3:
    return data[3];
  case 4:
    return data[argv[1][0]];
  case 5:
    return fails(argc) + fold(argc, data[2]);
  }
  return act(argc);
}
