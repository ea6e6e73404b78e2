# A kernel in Triton, as its compiler's dumps beside it have it: a loop, two calls of one function that are inlined, and one that is not.
import triton
import triton.language as tl


@triton.jit
def scale(x, factor):
    return x * factor + 1.0


@triton.jit(noinline=True)
def clamp(x):
    return tl.minimum(x, 8.0)


@triton.jit
def rowsum(x_ptr, out_ptr, n):
    acc = 0.0
    for i in range(0, n):
        x = tl.load(x_ptr + i)
        acc += scale(x, 2.0)
        acc += scale(acc, 3.0)
    tl.store(out_ptr, clamp(acc))
