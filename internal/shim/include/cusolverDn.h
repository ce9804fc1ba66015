/* cuSOLVER for dense matrices ("cuSOLVER", "cuSolverDN: Dense LAPACK"). Calls that have a prototype are executed by
 * kernels that are checked like the program's; the others are not supported. */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include "cusolver_common.h"
#include <stdio.h>

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2 } cusolverDnFunction_t;

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

cusolverStatus_t cusolverDnSpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float *, int,
    int *size);
cusolverStatus_t cusolverDnSpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float *a, int lda, float *,
    int, int *info);
cusolverStatus_t cusolverDnSpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, float *as[], int
    lda, int *info, int batch);
cusolverStatus_t cusolverDnSpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int sides, float
    *as[], int lda, float *bs[], int ldb, int *info, int batch);
cusolverStatus_t cusolverDnDpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, double *, int,
    int *size);
cusolverStatus_t cusolverDnDpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, double *a, int lda, double
    *, int, int *info);
cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, double *as[], int
    lda, int *info, int batch);
cusolverStatus_t cusolverDnDpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int sides, double
    *as[], int lda, double *bs[], int ldb, int *info, int batch);
cusolverStatus_t cusolverDnCpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuComplex *,
    int, int *size);
cusolverStatus_t cusolverDnCpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuComplex *a, int lda,
    cuComplex *, int, int *info);
cusolverStatus_t cusolverDnCpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuComplex *as[], int
    lda, int *info, int batch);
cusolverStatus_t cusolverDnCpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int sides, cuComplex
    *as[], int lda, cuComplex *bs[], int ldb, int *info, int batch);
cusolverStatus_t cusolverDnZpotri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuDoubleComplex
    *, int, int *size);
cusolverStatus_t cusolverDnZpotri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuDoubleComplex *a, int
    lda, cuDoubleComplex *, int, int *info);
cusolverStatus_t cusolverDnZpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, cuDoubleComplex
    *as[], int lda, int *info, int batch);
cusolverStatus_t cusolverDnZpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int sides,
    cuDoubleComplex *as[], int lda, cuDoubleComplex *bs[], int ldb, int *info, int batch);
