"""Triton's autotuner. The time of an emulated GPU says nothing of a GPU's, so nothing is measured: each configuration
runs once, and is checked, and the first one that can run is taken. With WARPGRIND_AUTOTUNE=first the others are not
even compiled."""

import os

from . import imported


def once(kernel_call, *, quantiles=None, **kwargs):
    """A benchmark function, as Triton's backends return one."""
    kernel_call()
    return [0.0] * len(quantiles or (0.5,))


def measure_nothing(module):
    driver = getattr(module, "CudaDriver", None)
    if hasattr(driver, "get_benchmarker"):  # since Triton 3.2
        driver.get_benchmarker = lambda self: once


def take_first(module):
    """Makes the autotuner stop at the first configuration that can run."""
    tuner = module.Autotuner
    prune, bench = tuner.prune_configs, tuner._bench

    def prune_configs(self, *args, **kwargs):
        self.warpgrind_found = False
        return prune(self, *args, **kwargs)

    def _bench(self, *args, **kwargs):
        if self.warpgrind_found:
            return [float("inf")] * 3
        times = bench(self, *args, **kwargs)
        self.warpgrind_found = (times[0] if isinstance(times, (list, tuple)) else times) < float("inf")
        return times

    tuner.prune_configs, tuner._bench = prune_configs, _bench


def install():
    imported.change("triton.backends.nvidia.driver", measure_nothing)
    if os.environ.get("WARPGRIND_AUTOTUNE") == "first":
        imported.change("triton.runtime.autotuner", take_first)
