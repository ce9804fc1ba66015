// The handle of cuSOLVER, and its methods for one dense matrix. Workspaces are the library's own: those of programs may be of
// any size.
#pragma once

#include "cusolverDn.h"

#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "../cublas/types.h"
#include "../host.h"
#include "types.h"

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t deterministic = CUSOLVER_DETERMINISTIC_RESULTS;
  host::Memory scratch;
  host::Memory whole; // of functions that are made of others
};

struct cusolverDnParams {};

// The settings of Jacobi's method.
struct syevjInfo {
  double tolerance = 0;
  int sweeps = 30;
  bool sorted = true;
  host::Memory done; // what the kernel says of it: see Eigen
  cudaStream_t stream = nullptr;
};
struct gesvdjInfo : syevjInfo {};

namespace solver {

using host::letter, host::ours, host::Ours;
using Status = cusolverStatus_t;

extern host::Kernels kernels, blasKernels;

LIBRARY_STATUS(Status, CUSOLVER_STATUS)

inline int larger(int a, int b) { return a > b ? a : b; }
inline int smaller(int a, int b) { return a < b ? a : b; }
inline bool isTriangle(cublasFillMode_t u) { return u == CUBLAS_FILL_MODE_LOWER || u == CUBLAS_FILL_MODE_UPPER; }

template <class E, class P> Status launch(cusolverDnHandle_t h, const char *kernel, dim3 grid, const P &p) {
  return statusOf(kernels.launch("dense", letter<E> + std::string(kernel), grid, 128, h->stream, p));
}

template <class E> Status clear(cusolverDnHandle_t h, E *info) { return statusOf(host::services->fill(info, 0, sizeof *info, h->stream)); }

// Solves op(A) x = b for a triangle of A.
template <class E>
Status substitute(cusolverDnHandle_t h, bool upper, bool unit, int op, int n, int sides, const E *a, int lda, E *b, int ldb) {
  blas::Solve<E> p{{a, lda, blas::Full, blas::Triangular, op, upper, unit, n, n, 0, 0}};
  p.b = b, p.step = 1, p.next = ldb, p.n = n, p.sides = sides, p.batch = 1;
  p.alpha = {E(1), nullptr};
  return statusOf(blasKernels.launch("level2", letter<E> + std::string("solve"), host::blocks(sides, 1, 1 << 16), 128, h->stream, p));
}

template <class E> Status potrf(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, E *a, int lda, int *info) {
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0 && lda >= larger(1, n), "n is negative or lda less than n");
  return launch<E>(h, "potrf", 1, Cholesky<E>{n, a, lda, uplo == CUBLAS_FILL_MODE_UPPER, info});
}

template <class E>
Status potrs(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, int sides, const E *a, int lda, E *b, int ldb, int *info) {
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0 && sides >= 0 && lda >= larger(1, n) && ldb >= larger(1, n), "a size is negative or a leading dimension less than n");
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  if (n > 0 && sides > 0) {
    TRY(substitute(h, upper, false, upper ? blas::C : blas::N, n, sides, a, lda, b, ldb));
    TRY(substitute(h, upper, false, upper ? blas::N : blas::C, n, sides, a, lda, b, ldb));
  }
  return clear(h, info);
}

template <class E> Status getrf(cusolverDnHandle_t h, int m, int n, E *a, int lda, blas::Pivots pivots, int *info) {
  REQUIRE(m >= 0 && n >= 0 && lda >= larger(1, m), "a size is negative or lda less than m");
  blas::Factor<E> p{m, n, a, nullptr, lda, pivots, info, 1};
  return statusOf(blasKernels.launch("lu", letter<E> + std::string("getrf"), 1, 128, h->stream, p));
}

template <class E>
Status getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int sides, const E *a, int lda, blas::Pivots pivots, E *b, int ldb, int *info) {
  REQUIRE(op >= CUBLAS_OP_N && op <= CUBLAS_OP_C, "trans is not a cublasOperation_t");
  REQUIRE(n >= 0 && sides >= 0 && lda >= larger(1, n) && ldb >= larger(1, n), "a size is negative or a leading dimension less than n");
  if (n == 0 || sides == 0) return clear(h, info);
  const bool plain = op == CUBLAS_OP_N;
  const auto exchange = [&](bool back) {
    if (!pivots.any()) return CUSOLVER_STATUS_SUCCESS;
    blas::Exchange<E> p{n, sides, b, nullptr, ldb, pivots, back, 1};
    return statusOf(blasKernels.launch("lu", letter<E> + std::string("laswp"), host::blocks(sides, 64, 1 << 16), 64, h->stream, p));
  };
  if (plain) TRY(exchange(false));
  TRY(substitute(h, !plain, plain, op, n, sides, a, lda, b, ldb));
  TRY(substitute(h, plain, !plain, op, n, sides, a, lda, b, ldb));
  if (!plain) TRY(exchange(true));
  return clear(h, info);
}

