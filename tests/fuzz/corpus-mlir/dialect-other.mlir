#own = #d.l<loc("a.c":1:2), in = #sp>
#x = #d.l<#sp in #sp>
#y = #d.l<#d.z in sp>
"op"() : () -> () loc(fused[#own, "t"("s.mlir":3:4)])
"op"() : () -> () loc(callsite("t"(#y) at #x))
"op"() : () -> () loc(#d.l<loc(#own) in #sp>)
"op"() : () -> () loc(#d.l<)
