"""Triton's autotuner. The time of an emulated GPU says nothing of a GPU's, so nothing is measured: each configuration
runs once, and is checked, and the first one that can run is taken."""

import importlib.abc
import importlib.util
import sys

DRIVER = "triton.backends.nvidia.driver"


def once(kernel_call, *, quantiles=None, **kwargs):
    """A benchmark function, as Triton's backends return one."""
    kernel_call()
    return [0.0] * len(quantiles or (0.5,))


def replace(module):
    driver = getattr(module, "CudaDriver", None)
    if hasattr(driver, "get_benchmarker"):  # since Triton 3.2
        driver.get_benchmarker = lambda self: once


class Finder(importlib.abc.MetaPathFinder):
    """Replaces the benchmark function when the driver has been imported."""

    def find_spec(self, name, path, target=None):
        if name != DRIVER:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def executed(module):
                execute(module)
                replace(module)

            spec.loader.exec_module = executed
        return spec


def install():
    if DRIVER in sys.modules:
        replace(sys.modules[DRIVER])
    else:
        sys.meta_path.insert(0, Finder())
