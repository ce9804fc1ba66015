// Inverses, batches and refined solutions ("cuSOLVER", "Dense Linear Solver Reference").
#include "context.h"

using namespace solver;

// The types of a solution that is refined, of which the first counts: all is computed in that here.
struct cusolverDnIRSParams {
  cusolverPrecType_t main = CUSOLVER_R_64F;
  int most = 50;
};
struct cusolverDnIRSInfos {
  int iterations = 0;
};

namespace {

// The triangle of a result that a function's matrix has, into its place.
template <class E> Status putTriangle(cusolverDnHandle_t h, bool upper, int n, const E *from, E *a, int lda, bool diagonal = true) {
  return move(h, Move<E>{n, n, from, n, a, lda, upper ? UpperPart : LowerPart, false, diagonal});
}

// The inverse of a matrix whose Cholesky factor is in its place.
template <class E> Status potri(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, E *a, int lda, int *info) {
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0 && lda >= larger(1, n), "n is negative or lda less than n");
  if (n == 0) return clear(h, info);
  TRY_CUDA(h->whole.need(sizeof(E) * n * n));
  E *x = h->whole.as<E>();
  TRY(unit(h, n, x));
  TRY(potrs(h, uplo, n, n, a, lda, x, n, info));
  return putTriangle(h, uplo == CUBLAS_FILL_MODE_UPPER, n, x, a, lda);
}

template <class E> Status trtri(cusolverDnHandle_t h, cublasFillMode_t uplo, cublasDiagType_t diag, int n, E *a, int lda, int *info) {
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0 && lda >= larger(1, n), "n is negative or lda less than n");
  if (n == 0) return clear(h, info);
  TRY_CUDA(h->whole.need(sizeof(E) * n * n));
  E *x = h->whole.as<E>();
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER, one = diag == CUBLAS_DIAG_UNIT;
  TRY(unit(h, n, x));
  TRY(substitute(h, upper, one, blas::N, n, n, static_cast<const E *>(a), lda, x, n));
  TRY(putTriangle(h, upper, n, x, a, lda, !one));
  return clear(h, info);
}

// The pointers of a batch, which device memory holds.
template <class E> Status pointersOf(cusolverDnHandle_t h, E *const *from, int batch, std::vector<E *> &to) {
  to.resize(batch);
  TRY_CUDA(host::services->copy(to.data(), from, sizeof(E *) * batch, h->stream));
  return statusOf(host::services->wait(h->stream));
}

template <class E> Status potrfBatched(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, E *const *as, int lda, int *info, int batch) {
  REQUIRE(batch >= 0, "the batch count is negative");
  std::vector<E *> a;
  TRY(pointersOf(h, as, batch, a));
  for (int i = 0; i < batch; i++) TRY(potrf(h, uplo, n, a[i], lda, info + i));
  return CUSOLVER_STATUS_SUCCESS;
}

template <class E>
Status potrsBatched(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, int sides, E *const *as, int lda, E *const *bs, int ldb, int *info, int batch) {
  REQUIRE(batch >= 0, "the batch count is negative");
  if (sides != 1) return notSupported("cusolverDn<t>potrsBatched with more than one right-hand side");
  std::vector<E *> a, b;
  TRY(pointersOf(h, as, batch, a));
  TRY(pointersOf(h, bs, batch, b));
  for (int i = 0; i < batch; i++) TRY(potrs<E>(h, uplo, n, sides, a[i], lda, b[i], ldb, info));
  return CUSOLVER_STATUS_SUCCESS;
}

// X of A X = B, where A becomes its factors. The solution is that of the type of the matrix: it needs no refinement.
template <class E>
Status gesv(cusolverDnHandle_t h, int n, int sides, E *a, int lda, int *pivots, const E *b, int ldb, E *x, int ldx, int *iterations, int *info) {
  REQUIRE(n >= 0 && sides >= 0 && lda >= larger(1, n) && ldb >= larger(1, n) && ldx >= larger(1, n), "a size is negative or a leading dimension less than n");
  REQUIRE(iterations && info, "a result pointer is null");
  *iterations = 0;
  if (n == 0 || sides == 0) return clear(h, info);
  if (!pivots) {
    TRY_CUDA(h->whole.need(sizeof(int) * n));
    pivots = h->whole.as<int>();
  }
  TRY_CUDA(host::services->copy2D(x, sizeof(E) * ldx, b, sizeof(E) * ldb, sizeof(E) * n, sides, h->stream));
  TRY(getrf(h, n, n, a, lda, pivots, info));
  return getrs(h, CUBLAS_OP_N, n, sides, static_cast<const E *>(a), lda, pivots, x, ldx, info);
}

