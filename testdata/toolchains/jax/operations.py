# JAX's operations on the device, compiled by XLA, against NumPy: elementwise, reductions, gradients, products, sorts, loops, random
# numbers, linear algebra and a convolution.
import jax
import jax.numpy as jnp
import numpy as np


def check(name, *pairs, tolerance=1e-4):
    right = all(np.allclose(np.asarray(got), want, rtol=tolerance, atol=tolerance) for got, want in pairs)
    print(name + ":", "PASS" if right else "FAIL", flush=True)


assert jax.devices()[0].platform == "gpu", jax.devices()
random = np.random.default_rng(0)
n = np.arange(1000, dtype=np.float32) / 100
x = jnp.asarray(n)
a, b = (random.standard_normal(shape).astype(np.float32) for shape in ((48, 32), (32, 40)))
positive = a.T @ a + 48 * np.eye(32, dtype=np.float32)
right_side = b[:, :4]

check("elementwise", (x * 2 + 1, n * 2 + 1), (jax.jit(lambda v: jnp.tanh(v) + jnp.exp(-v))(x), np.tanh(n) + np.exp(-n)))
check("reductions", (x.sum(), n.sum()), (jax.nn.softmax(jnp.asarray(a)), np.exp(a) / np.exp(a).sum(1, keepdims=True)))
check("gradient", (jax.jit(jax.grad(lambda v: (v**3).sum()))(x), 3 * n**2))
check("product", (jnp.asarray(a) @ jnp.asarray(b), a @ b), tolerance=1e-2)
check("sort", (jnp.sort(jnp.asarray(a), axis=1), np.sort(a, axis=1)), (jnp.cumsum(jnp.asarray(a), axis=1), np.cumsum(a, axis=1)))
check("loop", (jax.lax.scan(lambda c, v: (c + v, c * v), 0.0, x[:10])[0], n[:10].sum()))
check("random", (jax.random.uniform(jax.random.PRNGKey(0), (1000,)).mean(), 0.5), tolerance=0.05)
check("algebra", (jnp.linalg.cholesky(positive), np.linalg.cholesky(positive)), (jnp.linalg.solve(positive, right_side), np.linalg.solve(positive, right_side)),
      (jnp.linalg.eigh(positive)[0], np.linalg.eigh(positive)[0]), (jnp.linalg.svd(a)[1], np.linalg.svd(a)[1]), tolerance=1e-2)
check("fft", (jnp.fft.fft(a), np.fft.fft(a)), tolerance=1e-3)

image, weights = (random.random(shape, np.float32) for shape in ((1, 3, 8, 8), (4, 3, 3, 3)))
padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
want = sum(np.einsum("ncij,oc->noij", padded[:, :, i : i + 8, j : j + 8], weights[:, :, i, j]) for i in range(3) for j in range(3))
check("convolution", (jax.lax.conv(image, weights, (1, 1), "SAME"), want), tolerance=1e-2)
