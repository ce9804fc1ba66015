// Level 1: vectors ("cuBLAS", "cuBLAS Level-1 Function Reference").
#include <cmath>

#include "context.h"

using namespace blas;

namespace {

constexpr int kBlock = 256;

// axpy and the like: one thread for an element.
template <class E>
cublasStatus_t elements(cublasHandle_t h, const char *kernel, Elements<E> p, const E *x, int incx, const E *y, int incy) {
  if (p.n <= 0) return CUBLAS_STATUS_SUCCESS;
  REQUIRE(x, "x is null");
  p.x = vectorOf(const_cast<E *>(x), p.n, incx);
  p.y = vectorOf(const_cast<E *>(y), p.n, incy);
  return launch<E>(h, "level1", kernel, host::blocks(p.n, kBlock, 4096), kBlock, p);
}

// A result of a reduction: the kernel writes it where the program reads it on the device, or
// the call waits for it.
template <class E, class R>
cublasStatus_t reduce(cublasHandle_t h, const char *kernel, int kind, int n, const E *x, int incx, const E *y, int incy, R *result) {
  REQUIRE(result, "the result pointer is null");
  const bool onHost = h->pointers == CUBLAS_POINTER_MODE_HOST;
  // With one vector an increment that is not positive means that there is nothing.
  if (n <= 0 || (!y && incx <= 0)) {
    if (onHost) {
      *result = R(0);
      return CUBLAS_STATUS_SUCCESS;
    }
    return statusOf(host::services->fill(result, 0, sizeof *result, h->stream));
  }
  REQUIRE(x, "x is null");
  Reduce<E> p{kind, n, vectorOf(x, n, incx), vectorOf(y, n, incy), result};
  if (onHost) {
    cudaError_t e = h->scratch.need(sizeof *result);
    if (e != cudaSuccess) return statusOf(e);
    p.result = h->scratch.as<void>();
  }
  cublasStatus_t status = launch<E>(h, "level1", kernel, 1, 512, p);
  if (!onHost || status != CUBLAS_STATUS_SUCCESS) return status;
  cudaError_t e = host::services->copy(result, p.result, sizeof *result, h->stream);
  return statusOf(e == cudaSuccess ? host::services->wait(h->stream) : e);
}

// A real scalar for complex vectors.
template <class E, class R> cublasStatus_t scaleBy(cublasHandle_t h, int n, const R *alpha, E *x, int incx) {
  REQUIRE(alpha, "alpha is null");
  if (incx <= 0) return CUBLAS_STATUS_SUCCESS;
  Elements<E> p{n};
  if constexpr (std::is_same_v<E, R>) {
    p.a = scalarOf(h, alpha);
    return elements(h, "scal", p, x, incx, x, incx);
  } else {
    if (h->pointers == CUBLAS_POINTER_MODE_HOST) {
      p.a = valueOf(E(*alpha));
      return elements(h, "scal", p, x, incx, x, incx);
    }
    // The vector as one of twice as many real numbers, where its elements follow each other.
    if (incx != 1) return notSupported("a real alpha on the device for a complex vector with an increment");
    return scaleBy<R, R>(h, 2 * n, alpha, reinterpret_cast<R *>(x), 1);
  }
}

template <class E, class R, class S>
cublasStatus_t rotate(cublasHandle_t h, int n, E *x, int incx, E *y, int incy, const R *c, const S *s) {
  REQUIRE(c && s, "c or s is null");
  Elements<E> p{n};
  const bool onHost = h->pointers == CUBLAS_POINTER_MODE_HOST;
  if (onHost) {
    p.a = valueOf(E(*c));
    p.s = valueOf(E(*s));
  } else if constexpr (std::is_same_v<E, R> && std::is_same_v<E, S>) {
    p.a = scalarOf(h, c);
    p.s = scalarOf(h, s);
  } else {
    return notSupported("rot of complex vectors with c and s on the device");
  }
  return elements(h, "rot", p, x, incx, y, incy);
}

// Givens rotations are made on the host ("rotg" of the reference BLAS).
template <class R> cublasStatus_t makeRotation(cublasHandle_t h, R *a, R *b, R *c, R *s) {
  if (h->pointers != CUBLAS_POINTER_MODE_HOST) return notSupported("rotg with pointers to device memory");
  const R roe = std::fabs(*a) > std::fabs(*b) ? *a : *b, scale = std::fabs(*a) + std::fabs(*b);
  R r = 0, z = 0;
  *c = 1, *s = 0;
  if (scale != 0) {
    r = std::copysign(scale * std::sqrt((*a / scale) * (*a / scale) + (*b / scale) * (*b / scale)), roe);
    *c = *a / r, *s = *b / r;
    z = std::fabs(*a) > std::fabs(*b) ? *s : *c != 0 ? 1 / *c : R(1);
  }
  *a = r, *b = z;
  return CUBLAS_STATUS_SUCCESS;
}

template <class R> cublasStatus_t makeRotation(cublasHandle_t h, Complex<R> *a, const Complex<R> *b, R *c, Complex<R> *s) {
  if (h->pointers != CUBLAS_POINTER_MODE_HOST) return notSupported("rotg with pointers to device memory");
  const R x = std::hypot(a->x, a->y), y = std::hypot(b->x, b->y);
  if (x == 0) {
    *c = 0, *s = Complex<R>(1), *a = *b;
    return CUBLAS_STATUS_SUCCESS;
  }
  const R norm = std::hypot(x, y);
  const Complex<R> unit(a->x / x, a->y / x);
  *c = x / norm;
  *s = unit * conj(*b);
  *s = {s->x / norm, s->y / norm};
  *a = norm * unit;
  return CUBLAS_STATUS_SUCCESS;
}

// The parameters of a modified Givens rotation ("rotmg" of the reference BLAS).
template <class R> cublasStatus_t makeModified(cublasHandle_t h, R *d1, R *d2, R *x1, const R *y1, R *param) {
  if (h->pointers != CUBLAS_POINTER_MODE_HOST) return notSupported("rotmg with pointers to device memory");
  const R gam = 4096, gamsq = gam * gam, rgamsq = 1 / gamsq;
  R flag, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
  auto clear = [&] { flag = -1, h11 = h12 = h21 = h22 = 0, *d1 = *d2 = *x1 = 0; };
  if (*d1 < 0) {
    clear();
  } else {
    const R p2 = *d2 * *y1;
    if (p2 == 0) {
      param[0] = -2;
      return CUBLAS_STATUS_SUCCESS;
    }
    const R p1 = *d1 * *x1, q2 = p2 * *y1, q1 = p1 * *x1;
    if (std::fabs(q1) > std::fabs(q2)) {
      h21 = -*y1 / *x1, h12 = p2 / p1;
      const R u = 1 - h12 * h21;
      if (u > 0)
        flag = 0, *d1 /= u, *d2 /= u, *x1 *= u;
      else
        clear();
    } else if (q2 < 0) {
      clear();
    } else {
      flag = 1, h11 = p1 / p2, h22 = *x1 / *y1;
      const R u = 1 + h11 * h22, t = *d2 / u;
      *d2 = *d1 / u, *d1 = t, *x1 = *y1 * u;
    }
    auto whole = [&] {
      if (flag == 0) h11 = 1, h22 = 1;
      if (flag == 1) h21 = -1, h12 = 1;
      flag = -1;
    };
    while (*d1 != 0 && (*d1 <= rgamsq || *d1 >= gamsq)) {
      whole();
      const R g = *d1 <= rgamsq ? gam : 1 / gam;
      *d1 *= g * g, *x1 /= g, h11 /= g, h12 /= g;
    }
    while (*d2 != 0 && (std::fabs(*d2) <= rgamsq || std::fabs(*d2) >= gamsq)) {
      whole();
      const R g = std::fabs(*d2) <= rgamsq ? gam : 1 / gam;
      *d2 *= g * g, h21 /= g, h22 /= g;
    }
  }
  if (flag != 0) param[1] = h11, param[4] = h22;
  if (flag != 1) param[2] = h21, param[3] = h12;
  param[0] = flag;
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

extern "C" {

#define LEVEL1(L, T)                                                                                               \
  cublasStatus_t cublas##L##axpy_v2(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) { \
    CALL("cublas" #L "axpy", h);                                                                                   \
    REQUIRE(alpha, "alpha is null");                                                                               \
    Elements<Ours<T>> p{n};                                                                                  \
    p.a = scalarOf(h, ours(alpha));                                                                                \
    return elements(h, "axpy", p, ours(x), incx, ours(y), incy);                                                   \
  }                                                                                                                \
  cublasStatus_t cublas##L##scal_v2(cublasHandle_t h, int n, const T *alpha, T *x, int incx) {                     \
    CALL("cublas" #L "scal", h);                                                                                   \
    return scaleBy(h, n, ours(alpha), ours(x), incx);                                                              \
  }                                                                                                                \
  cublasStatus_t cublas##L##copy_v2(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) {               \
    CALL("cublas" #L "copy", h);                                                                                   \
    return elements(h, "copy", Elements<Ours<T>>{n}, ours(x), incx, ours(y), incy);                          \
  }                                                                                                                \
  cublasStatus_t cublas##L##swap_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) {                     \
    CALL("cublas" #L "swap", h);                                                                                   \
    return elements(h, "swap", Elements<Ours<T>>{n}, ours(x), incx, ours(y), incy);                          \
  }

#define EXTREMES(name, T)                                                                             \
  cublasStatus_t cublasI##name##amax_v2(cublasHandle_t h, int n, const T *x, int incx, int *result) { \
    CALL("cublasI" #name "amax", h);                                                                  \
    return reduce<Ours<T>>(h, "amax", Amax, n, ours(x), incx, nullptr, 0, result);              \
  }                                                                                                   \
  cublasStatus_t cublasI##name##amin_v2(cublasHandle_t h, int n, const T *x, int incx, int *result) { \
    CALL("cublasI" #name "amin", h);                                                                  \
    return reduce<Ours<T>>(h, "amax", Amin, n, ours(x), incx, nullptr, 0, result);              \
  }

LEVEL1(S, float)
LEVEL1(D, double)
LEVEL1(C, cuComplex)
LEVEL1(Z, cuDoubleComplex)
EXTREMES(s, float)
EXTREMES(d, double)
EXTREMES(c, cuComplex)
EXTREMES(z, cuDoubleComplex)

#define DOT(name, T, kind)                                                                                                       \
  cublasStatus_t cublas##name##_v2(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result) {             \
    CALL("cublas" #name, h);                                                                                                     \
    REQUIRE(n <= 0 || (x && y), "a vector is null");                                                                             \
    return reduce<Ours<T>>(h, "dot", kind, n, ours(x), incx, ours(y), incy, ours(result));                                 \
  }
DOT(Sdot, float, Dot)
DOT(Ddot, double, Dot)
DOT(Cdotu, cuComplex, Dot)
DOT(Cdotc, cuComplex, DotConj)
DOT(Zdotu, cuDoubleComplex, Dot)
DOT(Zdotc, cuDoubleComplex, DotConj)

#define NORM(name, kernel, kind, T, R)                                                                 \
  cublasStatus_t cublas##name##_v2(cublasHandle_t h, int n, const T *x, int incx, R *result) {         \
    CALL("cublas" #name, h);                                                                           \
    return reduce<Ours<T>>(h, kernel, kind, n, ours(x), incx, nullptr, 0, result);               \
  }
NORM(Snrm2, "nrm2", Nrm2, float, float)
NORM(Dnrm2, "nrm2", Nrm2, double, double)
NORM(Scnrm2, "nrm2", Nrm2, cuComplex, float)
NORM(Dznrm2, "nrm2", Nrm2, cuDoubleComplex, double)
NORM(Sasum, "asum", Asum, float, float)
NORM(Dasum, "asum", Asum, double, double)
NORM(Scasum, "asum", Asum, cuComplex, float)
NORM(Dzasum, "asum", Asum, cuDoubleComplex, double)

cublasStatus_t cublasCsscal_v2(cublasHandle_t h, int n, const float *alpha, cuComplex *x, int incx) {
  CALL("cublasCsscal", h);
  return scaleBy(h, n, alpha, ours(x), incx);
}
cublasStatus_t cublasZdscal_v2(cublasHandle_t h, int n, const double *alpha, cuDoubleComplex *x, int incx) {
  CALL("cublasZdscal", h);
  return scaleBy(h, n, alpha, ours(x), incx);
}

#define ROTATE(name, T, R, S)                                                                                                 \
  cublasStatus_t cublas##name##_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const R *c, const S *s) {         \
    CALL("cublas" #name, h);                                                                                                  \
    return rotate(h, n, ours(x), incx, ours(y), incy, ours(c), ours(s));                                                      \
  }
ROTATE(Srot, float, float, float)
ROTATE(Drot, double, double, double)
ROTATE(Crot, cuComplex, float, cuComplex)
ROTATE(Csrot, cuComplex, float, float)
ROTATE(Zrot, cuDoubleComplex, double, cuDoubleComplex)
ROTATE(Zdrot, cuDoubleComplex, double, double)

#define MAKE_ROTATION(L, T, R)                                                                \
  cublasStatus_t cublas##L##rotg_v2(cublasHandle_t h, T *a, T *b, R *c, T *s) {               \
    CALL("cublas" #L "rotg", h);                                                              \
    REQUIRE(a && b && c && s, "a pointer is null");                                           \
    return makeRotation(h, ours(a), ours(b), c, ours(s));                                     \
  }
MAKE_ROTATION(S, float, float)
MAKE_ROTATION(D, double, double)
MAKE_ROTATION(C, cuComplex, float)
MAKE_ROTATION(Z, cuDoubleComplex, double)

#define MODIFIED(L, T)                                                                                                        \
  cublasStatus_t cublas##L##rotm_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *param) {                \
    CALL("cublas" #L "rotm", h);                                                                                              \
    REQUIRE(param, "param is null");                                                                                          \
    Elements<T> p{n};                                                                                                         \
    if (h->pointers == CUBLAS_POINTER_MODE_HOST) {                                                                            \
      p.param[0] = param[0];                                                                                                  \
      if (param[0] == -1 || param[0] == 1) p.param[1] = param[1], p.param[4] = param[4];                                      \
      if (param[0] == -1 || param[0] == 0) p.param[2] = param[2], p.param[3] = param[3];                                      \
    } else {                                                                                                                  \
      p.flags = param;                                                                                                        \
    }                                                                                                                         \
    return elements(h, "rotm", p, x, incx, y, incy);                                                                          \
  }                                                                                                                           \
  cublasStatus_t cublas##L##rotmg_v2(cublasHandle_t h, T *d1, T *d2, T *x1, const T *y1, T *param) {                          \
    CALL("cublas" #L "rotmg", h);                                                                                             \
    REQUIRE(d1 && d2 && x1 && y1 && param, "a pointer is null");                                                              \
    return makeModified(h, d1, d2, x1, y1, param);                                                                            \
  }
MODIFIED(S, float)
MODIFIED(D, double)

} // extern "C"
