"""The operators of torch.distributed, which PyTorch's own code carries out by NCCL: calls of it are reported where the
program called the operator."""

import torch

from . import places, runtime

library = torch.library.Library("c10d", "IMPL")


def install():
    for name in torch._C._dispatch_get_all_op_names():
        if name.startswith("c10d::"):
            library.impl(name[len("c10d::"):], placed(name), "AutogradCUDA")


def placed(name):
    base, _, overload = name[len("c10d::"):].partition(".")
    operator = getattr(getattr(torch.ops.c10d, base), overload or "default")

    def call(*args, **kwargs):
        runtime.set_place(places.here())
        try:
            with torch._C._AutoDispatchBelowAutograd():
                return operator(*args, **kwargs)
        finally:
            runtime.set_place(None)

    return call
