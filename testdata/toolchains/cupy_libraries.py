"""What CuPy calls of cuBLAS, cuFFT, cuSOLVER, cuSPARSE and cuRAND, compared with NumPy."""

import cupy as cp
import cupyx.scipy.sparse as sparse
import numpy as np


def check(name, got, want):
    ok = np.allclose(cp.asnumpy(got), want, rtol=1e-4, atol=1e-5)
    print(f"{name}: {'PASS' if ok else 'FAIL'}")
    return ok


def main():
    random = np.random.default_rng(1)
    x = random.random((8, 8), dtype=np.float32)
    positive = x @ x.T + 8 * np.eye(8, dtype=np.float32)
    waves = random.random((3, 60)) + 1j * random.random((3, 60))
    d, dpositive, dwaves = cp.asarray(x), cp.asarray(positive), cp.asarray(waves)
    few = np.where(x > 0.5, x, 0)
    draws = cp.asnumpy(cp.random.rand(1000))
    ok = [
        check("matrix product", d @ d.T, x @ x.T),
        check("matrix and vector", d @ d[0], x @ x[0]),
        check("fft", cp.fft.fft(dwaves), np.fft.fft(waves)),
        check("rfft", cp.fft.irfft(cp.fft.rfft(dwaves.real)), waves.real),
        check("solve", cp.linalg.solve(dpositive, d), np.linalg.solve(positive, x)),
        check("cholesky", cp.linalg.cholesky(dpositive), np.linalg.cholesky(positive)),
        check("qr", abs(cp.linalg.qr(d)[1]), abs(np.linalg.qr(x)[1])),
        check("svd", cp.linalg.svd(d, compute_uv=False), np.linalg.svd(x, compute_uv=False)),
        check("eigh", cp.linalg.eigh(dpositive)[0], np.linalg.eigh(positive)[0]),
        check("sparse product", sparse.csr_matrix(cp.asarray(few)) @ d[0], few @ x[0]),
        check("random", [draws.min() >= 0, draws.max() < 1, abs(draws.mean() - 0.5) < 0.05], True),
    ]
    return 0 if all(ok) else 1


if __name__ == "__main__":
    raise SystemExit(main())
