"""Numba kernels: a block reduction in shared memory, a barrier of the grid and a
histogram with atomics, whose results are compared with NumPy's. With the argument "race" the
reduction leaves its barriers out."""

import sys

import numpy as np
from numba import cuda, float32

THREADS = 64


@cuda.jit
def sums(x, out):
    tile = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


@cuda.jit
def racy(x, out):
    tile = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    out[t] = tile[THREADS - 1 - t]


@cuda.jit
def histogram(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i], 1)


@cuda.jit
def turned(x, out):
    i = cuda.grid(1)
    x[i] += 1
    cuda.cg.this_grid().sync()
    out[i] = x[x.size - 1 - i]


def check(name, ok):
    print(f"{name}: {'PASS' if ok else 'FAIL'}")
    return ok


def main():
    random = np.random.default_rng(1)
    x = random.random(200, dtype=np.float32)
    if sys.argv[1:] == ["race"]:
        racy[1, THREADS](cuda.to_device(x[:THREADS]), cuda.device_array(THREADS, np.float32))
        cuda.synchronize()
        return 0
    blocks = -(-x.size // THREADS)
    out = cuda.device_array(blocks, np.float32)
    sums[blocks, THREADS](cuda.to_device(x), out)
    want = [x[b * THREADS : (b + 1) * THREADS].sum() for b in range(blocks)]
    ok = check("sums", np.allclose(out.copy_to_host(), want, rtol=1e-5))

    numbers = cuda.to_device(np.arange(4 * THREADS, dtype=np.int32))
    out = cuda.device_array_like(numbers)
    turned[4, THREADS](numbers, out)
    ok = check("grid barrier", (out.copy_to_host() == np.arange(4 * THREADS, 0, -1)).all()) and ok

    values = random.integers(0, 10, 500).astype(np.int32)
    bins = cuda.to_device(np.zeros(10, np.int32))
    histogram[8, THREADS](cuda.to_device(values), bins)
    return 0 if check("histogram", (bins.copy_to_host() == np.bincount(values, minlength=10)).all()) and ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
