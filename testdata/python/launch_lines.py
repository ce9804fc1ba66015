"""A kernel whose text NVRTC gets and whose launch is in this file, by the driver API through ctypes."""
import ctypes
import sys

TEXT = rb'''
extern "C" __global__ void reverse(float *a) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  a[t] = s[63 - t];
}
'''

nvrtc, cuda = ctypes.CDLL("libnvrtc.so"), ctypes.CDLL("libcuda.so.1")


def check(result):
    if result != 0:
        raise RuntimeError(f"error {result}")


def compiled():
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), TEXT, sys.argv[1].encode(), 0, None, None))
    check(nvrtc.nvrtcCompileProgram(program, 0, None))
    check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetPTX(program, ptx))
    return ptx


def launch(kernel, memory):
    parameters = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(memory), ctypes.c_void_p))
    check(cuda.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, parameters, None))  # the line that launches


device, context, module, kernel, memory = (ctypes.c_void_p() for _ in range(5))
check(cuda.cuInit(0))
check(cuda.cuDeviceGet(ctypes.byref(device), 0))
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
check(cuda.cuCtxSetCurrent(context))
check(cuda.cuModuleLoadData(ctypes.byref(module), compiled()))
check(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"reverse"))
check(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(256)))
check(cuda.cuMemsetD32_v2(memory, 0, ctypes.c_size_t(64)))
launch(kernel, memory)
check(cuda.cuCtxSynchronize())
