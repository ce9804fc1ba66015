"""PyTorch's operators on tensors of the emulated GPU.

The kernels of PyTorch's wheels are machine code, which warpgrind cannot run. PyTorch itself loads this module when
it is imported (entry point torch.backends) in a program that runs under warpgrind. It registers another kernel for
each operator of the dispatch key CUDA: it calls PyTorch's kernel for the CPU on the same memory, which the process
can read and write, and tells warpgrind what was read and written in which stream.

Nothing here starts CUDA: that is left to the program.
"""


def load():
    import torch

    from . import runtime

    if torch.version.cuda is None or not runtime.found():
        return
    from . import autotune, distributed, graphs, register

    register.everything()
    distributed.install()
    autotune.install()
    graphs.install()
