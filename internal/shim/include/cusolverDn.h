/* cuSOLVER for dense matrices ("cuSOLVER", "cuSolverDN: Dense LAPACK"). Calls that have a prototype are executed by
 * kernels that are checked like the program's; the others are not supported. */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include "cusolver_common.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;

#ifdef __cplusplus
extern "C" {
#endif

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType typeA, const void *a, int64_t lda,
                                             cudaDataType computeType, size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, cudaDataType computeType, void *device,
                                  size_t deviceBytes, void *host, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n,
                                  int64_t nrhs, cudaDataType typeA, const void *a, int64_t lda, cudaDataType typeB,
                                  void *b, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType typeA, const void *a, int64_t lda, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, int64_t *pivots, cudaDataType computeType,
                                  void *device, size_t deviceBytes, void *host, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t op, int64_t n,
                                  int64_t nrhs, cudaDataType typeA, const void *a, int64_t lda, const int64_t *pivots,
                                  cudaDataType typeB, void *b, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType typeA, const void *a,
                                             int64_t lda, cudaDataType typeW, const void *w, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeW, void *w, cudaDataType computeType, void *device,
                                  size_t deviceBytes, void *host, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                             signed char jobvt, int64_t m, int64_t n, cudaDataType typeA, const void *a,
                                             int64_t lda, cudaDataType typeS, const void *s, cudaDataType typeU,
                                             const void *u, int64_t ldu, cudaDataType typeVT, const void *vt, int64_t ldvt,
                                             cudaDataType computeType, size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeS, void *s, cudaDataType typeU, void *u, int64_t ldu,
                                  cudaDataType typeVT, void *vt, int64_t ldvt, cudaDataType computeType, void *device,
                                  size_t deviceBytes, void *host, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort);
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info, int *sweeps);
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info, double *residual);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort);
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info, int *sweeps);
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info, double *residual);
cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float *a, int lda,
                                             int *lwork);
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float *a, int lda,
                                  float *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnSpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const float *a,
                                  int lda, float *b, int ldb, int *devInfo);
cusolverStatus_t cusolverDnSgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, float *a, int lda, int *lwork);
cusolverStatus_t cusolverDnSgetrf(cusolverDnHandle_t handle, int m, int n, float *a, int lda, float *work, int *devIpiv,
                                  int *devInfo);
cusolverStatus_t cusolverDnSgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const float *a,
                                  int lda, const int *devIpiv, float *b, int ldb, int *devInfo);
cusolverStatus_t cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, float *a, int lda, int *lwork);
cusolverStatus_t cusolverDnSgeqrf(cusolverDnHandle_t handle, int m, int n, float *a, int lda, float *tau, float *work,
                                  int lwork, int *devInfo);
cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                             int m, int n, int k, const float *a, int lda, const float *tau,
                                             const float *c, int ldc, int *lwork);
cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m,
                                  int n, int k, const float *a, int lda, const float *tau, float *c, int ldc,
                                  float *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const float *a, int lda,
                                             const float *tau, int *lwork);
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k, float *a, int lda, const float *tau,
                                  float *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int n, const float *a, int lda, const float *w, int *lwork);
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  float *a, int lda, float *w, float *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int n, const float *a, int lda, const float *w, int *lwork,
                                             syevjInfo_t params);
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  float *a, int lda, float *w, float *work, int lwork, int *devInfo,
                                  syevjInfo_t params);
cusolverStatus_t cusolverDnSgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);
cusolverStatus_t cusolverDnSgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,
                                  float *a, int lda, float *s, float *u, int ldu, float *vt, int ldvt, float *work,
                                  int lwork, float *rwork, int *devInfo);
cusolverStatus_t cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,
                                              const float *a, int lda, const float *s, const float *u, int ldu,
                                              const float *v, int ldv, int *lwork, gesvdjInfo_t params);
