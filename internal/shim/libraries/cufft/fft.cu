// Transforms of lines.
#include "types.h"

using namespace fft;

#define KERNELS(name, Params)                                                        \
  extern "C" __global__ void c##name(const Params<float> p) { name<float>(p); }      \
  extern "C" __global__ void z##name(const Params<double> p) { name<double>(p); }

__device__ inline long long firstIndex() { return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; }
__device__ inline long long indexStep() { return gridDim.x * static_cast<long long>(blockDim.x); }

__device__ inline long long startOf(const Layout &l, int line) {
  long long at = 0;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    at += line % l.counts[d] * l.steps[d];
    line /= l.counts[d];
  }
  return at;
}

template <class R> __device__ __forceinline__ Complex<R> load(const Array<R> &a, long long start, int k, int n) {
  Complex<R> v(0);
  if (a.form == RealOnly) {
    v.x = static_cast<const R *>(a.data)[start + k * a.layout.step];
    return v;
  }
  const bool other = a.form == HalfOnly && k > n / 2;
  v = static_cast<const Complex<R> *>(a.data)[start + (other ? n - k : k) * a.layout.step];
  return a.conjugated != other ? conj(v) : v;
}

template <class R> __device__ __forceinline__ void store(const Array<R> &a, long long start, int k, int n, Complex<R> v) {
  if (a.form == RealOnly)
    static_cast<R *>(a.data)[start + k * a.layout.step] = v.x;
  else if (a.form == Whole || k <= n / 2)
    static_cast<Complex<R> *>(a.data)[start + k * a.layout.step] = a.conjugated ? conj(v) : v;
}

// The transforms of a few elements.
template <class R> __device__ __forceinline__ void transform2(Complex<R> &a, Complex<R> &b) {
  Complex<R> t = a - b;
  a = a + b;
  b = t;
}

template <class R> __device__ __forceinline__ void transform4(Complex<R> &a, Complex<R> &b, Complex<R> &c, Complex<R> &d) {
  transform2(a, c);
  transform2(b, d);
  d = Complex<R>(d.y, -d.x); // times -i
  transform2(a, b);
  transform2(c, d);
  Complex<R> t = b; // in order: a + b, c + d, a - b, c - d
  b = c;
  c = t;
}

template <class R> __device__ __forceinline__ void transform(Complex<R> (&v)[2], const Complex<R> *, int) { transform2(v[0], v[1]); }
template <class R> __device__ __forceinline__ void transform(Complex<R> (&v)[4], const Complex<R> *, int) { transform4(v[0], v[1], v[2], v[3]); }
template <class R> __device__ __forceinline__ void transform(Complex<R> (&v)[8], const Complex<R> *, int) {
  Complex<R> e[4] = {v[0], v[2], v[4], v[6]}, o[4] = {v[1], v[3], v[5], v[7]};
  transform4(e[0], e[1], e[2], e[3]);
  transform4(o[0], o[1], o[2], o[3]);
  const R h = static_cast<R>(0.70710678118654752440);
  o[1] = Complex<R>(h * (o[1].x + o[1].y), h * (o[1].y - o[1].x));
  o[2] = Complex<R>(o[2].y, -o[2].x);
  o[3] = Complex<R>(h * (o[3].y - o[3].x), -h * (o[3].x + o[3].y));
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = e[k] + o[k], v[k + 4] = e[k] - o[k];
}

// Of an odd number of elements, by the definition.
template <int radix, class R> __device__ __forceinline__ void transform(Complex<R> (&v)[radix], const Complex<R> *roots, int step) {
  Complex<R> w[radix], out[radix];
#pragma unroll
  for (int t = 0; t < radix; t++) w[t] = roots[t * step];
#pragma unroll
  for (int s = 0; s < radix; s++) {
    out[s] = v[0];
#pragma unroll
    for (int t = 1; t < radix; t++) out[s] = out[s] + w[s * t % radix] * v[t];
  }
#pragma unroll
  for (int s = 0; s < radix; s++) v[s] = out[s];
}

