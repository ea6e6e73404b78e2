// The question of 2 May 2019 to dwarf-discuss: foo is inlined three times into bar. Which of the three is an instruction in?
volatile int cell;

static inline __attribute__((always_inline)) int foo(int x)
{
  cell = x;
  cell = x + 1;
  return cell;
}

__attribute__((noinline)) int bar(int a)
{
  a += foo(a);
  a *= 3;
  a += foo(a);
  a *= 5;
  a += foo(a);
  return a;
}

static inline __attribute__((always_inline)) int outer(int x)
{
  int y = foo(x);
  return y + foo(y);
}

int (*out_of_line)(int) = foo;

int main(int argc, char **argv)
{
  return argv ? bar(argc) + outer(argc) : out_of_line(argc);
}
