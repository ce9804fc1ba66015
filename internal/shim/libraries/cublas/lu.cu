// Elimination with pivots for several matrices: a block has one of them at a time.
#include "kernels.h"

// Factors each matrix in place: the pivots are rows from 1, info is the first that is zero.
template <class E> __device__ void getrf(const Factor<E> &p) {
  __shared__ Real<E> best[128];
  __shared__ int where[128];
  for (int s = blockIdx.x; s < p.batch; s += gridDim.x) {
    E *a = p.as ? p.as[s] : p.a;
    const Pivots pivots = p.pivots.from(static_cast<long long>(s) * p.rows());
    int info = 0;
    for (int k = 0; k < p.rows(); k++) {
      int row = k;
      if (pivots.any()) {
        Real<E> most = -1;
        for (int i = k + threadIdx.x; i < p.m; i += blockDim.x) {
          Real<E> v = sizeOf(a[i + k * p.lda]);
          if (v > most) most = v, row = i;
        }
        best[threadIdx.x] = most;
        where[threadIdx.x] = row;
        for (int half = blockDim.x / 2; half > 0; half /= 2) {
          __syncthreads();
          if (threadIdx.x < half) {
            Real<E> other = best[threadIdx.x + half];
            if (other > best[threadIdx.x] || (other == best[threadIdx.x] && where[threadIdx.x + half] < where[threadIdx.x]))
              best[threadIdx.x] = other, where[threadIdx.x] = where[threadIdx.x + half];
          }
        }
        __syncthreads();
        row = where[0];
        if (threadIdx.x == 0) pivots.set(k, row + 1);
        if (row != k)
          for (int j = threadIdx.x; j < p.n; j += blockDim.x) {
            E t = a[k + j * p.lda];
            a[k + j * p.lda] = a[row + j * p.lda];
            a[row + j * p.lda] = t;
          }
      }
      __syncthreads();
      const E pivot = a[k + k * p.lda];
      if (pivot == E(0)) {
        if (info == 0) info = k + 1;
        continue; // the column is zero, or there are no pivots
      }
      for (int i = k + 1 + threadIdx.x; i < p.m; i += blockDim.x) a[i + k * p.lda] = a[i + k * p.lda] / pivot;
      __syncthreads();
      const int below = p.m - k - 1, right = p.n - k - 1;
      for (long long at = threadIdx.x; at < static_cast<long long>(below) * right; at += blockDim.x) {
        const int i = k + 1 + static_cast<int>(at % below), j = k + 1 + static_cast<int>(at / below);
        a[i + j * p.lda] = a[i + j * p.lda] - a[i + k * p.lda] * a[k + j * p.lda];
      }
      __syncthreads();
    }
    if (threadIdx.x == 0 && p.info) p.info[s] = info;
    __syncthreads();
  }
}

// Exchanges the rows of right-hand sides as the pivots say, or back.
template <class E> __device__ void laswp(const Exchange<E> &p) {
  for (int s = blockIdx.y; s < p.batch; s += gridDim.y) {
    E *b = p.bs ? p.bs[s] : p.b;
    const Pivots pivots = p.pivots.from(static_cast<long long>(s) * p.n);
    for (long long j = firstIndex(); j < p.sides; j += indexStep())
      for (int t = 0; t < p.n; t++) {
        const int k = p.back ? p.n - 1 - t : t;
        const long long row = pivots.get(k) - 1;
        if (row == k) continue;
        E v = b[k + j * p.ldb];
        b[k + j * p.ldb] = b[row + j * p.ldb];
        b[row + j * p.ldb] = v;
      }
  }
}

// Unit matrices.
template <class E> __device__ void eye(const Exchange<E> &p) {
  for (int s = blockIdx.y; s < p.batch; s += gridDim.y) {
    E *b = p.bs ? p.bs[s] : p.b;
    for (long long at = firstIndex(); at < static_cast<long long>(p.n) * p.sides; at += indexStep())
      b[at % p.n + at / p.n * p.ldb] = at % p.n == at / p.n ? E(1) : E(0);
  }
}

KERNELS(getrf, Factor)
KERNELS(laswp, Exchange)
KERNELS(eye, Exchange)
