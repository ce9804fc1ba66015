// Numbers as kernels and host code share them: complex ones, and scalars that are read on the
// host or on the device.
#pragma once

#ifdef __CUDACC__
#define WG_BOTH __host__ __device__ __forceinline__
#else
#define WG_BOTH inline
#endif

// A complex number, in memory like cuComplex and cuDoubleComplex.
template <class R> struct alignas(2 * sizeof(R)) Complex {
  R x, y;
  Complex() = default;
  WG_BOTH Complex(R x, R y = 0) : x(x), y(y) {}
};

template <class R> WG_BOTH Complex<R> operator+(Complex<R> a, Complex<R> b) { return {a.x + b.x, a.y + b.y}; }
template <class R> WG_BOTH Complex<R> operator-(Complex<R> a, Complex<R> b) { return {a.x - b.x, a.y - b.y}; }
template <class R> WG_BOTH Complex<R> operator-(Complex<R> a) { return {-a.x, -a.y}; }
template <class R> WG_BOTH Complex<R> operator*(Complex<R> a, Complex<R> b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <class R> WG_BOTH Complex<R> operator*(R a, Complex<R> b) { return {a * b.x, a * b.y}; }
template <class R> WG_BOTH bool operator==(Complex<R> a, Complex<R> b) { return a.x == b.x && a.y == b.y; }
template <class R> WG_BOTH bool operator!=(Complex<R> a, Complex<R> b) { return !(a == b); }
template <class R> WG_BOTH Complex<R> operator/(Complex<R> a, Complex<R> b) { // Smith's method, which does not overflow
  R ax = b.x < 0 ? -b.x : b.x, ay = b.y < 0 ? -b.y : b.y;
  if (ax >= ay) {
    R r = b.y / b.x, d = b.x + b.y * r;
    return {(a.x + a.y * r) / d, (a.y - a.x * r) / d};
  }
  R r = b.x / b.y, d = b.x * r + b.y;
  return {(a.x * r + a.y) / d, (a.y * r - a.x) / d};
}

// The real type of a type of numbers, and parts of a number.
template <class T> struct RealOf { using type = T; };
template <class R> struct RealOf<Complex<R>> { using type = R; };
template <class T> using Real = typename RealOf<T>::type;
template <class T> WG_BOTH T conj(T a) { return a; }
template <class R> WG_BOTH Complex<R> conj(Complex<R> a) { return {a.x, -a.y}; }
template <class T> WG_BOTH T realPart(T a) { return a; }
template <class R> WG_BOTH R realPart(Complex<R> a) { return a.x; }
template <class T> WG_BOTH T imaginary(T) { return 0; }
template <class R> WG_BOTH R imaginary(Complex<R> a) { return a.y; }
template <class T> WG_BOTH T sizeOf(T a) { return a < 0 ? -a : a; } // |re| + |im|, as BLAS compares complex numbers
template <class R> WG_BOTH R sizeOf(Complex<R> a) { return sizeOf(a.x) + sizeOf(a.y); }

// A scalar of the program: its value, or where device code reads it.
template <class T> struct Scalar {
  T value;
  const T *from;
  WG_BOTH T get() const { return from ? *from : value; }
};
