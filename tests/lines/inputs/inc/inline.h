static inline int squared(int x) {
  return x * x;
}

static inline int clamped(int x, int low, int high) {
  return x < low ? low : x > high ? high : squared(x);
}
