// cuSOLVER for dense matrices ("cuSOLVER", "cuSolverDN: dense LAPACK Function Reference").
#include "context.h"

using namespace solver;

host::Kernels solver::kernels("cusolver"), solver::blasKernels("cublas");

extern "C" {

Status cusolverDnCreate(cusolverDnHandle_t *out) {
  const host::Named named("cusolverDnCreate");
  REQUIRE(out, "the handle's pointer is null");
  *out = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnDestroy(H) {
  CALL("cusolverDnDestroy", h);
  delete h;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnSetStream(H, cudaStream_t stream) {
  CALL("cusolverDnSetStream", h);
  h->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnGetStream(H, cudaStream_t *stream) {
  CALL("cusolverDnGetStream", h);
  REQUIRE(stream, "the result pointer is null");
  *stream = h->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

// A tolerance changes nothing: the methods continue to the precision of the type.
#define JACOBI(Name, name, type)                                                      \
  Status cusolverDnCreate##Name##Info(type *out) {                                    \
    const host::Named named("cusolverDnCreate" #Name "Info");                         \
    REQUIRE(out, "the result pointer is null");                                       \
    *out = new std::remove_pointer_t<type>;                                           \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }                                                                                   \
  Status cusolverDnDestroy##Name##Info(type info) {                                   \
    delete info;                                                                      \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }                                                                                   \
  Status cusolverDnX##name##SetTolerance(type info, double tolerance) {               \
    CALL("cusolverDnX" #name "SetTolerance", info);                                   \
    info->tolerance = tolerance;                                                      \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }                                                                                   \
  Status cusolverDnX##name##SetMaxSweeps(type info, int sweeps) {                     \
    CALL("cusolverDnX" #name "SetMaxSweeps", info);                                   \
    REQUIRE(sweeps > 0, "the number of sweeps is not positive");                      \
    info->sweeps = sweeps;                                                            \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }                                                                                   \
  Status cusolverDnX##name##SetSortEig(type info, int sort) {                         \
    CALL("cusolverDnX" #name "SetSortEig", info);                                     \
    info->sorted = sort != 0;                                                         \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }
// What the last call did, after it has ended.
static Status whatWasDone(syevjInfo *info, double (&out)[2]) {
  REQUIRE(info->done.as<void>(), "no call has used the description");
  TRY_CUDA(host::services->copy(out, info->done.as<void>(), sizeof out, info->stream));
  return statusOf(host::services->wait(info->stream));
}
#define DONE(name, what, type, at, Info)                                       \
  Status cusolverDnX##name##Get##what(H, Info info, type *out) {                      \
    CALL("cusolverDnX" #name "Get" #what, h);                                         \
    REQUIRE(info && out, "an argument is null");                                      \
    double done[2];                                                                   \
    TRY(whatWasDone(info, done));                                                     \
    *out = static_cast<type>(done[at]);                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }
DONE(syevj, Sweeps, int, 0, syevjInfo_t)
DONE(syevj, Residual, double, 1, syevjInfo_t)
DONE(gesvdj, Sweeps, int, 0, gesvdjInfo_t)
DONE(gesvdj, Residual, double, 1, gesvdjInfo_t)
JACOBI(Syevj, syevj, syevjInfo_t)
JACOBI(Gesvdj, gesvdj, gesvdjInfo_t)

#define DENSE(L, V, R, QR, EV)                                                                                                       \
  Status cusolverDn##L##potrf_bufferSize(H, UPLO, int n, V *, int, int *size) {                                                      \
    CALL("cusolverDn" #L "potrf_bufferSize", h);                                                                                     \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##potrf(H, UPLO, int n, V *a, int lda, V *, int, int *info) {                                                  \
    CALL("cusolverDn" #L "potrf", h);                                                                                                \
    return potrf(h, uplo, n, ours(a), lda, info);                                                                                    \
  }                                                                                                                                  \
  Status cusolverDn##L##potrs(H, UPLO, int n, int sides, const V *a, int lda, V *b, int ldb, int *info) {                            \
    CALL("cusolverDn" #L "potrs", h);                                                                                                \
    return potrs<Ours<V>>(h, uplo, n, sides, ours(a), lda, ours(b), ldb, info);                                                \
  }                                                                                                                                  \
  Status cusolverDn##L##getrf_bufferSize(H, int, int n, V *, int, int *size) {                                                       \
    CALL("cusolverDn" #L "getrf_bufferSize", h);                                                                                     \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##getrf(H, int m, int n, V *a, int lda, V *, int *pivots, int *info) {                                         \
    CALL("cusolverDn" #L "getrf", h);                                                                                                \
    return getrf(h, m, n, ours(a), lda, pivots, info);                                                                               \
  }                                                                                                                                  \
  Status cusolverDn##L##getrs(H, cublasOperation_t op, int n, int sides, const V *a, int lda, const int *pivots, V *b, int ldb,      \
                              int *info) {                                                                                           \
    CALL("cusolverDn" #L "getrs", h);                                                                                                \
    return getrs<Ours<V>>(h, op, n, sides, ours(a), lda, pivots, ours(b), ldb, info);                                          \
  }                                                                                                                                  \
  Status cusolverDn##L##geqrf_bufferSize(H, int, int n, V *, int, int *size) {                                                       \
    CALL("cusolverDn" #L "geqrf_bufferSize", h);                                                                                     \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##geqrf(H, int m, int n, V *a, int lda, V *tau, V *, int, int *info) {                                         \
    CALL("cusolverDn" #L "geqrf", h);                                                                                                \
    return geqrf(h, m, n, ours(a), lda, ours(tau), info);                                                                            \
  }                                                                                                                                  \
  Status cusolverDn##L##QR##mqr_bufferSize(H, cublasSideMode_t, cublasOperation_t, int, int n, int, const V *, int, const V *,       \
                                           const V *, int, int *size) {                                                              \
    CALL("cusolverDn" #L #QR "mqr_bufferSize", h);                                                                                   \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##QR##mqr(H, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const V *a, int lda,            \
                                const V *tau, V *c, int ldc, V *, int, int *info) {                                                  \
    CALL("cusolverDn" #L #QR "mqr", h);                                                                                              \
    return ormqr<Ours<V>>(h, side, op, m, n, k, ours(a), lda, ours(tau), ours(c), ldc, info);                                  \
  }                                                                                                                                  \
  Status cusolverDn##L##QR##gqr_bufferSize(H, int, int n, int, const V *, int, const V *, int *size) {                               \
    CALL("cusolverDn" #L #QR "gqr_bufferSize", h);                                                                                   \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##QR##gqr(H, int m, int n, int k, V *a, int lda, const V *tau, V *, int, int *info) {                          \
    CALL("cusolverDn" #L #QR "gqr", h);                                                                                              \
    return orgqr<Ours<V>>(h, m, n, k, ours(a), lda, ours(tau), info);                                                          \
  }                                                                                                                                  \
  Status cusolverDn##L##EV##evd_bufferSize(H, cusolverEigMode_t, UPLO, int n, const V *, int, const R *, int *size) {                \
    CALL("cusolverDn" #L #EV "evd_bufferSize", h);                                                                                   \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##EV##evd(H, cusolverEigMode_t jobz, UPLO, int n, V *a, int lda, R *w, V *, int, int *info) {                  \
    CALL("cusolverDn" #L #EV "evd", h);                                                                                              \
    return eigen(h, jobz, uplo, n, ours(a), lda, w, info, 40);                                                                       \
  }                                                                                                                                  \
  Status cusolverDn##L##EV##evj_bufferSize(H, cusolverEigMode_t, UPLO, int n, const V *, int, const R *, int *size, syevjInfo_t) {   \
    CALL("cusolverDn" #L #EV "evj_bufferSize", h);                                                                                   \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##EV##evj(H, cusolverEigMode_t jobz, UPLO, int n, V *a, int lda, R *w, V *, int, int *info, syevjInfo_t p) {   \
    CALL("cusolverDn" #L #EV "evj", h);                                                                                              \
    REQUIRE(p, "the parameters are null");                                                                                           \
    return eigen(h, jobz, uplo, n, ours(a), lda, w, info, p->sweeps, p);                                                                \
  }                                                                                                                                  \
  Status cusolverDn##L##gesvd_bufferSize(H, int, int n, int *size) {                                                                 \
    CALL("cusolverDn" #L "gesvd_bufferSize", h);                                                                                     \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##gesvd(H, signed char jobu, signed char jobvt, int m, int n, V *a, int lda, R *s, V *u, int ldu, V *vt,       \
                              int ldvt, V *, int, R *, int *info) {                                                                  \
    CALL("cusolverDn" #L "gesvd", h);                                                                                                \
    return gesvd(h, jobu, jobvt, m, n, ours(a), lda, s, ours(u), ldu, ours(vt), ldvt, info);                                         \
  }                                                                                                                                  \
  Status cusolverDn##L##gesvdj_bufferSize(H, cusolverEigMode_t, int, int, int n, const V *, int, const R *, const V *, int,          \
                                          const V *, int, int *size, gesvdjInfo_t) {                                                 \
    CALL("cusolverDn" #L "gesvdj_bufferSize", h);                                                                                    \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##gesvdj(H, cusolverEigMode_t jobz, int econ, int m, int n, V *a, int lda, R *s, V *u, int ldu, V *v, int ldv, \
                               V *, int, int *info, gesvdjInfo_t params) {                                                           \
    CALL("cusolverDn" #L "gesvdj", h);                                                                                               \
    return gesvdj(h, jobz, econ, m, n, ours(a), lda, s, ours(u), ldu, ours(v), ldv, info, params);                                   \
  }
DENSE(S, float, float, or, sy)
DENSE(D, double, double, or, sy)
DENSE(C, cuComplex, float, un, he)
DENSE(Z, cuDoubleComplex, double, un, he)

// Functions whose types are arguments. Their matrices are of one type, and the eigenvalues and singular
// values of its real one.

Status cusolverDnCreateParams(cusolverDnParams_t *out) {
  const host::Named named("cusolverDnCreateParams");
  REQUIRE(out, "the result pointer is null");
  *out = new cusolverDnParams;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnDestroyParams(cusolverDnParams_t params) {
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnXpotrf_bufferSize(PARAMS, UPLO, int64_t, cudaDataType, const void *, int64_t, SIZES) {
  CALL("cusolverDnXpotrf_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXpotrf(PARAMS, UPLO, int64_t n, cudaDataType type, void *a, int64_t lda, WORK) {
  CALL("cusolverDnXpotrf", h);
  return byType({type, compute}, {n, lda}, [&](auto zero) {
    return potrf(h, uplo, n, static_cast<decltype(zero) *>(a), lda, info);
  });
}
Status cusolverDnXpotrs(PARAMS, UPLO, int64_t n, int64_t sides, cudaDataType type, const void *a, int64_t lda, cudaDataType typeB, void *b,
                        int64_t ldb, int *info) {
  CALL("cusolverDnXpotrs", h);
  return byType({type, typeB}, {n, sides, lda, ldb}, [&](auto zero) {
    using E = decltype(zero);
    return potrs(h, uplo, n, sides, static_cast<const E *>(a), lda, static_cast<E *>(b), ldb, info);
  });
}
Status cusolverDnXgetrf_bufferSize(PARAMS, int64_t, int64_t, cudaDataType, const void *, int64_t, SIZES) {
  CALL("cusolverDnXgetrf_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXgetrf(PARAMS, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda, int64_t *pivots, WORK) {
  CALL("cusolverDnXgetrf", h);
  return byType({type, compute}, {m, n, lda}, [&](auto zero) {
    return getrf(h, m, n, static_cast<decltype(zero) *>(a), lda, pivots, info);
  });
}
Status cusolverDnXgetrs(PARAMS, cublasOperation_t op, int64_t n, int64_t sides, cudaDataType type, const void *a, int64_t lda, const int64_t *pivots,
                        cudaDataType typeB, void *b, int64_t ldb, int *info) {
  CALL("cusolverDnXgetrs", h);
  return byType({type, typeB}, {n, sides, lda, ldb}, [&](auto zero) {
    using E = decltype(zero);
    return getrs(h, op, n, sides, static_cast<const E *>(a), lda, pivots, static_cast<E *>(b), ldb, info);
  });
}
Status cusolverDnXsyevd_bufferSize(PARAMS, cusolverEigMode_t, UPLO, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *, SIZES) {
  CALL("cusolverDnXsyevd_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXsyevd(PARAMS, cusolverEigMode_t jobz, UPLO, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeW, void *w, WORK) {
  CALL("cusolverDnXsyevd", h);
  REQUIRE(typeW == realOf(type), "the eigenvalues are not of the real type of the matrix");
  return byType({type, compute}, {n, lda}, [&](auto zero) {
    using E = decltype(zero);
    return eigen(h, jobz, uplo, n, static_cast<E *>(a), lda, static_cast<Real<E> *>(w), info, 40);
  });
}
Status cusolverDnXgesvd_bufferSize(PARAMS, signed char, signed char, int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *,
                                   cudaDataType, const void *, int64_t, cudaDataType, const void *, int64_t, SIZES) {
  CALL("cusolverDnXgesvd_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXgesvd(PARAMS, signed char jobu, signed char jobvt, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeS,
                        void *s, cudaDataType typeU, void *u, int64_t ldu, cudaDataType typeVT, void *vt, int64_t ldvt, WORK) {
  CALL("cusolverDnXgesvd", h);
  REQUIRE(typeS == realOf(type), "the singular values are not of the real type of the matrix");
  return byType({type, typeU, typeVT, compute}, {m, n, lda, ldu, ldvt}, [&](auto zero) {
    using E = decltype(zero);
    return gesvd(h, jobu, jobvt, m, n, static_cast<E *>(a), lda, static_cast<Real<E> *>(s), static_cast<E *>(u), ldu, static_cast<E *>(vt), ldvt, info);
  });
}

} // extern "C"
