#9 = loc("a":1:1)
loc(#)