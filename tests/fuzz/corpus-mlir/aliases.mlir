module {
  f loc(#b)
} loc(#c)
#a = loc("a":1:2)
#t = loc("t"("s":3:0))
#b = loc(fused[#a, #t, "t"("s":4:1)])
#c = loc(callsite(#b at #a))
