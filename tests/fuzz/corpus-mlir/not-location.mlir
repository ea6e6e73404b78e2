#a = affine_map<(d0) -> (d0)>
loc(fused<#a>["a":1:1])
x#y : 1 % $ & @