cusolverStatus_t cusolverDnDDgesv_bufferSize(cusolverDnHandle_t handle, int, int, double *, int, int *, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDDgesv(cusolverDnHandle_t handle, int n, int sides, double *a, int lda, int *pivots, double
    *b, int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDDgels_bufferSize(cusolverDnHandle_t handle, int, int, int, double *, int, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDDgels(cusolverDnHandle_t handle, int m, int n, int sides, double *a, int lda, double *b,
    int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDSgesv_bufferSize(cusolverDnHandle_t handle, int, int, double *, int, int *, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDSgesv(cusolverDnHandle_t handle, int n, int sides, double *a, int lda, int *pivots, double
    *b, int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDSgels_bufferSize(cusolverDnHandle_t handle, int, int, int, double *, int, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDSgels(cusolverDnHandle_t handle, int m, int n, int sides, double *a, int lda, double *b,
    int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDHgesv_bufferSize(cusolverDnHandle_t handle, int, int, double *, int, int *, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDHgesv(cusolverDnHandle_t handle, int n, int sides, double *a, int lda, int *pivots, double
    *b, int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDHgels_bufferSize(cusolverDnHandle_t handle, int, int, int, double *, int, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDHgels(cusolverDnHandle_t handle, int m, int n, int sides, double *a, int lda, double *b,
    int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDBgesv_bufferSize(cusolverDnHandle_t handle, int, int, double *, int, int *, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDBgesv(cusolverDnHandle_t handle, int n, int sides, double *a, int lda, int *pivots, double
    *b, int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDBgels_bufferSize(cusolverDnHandle_t handle, int, int, int, double *, int, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDBgels(cusolverDnHandle_t handle, int m, int n, int sides, double *a, int lda, double *b,
    int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDXgesv_bufferSize(cusolverDnHandle_t handle, int, int, double *, int, int *, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDXgesv(cusolverDnHandle_t handle, int n, int sides, double *a, int lda, int *pivots, double
    *b, int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnDXgels_bufferSize(cusolverDnHandle_t handle, int, int, int, double *, int, double *, int,
    double *, int, void *, size_t *size);
cusolverStatus_t cusolverDnDXgels(cusolverDnHandle_t handle, int m, int n, int sides, double *a, int lda, double *b,
    int ldb, double *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnSSgesv_bufferSize(cusolverDnHandle_t handle, int, int, float *, int, int *, float *, int,
    float *, int, void *, size_t *size);
cusolverStatus_t cusolverDnSSgesv(cusolverDnHandle_t handle, int n, int sides, float *a, int lda, int *pivots, float
    *b, int ldb, float *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnSSgels_bufferSize(cusolverDnHandle_t handle, int, int, int, float *, int, float *, int,
    float *, int, void *, size_t *size);
cusolverStatus_t cusolverDnSSgels(cusolverDnHandle_t handle, int m, int n, int sides, float *a, int lda, float *b, int
    ldb, float *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnSHgesv_bufferSize(cusolverDnHandle_t handle, int, int, float *, int, int *, float *, int,
    float *, int, void *, size_t *size);
cusolverStatus_t cusolverDnSHgesv(cusolverDnHandle_t handle, int n, int sides, float *a, int lda, int *pivots, float
    *b, int ldb, float *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnSHgels_bufferSize(cusolverDnHandle_t handle, int, int, int, float *, int, float *, int,
    float *, int, void *, size_t *size);
cusolverStatus_t cusolverDnSHgels(cusolverDnHandle_t handle, int m, int n, int sides, float *a, int lda, float *b, int
    ldb, float *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnSBgesv_bufferSize(cusolverDnHandle_t handle, int, int, float *, int, int *, float *, int,
    float *, int, void *, size_t *size);
cusolverStatus_t cusolverDnSBgesv(cusolverDnHandle_t handle, int n, int sides, float *a, int lda, int *pivots, float
    *b, int ldb, float *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnSBgels_bufferSize(cusolverDnHandle_t handle, int, int, int, float *, int, float *, int,
    float *, int, void *, size_t *size);
cusolverStatus_t cusolverDnSBgels(cusolverDnHandle_t handle, int m, int n, int sides, float *a, int lda, float *b, int
    ldb, float *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnSXgesv_bufferSize(cusolverDnHandle_t handle, int, int, float *, int, int *, float *, int,
    float *, int, void *, size_t *size);
cusolverStatus_t cusolverDnSXgesv(cusolverDnHandle_t handle, int n, int sides, float *a, int lda, int *pivots, float
    *b, int ldb, float *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnSXgels_bufferSize(cusolverDnHandle_t handle, int, int, int, float *, int, float *, int,
    float *, int, void *, size_t *size);
cusolverStatus_t cusolverDnSXgels(cusolverDnHandle_t handle, int m, int n, int sides, float *a, int lda, float *b, int
    ldb, float *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZZgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuDoubleComplex *, int, int *,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZZgesv(cusolverDnHandle_t handle, int n, int sides, cuDoubleComplex *a, int lda, int
    *pivots, cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZZgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuDoubleComplex *, int,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZZgels(cusolverDnHandle_t handle, int m, int n, int sides, cuDoubleComplex *a, int lda,
    cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZCgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuDoubleComplex *, int, int *,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZCgesv(cusolverDnHandle_t handle, int n, int sides, cuDoubleComplex *a, int lda, int
    *pivots, cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZCgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuDoubleComplex *, int,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZCgels(cusolverDnHandle_t handle, int m, int n, int sides, cuDoubleComplex *a, int lda,
    cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZKgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuDoubleComplex *, int, int *,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZKgesv(cusolverDnHandle_t handle, int n, int sides, cuDoubleComplex *a, int lda, int
    *pivots, cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZKgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuDoubleComplex *, int,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZKgels(cusolverDnHandle_t handle, int m, int n, int sides, cuDoubleComplex *a, int lda,
    cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZEgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuDoubleComplex *, int, int *,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZEgesv(cusolverDnHandle_t handle, int n, int sides, cuDoubleComplex *a, int lda, int
    *pivots, cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZEgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuDoubleComplex *, int,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZEgels(cusolverDnHandle_t handle, int m, int n, int sides, cuDoubleComplex *a, int lda,
    cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZYgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuDoubleComplex *, int, int *,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZYgesv(cusolverDnHandle_t handle, int n, int sides, cuDoubleComplex *a, int lda, int
    *pivots, cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnZYgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuDoubleComplex *, int,
    cuDoubleComplex *, int, cuDoubleComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnZYgels(cusolverDnHandle_t handle, int m, int n, int sides, cuDoubleComplex *a, int lda,
    cuDoubleComplex *b, int ldb, cuDoubleComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnCCgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuComplex *, int, int *, cuComplex
    *, int, cuComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnCCgesv(cusolverDnHandle_t handle, int n, int sides, cuComplex *a, int lda, int *pivots,
    cuComplex *b, int ldb, cuComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnCCgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuComplex *, int, cuComplex *,
    int, cuComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnCCgels(cusolverDnHandle_t handle, int m, int n, int sides, cuComplex *a, int lda, cuComplex
    *b, int ldb, cuComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnCKgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuComplex *, int, int *, cuComplex
    *, int, cuComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnCKgesv(cusolverDnHandle_t handle, int n, int sides, cuComplex *a, int lda, int *pivots,
    cuComplex *b, int ldb, cuComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnCKgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuComplex *, int, cuComplex *,
    int, cuComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnCKgels(cusolverDnHandle_t handle, int m, int n, int sides, cuComplex *a, int lda, cuComplex
    *b, int ldb, cuComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnCEgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuComplex *, int, int *, cuComplex
    *, int, cuComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnCEgesv(cusolverDnHandle_t handle, int n, int sides, cuComplex *a, int lda, int *pivots,
    cuComplex *b, int ldb, cuComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnCEgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuComplex *, int, cuComplex *,
    int, cuComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnCEgels(cusolverDnHandle_t handle, int m, int n, int sides, cuComplex *a, int lda, cuComplex
    *b, int ldb, cuComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnCYgesv_bufferSize(cusolverDnHandle_t handle, int, int, cuComplex *, int, int *, cuComplex
    *, int, cuComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnCYgesv(cusolverDnHandle_t handle, int n, int sides, cuComplex *a, int lda, int *pivots,
    cuComplex *b, int ldb, cuComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnCYgels_bufferSize(cusolverDnHandle_t handle, int, int, int, cuComplex *, int, cuComplex *,
    int, cuComplex *, int, void *, size_t *size);
cusolverStatus_t cusolverDnCYgels(cusolverDnHandle_t handle, int m, int n, int sides, cuComplex *a, int lda, cuComplex
    *b, int ldb, cuComplex *x, int ldx, void *, size_t, int *iterations, int *info);
cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *out);
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t p);
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t p, cusolverPrecType_t main,
    cusolverPrecType_t);
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t p, cusolverPrecType_t main);
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t p, cusolverPrecType_t);
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t p, cusolverIRSRefinement_t);
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t p, double);
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t p, double);
cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t p, int);
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t p, int most);
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t p, int *most);
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t p);
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t p);
cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *out);
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t p);
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t p, int *out);
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t p, int *out);
cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t, int, int, size_t
    *size);
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t p, cusolverDnIRSInfos_t infos,
    int n, int sides, void *a, int lda, void *b, int ldb, void *x, int ldx, void *, size_t, int *iterations, int
    *info);
cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t, int, int, int, size_t
    *size);
cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t handle, cusolverDnIRSParams_t p, cusolverDnIRSInfos_t infos,
    int m, int n, int sides, void *a, int lda, void *b, int ldb, void *x, int ldx, void *, size_t, int *iterations,
    int *info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t, int64_t,
    cudaDataType, const void *, int64_t, cudaDataType, const void *, cudaDataType, size_t *device, size_t *host);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType
    type, void *a, int64_t lda, cudaDataType typeTau, void *tau, cudaDataType compute, void *, size_t, void *, size_t,
    int *info);
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t,
    int64_t, cudaDataType, void *, int64_t, size_t *device, size_t *host);
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
    cudaDataType type, void *a, int64_t lda, void *, size_t, void *, size_t, int *info);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t p, cusolverDnFunction_t, cusolverAlgMode_t);
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode);
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t *mode);
cusolverStatus_t cusolverDnSsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t
    range, cublasFillMode_t uplo, int n, const float *, int, float, float, int il, int iu, int *found, const float *,
    int *size);
cusolverStatus_t cusolverDnSsyevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,
    cublasFillMode_t uplo, int n, float *a, int lda, float vl, float vu, int il, int iu, int *found, float *w, float
    *, int, int *info);
cusolverStatus_t cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const float *, int, const float *, int *size, syevjInfo_t, int);
cusolverStatus_t cusolverDnSsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int
    n, float *a, int lda, float *w, float *, int, int *info, syevjInfo_t params, int batch);
cusolverStatus_t cusolverDnSsygvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const float *, int, const float *, int, const float *, int *size);
cusolverStatus_t cusolverDnSsygvd(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, float *a, int lda, float *b, int ldb, float *w, float *, int, int *info);
cusolverStatus_t cusolverDnSsygvj_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const float *, int, const float *, int, const float *, int *size, syevjInfo_t);
cusolverStatus_t cusolverDnSsygvj(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, float *a, int lda, float *b, int ldb, float *w, float *, int, int *info,
    syevjInfo_t);
cusolverStatus_t cusolverDnSsygvdx_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, const float *, int, const float *, int, float, float, int
    il, int iu, int *found, const float *, int *size);
cusolverStatus_t cusolverDnSsygvdx(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, float *a, int lda, float *b, int ldb, float vl, float vu,
    int il, int iu, int *found, float *w, float *, int, int *info);
cusolverStatus_t cusolverDnSgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int, int n,
    const float *, int, const float *, const float *, int, const float *, int, int *size, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnSgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, float *a,
    int lda, float *s, float *u, int ldu, float *v, int ldv, float *, int, int *info, gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnSgesvdaStridedBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int,
    int, int n, const float *, int, long long, const float *, long long, const float *, int, long long, const float *,
    int, long long, int *size, int);
cusolverStatus_t cusolverDnSgesvdaStridedBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m,
    int n, const float *a, int lda, long long strideA, float *s, long long strideS, float *u, int ldu, long long
    strideU, float *v, int ldv, long long strideV, float *, int, int *info, double *norms, int batch);
cusolverStatus_t cusolverDnDsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t
    range, cublasFillMode_t uplo, int n, const double *, int, double, double, int il, int iu, int *found, const double
    *, int *size);
cusolverStatus_t cusolverDnDsyevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,
    cublasFillMode_t uplo, int n, double *a, int lda, double vl, double vu, int il, int iu, int *found, double *w,
    double *, int, int *info);
cusolverStatus_t cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const double *, int, const double *, int *size, syevjInfo_t, int);
cusolverStatus_t cusolverDnDsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int
    n, double *a, int lda, double *w, double *, int, int *info, syevjInfo_t params, int batch);
cusolverStatus_t cusolverDnDsygvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const double *, int, const double *, int, const double *, int *size);
cusolverStatus_t cusolverDnDsygvd(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, double *a, int lda, double *b, int ldb, double *w, double *, int, int *info);
cusolverStatus_t cusolverDnDsygvj_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const double *, int, const double *, int, const double *, int *size, syevjInfo_t);
cusolverStatus_t cusolverDnDsygvj(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, double *a, int lda, double *b, int ldb, double *w, double *, int, int *info,
    syevjInfo_t);
cusolverStatus_t cusolverDnDsygvdx_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, const double *, int, const double *, int, double, double,
    int il, int iu, int *found, const double *, int *size);
cusolverStatus_t cusolverDnDsygvdx(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, double *a, int lda, double *b, int ldb, double vl, double
    vu, int il, int iu, int *found, double *w, double *, int, int *info);
cusolverStatus_t cusolverDnDgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int, int n,
    const double *, int, const double *, const double *, int, const double *, int, int *size, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnDgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, double *a,
    int lda, double *s, double *u, int ldu, double *v, int ldv, double *, int, int *info, gesvdjInfo_t params, int
    batch);
cusolverStatus_t cusolverDnDgesvdaStridedBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int,
    int, int n, const double *, int, long long, const double *, long long, const double *, int, long long, const
    double *, int, long long, int *size, int);