// X of the least squares of A X - B, of more rows than columns.
template <class E>
Status gels(cusolverDnHandle_t h, int m, int n, int sides, E *a, int lda, E *b, int ldb, E *x, int ldx, int *iterations, int *info) {
  REQUIRE(n >= 0 && m >= n && sides >= 0, "a size is negative, or m less than n");
  REQUIRE(lda >= larger(1, m) && ldb >= larger(1, m) && ldx >= larger(1, n), "a leading dimension is less than the rows");
  REQUIRE(iterations && info, "a result pointer is null");
  *iterations = 0;
  if (n == 0 || sides == 0) return clear(h, info);
  TRY_CUDA(h->whole.need(sizeof(E) * n));
  E *tau = h->whole.as<E>();
  TRY(geqrf(h, m, n, a, lda, tau, info));
  TRY(ormqr<E>(h, CUBLAS_SIDE_LEFT, std::is_same_v<E, Real<E>> ? CUBLAS_OP_T : CUBLAS_OP_C, m, sides, n, a, lda, tau, b, ldb, info));
  TRY(substitute(h, true, false, blas::N, n, sides, static_cast<const E *>(a), lda, b, ldb));
  return statusOf(host::services->copy2D(x, sizeof(E) * ldx, b, sizeof(E) * ldb, sizeof(E) * n, sides, h->stream));
}

// Calls f with a number of the type of a matrix.
template <class F> Status byPrecision(cusolverPrecType_t type, F f) {
  switch (type) {
  case CUSOLVER_R_32F: return f(float());
  case CUSOLVER_R_64F: return f(double());
  case CUSOLVER_C_32F: return f(Complex<float>());
  case CUSOLVER_C_64F: return f(Complex<double>());
  default: return notSupported("cusolverDnIRS with a matrix of this type");
  }
}

} // namespace

