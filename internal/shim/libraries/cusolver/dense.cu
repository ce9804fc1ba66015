// Factorizations of dense matrices. A block does all of one, but for products with reflections.
#include "types.h"

using namespace solver;

#define KERNEL(letter, type, name, Params) \
  extern "C" __global__ void letter##name(const Params<type> p) { name(p); }
#define KERNELS(name, Params)                                     \
  KERNEL(s, float, name, Params) KERNEL(d, double, name, Params)  \
  KERNEL(c, Complex<float>, name, Params) KERNEL(z, Complex<double>, name, Params)

constexpr int kThreads = 128, kWarps = kThreads / 32;

template <class R> __device__ R squareOf(R a) { return a * a; }
template <class R> __device__ R squareOf(Complex<R> a) { return a.x * a.x + a.y * a.y; }
template <class R> __device__ R times(R a, R b) { return a * b; }
template <class R> __device__ Complex<R> times(R a, Complex<R> b) { return {a * b.x, a * b.y}; }

__device__ __forceinline__ float shuffled(float v, int half) { return __shfl_xor_sync(~0u, v, half); }
__device__ __forceinline__ double shuffled(double v, int half) { return __shfl_xor_sync(~0u, v, half); }
template <class R> __device__ __forceinline__ Complex<R> shuffled(Complex<R> v, int half) { return {shuffled(v.x, half), shuffled(v.y, half)}; }

// The sum of a warp's values, in each lane.
template <class V> __device__ V warpSum(V v) {
  for (int half = 16; half > 0; half /= 2) v = v + shuffled(v, half);
  return v;
}

// The sum of a block's values, in each thread.
template <class V> __device__ V blockSum(V v) {
  __shared__ V part[kWarps];
  v = warpSum(v);
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  V all = part[0];
  for (int w = 1; w < kWarps; w++) all = all + part[w];
  return all;
}

// Element (i, j), i >= j, of the lower factor L, which the upper triangle holds as its adjoint.
template <class E> struct Lower {
  const Cholesky<E> &p;
  __device__ E get(int i, int j) const { return p.upper ? conj(p.a[j + i * p.lda]) : p.a[i + j * p.lda]; }
  __device__ void set(int i, int j, E v) const { (p.upper ? p.a[j + i * p.lda] : p.a[i + j * p.lda]) = p.upper ? conj(v) : v; }
};

