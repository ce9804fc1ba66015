"""Arrays in device memory by way of the driver API alone: what PyTorch would
give a kernel, without PyTorch."""

import ctypes

import numpy as np

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *args):
    code = getattr(cuda, name)(*args)
    if code:
        raise RuntimeError(f"{name}: error {code}")


def init():
    """Makes the primary context of device 0 current."""
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)


class DeviceArray:
    """A copy of a NumPy array on the device. It has what Triton asks of a tensor."""

    def __init__(self, host):
        self.host = np.ascontiguousarray(host)
        self.dtype = self.host.dtype.name
        self.address = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(self.host.nbytes))
        call("cuMemcpyHtoD_v2", self.address, self.host.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(self.host.nbytes))

    def data_ptr(self):
        return self.address.value

    def numpy(self):
        """The device's content."""
        out = np.empty_like(self.host)
        call("cuMemcpyDtoH_v2", out.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(out.nbytes))
        return out
