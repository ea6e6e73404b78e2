// y = a * x + y, a thread for each number.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %before = arith.muli %block, %size : index
      %i = arith.addi %before, %thread : index
      %n = memref.dim %x, %c0 : memref<?xf32>
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %u = memref.load %x[%i] : memref<?xf32>
        %v = memref.load %y[%i] : memref<?xf32>
        %product = arith.mulf %a, %u : f32
        %sum = arith.addf %product, %v : f32
        memref.store %sum, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
}