extern "C" {

#define LINEAR(L, V)                                                                                                                     \
  Status cusolverDn##L##potri_bufferSize(H, UPLO, int n, V *, int, int *size) {                                                          \
    CALL("cusolverDn" #L "potri_bufferSize", h);                                                                                         \
    return sizeOfWork(size, n);                                                                                                          \
  }                                                                                                                                      \
  Status cusolverDn##L##potri(H, UPLO, int n, V *a, int lda, V *, int, int *info) {                                                      \
    CALL("cusolverDn" #L "potri", h);                                                                                                    \
    return potri(h, uplo, n, ours(a), lda, info);                                                                                        \
  }                                                                                                                                      \
  Status cusolverDn##L##potrfBatched(H, UPLO, int n, V *as[], int lda, int *info, int batch) {                                           \
    CALL("cusolverDn" #L "potrfBatched", h);                                                                                             \
    return potrfBatched(h, uplo, n, reinterpret_cast<Ours<V> *const *>(as), lda, info, batch);                                           \
  }                                                                                                                                      \
  Status cusolverDn##L##potrsBatched(H, UPLO, int n, int sides, V *as[], int lda, V *bs[], int ldb, int *info, int batch) {              \
    CALL("cusolverDn" #L "potrsBatched", h);                                                                                             \
    return potrsBatched(h, uplo, n, sides, reinterpret_cast<Ours<V> *const *>(as), lda, reinterpret_cast<Ours<V> *const *>(bs), ldb,     \
                        info, batch);                                                                                                    \
  }
LINEAR(S, float)
LINEAR(D, double)
LINEAR(C, cuComplex)
LINEAR(Z, cuDoubleComplex)

// The letters are the type of the matrix and the one that NVIDIA factors it in.
#define REFINED(LL, V)                                                                                                                   \
  Status cusolverDn##LL##gesv_bufferSize(H, int, int, V *, int, int *, V *, int, V *, int, void *, size_t *size) {                       \
    CALL("cusolverDn" #LL "gesv_bufferSize", h);                                                                                         \
    return sizesOfWork(size, size);                                                                                                      \
  }                                                                                                                                      \
  Status cusolverDn##LL##gesv(H, int n, int sides, V *a, int lda, int *pivots, V *b, int ldb, V *x, int ldx, void *, size_t,             \
                              int *iterations, int *info) {                                                                              \
    CALL("cusolverDn" #LL "gesv", h);                                                                                                    \
    return gesv<Ours<V>>(h, n, sides, ours(a), lda, pivots, ours(b), ldb, ours(x), ldx, iterations, info);                               \
  }                                                                                                                                      \
  Status cusolverDn##LL##gels_bufferSize(H, int, int, int, V *, int, V *, int, V *, int, void *, size_t *size) {                         \
    CALL("cusolverDn" #LL "gels_bufferSize", h);                                                                                         \
    return sizesOfWork(size, size);                                                                                                      \
  }                                                                                                                                      \
  Status cusolverDn##LL##gels(H, int m, int n, int sides, V *a, int lda, V *b, int ldb, V *x, int ldx, void *, size_t, int *iterations,  \
                              int *info) {                                                                                               \
    CALL("cusolverDn" #LL "gels", h);                                                                                                    \
    return gels(h, m, n, sides, ours(a), lda, ours(b), ldb, ours(x), ldx, iterations, info);                                             \
  }
REFINED(DD, double)
REFINED(DS, double)
REFINED(DH, double)
REFINED(DB, double)
REFINED(DX, double)
REFINED(SS, float)
REFINED(SH, float)
REFINED(SB, float)
REFINED(SX, float)
REFINED(ZZ, cuDoubleComplex)
REFINED(ZC, cuDoubleComplex)
REFINED(ZK, cuDoubleComplex)
REFINED(ZE, cuDoubleComplex)
REFINED(ZY, cuDoubleComplex)
REFINED(CC, cuComplex)
REFINED(CK, cuComplex)
REFINED(CE, cuComplex)
REFINED(CY, cuComplex)

Status cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *out) {
  const host::Named named("cusolverDnIRSParamsCreate");
  REQUIRE(out, "the result pointer is null");
  *out = new cusolverDnIRSParams;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t p) {
  delete p;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t p, cusolverPrecType_t main, cusolverPrecType_t) {
  CALL("cusolverDnIRSParamsSetSolverPrecisions", p);
  p->main = main;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t p, cusolverPrecType_t main) {
  CALL("cusolverDnIRSParamsSetSolverMainPrecision", p);
  p->main = main;
  return CUSOLVER_STATUS_SUCCESS;
}
// What is said of the refinement changes nothing.
#define IGNORED(name, type)                                           \
  Status cusolverDnIRSParams##name(cusolverDnIRSParams_t p, type) {   \
    CALL("cusolverDnIRSParams" #name, p);                             \
    return CUSOLVER_STATUS_SUCCESS;                                   \
  }
IGNORED(SetSolverLowestPrecision, cusolverPrecType_t)
IGNORED(SetRefinementSolver, cusolverIRSRefinement_t)
IGNORED(SetTol, double)
IGNORED(SetTolInner, double)
IGNORED(SetMaxItersInner, int)
Status cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t p, int most) {
  CALL("cusolverDnIRSParamsSetMaxIters", p);
  p->most = most;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t p, int *most) {
  CALL("cusolverDnIRSParamsGetMaxIters", p);
  REQUIRE(most, "the result pointer is null");
  *most = p->most;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t p) {
  CALL("cusolverDnIRSParamsEnableFallback", p);
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t p) {
  CALL("cusolverDnIRSParamsDisableFallback", p);
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *out) {
  const host::Named named("cusolverDnIRSInfosCreate");
  REQUIRE(out, "the result pointer is null");
  *out = new cusolverDnIRSInfos;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t p) {
  delete p;
  return CUSOLVER_STATUS_SUCCESS;
}
#define ITERATIONS(name)                                                   \
  Status cusolverDnIRSInfos##name(cusolverDnIRSInfos_t p, int *out) {      \
    CALL("cusolverDnIRSInfos" #name, p);                                   \
    REQUIRE(out, "the result pointer is null");                            \
    *out = p->iterations;                                                  \
    return CUSOLVER_STATUS_SUCCESS;                                        \
  }
