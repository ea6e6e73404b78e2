// The sum of a[i][j] * b[j] over a nest of loops that carry it.
func.func @nest(%a: memref<?x?xf64>, %b: memref<?xf64>) -> f64 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = memref.dim %a, %c0 : memref<?x?xf64>
  %columns = memref.dim %a, %c1 : memref<?x?xf64>
  %sum = scf.for %i = %c0 to %rows step %c1 iter_args(%outer = %zero) -> f64 {
    %row = scf.for %j = %c0 to %columns step %c1 iter_args(%inner = %outer) -> f64 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %y = memref.load %b[%j] : memref<?xf64>
      %product = arith.mulf %x, %y : f64
      %next = arith.addf %inner, %product : f64
      scf.yield %next : f64
    }
    scf.yield %row : f64
  }
  return %sum : f64
}
