// Eigenvalues and singular values: of a range, of two matrices, of batches ("cuSOLVER", "Dense Eigenvalue Solver Reference").
#include <cmath>

#include "context.h"

using namespace solver;

namespace {

// The eigenvalues that a call asks for, of n in ascending order: their first, and how many.
template <class R>
Status rangeOf(cusolverDnHandle_t h, cusolverEigRange_t range, int n, R low, R high, int first, int last, const R *w, int *from, int *count) {
  *from = 0, *count = n;
  if (range == CUSOLVER_EIG_RANGE_I) {
    REQUIRE(n == 0 || (first >= 1 && first <= last && last <= n), "il and iu are not in the range from 1 to n");
    *from = first - 1, *count = n == 0 ? 0 : last - first + 1;
  } else if (range == CUSOLVER_EIG_RANGE_V) {
    REQUIRE(low < high, "vl is not less than vu");
    std::vector<R> all(n);
    TRY_CUDA(host::services->copy(all.data(), w, sizeof(R) * n, h->stream));
    TRY_CUDA(host::services->wait(h->stream));
    while (*from < n && all[*from] <= low) ++*from;
    *count = 0;
    while (*from + *count < n && all[*from + *count] <= high) ++*count;
  } else {
    REQUIRE(range == CUSOLVER_EIG_RANGE_ALL, "range is not a cusolverEigRange_t");
  }
  return CUSOLVER_STATUS_SUCCESS;
}

// Moves the eigenvalues of a range, and their vectors, to the front.
template <class E>
Status select(cusolverDnHandle_t h, bool vectors, cusolverEigRange_t range, int n, E *a, int lda, Real<E> low, Real<E> high, int first, int last, int *found,
              Real<E> *w) {
  using R = Real<E>;
  REQUIRE(found, "the result pointer is null");
  int from;
  TRY(rangeOf<R>(h, range, n, low, high, first, last, w, &from, found));
  if (from == 0 || *found == 0) return CUSOLVER_STATUS_SUCCESS;
  TRY_CUDA(h->scratch.need(sizeof(E) * n * *found));
  R *values = h->scratch.as<R>();
  TRY_CUDA(host::services->copy(values, w + from, sizeof(R) * *found, h->stream));
  TRY_CUDA(host::services->copy(w, values, sizeof(R) * *found, h->stream));
  if (!vectors) return CUSOLVER_STATUS_SUCCESS;
  E *columns = h->scratch.as<E>();
  const size_t column = sizeof(E) * n;
  TRY_CUDA(host::services->copy2D(columns, column, a + static_cast<int64_t>(from) * lda, sizeof(E) * lda, column, *found, h->stream));
  return statusOf(host::services->copy2D(a, sizeof(E) * lda, columns, column, column, *found, h->stream));
}

// What Xsyevdx and the like have in all types.
template <class E>
Status syevdx(cusolverDnHandle_t h, cusolverEigMode_t jobz, cusolverEigRange_t range, UPLO, int n, E *a, int lda, Real<E> low, Real<E> high, int first,
              int last, int *found, Real<E> *w, int *info) {
  TRY(eigen(h, jobz, uplo, n, a, lda, w, info, 40));
  return select(h, jobz == CUSOLVER_EIG_MODE_VECTOR, range, n, a, lda, low, high, first, last, found, w);
}

// to = op(L) * from for the Cholesky factor L of B, of which a triangle is given.
template <class E> Status multiply(cusolverDnHandle_t h, bool upper, bool adjoint, int n, const E *l, int ldl, const E *from, E *to) {
  const int op = adjoint != upper ? blas::C : blas::N;
  blas::Gemm<E, E, E> p{n, n, n, {l, ldl, blas::Full, blas::Triangular, op, upper, false, n, n, 0, 0}, {from, n, blas::Full, blas::General, blas::N, false, false, n, n, 0, 0}};
  p.c = p.d = to;
  p.ldc = p.ldd = n;
  p.alpha = {E(1), nullptr}, p.beta = {E(0), nullptr};
  p.batch = 1;
  const std::string type(1, letter<E>);
  return statusOf(blasKernels.launch((type + "gemm").c_str(), type + "product", dim3(host::blocks(n, 32), host::blocks(n, 32)), dim3(16, 16), h->stream, p));
}

// Solves op(L) X = B in place.
template <class E> Status divide(cusolverDnHandle_t h, bool upper, bool adjoint, int n, const E *l, int ldl, E *x, int ldx) {
  return substitute(h, upper, false, adjoint != upper ? blas::C : blas::N, n, n, l, ldl, x, ldx);
}

// A x = w B x, A B x = w x or B A x = w x, by the factor L of B: C y = w y with C = L^-1 A L^-H or L^H A L.
template <class E>
Status sygv(cusolverDnHandle_t h, cusolverEigType_t kind, cusolverEigMode_t jobz, UPLO, int n, E *a, int lda, E *b, int ldb, Real<E> *w, int *info,
            int sweeps, syevjInfo *params = nullptr) {
  REQUIRE(kind >= CUSOLVER_EIG_TYPE_1 && kind <= CUSOLVER_EIG_TYPE_3, "itype is not a cusolverEigType_t");
  REQUIRE(n >= 0 && lda >= larger(1, n) && ldb >= larger(1, n), "n is negative, or a leading dimension less than n");
  TRY(potrf(h, uplo, n, b, ldb, info));
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  int failed = 0;
  TRY_CUDA(host::services->copy(&failed, info, sizeof failed, h->stream));
  TRY_CUDA(host::services->wait(h->stream));
  if (failed) { // B is not positive definite
    failed += n;
    TRY_CUDA(host::services->copy(info, &failed, sizeof failed, h->stream));
    return statusOf(host::services->wait(h->stream));
  }
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  const int64_t all = static_cast<int64_t>(n) * n;
  TRY_CUDA(h->whole.need(sizeof(E) * 2 * all));
  E *c = h->whole.as<E>(), *other = c + all;
  TRY(move(h, Move<E>{n, n, a, lda, c, n, upper ? UpperToWhole : LowerToWhole}));
  const auto step = [&](E *from, E *to) { // op(L) from, or its solution
    if (kind == CUSOLVER_EIG_TYPE_1) {
      TRY(move(h, Move<E>{n, n, from, n, to, n}));
      return divide(h, upper, false, n, static_cast<const E *>(b), ldb, to, n);
    }
    return multiply(h, upper, true, n, static_cast<const E *>(b), ldb, static_cast<const E *>(from), to);
  };
  TRY(step(c, other));
  TRY(move(h, Move<E>{n, n, other, n, c, n, All, true}));
  TRY(step(c, other));
  TRY(eigen(h, jobz, uplo, n, other, n, w, info, sweeps, params));
  if (jobz != CUSOLVER_EIG_MODE_VECTOR) return CUSOLVER_STATUS_SUCCESS;
  if (kind == CUSOLVER_EIG_TYPE_3) {
    TRY(multiply(h, upper, false, n, static_cast<const E *>(b), ldb, static_cast<const E *>(other), c));
    return move(h, Move<E>{n, n, c, n, a, lda});
  }
  TRY(divide(h, upper, true, n, static_cast<const E *>(b), ldb, other, n));
  return move(h, Move<E>{n, n, other, n, a, lda});
}

template <class E>
Status syevBatched(cusolverDnHandle_t h, cusolverEigMode_t jobz, UPLO, int n, E *a, int lda, Real<E> *w, int *info, int sweeps, int batch) {
  REQUIRE(batch >= 0, "the batch count is negative");
  for (int i = 0; i < batch; i++) TRY(eigen(h, jobz, uplo, n, a + static_cast<int64_t>(i) * lda * n, lda, w + static_cast<int64_t>(i) * n, info + i, sweeps));
  return CUSOLVER_STATUS_SUCCESS;
}

template <class E>
Status gesvdjBatched(cusolverDnHandle_t h, cusolverEigMode_t jobz, int m, int n, E *a, int lda, Real<E> *s, E *u, int ldu, E *v, int ldv, int *info,
                     gesvdjInfo_t params, int batch) {
  REQUIRE(batch >= 0, "the batch count is negative");
  REQUIRE(m <= 32 && n <= 32, "m or n is larger than 32");
  for (int64_t i = 0; i < batch; i++)
    TRY(gesvdj(h, jobz, 0, m, n, a + i * lda * n, lda, s + i * smaller(m, n), u + i * ldu * m, ldu, v + i * ldv * n, ldv, info + i, params));
  return CUSOLVER_STATUS_SUCCESS;
}

// The first rank singular values, and vectors, by way of all of them. V has columns.
template <class E>
Status leading(cusolverDnHandle_t h, bool vectors, int rank, int m, int n, const E *a, int lda, Real<E> *s, E *u, int ldu, E *v, int ldv, int *info) {
  using R = Real<E>;
  const int least = smaller(m, n);
  REQUIRE(m >= 0 && n >= 0 && rank >= 0 && rank <= least, "a size is negative, or the rank larger than m or n");
  REQUIRE(lda >= larger(1, m), "lda is less than m");
  if (least == 0) return clear(h, info);
  // The left vectors of the longer side have no room to spare: rank of them are made; the right ones are all of the shorter side.
  const bool wide = m < n;
  const size_t square = sizeof(E) * least * least;
  TRY_CUDA(h->whole.need(square + sizeof(R) * least));
  E *right = h->whole.as<E>();
  R *values = reinterpret_cast<R *>(h->whole.as<char>() + square);
  TRY(singular(h, wide, m, n, a, lda, values, vectors ? (wide ? v : u) : nullptr, wide ? ldv : ldu, rank, vectors ? right : nullptr, least, false, info, 40));
  TRY_CUDA(host::services->copy(s, values, sizeof(R) * rank, h->stream));
  if (!vectors || rank == 0) return CUSOLVER_STATUS_SUCCESS;
  const size_t column = sizeof(E) * least;
  return statusOf(host::services->copy2D(wide ? u : v, sizeof(E) * (wide ? ldu : ldv), right, column, column, rank, h->stream));
}

// The norm of A - U S V^H, by the host.
template <class E>
Status residual(cusolverDnHandle_t h, int rank, int m, int n, const E *a, int lda, const Real<E> *s, const E *u, int ldu, const E *v, int ldv, double *out) {
  using R = Real<E>;
  std::vector<E> ha(static_cast<size_t>(m) * n), hu(static_cast<size_t>(m) * rank), hv(static_cast<size_t>(n) * rank);
  std::vector<R> hs(rank);
  const auto get = [&](E *to, const E *from, int ld, int rows, int cols) {
    return host::services->copy2D(to, sizeof(E) * rows, from, sizeof(E) * ld, sizeof(E) * rows, cols, h->stream);
  };
  TRY_CUDA(get(ha.data(), a, lda, m, n));
  TRY_CUDA(get(hu.data(), u, ldu, m, rank));
  TRY_CUDA(get(hv.data(), v, ldv, n, rank));
  TRY_CUDA(host::services->copy(hs.data(), s, sizeof(R) * rank, h->stream));
  TRY_CUDA(host::services->wait(h->stream));
  double squares = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      E left = ha[i + static_cast<size_t>(j) * m];
      for (int k = 0; k < rank; k++) left = left - E(hs[k]) * hu[i + static_cast<size_t>(k) * m] * conj(hv[j + static_cast<size_t>(k) * n]);
      squares += static_cast<double>(realPart(left)) * realPart(left) + static_cast<double>(imaginary(left)) * imaginary(left);
    }
  *out = std::sqrt(squares);
  return CUSOLVER_STATUS_SUCCESS;
}

