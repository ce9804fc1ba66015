// Vectors: level 1 of BLAS.
#include "kernels.h"

template <class E> __device__ void axpy(const Elements<E> &p) {
  const E a = p.a.get();
  if (a == E(0)) return;
  for (long long i = firstIndex(); i < p.n; i += indexStep()) p.y[i] = p.y[i] + a * p.x[i];
}

template <class E> __device__ void scal(const Elements<E> &p) {
  const E a = p.a.get();
  for (long long i = firstIndex(); i < p.n; i += indexStep()) p.x[i] = a * p.x[i];
}

template <class E> __device__ void copy(const Elements<E> &p) {
  for (long long i = firstIndex(); i < p.n; i += indexStep()) p.y[i] = p.x[i];
}

template <class E> __device__ void swap(const Elements<E> &p) {
  for (long long i = firstIndex(); i < p.n; i += indexStep()) {
    E t = p.x[i];
    p.x[i] = p.y[i];
    p.y[i] = t;
  }
}

// x' = c x + s y, y' = c y - conj(s) x
template <class E> __device__ void rot(const Elements<E> &p) {
  const E c = p.a.get(), s = p.s.get();
  for (long long i = firstIndex(); i < p.n; i += indexStep()) {
    E x = p.x[i], y = p.y[i];
    p.x[i] = c * x + s * y;
    p.y[i] = c * y - conj(s) * x;
  }
}

// The modified Givens rotation ("rotm"): param is flag, h11, h21, h12, h22.
template <class E> __device__ void rotm(const Elements<E> &p) {
  const E *q = p.flags ? p.flags : p.param;
  const E flag = q[0];
  if (flag == E(-2)) return;
  E h11 = 1, h21 = -1, h12 = 1, h22 = 1;
  if (flag != E(0)) h11 = q[1], h22 = q[4];
  if (flag != E(1)) h21 = q[2], h12 = q[3];
  for (long long i = firstIndex(); i < p.n; i += indexStep()) {
    E x = p.x[i], y = p.y[i];
    p.x[i] = h11 * x + h12 * y;
    p.y[i] = h21 * x + h22 * y;
  }
}

constexpr int kThreads = 512;

// The sum of a block's values, in thread 0.
template <class V> __device__ V sum(V v) {
  __shared__ V part[kThreads];
  part[threadIdx.x] = v;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + half];
  }
  __syncthreads();
  V all = part[0];
  __syncthreads();
  return all;
}

// The largest value of a block (the smallest if least), and the first index that has it.
template <class R> __device__ R extreme(R v, int at, bool least, int *where) {
  __shared__ R value[kThreads];
  __shared__ int index[kThreads];
  value[threadIdx.x] = v;
  index[threadIdx.x] = at;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      R a = value[threadIdx.x], b = value[threadIdx.x + half];
      int i = index[threadIdx.x], j = index[threadIdx.x + half];
      bool other = i < 0 || (j >= 0 && ((least ? b < a : b > a) || (b == a && j < i)));
      if (other) {
        value[threadIdx.x] = b;
        index[threadIdx.x] = j;
      }
    }
  }
  __syncthreads();
  R best = value[0];
  *where = index[0];
  __syncthreads();
  return best;
}

template <class E> struct WideOf { using type = double; };
template <class R> struct WideOf<Complex<R>> { using type = Complex<double>; };
__device__ inline double widen(float a) { return a; }
__device__ inline double widen(double a) { return a; }
template <class R> __device__ Complex<double> widen(Complex<R> a) { return {a.x, a.y}; }
template <class E> __device__ E narrow(double a) { return static_cast<E>(a); }
template <class E> __device__ E narrow(Complex<double> a) { return E(static_cast<Real<E>>(a.x), static_cast<Real<E>>(a.y)); }

// Products are added in double precision.
template <class E> __device__ void dot(const Reduce<E> &p) {
  using W = typename WideOf<E>::type;
  W all = W(0);
  for (int i = threadIdx.x; i < p.n; i += kThreads) all = all + widen(p.kind == DotConj ? conj(p.x[i]) : p.x[i]) * widen(p.y[i]);
  all = sum(all);
  if (threadIdx.x == 0) *static_cast<E *>(p.result) = narrow<E>(all);
}

template <class E> __device__ void asum(const Reduce<E> &p) {
  double all = 0;
  for (int i = threadIdx.x; i < p.n; i += kThreads) all += sizeOf(p.x[i]);
  all = sum(all);
  if (threadIdx.x == 0) *static_cast<Real<E> *>(p.result) = static_cast<Real<E>>(all);
}

// The norm of x divided by its largest part, so that no square overflows.
template <class E> __device__ void nrm2(const Reduce<E> &p) {
  double most = 0, all = 0;
  int where;
  for (int i = threadIdx.x; i < p.n; i += kThreads) most = fmax(most, fmax(fabs(double(realPart(p.x[i]))), fabs(double(imaginary(p.x[i])))));
  most = extreme(most, 0, false, &where);
  if (most > 0 && most <= 1.7976931348623157e308)
    for (int i = threadIdx.x; i < p.n; i += kThreads) {
      double re = realPart(p.x[i]) / most, im = imaginary(p.x[i]) / most;
      all += re * re + im * im;
    }
  else if (most > 0)
    all = 1;
  all = sum(all);
  if (threadIdx.x == 0) *static_cast<Real<E> *>(p.result) = static_cast<Real<E>>(most * sqrt(all));
}

// The index from 1 of the first element of the largest or the smallest size.
template <class E> __device__ void amax(const Reduce<E> &p) {
  Real<E> best = 0;
  int at = -1;
  const bool least = p.kind == Amin;
  for (int i = threadIdx.x; i < p.n; i += kThreads) {
    Real<E> v = sizeOf(p.x[i]);
    if (at < 0 || (least ? v < best : v > best)) best = v, at = i;
  }
  extreme(best, at, least, &at);
  if (threadIdx.x == 0) *static_cast<int *>(p.result) = at + 1;
}

KERNELS(axpy, Elements)
KERNELS(scal, Elements)
KERNELS(copy, Elements)
KERNELS(swap, Elements)
KERNELS(rot, Elements)
REAL_KERNELS(rotm, Elements)
KERNELS(dot, Reduce)
KERNELS(asum, Reduce)
KERNELS(nrm2, Reduce)
KERNELS(amax, Reduce)
