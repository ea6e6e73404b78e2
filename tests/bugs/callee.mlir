// A call site whose callee has a name and no place.
llvm.func @f() {
  llvm.return loc(callsite("n"(unknown) at "a.c":1:2))
} loc("a.c":1:1)
