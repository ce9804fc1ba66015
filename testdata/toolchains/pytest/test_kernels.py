"""Tests with Numba kernels for pytest --warpgrind: some make mistakes that their results do not show."""
import numpy as np
import pytest
from numba import cuda, float32

N = 64


@cuda.jit(lineinfo=True)
def turn(x, out):
    tile = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    cuda.syncthreads()
    out[t] = tile[N - 1 - t]


@cuda.jit(lineinfo=True)
def racy(x, out):
    tile = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    out[t] = tile[N - 1 - t]


@cuda.jit(lineinfo=True)
def outside(x):
    x[cuda.threadIdx.x + 1] = 1.0


def launch(kernel):
    x, out = cuda.to_device(np.arange(N, dtype=np.float32)), cuda.device_array(N, np.float32)
    kernel[1, N](x, out)
    return out.copy_to_host()


@pytest.fixture
def written():
    x = cuda.to_device(np.zeros(N, np.float32))
    outside[1, N](x)
    return x


def test_turn():
    assert launch(turn)[0] == N - 1


def test_racy():
    assert launch(racy).size == N


def test_in_fixture(written):
    pass


@pytest.mark.parametrize("n", [1, 2])
def test_wrong_result(n):
    assert launch(turn)[0] == N - n


@pytest.mark.xfail
def test_expected():
    launch(racy)
    assert False


@pytest.mark.skip
def test_skipped():
    launch(racy)


def test_no_kernel():
    pass
