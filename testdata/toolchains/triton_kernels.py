"""Triton kernels: a fused softmax and a tiled matrix product, whose results are
compared with NumPy's. With the argument "race", a count that all programs
update without an atomic operation."""

import sys

import numpy as np
import triton
import triton.language as tl

from device_array import DeviceArray, init


@triton.jit
def softmax(out, x, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row * stride + at, mask=inside, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=inside)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        x = tl.load(a + rows[:, None] * K + ks[None, :], mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        y = tl.load(b + ks[:, None] * N + cols[None, :], mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N))


@triton.jit
def count(total, x, BLOCK: tl.constexpr):
    v = tl.sum(tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)), axis=0)
    tl.store(total, tl.load(total) + v)


def check(name, got, want, tolerance):
    error = float(np.abs(got - want).max())
    print(f"{name}: {'PASS' if error <= tolerance else 'FAIL'} (largest error {error:.2g})")
    return error <= tolerance


def main():
    init()
    if sys.argv[1:] == ["race"]:
        count[(8,)](DeviceArray(np.zeros(1, np.int32)), DeviceArray(np.ones(1024, np.int32)), BLOCK=128)
        return 0
    random = np.random.default_rng(1)
    x = random.standard_normal((9, 300), dtype=np.float32)
    dx, out = DeviceArray(x), DeviceArray(np.zeros_like(x))
    softmax[(x.shape[0],)](out, dx, x.shape[1], x.shape[1], BLOCK=512)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    ok = check("softmax", out.numpy(), e / e.sum(axis=1, keepdims=True), 1e-6)

    m, n, k = 70, 48, 80
    a, b = random.standard_normal((m, k)).astype(np.float16), random.standard_normal((k, n)).astype(np.float16)
    c = DeviceArray(np.zeros((m, n), dtype=np.float32))
    matmul[(triton.cdiv(m, 32), triton.cdiv(n, 32))](DeviceArray(a), DeviceArray(b), c, m, n, k, BM=32, BN=32, BK=32)
    ok &= check("matmul", c.numpy(), a.astype(np.float32) @ b.astype(np.float32), 1e-3)
    return 0 if ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
