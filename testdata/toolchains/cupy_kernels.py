"""Kernels of CuPy: raw, elementwise, fused and reductions."""
import sys

import cupy as cp
import numpy as np

LINES = r"""
extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void reverse(int *a, int n) {
    extern __shared__ int s[];
    s[threadIdx.x] = a[threadIdx.x];
    BARRIER
    a[threadIdx.x] = s[n - 1 - threadIdx.x];
}
"""

# libcu++ and CUB, of the headers that the wheel brings.
LIBRARIES = r"""
#include <cub/block/block_reduce.cuh>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>

extern "C" __global__ void library(int *out) {
    using Reduce = cub::BlockReduce<int, 64>;
    __shared__ typename Reduce::TempStorage t;
    cuda::std::array<int, 4> a{1, 2, 3, 4};
    cuda::std::complex<float> c(0.f, 1.f);
    int s = Reduce(t).Sum(a[threadIdx.x % 4] * int((c * c).real()));
    if (threadIdx.x == 0) cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(s);
}
"""


def check(name, got, want):
    ok = np.allclose(cp.asnumpy(got), want)
    print(f"{name}: {'PASS' if ok else 'FAIL'}")


@cp.fuse()
def surplus(x, y):
    return cp.maximum(x, y) - x


racy = "race" in sys.argv
module = cp.RawModule(code=LINES.replace("BARRIER", "" if racy else "__syncthreads();"), options=("-lineinfo",))

rev = cp.arange(64, dtype=cp.int32)
module.get_function("reverse")((1,), (64,), (rev, 64), shared_mem=256)
if racy:
    sys.exit()
check("reverse", rev, np.arange(64)[::-1])

n = 1000
a, b, c = cp.arange(n, dtype=cp.float32), cp.arange(n, dtype=cp.float32) * 2, cp.zeros(n, dtype=cp.float32)
module.get_function("add")((8,), (128,), (a, b, c, n))
check("raw", c, np.arange(n) * 3)
check("elementwise", cp.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = x * y + 1", "fma1")(a, b), np.arange(n) ** 2 * 2.0 + 1)
check("reduction", cp.ReductionKernel("float32 x", "float32 y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")(c), np.linalg.norm(np.arange(n) * 3.0))
check("sum", c.reshape(10, 100).sum(axis=1), (np.arange(n) * 3.0).reshape(10, 100).sum(axis=1))
check("fuse", surplus(a, b), np.arange(n))
total = cp.zeros(1, dtype=cp.int32)
cp.RawKernel(LIBRARIES, "library", backend="nvrtc")((3,), (64,), (total,))
check("libraries", total, -480)