template <class E> Status geqrf(cusolverDnHandle_t h, int m, int n, E *a, int lda, E *tau, int *info) {
  REQUIRE(m >= 0 && n >= 0 && lda >= larger(1, m), "a size is negative or lda less than m");
  Reflections<E> p{m, n, smaller(m, n), a, lda, tau};
  p.info = info;
  return launch<E>(h, "geqrf", 1, p);
}

// C = op(Q) C or C op(Q), of Q's first k reflections.
template <class E>
Status ormqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const E *a, int lda, const E *tau, E *c,
             int ldc, int *info) {
  REQUIRE(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT, "side is not a cublasSideMode_t");
  REQUIRE(op >= CUBLAS_OP_N && op <= CUBLAS_OP_C, "trans is not a cublasOperation_t");
  constexpr bool complex = !std::is_same_v<E, Real<E>>;
  REQUIRE(!complex || op != CUBLAS_OP_T, "trans is CUBLAS_OP_T for complex matrices");
  const bool right = side == CUBLAS_SIDE_RIGHT;
  const int order = right ? n : m;
  REQUIRE(m >= 0 && n >= 0 && k >= 0 && k <= order, "a size is negative, or k larger than Q");
  REQUIRE(lda >= larger(1, order) && ldc >= larger(1, m), "a leading dimension is less than the rows");
  Reflections<E> p{m, n, k, const_cast<E *>(a), lda, const_cast<E *>(tau), c, ldc, right, op != CUBLAS_OP_N, info};
  return launch<E>(h, "applyQ", host::blocks(right ? m : n, 4, 1 << 16), p);
}

// Q's first n columns in the place of its reflections.
template <class E> Status orgqr(cusolverDnHandle_t h, int m, int n, int k, E *a, int lda, const E *tau, int *info) {
  REQUIRE(n >= 0 && m >= n && k >= 0 && k <= n, "the sizes are not those of Q");
  REQUIRE(lda >= larger(1, m), "lda is less than m");
  if (n == 0) return clear(h, info);
  const size_t column = sizeof(E) * m;
  TRY(statusOf(h->scratch.need(column * n)));
  E *copy = h->scratch.as<E>();
  TRY(statusOf(host::services->copy2D(copy, column, a, sizeof(E) * lda, column, k, h->stream)));
  Reflections<E> p{m, n, k, copy, m, const_cast<E *>(tau), a, lda, false, false, info};
  TRY(launch<E>(h, "identity", host::blocks(static_cast<int64_t>(m) * n, 128, 1 << 16), p));
  return launch<E>(h, "applyQ", host::blocks(n, 4, 1 << 16), p);
}

// Parts of the scratch memory, one after the other.
class Parts {
public:
  explicit Parts(cusolverDnHandle_t h) : h_(h) {}
  template <class T> size_t add(size_t n) {
    const size_t at = (size_ + 15) / 16 * 16;
    size_ = at + n * sizeof(T);
    return at;
  }
  cudaError_t take() { return h_->scratch.need(size_); }
  template <class T> T *at(size_t offset) const { return reinterpret_cast<T *>(h_->scratch.as<char>() + offset); }

private:
  cusolverDnHandle_t h_;
  size_t size_ = 0;
};

// Room for what a kernel says of its sweeps, if the program has asked for a description of them.
inline Status record(cusolverDnHandle_t h, syevjInfo *params, double **done) {
  if (!params) return CUSOLVER_STATUS_SUCCESS;
  TRY_CUDA(params->done.need(2 * sizeof(double)));
  params->stream = h->stream;
  *done = params->done.as<double>();
  return CUSOLVER_STATUS_SUCCESS;
}

template <class E>
Status eigen(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, E *a, int lda, Real<E> *w, int *info, int sweeps, syevjInfo *params = nullptr) {
  REQUIRE(jobz == CUSOLVER_EIG_MODE_NOVECTOR || jobz == CUSOLVER_EIG_MODE_VECTOR, "jobz is not a cusolverEigMode_t");
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0 && lda >= larger(1, n), "n is negative or lda less than n");
  if (n == 0) return clear(h, info);
  const size_t all = static_cast<size_t>(n) * n;
  Parts parts(h);
  const size_t full = parts.add<E>(all), v = parts.add<E>(all), order = parts.add<int>(n);
  TRY(statusOf(parts.take()));
  Eigen<E> p{n, a, lda, uplo == CUBLAS_FILL_MODE_UPPER, jobz == CUSOLVER_EIG_MODE_VECTOR, parts.at<E>(full), parts.at<E>(v), w,
             parts.at<int>(order), info, sweeps, nullptr};
  TRY(record(h, params, &p.done));
  return launch<E>(h, "eigen", 1, p);
}