template <class E> __device__ void potrf(const Cholesky<E> &p) {
  const Lower<E> l{p};
  int info = 0;
  for (int k = 0; k < p.n && info == 0; k++) {
    const Real<E> d = realPart(l.get(k, k));
    __syncthreads();
    if (!(d > 0)) {
      info = k + 1;
      break;
    }
    const Real<E> root = sqrt(d);
    if (threadIdx.x == 0) l.set(k, k, E(root));
    for (int i = k + 1 + threadIdx.x; i < p.n; i += blockDim.x) l.set(i, k, times(1 / root, l.get(i, k)));
    __syncthreads();
    const int left = p.n - k - 1;
    for (long long at = threadIdx.x; at < static_cast<long long>(left) * left; at += blockDim.x) {
      const int i = k + 1 + static_cast<int>(at % left), j = k + 1 + static_cast<int>(at / left);
      if (i >= j) l.set(i, j, l.get(i, j) - l.get(i, k) * conj(l.get(j, k)));
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *p.info = info;
}

// QR: reflection k annihilates column k below the diagonal ("LAPACK", larfg and larf).
template <class E> __device__ void geqrf(const Reflections<E> &p) {
  using R = Real<E>;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int k = 0; k < p.count; k++) {
    E *column = p.a + k * p.lda;
    R squares = 0;
    for (int i = k + 1 + threadIdx.x; i < p.m; i += kThreads) squares += squareOf(column[i]);
    squares = blockSum(squares);
    const E alpha = column[k];
    E tau = E(0);
    __syncthreads();
    if (squares != 0 || imaginary(alpha) != 0) {
      const R norm = sqrt(squareOf(alpha) + squares), beta = realPart(alpha) >= 0 ? -norm : norm;
      tau = times(1 / beta, E(beta) - alpha);
      const E scale = E(1) / (alpha - E(beta));
      for (int i = k + 1 + threadIdx.x; i < p.m; i += kThreads) column[i] = scale * column[i];
      if (threadIdx.x == 0) column[k] = E(beta);
    }
    if (threadIdx.x == 0) p.tau[k] = tau;
    __syncthreads();
    for (int j = k + 1 + warp; j < p.n; j += kWarps) {
      E *to = p.a + j * p.lda;
      E sum = lane == 0 ? to[k] : E(0);
      for (int i = k + 1 + lane; i < p.m; i += 32) sum = sum + conj(column[i]) * to[i];
      sum = conj(tau) * warpSum(sum);
      if (lane == 0) to[k] = to[k] - sum;
      for (int i = k + 1 + lane; i < p.m; i += 32) to[i] = to[i] - sum * column[i];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0 && p.info) *p.info = 0;
}

// C = op(Q) C or C op(Q): a warp has one column of C, or one row.
template <class E> __device__ void applyQ(const Reflections<E> &p) {
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32 * gridDim.x;
  const int lines = p.right ? p.m : p.n, length = p.right ? p.n : p.m;
  const long long step = p.right ? p.ldc : 1, next = p.right ? 1 : p.ldc;
  const bool forward = p.right != p.adjoint;
  for (int line = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; line < lines; line += warps) {
    E *c = p.c + line * next;
    for (int s = 0; s < p.count; s++) {
      const int k = forward ? s : p.count - 1 - s;
      const E *v = p.a + k * p.lda;
      E tau = p.tau[k];
      if (p.adjoint) tau = conj(tau);
      E sum = lane == 0 ? c[k * step] : E(0);
      for (int i = k + 1 + lane; i < length; i += 32) sum = sum + (p.right ? v[i] : conj(v[i])) * c[i * step];
      sum = tau * warpSum(sum);
      if (lane == 0) c[k * step] = c[k * step] - sum;
      for (int i = k + 1 + lane; i < length; i += 32) c[i * step] = c[i * step] - sum * (p.right ? conj(v[i]) : v[i]);
      __syncwarp(); // the next reflection's lanes begin at another element
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0 && p.info) *p.info = 0;
}

// The unit matrix.
template <class E> __device__ void identity(const Reflections<E> &p) {
  for (long long at = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; at < static_cast<long long>(p.m) * p.n; at += static_cast<long long>(gridDim.x) * blockDim.x)
    p.c[at % p.m + at / p.m * p.ldc] = at % p.m == at / p.m ? E(1) : E(0);
}

// The rotation that annihilates the element between two rows of a Hermitian matrix: its columns are
// (c, -s conj(u)) and (s, c conj(u)).
template <class E> struct Rotation {
  Real<E> c, s;
  E u;
  __device__ Rotation(Real<E> first, Real<E> second, E between, Real<E> size) {
    using R = Real<E>;
    u = times(1 / size, between);
    const R theta = (second - first) / (2 * size), t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    c = 1 / sqrt(t * t + 1);
    s = t * c;
  }
  // Two elements of a row, as columns are combined; with the adjoint, of a column, as rows are.
  __device__ void apply(E &a, E &b, bool adjoint) const {
    const E x = a, y = (adjoint ? u : conj(u)) * b;
    a = times(c, x) - times(s, y);
    b = times(s, x) + times(c, y);
  }
};

template <class R> constexpr R epsilon = R(1.2e-7);
template <> constexpr double epsilon<double> = 2.3e-16;

// The order of numbers by size, by one thread: insertion.
template <class R> __device__ void sortOrder(const R *w, int *order, int n, bool descending) {
  for (int i = 0; i < n; i++) {
    int at = i;
    for (; at > 0 && (descending ? w[order[at - 1]] < w[i] : w[order[at - 1]] > w[i]); at--) order[at] = order[at - 1];
    order[at] = i;
  }
}

template <class E> __device__ void eigen(const Eigen<E> &p) {
  using R = Real<E>;
  const int n = p.n;
  R squares = 0;
  for (int at = threadIdx.x; at < n * n; at += kThreads) {
    const int i = at % n, j = at / n;
    const bool given = p.upper ? i <= j : i >= j;
    const E v = i == j ? E(realPart(p.a[i + i * p.lda])) : given ? p.a[i + j * p.lda] : conj(p.a[j + i * p.lda]);
    p.full[at] = v;
    p.v[at] = i == j ? E(1) : E(0);
    squares += squareOf(v);
  }
  const R least = epsilon<R> * sqrt(blockSum(squares)) / n;
  __syncthreads();
  int rotations = 1, sweep = 0;
  for (; sweep < p.sweeps && rotations > 0; sweep++) {
    rotations = 0;
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) {
        const E between = p.full[i + j * n];
        const R size = sqrt(squareOf(between));
        if (!(size > least)) continue;
        rotations++;
        const Rotation<E> r(realPart(p.full[i + i * n]), realPart(p.full[j + j * n]), between, size);
        __syncthreads();
        for (int k = threadIdx.x; k < n; k += kThreads) {
          r.apply(p.full[k + i * n], p.full[k + j * n], false);
          r.apply(p.v[k + i * n], p.v[k + j * n], false);
        }
        __syncthreads();
        for (int k = threadIdx.x; k < n; k += kThreads) r.apply(p.full[i + k * n], p.full[j + k * n], true);
        __syncthreads();
      }
  }
  if (p.done) {
    R left = 0;
    for (int at = threadIdx.x; at < n * n; at += kThreads)
      if (at % n != at / n) left += squareOf(p.full[at]);
    left = sqrt(blockSum(left));
    if (threadIdx.x == 0) p.done[0] = sweep, p.done[1] = left;
  }
  R *diagonal = p.w;
  for (int i = threadIdx.x; i < n; i += kThreads) diagonal[i] = realPart(p.full[i + i * n]);
  __syncthreads();
  if (threadIdx.x == 0) sortOrder(diagonal, p.order, n, false);
  __syncthreads();
  if (p.vectors)
    for (int at = threadIdx.x; at < n * n; at += kThreads) p.a[at % n + at / n * p.lda] = p.v[at % n + p.order[at / n] * n];
  for (int i = threadIdx.x; i < n; i += kThreads) p.full[i] = E(diagonal[p.order[i]]);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += kThreads) p.w[i] = realPart(p.full[i]);
  if (threadIdx.x == 0) *p.info = rotations > 0 ? n + 1 : 0;
}

// Makes column j of u one of length 1 that is orthogonal to those before it, of unit vectors from first on.
template <class E> __device__ void complete(const Singular<E> &p, int j, int *first) {
  using R = Real<E>;
  E *u = p.u + j * p.ldu;
  for (;; ++*first) {
    for (int i = threadIdx.x; i < p.m; i += kThreads) u[i] = i == *first ? E(1) : E(0);
    __syncthreads();
    R squares = 0;
    for (int again = 0; again < 2; again++) {
      for (int l = 0; l < j; l++) {
        E sum = E(0);
        for (int i = threadIdx.x; i < p.m; i += kThreads) sum = sum + conj(p.u[i + l * p.ldu]) * u[i];
        sum = blockSum(sum);
        for (int i = threadIdx.x; i < p.m; i += kThreads) u[i] = u[i] - sum * p.u[i + l * p.ldu];
        __syncthreads();
      }
      squares = 0;
      for (int i = threadIdx.x; i < p.m; i += kThreads) squares += squareOf(u[i]);
      squares = blockSum(squares);
    }
    if (squares * 2 * p.m >= 1) {
      for (int i = threadIdx.x; i < p.m; i += kThreads) u[i] = times(1 / sqrt(squares), u[i]);
      __syncthreads();
      return;
    }
  }
}

template <class E> __device__ void singular(const Singular<E> &p) {
  using R = Real<E>;
  const int m = p.m, n = p.n;
  for (long long at = threadIdx.x; at < static_cast<long long>(m) * n; at += kThreads) {
    const int i = static_cast<int>(at % m), j = static_cast<int>(at / m);
    p.b[at] = p.adjoint ? conj(p.a[j + i * p.lda]) : p.a[i + j * p.lda];
  }
  for (int at = threadIdx.x; at < n * n; at += kThreads) p.v[at] = at % n == at / n ? E(1) : E(0);
  __syncthreads();
  int rotations = 1, sweep = 0;
  double left = 0;
  for (; sweep < p.sweeps && rotations > 0; sweep++) {
    rotations = 0;
    left = 0;
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) {
        R first = 0, second = 0;
        E between = E(0);
        for (int k = threadIdx.x; k < m; k += kThreads) {
          const E x = p.b[k + static_cast<long long>(i) * m], y = p.b[k + static_cast<long long>(j) * m];
          first += squareOf(x);
          second += squareOf(y);
          between = between + conj(x) * y;
        }
        first = blockSum(first);
        second = blockSum(second);
        between = blockSum(between);
        const R size = sqrt(squareOf(between));
        if (first > 0) left += double(size) * size / first;
        if (!(size > 4 * epsilon<R> * sqrt(first) * sqrt(second))) continue;
        rotations++;
        const Rotation<E> r(first, second, between, size);
        for (int k = threadIdx.x; k < m; k += kThreads) r.apply(p.b[k + static_cast<long long>(i) * m], p.b[k + static_cast<long long>(j) * m], false);
        for (int k = threadIdx.x; k < n; k += kThreads) r.apply(p.v[k + i * n], p.v[k + j * n], false);
        __syncthreads();
      }
  }
  if (p.done && threadIdx.x == 0) p.done[0] = sweep, p.done[1] = sqrt(left); // before the last sweep, which changes nothing if all converged
  R most = 0;
  for (int j = 0; j < n; j++) {
    R squares = 0;
    for (int k = threadIdx.x; k < m; k += kThreads) squares += squareOf(p.b[k + static_cast<long long>(j) * m]);
    squares = sqrt(blockSum(squares));
    most = fmax(most, squares);
    if (threadIdx.x == 0) p.s[j] = squares;
  }
  __syncthreads();
  if (threadIdx.x == 0) sortOrder(p.s, p.order, n, true);
  __syncthreads();
  int unit = 0;
  if (p.u)
    for (int j = 0; j < p.columns; j++) {
      const R s = j < n ? p.s[p.order[j]] : R(0);
      if (s > m * epsilon<R> * most)
        for (int k = threadIdx.x; k < m; k += kThreads) p.u[k + j * p.ldu] = times(1 / s, p.b[k + static_cast<long long>(p.order[j]) * m]);
      else
        complete(p, j, &unit);
      __syncthreads();
    }
  if (p.right)
    for (int at = threadIdx.x; at < n * n; at += kThreads) {
      const int i = at % n, j = at / n;
      const E v = p.v[i + p.order[j] * n];
      if (p.rows)
        p.right[j + i * p.ldr] = conj(v);
      else
        p.right[i + j * p.ldr] = v;
    }
  for (int j = threadIdx.x; j < n; j += kThreads) p.b[j] = E(p.s[p.order[j]]);
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += kThreads) p.s[j] = realPart(p.b[j]);
  if (threadIdx.x == 0) *p.info = rotations > 0 ? n + 1 : 0;
}

template <class E> __device__ void move(const Move<E> &p) {
  for (long long at = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; at < static_cast<long long>(p.rows) * p.cols;
       at += static_cast<long long>(gridDim.x) * blockDim.x) {
    const int i = static_cast<int>(at % p.rows), j = static_cast<int>(at / p.rows);
    if ((p.part == UpperPart && i > j) || (p.part == LowerPart && i < j) || (!p.diagonal && i == j)) continue;
    const bool other = p.adjoint || (p.part == UpperToWhole && i > j) || (p.part == LowerToWhole && i < j);
    const E v = other ? conj(p.from[j + i * p.ldFrom]) : p.from[i + j * p.ldFrom];
    p.to[i + j * p.ldTo] = p.part >= UpperToWhole && i == j ? E(realPart(v)) : v;
  }
}

KERNELS(move, Move)
KERNELS(potrf, Cholesky)
KERNELS(geqrf, Reflections)
KERNELS(applyQ, Reflections)
KERNELS(identity, Reflections)
KERNELS(eigen, Eigen)
KERNELS(singular, Singular)
