// Matrices and vectors: level 2 of BLAS, and what has a matrix and no product.
#include "kernels.h"

// y = alpha * op(A) * x + beta * y: one element of y by one thread, or by the lanes of a warp.
template <class E> __device__ void mv(const MatrixVector<E> &p) {
  const E alpha = p.alpha.get(), beta = p.beta.get();
  const int lane = p.lanes > 1 ? threadIdx.x % 32 : 0;
  for (int batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    Matrix<const E> a = p.a;
    Vector<const E> x = p.x;
    Vector<E> y = p.y;
    a.data = p.as ? p.as[batch] : a.data + batch * p.strideA;
    x.data = p.xs ? p.xs[batch] + p.offsetX : x.data + batch * p.strideX;
    y.data = p.ys ? p.ys[batch] + p.offsetY : y.data + batch * p.strideY;
    for (long long at = firstIndex() / p.lanes; at < p.m; at += indexStep() / p.lanes) {
      const int i = static_cast<int>(at);
      E all = E(0);
      if (alpha != E(0)) {
        int from = 0, to = p.n;
        if (a.storage == Band) {
          const bool general = a.shape == General, turned = transposes(a.op);
          const int wide = max(a.kl, a.ku);
          from = max(0, i - (general ? (turned ? a.ku : a.kl) : wide));
          to = min(p.n, i + (general ? (turned ? a.kl : a.ku) : wide) + 1);
        }
        for (int j = from + lane; j < to; j += p.lanes) all = all + element(a, i, j) * x[j];
      }
      if (p.lanes > 1) {
        for (int half = 16; half > 0; half /= 2) {
          Real<E> part[sizeof(E) / sizeof(Real<E>)];
          memcpy(part, &all, sizeof all);
          for (auto &v : part) v = __shfl_down_sync(~0u, v, half);
          E other;
          memcpy(&other, part, sizeof other);
          all = all + other;
        }
      }
      if (lane == 0) y[i] = beta == E(0) ? alpha * all : alpha * all + beta * y[i];
    }
  }
}

// Adds alpha * x * y^op, and for rank 2 its transpose, to what is stored of A.
template <class E> __device__ void rank(const RankUpdate<E> &p) {
  const E alpha = p.alpha.get();
  if (alpha == E(0)) return;
  const Matrix<E> &a = p.a;
  for (long long at = firstIndex(); at < static_cast<long long>(a.rows) * a.cols; at += indexStep()) {
    const int i = static_cast<int>(at % a.rows), j = static_cast<int>(at / a.rows);
    if (a.shape != General && (a.upper ? i > j : i < j)) continue;
    E v = alpha * p.x[i] * (p.op == C ? conj(p.y[j]) : p.y[j]);
    if (p.two) v = v + (p.op == C ? conj(alpha) * p.y[i] * conj(p.x[j]) : alpha * p.y[i] * p.x[j]);
    E &to = stored(a, i, j);
    if (a.shape == Hermitian && i == j)
      to = E(realPart(to) + realPart(v));
    else
      to = to + v;
  }
}

// Solves op(A) x = alpha b by substitution: a block has one right-hand side at a time.
template <class E> __device__ void solve(const Solve<E> &p) {
  const E alpha = p.alpha.get();
  const bool down = transposes(p.a.op) == p.a.upper; // from the first element to the last
  for (int batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    Matrix<const E> a = p.a;
    if (p.as) a.data = p.as[batch];
    for (int side = blockIdx.x; side < p.sides; side += gridDim.x) {
      E *b = (p.bs ? p.bs[batch] : p.b) + side * p.next;
      if (alpha != E(1))
        for (int i = threadIdx.x; i < p.n; i += blockDim.x) b[i * p.step] = alpha == E(0) ? E(0) : alpha * b[i * p.step];
      if (alpha == E(0)) continue;
      for (int s = 0; s < p.n; s++) {
        const int k = down ? s : p.n - 1 - s;
        __syncthreads();
        if (threadIdx.x == 0 && !a.unit) b[k * p.step] = b[k * p.step] / element(a, k, k);
        __syncthreads();
        const E x = b[k * p.step];
        int from = down ? k + 1 : 0, to = down ? p.n : k;
        if (a.storage == Band) {
          const int wide = max(a.kl, a.ku);
          from = max(from, k - wide);
          to = min(to, k + wide + 1);
        }
        for (int i = from + threadIdx.x; i < to; i += blockDim.x) b[i * p.step] = b[i * p.step] - element(a, i, k) * x;
      }
      __syncthreads();
    }
  }
}

template <class E> __device__ void geam(const Add<E> &p) {
  const E alpha = p.alpha.get(), beta = p.beta.get();
  for (long long at = firstIndex(); at < static_cast<long long>(p.m) * p.n; at += indexStep()) {
    const int i = static_cast<int>(at % p.m), j = static_cast<int>(at / p.m);
    E v = E(0);
    if (alpha != E(0)) {
      E e = p.a[transposes(p.opA) ? j + i * p.lda : i + j * p.lda];
      v = alpha * (conjugates(p.opA) ? conj(e) : e);
    }
    if (beta != E(0)) {
      E e = p.b[transposes(p.opB) ? j + i * p.ldb : i + j * p.ldb];
      v = v + beta * (conjugates(p.opB) ? conj(e) : e);
    }
    p.c[i + j * p.ldc] = v;
  }
}

template <class E> __device__ void dgmm(const Scale<E> &p) {
  for (long long at = firstIndex(); at < static_cast<long long>(p.m) * p.n; at += indexStep()) {
    const int i = static_cast<int>(at % p.m), j = static_cast<int>(at / p.m);
    p.c[i + j * p.ldc] = p.x[p.right ? j : i] * p.a[i + j * p.lda];
  }
}

KERNELS(mv, MatrixVector)
KERNELS(rank, RankUpdate)
KERNELS(solve, Solve)
// Calls f with each element of the triangle: its place in the packed matrix, and in the full one.
template <class E, class F> __device__ void eachOf(const Pack<E> &p, F f) {
  for (long long at = firstIndex(); at < static_cast<long long>(p.n) * p.n; at += indexStep()) {
    const long long i = at % p.n, j = at / p.n;
    if (p.upper ? i > j : i < j) continue;
    f(p.packed[p.upper ? i + j * (j + 1) / 2 : i + (2LL * p.n - j - 1) * j / 2], p.full[i + j * p.ld]);
  }
}
template <class E> __device__ void tpttr(const Pack<E> &p) {
  eachOf(p, [](const E &packed, E &full) { full = packed; });
}
template <class E> __device__ void trttp(const Pack<E> &p) {
  eachOf(p, [](E &packed, const E &full) { packed = full; });
}

KERNELS(tpttr, Pack)
KERNELS(trttp, Pack)
KERNELS(geam, Add)
KERNELS(dgmm, Scale)
