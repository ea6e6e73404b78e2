#b = loc(#a)