cusolverStatus_t cusolverDnSgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, float *a,
                                   int lda, float *s, float *u, int ldu, float *v, int ldv, float *work, int lwork,
                                   int *devInfo, gesvdjInfo_t params);
cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, double *a,
                                             int lda, int *lwork);
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, double *a, int lda,
                                  double *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnDpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const double *a,
                                  int lda, double *b, int ldb, int *devInfo);
cusolverStatus_t cusolverDnDgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, double *a, int lda, int *lwork);
cusolverStatus_t cusolverDnDgetrf(cusolverDnHandle_t handle, int m, int n, double *a, int lda, double *work,
                                  int *devIpiv, int *devInfo);
cusolverStatus_t cusolverDnDgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const double *a,
                                  int lda, const int *devIpiv, double *b, int ldb, int *devInfo);
cusolverStatus_t cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, double *a, int lda, int *lwork);
cusolverStatus_t cusolverDnDgeqrf(cusolverDnHandle_t handle, int m, int n, double *a, int lda, double *tau,
                                  double *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                             int m, int n, int k, const double *a, int lda, const double *tau,
                                             const double *c, int ldc, int *lwork);
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m,
                                  int n, int k, const double *a, int lda, const double *tau, double *c, int ldc,
                                  double *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const double *a, int lda,
                                             const double *tau, int *lwork);
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k, double *a, int lda, const double *tau,
                                  double *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int n, const double *a, int lda, const double *w, int *lwork);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  double *a, int lda, double *w, double *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnDsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int n, const double *a, int lda, const double *w, int *lwork,
                                             syevjInfo_t params);
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  double *a, int lda, double *w, double *work, int lwork, int *devInfo,
                                  syevjInfo_t params);
cusolverStatus_t cusolverDnDgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);
cusolverStatus_t cusolverDnDgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,
                                  double *a, int lda, double *s, double *u, int ldu, double *vt, int ldvt, double *work,
                                  int lwork, double *rwork, int *devInfo);
cusolverStatus_t cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,
                                              const double *a, int lda, const double *s, const double *u, int ldu,
                                              const double *v, int ldv, int *lwork, gesvdjInfo_t params);
cusolverStatus_t cusolverDnDgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, double *a,
                                   int lda, double *s, double *u, int ldu, double *v, int ldv, double *work, int lwork,
                                   int *devInfo, gesvdjInfo_t params);
cusolverStatus_t cusolverDnCpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuComplex *a,
                                             int lda, int *lwork);
cusolverStatus_t cusolverDnCpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuComplex *a, int lda,
                                  cuComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnCpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const cuComplex *a,
                                  int lda, cuComplex *b, int ldb, int *devInfo);
cusolverStatus_t cusolverDnCgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuComplex *a, int lda,
                                             int *lwork);
cusolverStatus_t cusolverDnCgetrf(cusolverDnHandle_t handle, int m, int n, cuComplex *a, int lda, cuComplex *work,
                                  int *devIpiv, int *devInfo);
cusolverStatus_t cusolverDnCgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                  const cuComplex *a, int lda, const int *devIpiv, cuComplex *b, int ldb,
                                  int *devInfo);
cusolverStatus_t cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuComplex *a, int lda,
                                             int *lwork);
cusolverStatus_t cusolverDnCgeqrf(cusolverDnHandle_t handle, int m, int n, cuComplex *a, int lda, cuComplex *tau,
                                  cuComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnCunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                             int m, int n, int k, const cuComplex *a, int lda, const cuComplex *tau,
                                             const cuComplex *c, int ldc, int *lwork);
cusolverStatus_t cusolverDnCunmqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m,
                                  int n, int k, const cuComplex *a, int lda, const cuComplex *tau, cuComplex *c,
                                  int ldc, cuComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnCungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const cuComplex *a,
                                             int lda, const cuComplex *tau, int *lwork);
