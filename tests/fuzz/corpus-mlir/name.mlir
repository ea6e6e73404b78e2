loc("n"("a":1:1))
loc("n")
loc("a\n\t\7Fb\aF\\":1:2)