// c += a * b, of 8 by 8 numbers.
func.func @matmul(%a: memref<8x8xf64>, %b: memref<8x8xf64>, %c: memref<8x8xf64>) attributes {llvm.emit_c_interface} {
  linalg.matmul ins(%a, %b : memref<8x8xf64>, memref<8x8xf64>) outs(%c : memref<8x8xf64>)
  return
}