cusolverStatus_t cusolverDnCungqr(cusolverDnHandle_t handle, int m, int n, int k, cuComplex *a, int lda,
                                  const cuComplex *tau, cuComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int n, const cuComplex *a, int lda, const float *w, int *lwork);
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  cuComplex *a, int lda, float *w, cuComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnCheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int n, const cuComplex *a, int lda, const float *w, int *lwork,
                                             syevjInfo_t params);
cusolverStatus_t cusolverDnCheevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  cuComplex *a, int lda, float *w, cuComplex *work, int lwork, int *devInfo,
                                  syevjInfo_t params);
cusolverStatus_t cusolverDnCgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);
cusolverStatus_t cusolverDnCgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,
                                  cuComplex *a, int lda, float *s, cuComplex *u, int ldu, cuComplex *vt, int ldvt,
                                  cuComplex *work, int lwork, float *rwork, int *devInfo);
cusolverStatus_t cusolverDnCgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,
                                              const cuComplex *a, int lda, const float *s, const cuComplex *u, int ldu,
                                              const cuComplex *v, int ldv, int *lwork, gesvdjInfo_t params);
cusolverStatus_t cusolverDnCgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,
                                   cuComplex *a, int lda, float *s, cuComplex *u, int ldu, cuComplex *v, int ldv,
                                   cuComplex *work, int lwork, int *devInfo, gesvdjInfo_t params);
cusolverStatus_t cusolverDnZpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,
                                             cuDoubleComplex *a, int lda, int *lwork);
cusolverStatus_t cusolverDnZpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuDoubleComplex *a, int lda,
                                  cuDoubleComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnZpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                  const cuDoubleComplex *a, int lda, cuDoubleComplex *b, int ldb, int *devInfo);
cusolverStatus_t cusolverDnZgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex *a, int lda,
                                             int *lwork);
cusolverStatus_t cusolverDnZgetrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex *a, int lda,
                                  cuDoubleComplex *work, int *devIpiv, int *devInfo);
cusolverStatus_t cusolverDnZgetrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                  const cuDoubleComplex *a, int lda, const int *devIpiv, cuDoubleComplex *b, int ldb,
                                  int *devInfo);
cusolverStatus_t cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex *a, int lda,
                                             int *lwork);
cusolverStatus_t cusolverDnZgeqrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex *a, int lda,
                                  cuDoubleComplex *tau, cuDoubleComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnZunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                             int m, int n, int k, const cuDoubleComplex *a, int lda,
                                             const cuDoubleComplex *tau, const cuDoubleComplex *c, int ldc,
                                             int *lwork);
cusolverStatus_t cusolverDnZunmqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m,
                                  int n, int k, const cuDoubleComplex *a, int lda, const cuDoubleComplex *tau,
                                  cuDoubleComplex *c, int ldc, cuDoubleComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnZungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const cuDoubleComplex *a,
                                             int lda, const cuDoubleComplex *tau, int *lwork);
cusolverStatus_t cusolverDnZungqr(cusolverDnHandle_t handle, int m, int n, int k, cuDoubleComplex *a, int lda,
                                  const cuDoubleComplex *tau, cuDoubleComplex *work, int lwork, int *devInfo);
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int n, const cuDoubleComplex *a, int lda, const double *w, int *lwork);
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  cuDoubleComplex *a, int lda, double *w, cuDoubleComplex *work, int lwork,
                                  int *devInfo);
cusolverStatus_t cusolverDnZheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int n, const cuDoubleComplex *a, int lda, const double *w, int *lwork,
                                             syevjInfo_t params);
cusolverStatus_t cusolverDnZheevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  cuDoubleComplex *a, int lda, double *w, cuDoubleComplex *work, int lwork,
                                  int *devInfo, syevjInfo_t params);
cusolverStatus_t cusolverDnZgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);
cusolverStatus_t cusolverDnZgesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,
                                  cuDoubleComplex *a, int lda, double *s, cuDoubleComplex *u, int ldu,
                                  cuDoubleComplex *vt, int ldvt, cuDoubleComplex *work, int lwork, double *rwork,
                                  int *devInfo);
