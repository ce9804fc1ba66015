"""Python imports this when it starts. It changes defaults of packages with kernels, which have no way to be extended: CuPy gets
memory from CUDA for each array (within the blocks of its pool, which are multiples of 512 bytes, an overrun would be within bounds),
and Numba and Warp compile with line information, so that findings have the lines of the program."""

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys


class Finder(importlib.abc.MetaPathFinder):
    """Calls a function with a module when it has been imported."""

    def __init__(self, name, change):
        self.name, self.change = name, change

    def find_spec(self, name, path, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def executed(module):
                execute(module)
                self.change(module)

            spec.loader.exec_module = executed
        return spec


def without_pool(cupy):
    """An allocation for each array, in stream order: others would wait for the device. A program that sets an allocator of
    its own does so later."""

    def allocate(size):
        memory = cupy.cuda.MemoryAsync(size, cupy.cuda.get_current_stream())
        return cupy.cuda.MemoryPointer(memory, 0)

    cupy.cuda.set_allocator(allocate)


def with_lines(decorators):
    """numba.cuda.jit has line information where the program does not ask for the opposite, nor for debugging, which excludes it."""
    jit = decorators.jit

    @functools.wraps(jit)
    def jit_with_lines(*args, **kwargs):
        if not kwargs.get("debug"):
            kwargs.setdefault("lineinfo", True)
        return jit(*args, **kwargs)

    decorators.jit = jit_with_lines
    need_compiler()


def need_compiler():
    """The plain package numba-cuda lacks NVIDIA's compiler library, without which each kernel ends in a long traceback."""
    try:
        from cuda.pathfinder import DynamicLibNotFoundError, load_nvidia_dynamic_lib
    except ImportError:
        return
    try:
        load_nvidia_dynamic_lib("nvvm")
    except DynamicLibNotFoundError:
        print("warpgrind: Numba finds no libnvvm to compile kernels with: pip install 'numba-cuda[cu13]'", file=sys.stderr)


def lines_by_default(config):
    """Warp's modules have line information where the program does not ask for the opposite."""
    config.lineinfo = True


def others():
    """Runs the module of this name that Python would have imported without this one."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = [p for p in sys.path if os.path.abspath(p or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


sys.meta_path.insert(0, Finder("cupy", without_pool))
sys.meta_path.insert(0, Finder("numba.cuda.decorators", with_lines))
sys.meta_path.insert(0, Finder("warp.config", lines_by_default))
others()
