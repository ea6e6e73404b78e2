template <class T> struct list {
  T items[16];
  int count = 0;
  void push(T item) { items[count++ & 15] = item; }
  template <class F> void each(F f) {
    for (int i = 0; i < count; i++)
      f(items[i & 15]);
  }
};

inline int shared(int x) { static int calls; return x + calls++; }
__attribute__((noinline)) inline int folded(int x) { return shared(x) * 2; }
int other(int);

struct base { virtual ~base() {} virtual int f(int x) { return folded(x); } };
struct derived : base { int f(int x) override { return x ? base::f(x - 1) : other(x); } };

int CXX_MAIN(int argc, char **) {
  list<int> numbers;
  list<long> longs;
  for (int i = 0; i < argc; i++) {
    numbers.push(i);
    longs.push(folded(i));
  }
  int sum = 0;
  derived d;
  base *b = &d;
  numbers.each([&](int x) { sum += b->f(x); });
  longs.each([&](long x) { sum ^= (int)x; });
  return sum;
}
int CXX_OTHER(int x) { return folded(x) - 1; }
