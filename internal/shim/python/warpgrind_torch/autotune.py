"""Triton's autotuner. The time of an emulated GPU says nothing of a GPU's, so nothing is measured: each configuration
runs once, and is checked, and the first one that can run is taken."""

from . import imported


def once(kernel_call, *, quantiles=None, **kwargs):
    """A benchmark function, as Triton's backends return one."""
    kernel_call()
    return [0.0] * len(quantiles or (0.5,))


def replace(module):
    driver = getattr(module, "CudaDriver", None)
    if hasattr(driver, "get_benchmarker"):  # since Triton 3.2
        driver.get_benchmarker = lambda self: once


def install():
    imported.change("triton.backends.nvidia.driver", replace)