cusolverStatus_t cusolverDnDgesvdaStridedBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m,
    int n, const double *a, int lda, long long strideA, double *s, long long strideS, double *u, int ldu, long long
    strideU, double *v, int ldv, long long strideV, double *, int, int *info, double *norms, int batch);
cusolverStatus_t cusolverDnCheevdx_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t
    range, cublasFillMode_t uplo, int n, const cuComplex *, int, float, float, int il, int iu, int *found, const float
    *, int *size);
cusolverStatus_t cusolverDnCheevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,
    cublasFillMode_t uplo, int n, cuComplex *a, int lda, float vl, float vu, int il, int iu, int *found, float *w,
    cuComplex *, int, int *info);
cusolverStatus_t cusolverDnCheevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const cuComplex *, int, const float *, int *size, syevjInfo_t, int);
cusolverStatus_t cusolverDnCheevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int
    n, cuComplex *a, int lda, float *w, cuComplex *, int, int *info, syevjInfo_t params, int batch);
cusolverStatus_t cusolverDnChegvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const cuComplex *, int, const cuComplex *, int, const float *, int *size);
cusolverStatus_t cusolverDnChegvd(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, cuComplex *a, int lda, cuComplex *b, int ldb, float *w, cuComplex *, int, int
    *info);
cusolverStatus_t cusolverDnChegvj_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const cuComplex *, int, const cuComplex *, int, const float *, int *size,
    syevjInfo_t);
