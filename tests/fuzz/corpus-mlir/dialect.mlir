#sp = #d.sp<file = #f>
#a = loc("a.c":1:2)
#b = #d.l<#a in #sp>
#c = #d.l<loc(fused[#b, "t"("s.mlir":3:4)]) in #d.sp<"]">, key = "v">
#e = #b
"op"() : () -> () loc(#d.l<#d.l<loc("t"(#a)) in #sp> in #sp>)
"op"() : () -> () loc(callsite(#b at fused[#c, "t"(#a)]))
"op"() : () -> () loc(fused[#e, "n"(#c), "t"(#a)])
