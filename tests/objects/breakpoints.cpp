// What tests/objects/test-breakpoints.py compiles: code where the lines of a program with layers could differ from those without.
volatile int sink;
static int steps;

// Two inlined copies at one place, of which the second begins a block.
template <class T> static inline __attribute__((always_inline)) void both() { sink = sizeof(T); }
__attribute__((noinline)) void copies(int x) {
  if (x)
    both<int>();
  both<long>();
}

// Two conditions at one place: the branch between them is folded.
#define OVER(a, b, c) ((a) > 7 || (b) < (c))
__attribute__((noinline)) int keep(int a, int b) { return sink = a - b; }
__attribute__((noinline)) int over(int a, int *b, int c) {
  int e = *b;
  if (OVER(a, e, c)) return keep(e, a);
  return keep(c, e);
}

// A load that both sides begin with, which is hoisted.
#define SIDE(p, q, n) (*(q) = (n), *(p))
__attribute__((noinline)) int sides(bool c, int *p, int *q) {
  return c ? SIDE(p, q, 1) : SIDE(p, q, 2);
}

// The test gives the first instructions line 0.
__attribute__((noinline)) void zero_store(int *p)
{
  p[0] = 1;
  p[1] = 2;
}
__attribute__((noinline)) int zero_call(int x)
{
  keep(x, 1);
  return keep(x, 2) + steps;
}
static inline int zero_inlined(int x) {
  return keep(x, 3) ^ x;
}
__attribute__((noinline)) int zero_outer(int x)
{
  return zero_inlined(x) + 1;
}

// Templates, exceptions, destructors.
struct Step {
  int *at;
  explicit Step(int *a) : at(a) { ++*at; }
  ~Step() { --*at; }
};
template <class T, int N> struct Table {
  T items[N];
  T sum() const {
    T s{};
    for (const T &item : items) s += item;
    return s;
  }
  __attribute__((noinline)) T at(int i) const {
    Step step(&steps);
    if (i < 0 || i >= N) throw i;
    return items[i];
  }
};
template <class T> __attribute__((noinline)) T total(int n) {
  Table<T, 4> table{{1, 2, 3, T(n)}};
  T s = table.sum();
  try {
    for (int i = 0; i <= n; i++)
      s += table.at(i) > 2 ? table.at(i) : 1;
  } catch (int i) {
    s += i;
  }
  return s;
}

// A switch, and a loop that is unrolled or vectorised.
__attribute__((noinline)) int choose(int x, const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += p[i] * x;
  switch (x) {
  case 0: return keep(s, 1);
  case 1: return keep(s, 1);
  case 2: s++;
  case 3: return s ? keep(s, 2) : keep(2, s);
  default: break;
  }
  return OVER(s, x, n) && OVER(x, s, n) ? s : -s;
}

int main(int argc, char **) {
  int a[4] = {argc, 2, 3, 4};
  copies(argc);
  zero_store(a);
  return over(argc, a, 3) + sides(argc > 1, a, a + 1) + zero_call(argc) + zero_outer(argc) + total<int>(argc) + int(total<long>(6)) + choose(argc, a, 4) == 12345;
}