cusolverStatus_t cusolverDnChegvj(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, cuComplex *a, int lda, cuComplex *b, int ldb, float *w, cuComplex *, int, int *info,
    syevjInfo_t);
cusolverStatus_t cusolverDnChegvdx_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, const cuComplex *, int, const cuComplex *, int, float,
    float, int il, int iu, int *found, const float *, int *size);
cusolverStatus_t cusolverDnChegvdx(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, cuComplex *a, int lda, cuComplex *b, int ldb, float vl,
    float vu, int il, int iu, int *found, float *w, cuComplex *, int, int *info);
cusolverStatus_t cusolverDnCgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int, int n,
    const cuComplex *, int, const float *, const cuComplex *, int, const cuComplex *, int, int *size, gesvdjInfo_t,
    int);
cusolverStatus_t cusolverDnCgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, cuComplex
    *a, int lda, float *s, cuComplex *u, int ldu, cuComplex *v, int ldv, cuComplex *, int, int *info, gesvdjInfo_t
    params, int batch);
cusolverStatus_t cusolverDnCgesvdaStridedBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int,
    int, int n, const cuComplex *, int, long long, const float *, long long, const cuComplex *, int, long long, const
    cuComplex *, int, long long, int *size, int);
cusolverStatus_t cusolverDnCgesvdaStridedBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m,
    int n, const cuComplex *a, int lda, long long strideA, float *s, long long strideS, cuComplex *u, int ldu, long
    long strideU, cuComplex *v, int ldv, long long strideV, cuComplex *, int, int *info, double *norms, int batch);