// One pass of one factor: element i + t * n / radix for all t go to places that lie the product of
// the factors before it apart.
template <int radix, class R> __device__ __forceinline__ void passOf(const Pass<R> &p) {
  const int each = p.n / radix;
  for (long long at = firstIndex(); at < static_cast<long long>(p.lines) * each; at += indexStep()) {
    const int line = static_cast<int>(at / each), i = static_cast<int>(at % each), k = i % p.before;
    const long long start = startOf(p.in.layout, line);
    Complex<R> v[radix];
#pragma unroll
    for (int t = 0; t < radix; t++) v[t] = load(p.in, start, i + t * each, p.n);
    if (p.before > 1) {
      const int turn = p.n / (p.before * radix);
#pragma unroll
      for (int t = 1; t < radix; t++) v[t] = p.roots[static_cast<long long>(k) * t * turn] * v[t];
    }
    transform(v, p.roots, each);
    const int first = (i - k) * radix + k;
    const long long end = startOf(p.out.layout, line);
#pragma unroll
    for (int s = 0; s < radix; s++) store(p.out, end, first + s * p.before, p.n, v[s]);
  }
}

// The same for any factor up to kMostFactor.
template <class R> __device__ void passAny(const Pass<R> &p) {
  const int radix = p.radix, each = p.n / radix;
  for (long long at = firstIndex(); at < static_cast<long long>(p.lines) * each; at += indexStep()) {
    const int line = static_cast<int>(at / each), i = static_cast<int>(at % each), k = i % p.before;
    const long long start = startOf(p.in.layout, line), turn = p.n / (p.before * radix);
    Complex<R> v[kMostFactor];
    for (int t = 0; t < radix; t++) v[t] = p.roots[k * t * turn] * load(p.in, start, i + t * each, p.n);
    const long long end = startOf(p.out.layout, line);
    for (int s = 0; s < radix; s++) {
      Complex<R> sum = v[0];
      for (int t = 1; t < radix; t++) sum = sum + p.roots[s * t % radix * static_cast<long long>(each)] * v[t];
      store(p.out, end, (i - k) * radix + k + s * p.before, p.n, sum);
    }
  }
}

template <class R> __device__ void pass(const Pass<R> &p) {
  switch (p.radix) {
  case 2: return passOf<2>(p);
  case 3: return passOf<3>(p);
  case 4: return passOf<4>(p);
  case 5: return passOf<5>(p);
  case 7: return passOf<7>(p);
  case 8: return passOf<8>(p);
  default: return passAny(p);
  }
}

// Bluestein's algorithm: the elements times the chirp, the transform times that of the chirp, and
// the result times the chirp.
template <class R> __device__ void chirpIn(const Chirp<R> &p) {
  for (long long at = firstIndex(); at < static_cast<long long>(p.lines) * p.m; at += indexStep()) {
    const int line = static_cast<int>(at / p.m), k = static_cast<int>(at % p.m);
    p.work[at] = k < p.n ? p.chirp[k] * load(p.user, startOf(p.user.layout, line), k, p.n) : Complex<R>(0);
  }
}

template <class R> __device__ void chirpTimes(const Chirp<R> &p) {
  for (long long at = firstIndex(); at < static_cast<long long>(p.lines) * p.m; at += indexStep())
    p.work[at] = conj(p.filter[at % p.m] * p.work[at]);
}

template <class R> __device__ void chirpOut(const Chirp<R> &p) {
  const R scale = R(1) / p.m;
  for (long long at = firstIndex(); at < static_cast<long long>(p.lines) * p.n; at += indexStep()) {
    const int line = static_cast<int>(at / p.n), k = static_cast<int>(at % p.n);
    const Complex<R> v = scale * conj(p.work[static_cast<long long>(line) * p.m + k]);
    store(p.user, startOf(p.user.layout, line), k, p.n, p.chirp[k] * v);
  }
}

KERNELS(pass, Pass)
KERNELS(chirpIn, Chirp)
KERNELS(chirpTimes, Chirp)
KERNELS(chirpOut, Chirp)
