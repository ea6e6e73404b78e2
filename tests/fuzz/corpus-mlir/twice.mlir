#a = loc("a":1:1)
#a = loc("b":1:1)
