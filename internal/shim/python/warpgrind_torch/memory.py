"""The memory of tensors: which bytes they have, and the same bytes as tensors of the CPU."""

import ctypes
import itertools

import torch

from . import runtime

# A tensor of more separate pieces than this is not followed byte by byte.
MOST_PIECES = 1 << 14


def pieces(tensor, ranges):
    """Adds the bytes of a tensor to ranges; false if they are too many pieces."""
    n = tensor.numel()
    if n == 0:
        return True
    base, item = tensor.data_ptr(), tensor.element_size()
    if tensor.is_contiguous():
        ranges.add(base, base + n * item)
        return True
    width, apart, count = item, [], 1
    for stride, size in sorted(zip(tensor.stride(), tensor.size())):
        if size == 1 or stride == 0:
            continue
        if not apart and stride * item <= width:
            width += (size - 1) * stride * item
        else:
            apart.append(range(0, size * stride * item, stride * item))
            count *= size
    if count > MOST_PIECES:
        return False
    for offsets in itertools.product(*apart):
        first = base + sum(offsets)
        ranges.add(first, first + width)
    return True


def is_dense(tensor):
    """Whether a tensor's elements lie without gaps and without overlaps."""
    if tensor.is_contiguous():
        return True
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.size())):
        if size == 1:
            continue
        if stride != expected:
            return False
        expected *= size
    return True


class Views:
    """The tensors of one call as tensors of the CPU. Those of one storage share one."""

    def __init__(self):
        self.storages = {}

    def of(self, tensor):
        storage = self.storage(tensor.untyped_storage())
        view = torch.empty(0, dtype=tensor.dtype, device="cpu")
        view.set_(storage, tensor.storage_offset(), tensor.size(), tensor.stride())
        if tensor.is_conj():
            view = view.conj()
        if tensor.is_neg():
            view = torch._neg_view(view)
        return view

    def storage(self, storage):
        address, size = storage.data_ptr(), storage.nbytes()
        made = self.storages.get((address, size))
        if made is None:
            if size == 0:
                made = torch.UntypedStorage(0)
            else:
                made = torch.frombuffer((ctypes.c_char * size).from_address(runtime.host_address(address)), dtype=torch.uint8).untyped_storage()
            self.storages[address, size] = made
        return made


def put(tensor, values):
    """Writes the elements of a tensor of the CPU with the same sizes and strides, without gaps, to one of the device."""
    size = values.numel() * values.element_size()
    if size:
        ctypes.memmove(runtime.host_address(tensor.data_ptr()), values.data_ptr(), size)
