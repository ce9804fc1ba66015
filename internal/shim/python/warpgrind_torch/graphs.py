"""The CUDA graphs of torch.compile (mode="reduce-overhead"). Operators are executed by the CPU, which a graph cannot
hold, and PyTorch wants an allocator of its own for them: compiled code runs without a graph, with the same results."""

from . import imported


def replace(module):
    module.cudagraphify = lambda model, *args, **kwargs: model


def install():
    imported.change("torch._inductor.compile_fx", replace)
