# Warp (warp-lang), whose library contains NVIDIA's static runtime library, NVRTC and kernels of its own and
# is stripped: kernels, a reduction by atomics, and Warp's scan and sort.
import sys

import numpy as np
import warp as wp

# Of kernels that are defined after it.
wp.config.quiet = True
wp.config.enable_backward = False
wp.config.line_directives = True


@wp.kernel
def saxpy(a: float, x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


@wp.kernel
def total(x: wp.array(dtype=int), sum: wp.array(dtype=int)):
    wp.atomic_add(sum, 0, x[wp.tid()])


@wp.kernel
def shift(x: wp.array(dtype=int)):
    i = wp.tid()
    x[i] = x[i + 1]


def check(name, right):
    print(name + ":", "PASS" if right else "FAIL")


n = 100
with wp.ScopedDevice("cuda:0"):
    if "past" in sys.argv:
        wp.launch(shift, dim=n, inputs=[wp.zeros(n, dtype=int)])
        wp.synchronize()
        sys.exit()
    x, y = wp.array(np.arange(n, dtype=np.float32)), wp.ones(n, dtype=float)
    wp.launch(saxpy, dim=n, inputs=[2.0, x, y])
    check("saxpy", np.array_equal(y.numpy(), 2 * np.arange(n) + 1))

    whole, sum = wp.array(np.arange(n, dtype=np.int32)), wp.zeros(1, dtype=int)
    wp.launch(total, dim=n, inputs=[whole, sum])
    check("atomics", sum.numpy()[0] == n * (n - 1) // 2)

    scanned = wp.zeros(n, dtype=int)
    wp.utils.array_scan(whole, scanned, inclusive=True)
    check("scan", np.array_equal(scanned.numpy(), np.cumsum(np.arange(n))))

    keys = np.random.default_rng(2).permutation(n).astype(np.int32)
    sorted_keys, values = wp.zeros(2 * n, dtype=int), wp.zeros(2 * n, dtype=int)
    wp.copy(sorted_keys, wp.array(keys), count=n)
    wp.copy(values, whole, count=n)
    wp.utils.radix_sort_pairs(sorted_keys, values, n)
    check("sort", np.array_equal(sorted_keys.numpy()[:n], np.arange(n)) and np.array_equal(values.numpy()[:n], np.argsort(keys)))
