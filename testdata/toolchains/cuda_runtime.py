# NVIDIA's Python bindings of the runtime API (cuda.bindings.runtime), which contain the static runtime library and are
# stripped: memory, streams, events, and a kernel of a library that is loaded when the program runs,
# which the driver API launches: the runtime API has handles alone for it.
import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc, runtime


def check(result):
    error, *values = result
    assert error.value == 0, error
    return values[0] if len(values) == 1 else values


def compiled(source):
    program = check(nvrtc.nvrtcCreateProgram(source, b"scale.cu", 0, [], []))
    check(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_80"]))
    ptx = b" " * check(nvrtc.nvrtcGetPTXSize(program))
    check(nvrtc.nvrtcGetPTX(program, ptx))
    return ptx


n = 1000
stream = check(runtime.cudaStreamCreate())
memory = check(runtime.cudaMalloc(4 * n))
x = np.arange(n, dtype=np.float32)
got = np.zeros_like(x)
check(runtime.cudaMemcpyAsync(memory, x.ctypes.data, 4 * n, runtime.cudaMemcpyKind.cudaMemcpyHostToDevice, stream))
check(runtime.cudaMemcpyAsync(got.ctypes.data, memory, 4 * n, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost, stream))
check(runtime.cudaStreamSynchronize(stream))
print("copies:", "PASS" if np.array_equal(got, x) else "FAIL")

code = compiled(b'extern "C" __global__ void scale(float *x, float a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= a; }')
library = check(runtime.cudaLibraryLoadData(code, [], [], 0, [], [], 0))
kernel = check(runtime.cudaLibraryGetKernel(library, b"scale"))
arguments = (int(memory), 3.0, n), (ctypes.c_void_p, ctypes.c_float, ctypes.c_int)
check(driver.cuLaunchKernel(int(kernel), (n + 127) // 128, 1, 1, 128, 1, 1, 0, int(stream), arguments, 0))
check(runtime.cudaMemcpyAsync(got.ctypes.data, memory, 4 * n, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost, stream))
check(runtime.cudaStreamSynchronize(stream))
print("kernel:", "PASS" if np.array_equal(got, 3 * x) else "FAIL")
check(runtime.cudaFree(memory))
check(runtime.cudaLibraryUnload(library))
