%0:2, %1 = "t.f"() ({
^bb0(%a: i32 loc("t"(unknown))):
  default: ^bb1
}) : () -> ()
