// c = a * b
func.func @matmul(%a: memref<256x256xf32>,
                  %b: memref<256x256xf32>,
                  %c: memref<256x256xf32>)
    attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f32
  linalg.fill
    ins(%zero : f32)
    outs(%c : memref<256x256xf32>)
  linalg.matmul
    ins(%a, %b : memref<256x256xf32>,
                 memref<256x256xf32>)
    outs(%c : memref<256x256xf32>)
  return
}