cusolverStatus_t cusolverDnZheevdx_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t
    range, cublasFillMode_t uplo, int n, const cuDoubleComplex *, int, double, double, int il, int iu, int *found,
    const double *, int *size);
cusolverStatus_t cusolverDnZheevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,
    cublasFillMode_t uplo, int n, cuDoubleComplex *a, int lda, double vl, double vu, int il, int iu, int *found,
    double *w, cuDoubleComplex *, int, int *info);
cusolverStatus_t cusolverDnZheevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const cuDoubleComplex *, int, const double *, int *size, syevjInfo_t, int);
cusolverStatus_t cusolverDnZheevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int
    n, cuDoubleComplex *a, int lda, double *w, cuDoubleComplex *, int, int *info, syevjInfo_t params, int batch);
cusolverStatus_t cusolverDnZhegvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const cuDoubleComplex *, int, const cuDoubleComplex *, int, const double *, int
    *size);
cusolverStatus_t cusolverDnZhegvd(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, cuDoubleComplex *a, int lda, cuDoubleComplex *b, int ldb, double *w, cuDoubleComplex
    *, int, int *info);
cusolverStatus_t cusolverDnZhegvj_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, const cuDoubleComplex *, int, const cuDoubleComplex *, int, const double *, int
    *size, syevjInfo_t);
cusolverStatus_t cusolverDnZhegvj(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int n, cuDoubleComplex *a, int lda, cuDoubleComplex *b, int ldb, double *w, cuDoubleComplex
    *, int, int *info, syevjInfo_t);
cusolverStatus_t cusolverDnZhegvdx_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, const cuDoubleComplex *, int, const cuDoubleComplex *,
    int, double, double, int il, int iu, int *found, const double *, int *size);
