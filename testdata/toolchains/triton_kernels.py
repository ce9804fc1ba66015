"""Triton kernels: a fused softmax, a matrix product with asynchronous copies,
attention, and sorting and sums; their results are compared with NumPy's. With the argument "race", a count that all programs
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
def attention(q, k, v, out, scale, T: tl.constexpr, D: tl.constexpr, B: tl.constexpr):
    rows, d = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, D)
    x = tl.load(q + rows[:, None] * D + d[None, :])
    most, total = tl.full([B], -float("inf"), tl.float32), tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    for j in range(0, T, B):
        n = j + tl.arange(0, B)
        s = tl.dot(x, tl.load(k + n[None, :] * D + d[:, None])) * scale
        new = tl.maximum(most, tl.max(s, 1))
        p, shrink = tl.exp(s - new[:, None]), tl.exp(most - new)
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.float16), tl.load(v + n[:, None] * D + d[None, :]))
        most = new
    tl.store(out + rows[:, None] * D + d[None, :], acc / total[:, None])


@triton.jit
def orders(x, ordered, sums, bins, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(ordered + i, tl.sort(v))
    tl.store(sums + i, tl.cumsum(v, 0))
    tl.atomic_add(bins + (v & 7), 1)


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

    m, n, k = 130, 70, 100
    a, b = random.standard_normal((m, k)).astype(np.float16), random.standard_normal((k, n)).astype(np.float16)
    c = DeviceArray(np.zeros((m, n), dtype=np.float32))
    grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
    matmul[grid](DeviceArray(a), DeviceArray(b), c, m, n, k, BM=64, BN=64, BK=32, num_stages=3)
    ok &= check("matmul", c.numpy(), a.astype(np.float32) @ b.astype(np.float32), 1e-3)

    t, d = 128, 64
    q, k, v = (random.standard_normal((t, d)).astype(np.float16) for _ in range(3))
    out = DeviceArray(np.zeros((t, d), dtype=np.float32))
    attention[(2,)](DeviceArray(q), DeviceArray(k), DeviceArray(v), out, 0.125, T=t, D=d, B=64)
    s = q.astype(np.float32) @ k.astype(np.float32).T * 0.125
    p = np.exp(s - s.max(axis=1, keepdims=True))
    ok &= check("attention", out.numpy(), p @ v.astype(np.float32) / p.sum(axis=1, keepdims=True), 1e-3)

    x = random.integers(-100, 100, 256).astype(np.int32)
    ordered, sums, bins = DeviceArray(np.zeros_like(x)), DeviceArray(np.zeros_like(x)), DeviceArray(np.zeros(8, np.int32))
    orders[(1,)](DeviceArray(x), ordered, sums, bins, N=256)
    ok &= check("sort", ordered.numpy(), np.sort(x), 0)
    ok &= check("cumsum", sums.numpy(), np.cumsum(x), 0)
    ok &= check("bins", bins.numpy(), np.bincount(x & 7, minlength=8), 0)
    return 0 if ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