ITERATIONS(GetNiters)
ITERATIONS(GetOuterNiters)
Status cusolverDnIRSXgesv_bufferSize(H, cusolverDnIRSParams_t, int, int, size_t *size) {
  CALL("cusolverDnIRSXgesv_bufferSize", h);
  return sizesOfWork(size, size);
}
Status cusolverDnIRSXgesv(H, cusolverDnIRSParams_t p, cusolverDnIRSInfos_t infos, int n, int sides, void *a, int lda, void *b, int ldb, void *x, int ldx,
                          void *, size_t, int *iterations, int *info) {
  CALL("cusolverDnIRSXgesv", h);
  REQUIRE(p && infos, "the parameters are null");
  return byPrecision(p->main, [&](auto zero) {
    using E = decltype(zero);
    return gesv<E>(h, n, sides, static_cast<E *>(a), lda, nullptr, static_cast<const E *>(b), ldb, static_cast<E *>(x), ldx, iterations, info);
  });
}
Status cusolverDnIRSXgels_bufferSize(H, cusolverDnIRSParams_t, int, int, int, size_t *size) {
  CALL("cusolverDnIRSXgels_bufferSize", h);
  return sizesOfWork(size, size);
}
Status cusolverDnIRSXgels(H, cusolverDnIRSParams_t p, cusolverDnIRSInfos_t infos, int m, int n, int sides, void *a, int lda, void *b, int ldb, void *x,
                          int ldx, void *, size_t, int *iterations, int *info) {
  CALL("cusolverDnIRSXgels", h);
  REQUIRE(p && infos, "the parameters are null");
  return byPrecision(p->main, [&](auto zero) {
    using E = decltype(zero);
    return gels(h, m, n, sides, static_cast<E *>(a), lda, static_cast<E *>(b), ldb, static_cast<E *>(x), ldx, iterations, info);
  });
}

Status cusolverDnXgeqrf_bufferSize(PARAMS, int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *, SIZES) {
  CALL("cusolverDnXgeqrf_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXgeqrf(PARAMS, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeTau, void *tau, WORK) {
  CALL("cusolverDnXgeqrf", h);
  return byType({type, typeTau, compute}, {m, n, lda}, [&](auto zero) {
    using E = decltype(zero);
    return geqrf(h, m, n, static_cast<E *>(a), lda, static_cast<E *>(tau), info);
  });
}
Status cusolverDnXtrtri_bufferSize(H, UPLO, cublasDiagType_t, int64_t, cudaDataType, void *, int64_t, size_t *device, size_t *host) {
  CALL("cusolverDnXtrtri_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXtrtri(H, UPLO, cublasDiagType_t diag, int64_t n, cudaDataType type, void *a, int64_t lda, void *, size_t, void *, size_t, int *info) {
  CALL("cusolverDnXtrtri", h);
  return byType({type}, {n, lda}, [&](auto zero) {
    return trtri(h, uplo, diag, n, static_cast<decltype(zero) *>(a), lda, info);
  });
}

// There is one algorithm, whose results do not vary.
Status cusolverDnSetAdvOptions(cusolverDnParams_t p, cusolverDnFunction_t, cusolverAlgMode_t) {
  CALL("cusolverDnSetAdvOptions", p);
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnSetDeterministicMode(H, cusolverDeterministicMode_t mode) {
  CALL("cusolverDnSetDeterministicMode", h);
  h->deterministic = mode;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnGetDeterministicMode(H, cusolverDeterministicMode_t *mode) {
  CALL("cusolverDnGetDeterministicMode", h);
  REQUIRE(mode, "the result pointer is null");
  *mode = h->deterministic;
  return CUSOLVER_STATUS_SUCCESS;
}

} // extern "C"