cusolverStatus_t cusolverDnZgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,
                                              const cuDoubleComplex *a, int lda, const double *s,
                                              const cuDoubleComplex *u, int ldu, const cuDoubleComplex *v, int ldv,
                                              int *lwork, gesvdjInfo_t params);
cusolverStatus_t cusolverDnZgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,
                                   cuDoubleComplex *a, int lda, double *s, cuDoubleComplex *u, int ldu,
                                   cuDoubleComplex *v, int ldv, cuDoubleComplex *work, int lwork, int *devInfo,
                                   gesvdjInfo_t params);

#ifdef __cplusplus
}
#endif

#define __WG_RESULT cusolverStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cusolverDnSpotri)
__WG_C_API(cusolverDnSpotri_bufferSize)
__WG_C_API(cusolverDnSpotrfBatched)
__WG_C_API(cusolverDnSpotrsBatched)
__WG_C_API(cusolverDnSgesvdjBatched)
__WG_C_API(cusolverDnSgesvdjBatched_bufferSize)
__WG_C_API(cusolverDnSgebrd)
__WG_C_API(cusolverDnSgebrd_bufferSize)
__WG_C_API(cusolverDnSgels)
__WG_C_API(cusolverDnSgels_bufferSize)
__WG_C_API(cusolverDnDpotri)
__WG_C_API(cusolverDnDpotri_bufferSize)
__WG_C_API(cusolverDnDpotrfBatched)
__WG_C_API(cusolverDnDpotrsBatched)
__WG_C_API(cusolverDnDgesvdjBatched)
__WG_C_API(cusolverDnDgesvdjBatched_bufferSize)
__WG_C_API(cusolverDnDgebrd)
__WG_C_API(cusolverDnDgebrd_bufferSize)
__WG_C_API(cusolverDnDgels)
__WG_C_API(cusolverDnDgels_bufferSize)
__WG_C_API(cusolverDnCpotri)
__WG_C_API(cusolverDnCpotri_bufferSize)
__WG_C_API(cusolverDnCpotrfBatched)
__WG_C_API(cusolverDnCpotrsBatched)
__WG_C_API(cusolverDnCgesvdjBatched)
__WG_C_API(cusolverDnCgesvdjBatched_bufferSize)
__WG_C_API(cusolverDnCgebrd)
__WG_C_API(cusolverDnCgebrd_bufferSize)
__WG_C_API(cusolverDnCgels)
__WG_C_API(cusolverDnCgels_bufferSize)
__WG_C_API(cusolverDnZpotri)
__WG_C_API(cusolverDnZpotri_bufferSize)
__WG_C_API(cusolverDnZpotrfBatched)
__WG_C_API(cusolverDnZpotrsBatched)
__WG_C_API(cusolverDnZgesvdjBatched)
__WG_C_API(cusolverDnZgesvdjBatched_bufferSize)
__WG_C_API(cusolverDnZgebrd)
__WG_C_API(cusolverDnZgebrd_bufferSize)
__WG_C_API(cusolverDnZgels)
__WG_C_API(cusolverDnZgels_bufferSize)
__WG_C_API(cusolverDnSsyevjBatched)
__WG_C_API(cusolverDnSsyevjBatched_bufferSize)
__WG_C_API(cusolverDnSsygvd)
__WG_C_API(cusolverDnSsygvd_bufferSize)
__WG_C_API(cusolverDnSsytrf)
__WG_C_API(cusolverDnSsytrf_bufferSize)
__WG_C_API(cusolverDnDsyevjBatched)
__WG_C_API(cusolverDnDsyevjBatched_bufferSize)
__WG_C_API(cusolverDnDsygvd)
__WG_C_API(cusolverDnDsygvd_bufferSize)
__WG_C_API(cusolverDnDsytrf)
__WG_C_API(cusolverDnDsytrf_bufferSize)
#undef __WG_C_API
#undef __WG_RESULT

#endif