// A = U S V^H; u and right as in Singular.
template <class E>
Status singular(cusolverDnHandle_t h, bool adjoint, int m, int n, const E *a, int lda, Real<E> *s, E *u, int ldu, int columns, E *right, int ldr,
                bool rows, int *info, int sweeps, syevjInfo *params = nullptr) {
  if (m == 0 || n == 0) return clear(h, info);
  if (adjoint) {
    int t = m;
    m = n, n = t;
  }
  Parts parts(h);
  const size_t b = parts.add<E>(static_cast<size_t>(m) * n), v = parts.add<E>(static_cast<size_t>(n) * n), order = parts.add<int>(n);
  TRY(statusOf(parts.take()));
  Singular<E> p{m, n, a, lda, adjoint, parts.at<E>(b), parts.at<E>(v), s, parts.at<int>(order), info, sweeps, u, ldu, columns, right, ldr, rows, nullptr};
  TRY(record(h, params, &p.done));
  return launch<E>(h, "singular", 1, p);
}

template <class E>
Status gesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, E *a, int lda, Real<E> *s, E *u, int ldu, E *vt, int ldvt,
             int *info) {
  REQUIRE(m >= n && n >= 0, "m is less than n, or n negative");
  REQUIRE(lda >= larger(1, m), "lda is less than m");
  for (signed char job : {jobu, jobvt}) {
    REQUIRE(job == 'A' || job == 'S' || job == 'N' || job == 'O', "a job is none of 'A', 'S', 'O' and 'N'");
    if (job == 'O') return notSupported("cusolverDn<t>gesvd with the job 'O'");
  }
  REQUIRE(jobu == 'N' || ldu >= larger(1, m), "ldu is less than m");
  REQUIRE(jobvt == 'N' || ldvt >= larger(1, n), "ldvt is less than n");
  return singular(h, false, m, n, a, lda, s, jobu == 'N' ? nullptr : u, ldu, jobu == 'A' ? m : n, jobvt == 'N' ? nullptr : vt, ldvt, true, info, 40);
}

template <class E>
Status gesvdj(cusolverDnHandle_t h, cusolverEigMode_t jobz, int econ, int m, int n, E *a, int lda, Real<E> *s, E *u, int ldu, E *v, int ldv, int *info,
              gesvdjInfo_t params) {
  REQUIRE(params, "the parameters are null");
  REQUIRE(m >= 0 && n >= 0 && lda >= larger(1, m), "a size is negative or lda less than m");
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR, wide = m < n;
  REQUIRE(!vectors || (ldu >= larger(1, m) && ldv >= larger(1, n)), "ldu is less than m or ldv less than n");
  E *left = wide ? v : u, *right = wide ? u : v;
  return singular(h, wide, m, n, a, lda, s, vectors ? left : nullptr, wide ? ldv : ldu, econ ? smaller(m, n) : larger(m, n), vectors ? right : nullptr,
                  wide ? ldu : ldv, false, info, params->sweeps, params);
}

// The size of a workspace, which is not used.
inline Status sizeOfWork(int *out, int n) {
  REQUIRE(out, "the result pointer is null");
  *out = larger(1, n);
  return CUSOLVER_STATUS_SUCCESS;
}

// The same for functions with one on each side, neither of which is used.
inline Status sizesOfWork(size_t *device, size_t *host) {
  REQUIRE(device && host, "a result pointer is null");
  *device = *host = 1;
  return CUSOLVER_STATUS_SUCCESS;
}

inline cudaDataType realOf(cudaDataType type) { return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type; }

// Calls f with a number of the type that all of types are; sizes have to be those of int.
template <class F> Status byType(std::initializer_list<cudaDataType> types, std::initializer_list<int64_t> sizes, F f) {
  for (cudaDataType t : types)
    if (t != *types.begin()) return notSupported("cuSOLVER with several types");
  for (int64_t s : sizes)
    if (s != static_cast<int>(s)) return notSupported("cuSOLVER with a size of more than 31 bits");
  switch (*types.begin()) {
  case CUDA_R_32F: return f(float());
  case CUDA_R_64F: return f(double());
  case CUDA_C_32F: return f(Complex<float>());
  case CUDA_C_64F: return f(Complex<double>());
  default: return notSupported("cuSOLVER with values of this type");
  }
}

// Copies a matrix or a triangle of it, or makes one whole; see Move.
template <class E> Status move(cusolverDnHandle_t h, const Move<E> &p) {
  if (p.rows == 0 || p.cols == 0) return CUSOLVER_STATUS_SUCCESS;
  return launch<E>(h, "move", host::blocks(static_cast<int64_t>(p.rows) * p.cols, 128, 1 << 16), p);
}

// A unit matrix.
template <class E> Status unit(cusolverDnHandle_t h, int n, E *to) {
  Reflections<E> p{n, n, 0, nullptr, 0, nullptr, to, n};
  return launch<E>(h, "identity", host::blocks(static_cast<int64_t>(n) * n, 128, 1 << 16), p);
}

#define H cusolverDnHandle_t h
#define UPLO cublasFillMode_t uplo
// Functions whose types are arguments.
#define PARAMS H, cusolverDnParams_t
#define WORK cudaDataType compute, void *, size_t, void *, size_t, int *info
#define SIZES cudaDataType, size_t *device, size_t *host

} // namespace solver

