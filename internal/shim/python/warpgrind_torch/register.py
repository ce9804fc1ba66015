"""Registers kernels for the operators of the dispatch key CUDA."""

import warnings

import torch

from . import cells, copy
from .operator import Operator

# Operators whose kernels for the device use no kernel of it.
NATIVE = {
    "_copy_from", "_copy_from_and_resize", "_has_same_storage_numel", "_local_scalar_dense", "_pin_memory", "_use_cudnn_ctc_loss", "_use_miopen_ctc_loss",
    "empty", "empty_quantized", "empty_strided", "is_pinned", "is_set_to", "record_stream", "resize_", "set_",
}

# Operators that are made of others on the device, and are one on the CPU.
WHOLE = ("aten::convolution", "aten::convolution_backward")

# The dispatch keys of kernels that take tensors of the CPU.
FOR_CPU = ("CPU", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional", "CompositeImplicitAutograd")

library = torch.library.Library("aten", "IMPL")


def everything():
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    special = {"aten::copy_": copy.copy_, **cells.KERNELS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a kernel takes the place of another
        for name in torch._C._dispatch_get_all_op_names():
            base = name.split("::")[1].partition(".")[0]
            if not name.startswith("aten::") or base in NATIVE:
                continue
            kernel = special.get(name)
            if kernel is None:
                if not has(name, "CUDA") and name not in WHOLE or is_view(name):
                    continue
                kernel = Operator(name) if any(has(name, key) for key in FOR_CPU) else missing(name)
            library.impl(name[len("aten::"):], kernel, "CUDA")
    # Where PyTorch has a choice, it takes the operators that have kernels for the CPU.
    torch.backends.cudnn.enabled = False
    for name in ("flash", "mem_efficient", "cudnn"):
        enable = getattr(torch.backends.cuda, f"enable_{name}_sdp", None)
        if enable is not None:
            enable(False)


def is_view(name):
    """Whether a result is memory of an argument that is not written."""
    schema = torch._C._get_schema(*name.partition(".")[::2])
    return any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns)


def missing(name):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"warpgrind: {name} has a kernel for the device alone, which is machine code and cannot be run")

    return refuse