cusolverStatus_t cusolverDnZhegvdx(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, cuDoubleComplex *a, int lda, cuDoubleComplex *b, int ldb,
    double vl, double vu, int il, int iu, int *found, double *w, cuDoubleComplex *, int, int *info);
cusolverStatus_t cusolverDnZgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int, int n,
    const cuDoubleComplex *, int, const double *, const cuDoubleComplex *, int, const cuDoubleComplex *, int, int
    *size, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnZgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n,
    cuDoubleComplex *a, int lda, double *s, cuDoubleComplex *u, int ldu, cuDoubleComplex *v, int ldv, cuDoubleComplex
    *, int, int *info, gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnZgesvdaStridedBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int,
    int, int n, const cuDoubleComplex *, int, long long, const double *, long long, const cuDoubleComplex *, int, long
    long, const cuDoubleComplex *, int, long long, int *size, int);
cusolverStatus_t cusolverDnZgesvdaStridedBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m,
    int n, const cuDoubleComplex *a, int lda, long long strideA, double *s, long long strideS, cuDoubleComplex *u, int
    ldu, long long strideU, cuDoubleComplex *v, int ldv, long long strideV, cuDoubleComplex *, int, int *info, double
    *norms, int batch);
cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType, const void *, int64_t, void *, void *,
    int64_t il, int64_t iu, int64_t *found, cudaDataType, const void *, cudaDataType, size_t *device, size_t *host);
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType type, void *a, int64_t lda, void *vl,
    void *vu, int64_t il, int64_t iu, int64_t *found, cudaDataType typeW, void *w, cudaDataType compute, void *,
    size_t, void *, size_t, int *info);
cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t
    jobz, cublasFillMode_t uplo, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *,
    cudaDataType, size_t *device, size_t *host, int64_t);
cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeW, void *w,
    cudaDataType compute, void *, size_t, void *, size_t, int *info, int64_t batch);
cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
    int, int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *, cudaDataType, const void
    *, int64_t, cudaDataType, const void *, int64_t, cudaDataType, size_t *device, size_t *host);
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, int econ,
    int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeS, void *s, cudaDataType typeU,
    void *u, int64_t ldu, cudaDataType typeV, void *v, int64_t ldv, cudaDataType compute, void *, size_t, void *,
    size_t, int *info, double *error);
cusolverStatus_t cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, signed char, signed char,
    int64_t, int64_t, int64_t, int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *,
    cudaDataType, const void *, int64_t, cudaDataType, const void *, int64_t, cudaDataType, size_t *device, size_t
    *host);
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu, signed char jobv,
    int64_t m, int64_t n, int64_t rank, int64_t, int64_t, cudaDataType type, void *a, int64_t lda, cudaDataType typeS,
    void *s, cudaDataType typeU, void *u, int64_t ldu, cudaDataType typeV, void *v, int64_t ldv, cudaDataType compute,
    void *, size_t, void *, size_t, int *info);

#ifdef __cplusplus
}
#endif

#define __WG_RESULT cusolverStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cusolverDnXgeev)
__WG_C_API(cusolverDnXgeev_bufferSize)
__WG_C_API(cusolverDnSgebrd)
__WG_C_API(cusolverDnSgebrd_bufferSize)
__WG_C_API(cusolverDnSgels)
__WG_C_API(cusolverDnSgels_bufferSize)
__WG_C_API(cusolverDnDgebrd)
__WG_C_API(cusolverDnDgebrd_bufferSize)
__WG_C_API(cusolverDnDgels)
__WG_C_API(cusolverDnDgels_bufferSize)
__WG_C_API(cusolverDnCgebrd)
__WG_C_API(cusolverDnCgebrd_bufferSize)
__WG_C_API(cusolverDnCgels)
__WG_C_API(cusolverDnCgels_bufferSize)
__WG_C_API(cusolverDnZgebrd)
__WG_C_API(cusolverDnZgebrd_bufferSize)
__WG_C_API(cusolverDnZgels)
__WG_C_API(cusolverDnZgels_bufferSize)
__WG_C_API(cusolverDnSsytrf)
__WG_C_API(cusolverDnSsytrf_bufferSize)
__WG_C_API(cusolverDnDsytrf)
__WG_C_API(cusolverDnDsytrf_bufferSize)
#undef __WG_C_API
#undef __WG_RESULT

#endif
