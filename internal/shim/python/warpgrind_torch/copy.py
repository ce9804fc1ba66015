"""Copies between tensors, which are copies of memory where the elements lie alike on both sides."""

import torch

from . import memory, runtime
from .operator import Operator

HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 1, 2, 3

convert = Operator("aten::copy_")


def copy_(self, src, non_blocking=False):
    if src.size() != self.size():
        src = src.expand_as(self)
    if self.numel() == 0 or self is src:
        return self
    if self.device == src.device:
        if alike(self, src):
            transfer(self, src, DEVICE_TO_DEVICE, self.device)
            return self
        return convert(self, src)
    if not alike(self, src):
        # The conversion is made where the values come from.
        target = self if self.is_contiguous() and not self.is_conj() and not self.is_neg() else torch.empty_like(self, memory_format=torch.contiguous_format)
        source = src.to(self.dtype).contiguous().resolve_conj().resolve_neg()
        copy_(target, source, non_blocking)
        return self if target is self else self.copy_(target)
    if not src.is_cuda:
        transfer(self, src, HOST_TO_DEVICE, self.device, not non_blocking)
    elif not self.is_cuda:
        transfer(self, src, DEVICE_TO_HOST, src.device, not non_blocking)
    else:
        between(self, src)
    return self


def alike(a, b):
    return (a.dtype == b.dtype and a.is_conj() == b.is_conj() and a.is_neg() == b.is_neg() and
            (a.stride() == b.stride() and memory.is_dense(a) or a.is_contiguous() and b.is_contiguous()))


def transfer(self, src, kind, device, wait=False):
    stream = torch._C._cuda_getCurrentRawStream(device.index)
    with torch.cuda.device(device):
        runtime.check(runtime.copy_async(self.data_ptr(), src.data_ptr(), src.numel() * src.element_size(), kind, stream))
        if wait:
            runtime.check(runtime.synchronize(stream))


def between(self, src):
    """A copy between devices, in the source's stream: what the target's stream does comes before or after it."""
    source, target = torch.cuda.current_stream(src.device), torch.cuda.current_stream(self.device)
    source.wait_stream(target)
    transfer(self, src, DEVICE_TO_DEVICE, src.device)
    target.wait_stream(source)
