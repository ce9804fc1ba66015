"""A kernel compiled by NVIDIA's NVRTC, launched through the driver API."""

import ctypes
import glob
import os
import sys

import numpy as np

from device_array import DeviceArray, call, init

SOURCE = b"""
template <int N> __device__ float power(float x) { return N == 0 ? 1.f : x * power<(N > 0 ? N - 1 : 0)>(x); }
extern "C" __global__ void cubes(const float *x, float *out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? power<3>(x[i]) : 0;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] + tile[63 - threadIdx.x];
}
"""


def nvrtc():
    """NVIDIA's library, of this Python's packages."""
    folder = os.path.join(sys.prefix, "lib", "python3*", "site-packages", "nvidia", "cu*", "lib")
    return ctypes.CDLL(glob.glob(os.path.join(folder, "libnvrtc.so.*"))[0])


def compile_ptx(library, options):
    def do(name, *args):
        code = getattr(library, name)(*args)
        if code:
            raise RuntimeError(f"{name}: error {code}")

    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    do("nvrtcCreateProgram", ctypes.byref(program), SOURCE, b"cubes.cu", 0, None, None)
    do("nvrtcCompileProgram", program, len(options), (ctypes.c_char_p * len(options))(*options))
    do("nvrtcGetPTXSize", program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    do("nvrtcGetPTX", program, text)
    return text


def main():
    init()
    ptx = compile_ptx(nvrtc(), [b"--gpu-architecture=compute_80", b"-lineinfo"])
    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuModuleLoadData", ctypes.byref(module), ptx)
    call("cuModuleGetFunction", ctypes.byref(kernel), module, b"cubes")
    x = np.arange(128, dtype=np.float32)
    dx, out, n = DeviceArray(x), DeviceArray(np.zeros_like(x)), ctypes.c_int(x.size)
    args = (ctypes.c_void_p * 3)(*[ctypes.cast(ctypes.byref(a), ctypes.c_void_p) for a in (dx.address, out.address, n)])
    call("cuLaunchKernel", kernel, 2, 1, 1, 64, 1, 1, 0, None, args, None)
    tiles = (x**3).reshape(2, 64)
    ok = (out.numpy() == (tiles + tiles[:, ::-1]).ravel()).all()
    print(f"nvrtc: {'PASS' if ok else 'FAIL'}")
    return 0 if ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
