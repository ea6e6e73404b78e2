#a = #d.l<loc("a.c":1:2 in #s>
