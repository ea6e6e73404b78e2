// cube is called twice, and inlined: layers taken before tell no copies apart, those taken behind do.
func.func private @cube(%x: i64) -> i64 {
  %square = arith.muli %x, %x : i64
  %cube = arith.muli %square, %x : i64
  return %cube : i64
}
func.func @cubes(%x: i64, %y: i64) -> i64 {
  %first = func.call @cube(%x) : (i64) -> i64
  %second = func.call @cube(%y) : (i64) -> i64
  %difference = arith.subi %first, %second : i64
  return %difference : i64
}
