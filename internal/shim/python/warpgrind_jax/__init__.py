"""JAX on the emulated GPU.

JAX loads this module with its plugins (entry point jax_plugins) in a program that runs under warpgrind. Its plugin for
CUDA runs as it is.
"""

import ctypes
import os


def initialize():
    if not hasattr(ctypes.CDLL(None), "cuInit"):
        return
    from jax._src import hardware_utils

    # JAX looks for device nodes of NVIDIA's driver, of which an emulated GPU has none.
    hardware_utils.has_visible_nvidia_gpu = lambda: True

    # The time of an emulated GPU says nothing of a GPU's: the compiler takes its defaults and measures nothing.
    flags = os.environ.get("XLA_FLAGS", "")
    if "xla_gpu_autotune_level" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} --xla_gpu_autotune_level=0".strip()
