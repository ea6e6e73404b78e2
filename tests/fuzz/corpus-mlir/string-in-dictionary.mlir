loc(fused<{a = "
}>["a":1:1])