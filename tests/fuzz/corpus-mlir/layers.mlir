"t.f"() : () -> () loc(fused["a":1:1, "t"("s":2:0), "t"("r":3:0), "t"(fused["t"("q":1:0), "p":1:1])])
"t.g"() : () -> () loc(callsite(fused["a":1:1, "t"("s":2:0)] at callsite("t"("b":1:1) at "c":1:1)))
"t.h"() : () -> () loc(fused[])
"t.i"() : () -> () loc(fused[unknown, unknown])
