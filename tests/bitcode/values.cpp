// What debug info says of values and types in C++ alone: parameters of templates that are globals, functions, members, null; types without a base.
int global, __attribute__((vector_size(16))) vector;
namespace { int hidden; }
void callee();
struct Q {
  enum class E : unsigned char { A = 255, B = 1 } e : 3;
  static constexpr int k = -4;
  int n;
  virtual void m() const & noexcept;
  friend void callee();
};
template <int *P, int Q::*M, int N = -1> struct S : private virtual Q {
  int f(decltype(nullptr) p, void *v, int &&r) {
    [[maybe_unused]] static thread_local const volatile long once = N;
    auto lambda = [=, this](auto x) { return x + *P + k; };
    return lambda(r);
  }
};
template struct S<&global, &Q::n>;
template struct S<&hidden, nullptr, 3>;
template <void (*F)(), class... U> int call() { return F(), sizeof...(U); }
inline namespace V { using ::global; typedef void *P; }
int use(P p) try { return call<callee, P, int[3], int Q::*>(); } catch (int e) { return global + e; }
