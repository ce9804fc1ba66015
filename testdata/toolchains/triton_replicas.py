"""Triton kernels on rows that are shorter than a block, changed in place: several threads read each element and one of
them stores it. With an argument, kernels in which what a thread reads too late comes into a result."""

import sys

import numpy as np
import triton
import triton.language as tl

from device_array import DeviceArray, init


@triton.jit
def scale(x, n, by, BLOCK: tl.constexpr):
    x += tl.program_id(0) * n
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, mask=at < n) * by, mask=at < n)


@triton.jit
def softmax(x, n, BLOCK: tl.constexpr):
    x += tl.program_id(0) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(x + at, e / tl.sum(e, axis=0), mask=at < n)


@triton.jit
def add_one(x):
    tl.store(x, tl.load(x) + 1)


@triton.jit
def turn(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + n - 1 - at, mask=at < n)
    tl.store(x + at, v, mask=at < n)


@triton.jit
def spread(x, y, BLOCK: tl.constexpr):
    v = tl.load(x)
    tl.store(x, v + 1)
    tl.store(y + tl.arange(0, BLOCK), v + tl.zeros((BLOCK,), tl.float32))


@triton.jit
def decide(x, y):
    v = tl.load(x)
    tl.store(x, v + 1)
    if v == 1:
        tl.atomic_add(y, v)


def check(name, got, want):
    error = float(np.abs(got - want).max())
    print(f"{name}: {'PASS' if error <= 1e-6 else 'FAIL'} (largest error {error:.2g})")
    return error <= 1e-6


def main():
    init()
    x = np.linspace(0, 1, 40, dtype=np.float32).reshape(2, 20)
    if sys.argv[1:] == ["turn"]:
        turn[(1,)](DeviceArray(np.ones(256, np.float32)), 256, BLOCK=256)
    elif sys.argv[1:] == ["spread"]:
        spread[(1,)](DeviceArray(np.ones(1, np.float32)), DeviceArray(np.ones(256, np.float32)), BLOCK=256)
    elif sys.argv[1:] == ["decide"]:
        decide[(1,)](DeviceArray(np.ones(1, np.float32)), DeviceArray(np.ones(1, np.float32)))
    else:
        d, s, one = DeviceArray(x), DeviceArray(x), DeviceArray(np.ones(1, np.float32))
        scale[(2,)](d, 20, 2.0, BLOCK=16)
        softmax[(2,)](s, 20, BLOCK=32)
        add_one[(1,)](one)
        e = np.exp(x - x.max(axis=1, keepdims=True))
        ok = check("scale", d.numpy(), 2 * x) & check("softmax", s.numpy(), e / e.sum(axis=1, keepdims=True)) & check("add one", one.numpy(), 2)
        return 0 if ok else 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
