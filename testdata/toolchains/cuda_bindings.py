# NVIDIA's Python bindings (cuda-bindings) on warpgrind's driver library: a kernel
# compiled at run time, streams, and a graph with its nodes and edges.
import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc

SOURCE = rb"""
extern "C" __global__ void saxpy(float a, const float *x, const float *y, float *out, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
"""


def check(result):
    error, *values = result
    assert error.value == 0, error
    return values[0] if len(values) == 1 else values


def kernel():
    program = check(nvrtc.nvrtcCreateProgram(SOURCE, b"saxpy.cu", 0, [], []))
    check(nvrtc.nvrtcCompileProgram(program, 2, [b"--fmad=false", b"--gpu-architecture=compute_80"]))
    ptx = b" " * check(nvrtc.nvrtcGetPTXSize(program))
    check(nvrtc.nvrtcGetPTX(program, ptx))
    module = check(driver.cuModuleLoadData(np.char.array(ptx).ctypes.data))
    return check(driver.cuModuleGetFunction(module, b"saxpy"))


def launch(n, stream):
    x, y = (np.arange(n, dtype=np.float32) * s for s in (1, 3))
    dx, dy, out = (check(driver.cuMemAlloc(4 * n)) for _ in range(3))
    check(driver.cuMemcpyHtoDAsync(dx, x.ctypes.data, 4 * n, stream))
    check(driver.cuMemcpyHtoDAsync(dy, y.ctypes.data, 4 * n, stream))
    args = (2.0, dx, dy, out, n), (ctypes.c_float, None, None, None, ctypes.c_size_t)
    check(driver.cuLaunchKernel(kernel(), (n + 127) // 128, 1, 1, 128, 1, 1, 0, stream, args, 0))
    got = np.empty_like(x)
    check(driver.cuMemcpyDtoHAsync(got.ctypes.data, out, 4 * n, stream))
    check(driver.cuStreamSynchronize(stream))
    print("saxpy:", "PASS" if np.array_equal(got, 2 * x + y) else "FAIL")
    return out


def graph(memory, context, stream):
    g = check(driver.cuGraphCreate(0))
    first = check(driver.cuGraphAddEmptyNode(g, [], 0))
    fill = driver.CUDA_MEMSET_NODE_PARAMS()
    fill.dst, fill.elementSize, fill.value, fill.width, fill.height = memory, 4, 3, 16, 1
    node = check(driver.cuGraphAddMemsetNode(g, [first], 1, fill, context))
    edges = check(driver.cuGraphGetEdges(g, 1))
    right = int(edges[0][0]) == int(first) and int(edges[1][0]) == int(node)
    check(driver.cuGraphLaunch(check(driver.cuGraphInstantiate(g, 0)), stream))
    check(driver.cuStreamSynchronize(stream))
    got = np.empty(16, np.int32)
    check(driver.cuMemcpyDtoH(got.ctypes.data, memory, 64))
    print("graph:", "PASS" if right and (got == 3).all() else "FAIL")


check(driver.cuInit(0))
device = check(driver.cuDeviceGet(0))
context = check(driver.cuDevicePrimaryCtxRetain(device))
check(driver.cuCtxSetCurrent(context))
stream = check(driver.cuStreamCreate(0))
graph(launch(1000, stream), context, stream)
