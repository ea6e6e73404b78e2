#a = loc("a.py":1:2 to 3:4)
#sp = "t"
#c = loc(callsite(fused[#a, "t"("s":1:0)] at fused["b\22.py":3:4, "n"(#a), "\74"(#a)]))
#d = loc(fused[fused<#sp>[#a], "t"("s":2:0)])
"t.loc"() {s = "loc(", loc = @loc} : () -> () loc(#c) // loc(
"t.f"() : () -> () loc( // the location
  unknown )
"t.g"() : () -> () loc(fused["a.py":1:2 to :4, "t"(#a)])
"t.h"() : () -> () loc(fused<{m = affine_map<(d0) -> (d0)>, s = "]>", i = affine_set<(d0) : (d0 >= 0)>}>["t"(#a)])
"t.i"() {x = loc("t"(#a))} : () -> () loc(#d)
"t.j"() : () -> () loc(fused[#t.own<"]" -> [1]>, "t"(#d)])
