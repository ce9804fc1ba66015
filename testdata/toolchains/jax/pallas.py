# A kernel in Pallas, compiled by Triton: doubles an array block by block. With "past" the last block is larger than what
# is left of the array, with "shared" all blocks write one place.
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas
from jax.experimental.pallas import triton

SIZE = 64


def kernel(x, out):
    out[...] = x[...] * 2


def double(x):
    one, place = pallas.BlockSpec((SIZE,), lambda i: (i,)), (lambda i: (0,)) if "shared" in sys.argv else (lambda i: (i,))
    return pallas.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), grid=(4,), in_specs=[one],
                              out_specs=pallas.BlockSpec((SIZE,), place), compiler_params=triton.CompilerParams(num_warps=2))(x)


n = 250 if "past" in sys.argv else 256
got = double(jnp.arange(n, dtype=jnp.float32))
if len(sys.argv) == 1:
    print("pallas:", "PASS" if np.array_equal(got, 2 * np.arange(n)) else "FAIL")
else:
    jax.block_until_ready(got)
