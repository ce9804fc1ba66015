"""Tests of an extension of PyTorch, compiled when they run, for pytest --warpgrind: one kernel makes a mistake."""

import pytest
import torch
from torch.utils.cpp_extension import load_inline

CUDA = r"""
#include <c10/cuda/CUDAStream.h>

__global__ void scale(const float *x, float *y, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = by * x[i];
}

__global__ void turn(const float *x, float *y, int n) {
  extern __shared__ float tile[];
  int i = threadIdx.x;
  tile[i] = x[i];
  y[i] = tile[n - 1 - i];  // without a barrier
}

torch::Tensor scaled(torch::Tensor x, double by, int64_t threads) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(threads + 127) / 128, 128, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), threads < 0 ? n : threads, by);
  return y + 1;
}

torch::Tensor turned(torch::Tensor x) {
  auto y = torch::empty_like(x);
  turn<<<1, x.numel(), x.nbytes(), c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""

CPP = "torch::Tensor scaled(torch::Tensor x, double by, int64_t threads); torch::Tensor turned(torch::Tensor x);"


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    folder = tmp_path_factory.mktemp("extension")
    return load_inline("extension", CPP, CUDA, functions=["scaled", "turned"], build_directory=str(folder))


@pytest.mark.parametrize("n", [1, 100, 1000])
def test_scaled(extension, n):
    x = torch.randn(n, device="cuda")
    torch.testing.assert_close(extension.scaled(x, 3.0, n), x * 3 + 1)


def test_gradient(extension):
    x = torch.randn(10, device="cuda", requires_grad=True)
    (x * extension.scaled(x.detach(), 2.0, 10)).sum().backward()
    torch.testing.assert_close(x.grad, x.detach() * 2 + 1)


def test_outside(extension):
    extension.scaled(torch.ones(100, device="cuda"), 3.0, 101)


def test_racy(extension):
    assert extension.turned(torch.ones(64, device="cuda")).shape == (64,)


def test_streams():
    x = torch.ones(100, device="cuda")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        x.mul_(2)
    x + 1  # without a wait
    torch.cuda.synchronize()


def test_after(extension):
    assert extension.scaled(torch.ones(5, device="cuda"), 2.0, 5).sum().item() == 15