template <class E>
Status gesvdaStrided(cusolverDnHandle_t h, cusolverEigMode_t jobz, int rank, int m, int n, const E *a, int lda, long long strideA, Real<E> *s,
                     long long strideS, E *u, int ldu, long long strideU, E *v, int ldv, long long strideV, int *info, double *norms, int batch) {
  REQUIRE(batch >= 0 && m >= n, "the batch count is negative, or m less than n");
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  for (int i = 0; i < batch; i++) {
    const E *from = a + i * strideA;
    TRY(leading(h, vectors, rank, m, n, from, lda, s + i * strideS, u + i * strideU, ldu, v + i * strideV, ldv, info + i));
    if (norms && vectors) TRY(residual(h, rank, m, n, from, lda, s + i * strideS, u + i * strideU, ldu, v + i * strideV, ldv, norms + i));
  }
  return CUSOLVER_STATUS_SUCCESS;
}

// How many sweeps the program allows.
int sweepsOf(syevjInfo_t params) { return params ? params->sweeps : 40; }

} // namespace

extern "C" {

#define JOBZ cusolverEigMode_t jobz
#define RANGE cusolverEigRange_t range
#define EIGEN(L, V, R, EV, GV)                                                                                                           \
  Status cusolverDn##L##EV##evdx_bufferSize(H, JOBZ, RANGE, UPLO, int n, const V *, int, R, R, int il, int iu, int *found, const R *,     \
                                            int *size) {                                                                                 \
    CALL("cusolverDn" #L #EV "evdx_bufferSize", h);                                                                                      \
    if (found) *found = range == CUSOLVER_EIG_RANGE_I ? iu - il + 1 : n;                                                                 \
    return sizeOfWork(size, n);                                                                                                          \
  }                                                                                                                                      \
  Status cusolverDn##L##EV##evdx(H, JOBZ, RANGE, UPLO, int n, V *a, int lda, R vl, R vu, int il, int iu, int *found, R *w, V *, int,     \
                                 int *info) {                                                                                            \
    CALL("cusolverDn" #L #EV "evdx", h);                                                                                                 \
    return syevdx(h, jobz, range, uplo, n, ours(a), lda, vl, vu, il, iu, found, w, info);                                                \
  }                                                                                                                                      \
  Status cusolverDn##L##EV##evjBatched_bufferSize(H, JOBZ, UPLO, int n, const V *, int, const R *, int *size, syevjInfo_t, int) {        \
    CALL("cusolverDn" #L #EV "evjBatched_bufferSize", h);                                                                                \
    return sizeOfWork(size, n);                                                                                                          \
  }                                                                                                                                      \
  Status cusolverDn##L##EV##evjBatched(H, JOBZ, UPLO, int n, V *a, int lda, R *w, V *, int, int *info, syevjInfo_t params, int batch) {  \
    CALL("cusolverDn" #L #EV "evjBatched", h);                                                                                           \
    return syevBatched(h, jobz, uplo, n, ours(a), lda, w, info, sweepsOf(params), batch);                                                \
  }                                                                                                                                      \
  GENERAL(L, V, R, GV, gvd, , nullptr)                                                                                                            \
  GENERAL(L, V, R, GV, gvj, PARAMS_TOO, params)                                                                                                  \
  Status cusolverDn##L##GV##gvdx_bufferSize(H, cusolverEigType_t, JOBZ, RANGE, UPLO, int n, const V *, int, const V *, int, R, R,        \
                                            int il, int iu, int *found, const R *, int *size) {                                          \
    CALL("cusolverDn" #L #GV "gvdx_bufferSize", h);                                                                                      \
    if (found) *found = range == CUSOLVER_EIG_RANGE_I ? iu - il + 1 : n;                                                                 \
    return sizeOfWork(size, n);                                                                                                          \
  }                                                                                                                                      \
  Status cusolverDn##L##GV##gvdx(H, cusolverEigType_t kind, JOBZ, RANGE, UPLO, int n, V *a, int lda, V *b, int ldb, R vl, R vu, int il,  \
                                 int iu, int *found, R *w, V *, int, int *info) {                                                        \
    CALL("cusolverDn" #L #GV "gvdx", h);                                                                                                 \
    TRY(sygv(h, kind, jobz, uplo, n, ours(a), lda, ours(b), ldb, w, info, 40));                                                          \
    return select(h, jobz == CUSOLVER_EIG_MODE_VECTOR, range, n, ours(a), lda, vl, vu, il, iu, found, w);                                \
  }                                                                                                                                      \
  Status cusolverDn##L##gesvdjBatched_bufferSize(H, JOBZ, int, int n, const V *, int, const R *, const V *, int, const V *, int,         \
                                                 int *size, gesvdjInfo_t, int) {                                                         \
    CALL("cusolverDn" #L "gesvdjBatched_bufferSize", h);                                                                                 \
    return sizeOfWork(size, n);                                                                                                          \
  }                                                                                                                                      \
  Status cusolverDn##L##gesvdjBatched(H, JOBZ, int m, int n, V *a, int lda, R *s, V *u, int ldu, V *v, int ldv, V *, int, int *info,     \
                                      gesvdjInfo_t params, int batch) {                                                                  \
    CALL("cusolverDn" #L "gesvdjBatched", h);                                                                                            \
    return gesvdjBatched(h, jobz, m, n, ours(a), lda, s, ours(u), ldu, ours(v), ldv, info, params, batch);                               \
  }                                                                                                                                      \
  Status cusolverDn##L##gesvdaStridedBatched_bufferSize(H, JOBZ, int, int, int n, const V *, int, long long, const R *, long long,       \
                                                        const V *, int, long long, const V *, int, long long, int *size, int) {          \
    CALL("cusolverDn" #L "gesvdaStridedBatched_bufferSize", h);                                                                          \
    return sizeOfWork(size, n);                                                                                                          \
  }                                                                                                                                      \
  Status cusolverDn##L##gesvdaStridedBatched(H, JOBZ, int rank, int m, int n, const V *a, int lda, long long strideA, R *s,              \
                                             long long strideS, V *u, int ldu, long long strideU, V *v, int ldv, long long strideV, V *, \
                                             int, int *info, double *norms, int batch) {                                                 \
    CALL("cusolverDn" #L "gesvdaStridedBatched", h);                                                                                     \
    return gesvdaStrided(h, jobz, rank, m, n, ours(a), lda, strideA, s, strideS, ours(u), ldu, strideU, ours(v), ldv, strideV, info,     \
                         norms, batch);                                                                                                  \
  }
#define PARAMS_TOO , syevjInfo_t params
#define GENERAL(L, V, R, GV, name, also, info_)                                                                                                \
  Status cusolverDn##L##GV##name##_bufferSize(H, cusolverEigType_t, JOBZ, UPLO, int n, const V *, int, const V *, int, const R *,        \
                                              int *size also) {                                                                          \
    CALL("cusolverDn" #L #GV #name "_bufferSize", h);                                                                                    \
    return sizeOfWork(size, n);                                                                                                          \
  }                                                                                                                                      \
  Status cusolverDn##L##GV##name(H, cusolverEigType_t kind, JOBZ, UPLO, int n, V *a, int lda, V *b, int ldb, R *w, V *, int,             \
                                 int *info also) {                                                                                       \
    CALL("cusolverDn" #L #GV #name, h);                                                                                                  \
    return sygv(h, kind, jobz, uplo, n, ours(a), lda, ours(b), ldb, w, info, sweepsOf(info_), info_);                                    \
  }
EIGEN(S, float, float, sy, sy)
EIGEN(D, double, double, sy, sy)
EIGEN(C, cuComplex, float, he, he)
EIGEN(Z, cuDoubleComplex, double, he, he)

Status cusolverDnXsyevdx_bufferSize(PARAMS, JOBZ, RANGE, UPLO, int64_t n, cudaDataType, const void *, int64_t, void *, void *, int64_t il, int64_t iu,
                                    int64_t *found, cudaDataType, const void *, SIZES) {
  CALL("cusolverDnXsyevdx_bufferSize", h);
  if (found) *found = range == CUSOLVER_EIG_RANGE_I ? iu - il + 1 : n;
  return sizesOfWork(device, host);
}
Status cusolverDnXsyevdx(PARAMS, JOBZ, RANGE, UPLO, int64_t n, cudaDataType type, void *a, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu,
                         int64_t *found, cudaDataType typeW, void *w, WORK) {
  CALL("cusolverDnXsyevdx", h);
  REQUIRE(typeW == realOf(type), "the eigenvalues are not of the real type of the matrix");
  REQUIRE(found && (range != CUSOLVER_EIG_RANGE_V || (vl && vu)), "an argument is null");
  return byType({type, compute}, {n, lda, il, iu}, [&](auto zero) {
    using E = decltype(zero);
    using R = Real<E>;
    int count = 0;
    TRY(syevdx<E>(h, jobz, range, uplo, n, static_cast<E *>(a), lda, vl ? *static_cast<R *>(vl) : 0, vu ? *static_cast<R *>(vu) : 0, il, iu, &count,
                  static_cast<R *>(w), info));
    *found = count;
    return CUSOLVER_STATUS_SUCCESS;
  });
}
Status cusolverDnXsyevBatched_bufferSize(PARAMS, JOBZ, UPLO, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *, SIZES, int64_t) {
  CALL("cusolverDnXsyevBatched_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXsyevBatched(PARAMS, JOBZ, UPLO, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeW, void *w, WORK, int64_t batch) {
  CALL("cusolverDnXsyevBatched", h);
  REQUIRE(typeW == realOf(type), "the eigenvalues are not of the real type of the matrix");
  return byType({type, compute}, {n, lda, batch}, [&](auto zero) {
    using E = decltype(zero);
    return syevBatched(h, jobz, uplo, n, static_cast<E *>(a), lda, static_cast<Real<E> *>(w), info, 40, batch);
  });
}

Status cusolverDnXgesvdp_bufferSize(PARAMS, JOBZ, int, int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *, cudaDataType,
                                    const void *, int64_t, cudaDataType, const void *, int64_t, SIZES) {
  CALL("cusolverDnXgesvdp_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXgesvdp(PARAMS, JOBZ, int econ, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeS, void *s,
                         cudaDataType typeU, void *u, int64_t ldu, cudaDataType typeV, void *v, int64_t ldv, WORK, double *error) {
  CALL("cusolverDnXgesvdp", h);
  REQUIRE(typeS == realOf(type), "the singular values are not of the real type of the matrix");
  if (error) *error = 0; // nothing is perturbed here
  return byType({type, typeU, typeV, compute}, {m, n, lda, ldu, ldv}, [&](auto zero) {
    using E = decltype(zero);
    gesvdjInfo params;
    return gesvdj(h, jobz, econ, m, n, static_cast<E *>(a), lda, static_cast<Real<E> *>(s), static_cast<E *>(u), ldu, static_cast<E *>(v), ldv, info, &params);
  });
}
// NVIDIA's result is an approximation by random projections; this one is exact.
Status cusolverDnXgesvdr_bufferSize(PARAMS, signed char, signed char, int64_t, int64_t, int64_t, int64_t, int64_t, cudaDataType, const void *, int64_t,
                                    cudaDataType, const void *, cudaDataType, const void *, int64_t, cudaDataType, const void *, int64_t, SIZES) {
  CALL("cusolverDnXgesvdr_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXgesvdr(PARAMS, signed char jobu, signed char jobv, int64_t m, int64_t n, int64_t rank, int64_t, int64_t, cudaDataType type, void *a,
                         int64_t lda, cudaDataType typeS, void *s, cudaDataType typeU, void *u, int64_t ldu, cudaDataType typeV, void *v, int64_t ldv, WORK) {
  CALL("cusolverDnXgesvdr", h);
  REQUIRE(typeS == realOf(type), "the singular values are not of the real type of the matrix");
  REQUIRE((jobu == 'S' || jobu == 'N') && (jobv == 'S' || jobv == 'N'), "a job is neither 'S' nor 'N'");
  if (jobu != jobv) return notSupported("cusolverDnXgesvdr with vectors of one side alone");
  return byType({type, typeU, typeV, compute}, {m, n, rank, lda, ldu, ldv}, [&](auto zero) {
    using E = decltype(zero);
    return leading(h, jobu == 'S', rank, m, n, static_cast<const E *>(a), lda, static_cast<Real<E> *>(s), static_cast<E *>(u), ldu, static_cast<E *>(v), ldv,
                   info);
  });
}

} // extern "C"
