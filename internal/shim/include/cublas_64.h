/* cuBLAS with 64-bit sizes. Made from cublas_v2.h by go run ./scripts/apitable; do not edit. Part of that. */
#include <stdint.h>

cublasStatus_t cublasAxpyEx_64(cublasHandle_t handle, int64_t n, const void *alpha, cudaDataType alphaType, const void *x, cudaDataType xType, int64_t incx, void *y, cudaDataType yType, int64_t incy, cudaDataType executionType);
cublasStatus_t cublasCaxpy_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, cuComplex *y, int64_t incy);
cublasStatus_t cublasCcopy_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *x, int64_t incx, cuComplex *y, int64_t incy);
cublasStatus_t cublasCdgmm_64(cublasHandle_t handle, cublasSideMode_t mode, int64_t m, int64_t n, const cuComplex *a, int64_t lda, const cuComplex *x, int64_t incx, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCdotc_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *result);
cublasStatus_t cublasCdotu_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *result);
cublasStatus_t cublasCgbmv_v2_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *x, int64_t incx, const cuComplex *beta, cuComplex *y, int64_t incy);
cublasStatus_t cublasCgeam_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *beta, const cuComplex *b, int64_t ldb, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCgemm3m_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, const cuComplex *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *const a[], int64_t lda, const cuComplex *const b[], int64_t ldb, const cuComplex *beta, cuComplex *const c[], int64_t ldc, int64_t batchCount);
cublasStatus_t cublasCgemmEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex *alpha, const void *a, cudaDataType aType, int64_t lda, const void *b, cudaDataType bType, int64_t ldb, const cuComplex *beta, void *c, cudaDataType cType, int64_t ldc);
cublasStatus_t cublasCgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, long long int strideA, const cuComplex *b, int64_t ldb, long long int strideB, const cuComplex *beta, cuComplex *c, int64_t ldc, long long int strideC, int64_t batchCount);
cublasStatus_t cublasCgemm_v2_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, const cuComplex *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCgemvBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *const a[], int64_t lda, const cuComplex *const x[], int64_t incx, const cuComplex *beta, cuComplex *const y[], int64_t incy, int64_t batchCount);
cublasStatus_t cublasCgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, long long int strideA, const cuComplex *x, int64_t incx, long long int strideX, const cuComplex *beta, cuComplex *y, int64_t incy, long long int strideY, int64_t batchCount);
cublasStatus_t cublasCgemv_v2_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *x, int64_t incx, const cuComplex *beta, cuComplex *y, int64_t incy);
cublasStatus_t cublasCgerc_v2_64(cublasHandle_t handle, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *a, int64_t lda);
cublasStatus_t cublasCgeru_v2_64(cublasHandle_t handle, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *a, int64_t lda);
cublasStatus_t cublasChbmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *x, int64_t incx, const cuComplex *beta, cuComplex *y, int64_t incy);
cublasStatus_t cublasChemm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, const cuComplex *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasChemv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *x, int64_t incx, const cuComplex *beta, cuComplex *y, int64_t incy);
cublasStatus_t cublasCher2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *a, int64_t lda);
cublasStatus_t cublasCher2k_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, const float *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCher_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float *alpha, const cuComplex *x, int64_t incx, cuComplex *a, int64_t lda);
cublasStatus_t cublasCherk3mEx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float *alpha, const void *a, cudaDataType aType, int64_t lda, const float *beta, void *c, cudaDataType cType, int64_t ldc);
cublasStatus_t cublasCherkEx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float *alpha, const void *a, cudaDataType aType, int64_t lda, const float *beta, void *c, cudaDataType cType, int64_t ldc);
cublasStatus_t cublasCherk_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float *alpha, const cuComplex *a, int64_t lda, const float *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCherkx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, const float *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasChpmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuComplex *alpha, const cuComplex *ap, const cuComplex *x, int64_t incx, const cuComplex *beta, cuComplex *y, int64_t incy);
cublasStatus_t cublasChpr2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *ap);
cublasStatus_t cublasChpr_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float *alpha, const cuComplex *x, int64_t incx, cuComplex *ap);
cublasStatus_t cublasCrot_v2_64(cublasHandle_t handle, int64_t n, cuComplex *x, int64_t incx, cuComplex *y, int64_t incy, const float *c, const cuComplex *s);
cublasStatus_t cublasCscal_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *alpha, cuComplex *x, int64_t incx);
cublasStatus_t cublasCsrot_v2_64(cublasHandle_t handle, int64_t n, cuComplex *x, int64_t incx, cuComplex *y, int64_t incy, const float *c, const float *s);
cublasStatus_t cublasCsscal_v2_64(cublasHandle_t handle, int64_t n, const float *alpha, cuComplex *x, int64_t incx);
cublasStatus_t cublasCswap_v2_64(cublasHandle_t handle, int64_t n, cuComplex *x, int64_t incx, cuComplex *y, int64_t incy);
cublasStatus_t cublasCsymm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, const cuComplex *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCsymv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *x, int64_t incx, const cuComplex *beta, cuComplex *y, int64_t incy);
cublasStatus_t cublasCsyr2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *a, int64_t lda);
cublasStatus_t cublasCsyr2k_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, const cuComplex *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCsyr_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, cuComplex *a, int64_t lda);
cublasStatus_t cublasCsyrk3mEx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex *alpha, const void *a, cudaDataType aType, int64_t lda, const cuComplex *beta, void *c, cudaDataType cType, int64_t ldc);
cublasStatus_t cublasCsyrkEx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex *alpha, const void *a, cudaDataType aType, int64_t lda, const cuComplex *beta, void *c, cudaDataType cType, int64_t ldc);
cublasStatus_t cublasCsyrk_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCsyrkx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, const cuComplex *beta, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCtbmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t k, const cuComplex *a, int64_t lda, cuComplex *x, int64_t incx);
cublasStatus_t cublasCtbsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t k, const cuComplex *a, int64_t lda, cuComplex *x, int64_t incx);
cublasStatus_t cublasCtpmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuComplex *ap, cuComplex *x, int64_t incx);
cublasStatus_t cublasCtpsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuComplex *ap, cuComplex *x, int64_t incx);
cublasStatus_t cublasCtrmm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, const cuComplex *b, int64_t ldb, cuComplex *c, int64_t ldc);
cublasStatus_t cublasCtrmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuComplex *a, int64_t lda, cuComplex *x, int64_t incx);
cublasStatus_t cublasCtrsmBatched_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *const a[], int64_t lda, cuComplex *const b[], int64_t ldb, int64_t batchCount);
cublasStatus_t cublasCtrsm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *a, int64_t lda, cuComplex *b, int64_t ldb);
cublasStatus_t cublasCtrsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuComplex *a, int64_t lda, cuComplex *x, int64_t incx);
cublasStatus_t cublasDasum_v2_64(cublasHandle_t handle, int64_t n, const double *x, int64_t incx, double *result);
cublasStatus_t cublasDaxpy_v2_64(cublasHandle_t handle, int64_t n, const double *alpha, const double *x, int64_t incx, double *y, int64_t incy);
cublasStatus_t cublasDcopy_v2_64(cublasHandle_t handle, int64_t n, const double *x, int64_t incx, double *y, int64_t incy);
cublasStatus_t cublasDdgmm_64(cublasHandle_t handle, cublasSideMode_t mode, int64_t m, int64_t n, const double *a, int64_t lda, const double *x, int64_t incx, double *c, int64_t ldc);
cublasStatus_t cublasDdot_v2_64(cublasHandle_t handle, int64_t n, const double *x, int64_t incx, const double *y, int64_t incy, double *result);
cublasStatus_t cublasDgbmv_v2_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku, const double *alpha, const double *a, int64_t lda, const double *x, int64_t incx, const double *beta, double *y, int64_t incy);
cublasStatus_t cublasDgeam_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const double *alpha, const double *a, int64_t lda, const double *beta, const double *b, int64_t ldb, double *c, int64_t ldc);
cublasStatus_t cublasDgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const double *alpha, const double *const a[], int64_t lda, const double *const b[], int64_t ldb, const double *beta, double *const c[], int64_t ldc, int64_t batchCount);
cublasStatus_t cublasDgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const double *alpha, const double *a, int64_t lda, long long int strideA, const double *b, int64_t ldb, long long int strideB, const double *beta, double *c, int64_t ldc, long long int strideC, int64_t batchCount);
cublasStatus_t cublasDgemm_v2_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const double *alpha, const double *a, int64_t lda, const double *b, int64_t ldb, const double *beta, double *c, int64_t ldc);
cublasStatus_t cublasDgemvBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double *alpha, const double *const a[], int64_t lda, const double *const x[], int64_t incx, const double *beta, double *const y[], int64_t incy, int64_t batchCount);
cublasStatus_t cublasDgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double *alpha, const double *a, int64_t lda, long long int strideA, const double *x, int64_t incx, long long int strideX, const double *beta, double *y, int64_t incy, long long int strideY, int64_t batchCount);
cublasStatus_t cublasDgemv_v2_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double *alpha, const double *a, int64_t lda, const double *x, int64_t incx, const double *beta, double *y, int64_t incy);
cublasStatus_t cublasDger_v2_64(cublasHandle_t handle, int64_t m, int64_t n, const double *alpha, const double *x, int64_t incx, const double *y, int64_t incy, double *a, int64_t lda);
cublasStatus_t cublasDnrm2_v2_64(cublasHandle_t handle, int64_t n, const double *x, int64_t incx, double *result);
cublasStatus_t cublasDotEx_64(cublasHandle_t handle, int64_t n, const void *x, cudaDataType xType, int64_t incx, const void *y, cudaDataType yType, int64_t incy, void *result, cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasDotcEx_64(cublasHandle_t handle, int64_t n, const void *x, cudaDataType xType, int64_t incx, const void *y, cudaDataType yType, int64_t incy, void *result, cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasDrot_v2_64(cublasHandle_t handle, int64_t n, double *x, int64_t incx, double *y, int64_t incy, const double *c, const double *s);
cublasStatus_t cublasDrotm_v2_64(cublasHandle_t handle, int64_t n, double *x, int64_t incx, double *y, int64_t incy, const double *param);
cublasStatus_t cublasDsbmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t k, const double *alpha, const double *a, int64_t lda, const double *x, int64_t incx, const double *beta, double *y, int64_t incy);
cublasStatus_t cublasDscal_v2_64(cublasHandle_t handle, int64_t n, const double *alpha, double *x, int64_t incx);
cublasStatus_t cublasDspmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double *alpha, const double *ap, const double *x, int64_t incx, const double *beta, double *y, int64_t incy);
cublasStatus_t cublasDspr2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double *alpha, const double *x, int64_t incx, const double *y, int64_t incy, double *ap);
cublasStatus_t cublasDspr_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double *alpha, const double *x, int64_t incx, double *ap);
cublasStatus_t cublasDswap_v2_64(cublasHandle_t handle, int64_t n, double *x, int64_t incx, double *y, int64_t incy);
cublasStatus_t cublasDsymm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const double *alpha, const double *a, int64_t lda, const double *b, int64_t ldb, const double *beta, double *c, int64_t ldc);
cublasStatus_t cublasDsymv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double *alpha, const double *a, int64_t lda, const double *x, int64_t incx, const double *beta, double *y, int64_t incy);
cublasStatus_t cublasDsyr2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double *alpha, const double *x, int64_t incx, const double *y, int64_t incy, double *a, int64_t lda);
cublasStatus_t cublasDsyr2k_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const double *alpha, const double *a, int64_t lda, const double *b, int64_t ldb, const double *beta, double *c, int64_t ldc);
cublasStatus_t cublasDsyr_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double *alpha, const double *x, int64_t incx, double *a, int64_t lda);
cublasStatus_t cublasDsyrk_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const double *alpha, const double *a, int64_t lda, const double *beta, double *c, int64_t ldc);
cublasStatus_t cublasDsyrkx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const double *alpha, const double *a, int64_t lda, const double *b, int64_t ldb, const double *beta, double *c, int64_t ldc);
cublasStatus_t cublasDtbmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t k, const double *a, int64_t lda, double *x, int64_t incx);
cublasStatus_t cublasDtbsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t k, const double *a, int64_t lda, double *x, int64_t incx);
cublasStatus_t cublasDtpmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const double *ap, double *x, int64_t incx);
cublasStatus_t cublasDtpsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const double *ap, double *x, int64_t incx);
cublasStatus_t cublasDtrmm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const double *alpha, const double *a, int64_t lda, const double *b, int64_t ldb, double *c, int64_t ldc);
cublasStatus_t cublasDtrmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const double *a, int64_t lda, double *x, int64_t incx);
cublasStatus_t cublasDtrsmBatched_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const double *alpha, const double *const a[], int64_t lda, double *const b[], int64_t ldb, int64_t batchCount);
cublasStatus_t cublasDtrsm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const double *alpha, const double *a, int64_t lda, double *b, int64_t ldb);
cublasStatus_t cublasDtrsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const double *a, int64_t lda, double *x, int64_t incx);
cublasStatus_t cublasDzasum_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *x, int64_t incx, double *result);
cublasStatus_t cublasDznrm2_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *x, int64_t incx, double *result);
cublasStatus_t cublasGemmBatchedEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *const a[], cudaDataType aType, int64_t lda, const void *const b[], cudaDataType bType, int64_t ldb, const void *beta, void *const c[], cudaDataType cType, int64_t ldc, int64_t batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a, cudaDataType aType, int64_t lda, const void *b, cudaDataType bType, int64_t ldb, const void *beta, void *c, cudaDataType cType, int64_t ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a, cudaDataType aType, int64_t lda, long long int strideA, const void *b, cudaDataType bType, int64_t ldb, long long int strideB, const void *beta, void *c, cudaDataType cType, int64_t ldc, long long int strideC, int64_t batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGetMatrix_64(int64_t rows, int64_t cols, int64_t elemSize, const void *a, int64_t lda, void *b, int64_t ldb);
cublasStatus_t cublasGetMatrixAsync_64(int64_t rows, int64_t cols, int64_t elemSize, const void *a, int64_t lda, void *b, int64_t ldb, cudaStream_t stream);
cublasStatus_t cublasGetVector_64(int64_t n, int64_t elemSize, const void *x, int64_t incx, void *y, int64_t incy);
cublasStatus_t cublasGetVectorAsync_64(int64_t n, int64_t elemSize, const void *x, int64_t incx, void *y, int64_t incy, cudaStream_t stream);
cublasStatus_t cublasHgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const __half *alpha, const __half *a, int64_t lda, const __half *b, int64_t ldb, const __half *beta, __half *c, int64_t ldc);
cublasStatus_t cublasHgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const __half *alpha, const __half *const a[], int64_t lda, const __half *const b[], int64_t ldb, const __half *beta, __half *const c[], int64_t ldc, int64_t batchCount);
cublasStatus_t cublasHgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const __half *alpha, const __half *a, int64_t lda, long long int strideA, const __half *b, int64_t ldb, long long int strideB, const __half *beta, __half *c, int64_t ldc, long long int strideC, int64_t batchCount);
cublasStatus_t cublasIcamax_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *x, int64_t incx, int64_t *result);
cublasStatus_t cublasIcamin_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *x, int64_t incx, int64_t *result);
cublasStatus_t cublasIdamax_v2_64(cublasHandle_t handle, int64_t n, const double *x, int64_t incx, int64_t *result);
cublasStatus_t cublasIdamin_v2_64(cublasHandle_t handle, int64_t n, const double *x, int64_t incx, int64_t *result);
cublasStatus_t cublasIsamax_v2_64(cublasHandle_t handle, int64_t n, const float *x, int64_t incx, int64_t *result);
cublasStatus_t cublasIsamin_v2_64(cublasHandle_t handle, int64_t n, const float *x, int64_t incx, int64_t *result);
cublasStatus_t cublasIzamax_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *x, int64_t incx, int64_t *result);
cublasStatus_t cublasIzamin_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *x, int64_t incx, int64_t *result);
cublasStatus_t cublasNrm2Ex_64(cublasHandle_t handle, int64_t n, const void *x, cudaDataType xType, int64_t incx, void *result, cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasRotEx_64(cublasHandle_t handle, int64_t n, void *x, cudaDataType xType, int64_t incx, void *y, cudaDataType yType, int64_t incy, const void *c, const void *s, cudaDataType csType, cudaDataType executionType);
cublasStatus_t cublasSasum_v2_64(cublasHandle_t handle, int64_t n, const float *x, int64_t incx, float *result);
cublasStatus_t cublasSaxpy_v2_64(cublasHandle_t handle, int64_t n, const float *alpha, const float *x, int64_t incx, float *y, int64_t incy);
cublasStatus_t cublasScalEx_64(cublasHandle_t handle, int64_t n, const void *alpha, cudaDataType alphaType, void *x, cudaDataType xType, int64_t incx, cudaDataType executionType);
cublasStatus_t cublasScasum_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *x, int64_t incx, float *result);
cublasStatus_t cublasScnrm2_v2_64(cublasHandle_t handle, int64_t n, const cuComplex *x, int64_t incx, float *result);
cublasStatus_t cublasScopy_v2_64(cublasHandle_t handle, int64_t n, const float *x, int64_t incx, float *y, int64_t incy);
cublasStatus_t cublasSdgmm_64(cublasHandle_t handle, cublasSideMode_t mode, int64_t m, int64_t n, const float *a, int64_t lda, const float *x, int64_t incx, float *c, int64_t ldc);
cublasStatus_t cublasSdot_v2_64(cublasHandle_t handle, int64_t n, const float *x, int64_t incx, const float *y, int64_t incy, float *result);
cublasStatus_t cublasSetMatrix_64(int64_t rows, int64_t cols, int64_t elemSize, const void *a, int64_t lda, void *b, int64_t ldb);
cublasStatus_t cublasSetMatrixAsync_64(int64_t rows, int64_t cols, int64_t elemSize, const void *a, int64_t lda, void *b, int64_t ldb, cudaStream_t stream);
cublasStatus_t cublasSetVector_64(int64_t n, int64_t elemSize, const void *x, int64_t incx, void *y, int64_t incy);
cublasStatus_t cublasSetVectorAsync_64(int64_t n, int64_t elemSize, const void *x, int64_t incx, void *y, int64_t incy, cudaStream_t stream);
cublasStatus_t cublasSgbmv_v2_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku, const float *alpha, const float *a, int64_t lda, const float *x, int64_t incx, const float *beta, float *y, int64_t incy);
cublasStatus_t cublasSgeam_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const float *alpha, const float *a, int64_t lda, const float *beta, const float *b, int64_t ldb, float *c, int64_t ldc);
cublasStatus_t cublasSgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float *alpha, const float *const a[], int64_t lda, const float *const b[], int64_t ldb, const float *beta, float *const c[], int64_t ldc, int64_t batchCount);
cublasStatus_t cublasSgemmEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float *alpha, const void *a, cudaDataType aType, int64_t lda, const void *b, cudaDataType bType, int64_t ldb, const float *beta, void *c, cudaDataType cType, int64_t ldc);
cublasStatus_t cublasSgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float *alpha, const float *a, int64_t lda, long long int strideA, const float *b, int64_t ldb, long long int strideB, const float *beta, float *c, int64_t ldc, long long int strideC, int64_t batchCount);
cublasStatus_t cublasSgemm_v2_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float *alpha, const float *a, int64_t lda, const float *b, int64_t ldb, const float *beta, float *c, int64_t ldc);
cublasStatus_t cublasSgemvBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float *alpha, const float *const a[], int64_t lda, const float *const x[], int64_t incx, const float *beta, float *const y[], int64_t incy, int64_t batchCount);
cublasStatus_t cublasSgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float *alpha, const float *a, int64_t lda, long long int strideA, const float *x, int64_t incx, long long int strideX, const float *beta, float *y, int64_t incy, long long int strideY, int64_t batchCount);
cublasStatus_t cublasSgemv_v2_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float *alpha, const float *a, int64_t lda, const float *x, int64_t incx, const float *beta, float *y, int64_t incy);
cublasStatus_t cublasSger_v2_64(cublasHandle_t handle, int64_t m, int64_t n, const float *alpha, const float *x, int64_t incx, const float *y, int64_t incy, float *a, int64_t lda);
cublasStatus_t cublasSnrm2_v2_64(cublasHandle_t handle, int64_t n, const float *x, int64_t incx, float *result);
cublasStatus_t cublasSrot_v2_64(cublasHandle_t handle, int64_t n, float *x, int64_t incx, float *y, int64_t incy, const float *c, const float *s);
cublasStatus_t cublasSrotm_v2_64(cublasHandle_t handle, int64_t n, float *x, int64_t incx, float *y, int64_t incy, const float *param);
cublasStatus_t cublasSsbmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t k, const float *alpha, const float *a, int64_t lda, const float *x, int64_t incx, const float *beta, float *y, int64_t incy);
cublasStatus_t cublasSscal_v2_64(cublasHandle_t handle, int64_t n, const float *alpha, float *x, int64_t incx);
cublasStatus_t cublasSspmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float *alpha, const float *ap, const float *x, int64_t incx, const float *beta, float *y, int64_t incy);
cublasStatus_t cublasSspr2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float *alpha, const float *x, int64_t incx, const float *y, int64_t incy, float *ap);
cublasStatus_t cublasSspr_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float *alpha, const float *x, int64_t incx, float *ap);
cublasStatus_t cublasSswap_v2_64(cublasHandle_t handle, int64_t n, float *x, int64_t incx, float *y, int64_t incy);
cublasStatus_t cublasSsymm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const float *alpha, const float *a, int64_t lda, const float *b, int64_t ldb, const float *beta, float *c, int64_t ldc);
cublasStatus_t cublasSsymv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float *alpha, const float *a, int64_t lda, const float *x, int64_t incx, const float *beta, float *y, int64_t incy);
cublasStatus_t cublasSsyr2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float *alpha, const float *x, int64_t incx, const float *y, int64_t incy, float *a, int64_t lda);
cublasStatus_t cublasSsyr2k_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float *alpha, const float *a, int64_t lda, const float *b, int64_t ldb, const float *beta, float *c, int64_t ldc);
cublasStatus_t cublasSsyr_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float *alpha, const float *x, int64_t incx, float *a, int64_t lda);
cublasStatus_t cublasSsyrk_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float *alpha, const float *a, int64_t lda, const float *beta, float *c, int64_t ldc);
cublasStatus_t cublasSsyrkx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float *alpha, const float *a, int64_t lda, const float *b, int64_t ldb, const float *beta, float *c, int64_t ldc);
cublasStatus_t cublasStbmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t k, const float *a, int64_t lda, float *x, int64_t incx);
cublasStatus_t cublasStbsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t k, const float *a, int64_t lda, float *x, int64_t incx);
cublasStatus_t cublasStpmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const float *ap, float *x, int64_t incx);
cublasStatus_t cublasStpsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const float *ap, float *x, int64_t incx);
cublasStatus_t cublasStrmm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const float *alpha, const float *a, int64_t lda, const float *b, int64_t ldb, float *c, int64_t ldc);
cublasStatus_t cublasStrmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const float *a, int64_t lda, float *x, int64_t incx);
cublasStatus_t cublasStrsmBatched_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const float *alpha, const float *const a[], int64_t lda, float *const b[], int64_t ldb, int64_t batchCount);
cublasStatus_t cublasStrsm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const float *alpha, const float *a, int64_t lda, float *b, int64_t ldb);
cublasStatus_t cublasStrsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const float *a, int64_t lda, float *x, int64_t incx);
cublasStatus_t cublasZaxpy_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZcopy_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *x, int64_t incx, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZdgmm_64(cublasHandle_t handle, cublasSideMode_t mode, int64_t m, int64_t n, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *x, int64_t incx, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZdotc_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *result);
cublasStatus_t cublasZdotu_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *result);
cublasStatus_t cublasZdrot_v2_64(cublasHandle_t handle, int64_t n, cuDoubleComplex *x, int64_t incx, cuDoubleComplex *y, int64_t incy, const double *c, const double *s);
cublasStatus_t cublasZdscal_v2_64(cublasHandle_t handle, int64_t n, const double *alpha, cuDoubleComplex *x, int64_t incx);
cublasStatus_t cublasZgbmv_v2_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZgeam_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *beta, const cuDoubleComplex *b, int64_t ldb, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZgemm3m_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *const a[], int64_t lda, const cuDoubleComplex *const b[], int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *const c[], int64_t ldc, int64_t batchCount);
cublasStatus_t cublasZgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, long long int strideA, const cuDoubleComplex *b, int64_t ldb, long long int strideB, const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc, long long int strideC, int64_t batchCount);
cublasStatus_t cublasZgemm_v2_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZgemvBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *const a[], int64_t lda, const cuDoubleComplex *const x[], int64_t incx, const cuDoubleComplex *beta, cuDoubleComplex *const y[], int64_t incy, int64_t batchCount);
cublasStatus_t cublasZgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, long long int strideA, const cuDoubleComplex *x, int64_t incx, long long int strideX, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy, long long int strideY, int64_t batchCount);
cublasStatus_t cublasZgemv_v2_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZgerc_v2_64(cublasHandle_t handle, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *a, int64_t lda);
cublasStatus_t cublasZgeru_v2_64(cublasHandle_t handle, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *a, int64_t lda);
cublasStatus_t cublasZhbmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZhemm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZhemv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZher2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *a, int64_t lda);
cublasStatus_t cublasZher2k_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, const double *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZher_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double *alpha, const cuDoubleComplex *x, int64_t incx, cuDoubleComplex *a, int64_t lda);
cublasStatus_t cublasZherk_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const double *alpha, const cuDoubleComplex *a, int64_t lda, const double *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZherkx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, const double *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZhpmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *ap, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZhpr2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *ap);
cublasStatus_t cublasZhpr_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double *alpha, const cuDoubleComplex *x, int64_t incx, cuDoubleComplex *ap);
cublasStatus_t cublasZrot_v2_64(cublasHandle_t handle, int64_t n, cuDoubleComplex *x, int64_t incx, cuDoubleComplex *y, int64_t incy, const double *c, const cuDoubleComplex *s);
cublasStatus_t cublasZscal_v2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex *alpha, cuDoubleComplex *x, int64_t incx);
cublasStatus_t cublasZswap_v2_64(cublasHandle_t handle, int64_t n, cuDoubleComplex *x, int64_t incx, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZsymm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZsymv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy);
cublasStatus_t cublasZsyr2_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *a, int64_t lda);
cublasStatus_t cublasZsyr2k_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZsyr_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, cuDoubleComplex *a, int64_t lda);
cublasStatus_t cublasZsyrk_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZsyrkx_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZtbmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t k, const cuDoubleComplex *a, int64_t lda, cuDoubleComplex *x, int64_t incx);
cublasStatus_t cublasZtbsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t k, const cuDoubleComplex *a, int64_t lda, cuDoubleComplex *x, int64_t incx);
cublasStatus_t cublasZtpmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuDoubleComplex *ap, cuDoubleComplex *x, int64_t incx);
cublasStatus_t cublasZtpsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuDoubleComplex *ap, cuDoubleComplex *x, int64_t incx);
cublasStatus_t cublasZtrmm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, const cuDoubleComplex *b, int64_t ldb, cuDoubleComplex *c, int64_t ldc);
cublasStatus_t cublasZtrmv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuDoubleComplex *a, int64_t lda, cuDoubleComplex *x, int64_t incx);
cublasStatus_t cublasZtrsmBatched_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *const a[], int64_t lda, cuDoubleComplex *const b[], int64_t ldb, int64_t batchCount);
cublasStatus_t cublasZtrsm_v2_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *a, int64_t lda, cuDoubleComplex *b, int64_t ldb);
cublasStatus_t cublasZtrsv_v2_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuDoubleComplex *a, int64_t lda, cuDoubleComplex *x, int64_t incx);

#ifndef CUBLAS_H_
#define cublasCaxpy_64 cublasCaxpy_v2_64
#define cublasCcopy_64 cublasCcopy_v2_64
#define cublasCdotc_64 cublasCdotc_v2_64
#define cublasCdotu_64 cublasCdotu_v2_64
#define cublasCgbmv_64 cublasCgbmv_v2_64
#define cublasCgemm_64 cublasCgemm_v2_64
#define cublasCgemv_64 cublasCgemv_v2_64
#define cublasCgerc_64 cublasCgerc_v2_64
#define cublasCgeru_64 cublasCgeru_v2_64
#define cublasChbmv_64 cublasChbmv_v2_64
#define cublasChemm_64 cublasChemm_v2_64
#define cublasChemv_64 cublasChemv_v2_64
#define cublasCher2_64 cublasCher2_v2_64
#define cublasCher2k_64 cublasCher2k_v2_64
#define cublasCher_64 cublasCher_v2_64
#define cublasCherk_64 cublasCherk_v2_64
#define cublasChpmv_64 cublasChpmv_v2_64
#define cublasChpr2_64 cublasChpr2_v2_64
#define cublasChpr_64 cublasChpr_v2_64
#define cublasCrot_64 cublasCrot_v2_64
#define cublasCscal_64 cublasCscal_v2_64
#define cublasCsrot_64 cublasCsrot_v2_64
#define cublasCsscal_64 cublasCsscal_v2_64
#define cublasCswap_64 cublasCswap_v2_64
#define cublasCsymm_64 cublasCsymm_v2_64
#define cublasCsymv_64 cublasCsymv_v2_64
#define cublasCsyr2_64 cublasCsyr2_v2_64
#define cublasCsyr2k_64 cublasCsyr2k_v2_64
#define cublasCsyr_64 cublasCsyr_v2_64
#define cublasCsyrk_64 cublasCsyrk_v2_64
#define cublasCtbmv_64 cublasCtbmv_v2_64
#define cublasCtbsv_64 cublasCtbsv_v2_64
#define cublasCtpmv_64 cublasCtpmv_v2_64
#define cublasCtpsv_64 cublasCtpsv_v2_64
#define cublasCtrmm_64 cublasCtrmm_v2_64
#define cublasCtrmv_64 cublasCtrmv_v2_64
#define cublasCtrsm_64 cublasCtrsm_v2_64
#define cublasCtrsv_64 cublasCtrsv_v2_64
#define cublasDasum_64 cublasDasum_v2_64
#define cublasDaxpy_64 cublasDaxpy_v2_64
#define cublasDcopy_64 cublasDcopy_v2_64
#define cublasDdot_64 cublasDdot_v2_64
#define cublasDgbmv_64 cublasDgbmv_v2_64
#define cublasDgemm_64 cublasDgemm_v2_64
#define cublasDgemv_64 cublasDgemv_v2_64
#define cublasDger_64 cublasDger_v2_64
#define cublasDnrm2_64 cublasDnrm2_v2_64
#define cublasDrot_64 cublasDrot_v2_64
#define cublasDrotm_64 cublasDrotm_v2_64
#define cublasDsbmv_64 cublasDsbmv_v2_64
#define cublasDscal_64 cublasDscal_v2_64
#define cublasDspmv_64 cublasDspmv_v2_64
#define cublasDspr2_64 cublasDspr2_v2_64
#define cublasDspr_64 cublasDspr_v2_64
#define cublasDswap_64 cublasDswap_v2_64
#define cublasDsymm_64 cublasDsymm_v2_64
#define cublasDsymv_64 cublasDsymv_v2_64
#define cublasDsyr2_64 cublasDsyr2_v2_64
#define cublasDsyr2k_64 cublasDsyr2k_v2_64
#define cublasDsyr_64 cublasDsyr_v2_64
#define cublasDsyrk_64 cublasDsyrk_v2_64
#define cublasDtbmv_64 cublasDtbmv_v2_64
#define cublasDtbsv_64 cublasDtbsv_v2_64
#define cublasDtpmv_64 cublasDtpmv_v2_64
#define cublasDtpsv_64 cublasDtpsv_v2_64
#define cublasDtrmm_64 cublasDtrmm_v2_64
#define cublasDtrmv_64 cublasDtrmv_v2_64
#define cublasDtrsm_64 cublasDtrsm_v2_64
#define cublasDtrsv_64 cublasDtrsv_v2_64
#define cublasDzasum_64 cublasDzasum_v2_64
#define cublasDznrm2_64 cublasDznrm2_v2_64
#define cublasIcamax_64 cublasIcamax_v2_64
#define cublasIcamin_64 cublasIcamin_v2_64
#define cublasIdamax_64 cublasIdamax_v2_64
#define cublasIdamin_64 cublasIdamin_v2_64
#define cublasIsamax_64 cublasIsamax_v2_64
#define cublasIsamin_64 cublasIsamin_v2_64
#define cublasIzamax_64 cublasIzamax_v2_64
#define cublasIzamin_64 cublasIzamin_v2_64
#define cublasSasum_64 cublasSasum_v2_64
#define cublasSaxpy_64 cublasSaxpy_v2_64
#define cublasScasum_64 cublasScasum_v2_64
#define cublasScnrm2_64 cublasScnrm2_v2_64
#define cublasScopy_64 cublasScopy_v2_64
#define cublasSdot_64 cublasSdot_v2_64
#define cublasSgbmv_64 cublasSgbmv_v2_64
#define cublasSgemm_64 cublasSgemm_v2_64
#define cublasSgemv_64 cublasSgemv_v2_64
#define cublasSger_64 cublasSger_v2_64
#define cublasSnrm2_64 cublasSnrm2_v2_64
#define cublasSrot_64 cublasSrot_v2_64
#define cublasSrotm_64 cublasSrotm_v2_64
#define cublasSsbmv_64 cublasSsbmv_v2_64
#define cublasSscal_64 cublasSscal_v2_64
#define cublasSspmv_64 cublasSspmv_v2_64
#define cublasSspr2_64 cublasSspr2_v2_64
#define cublasSspr_64 cublasSspr_v2_64
#define cublasSswap_64 cublasSswap_v2_64
#define cublasSsymm_64 cublasSsymm_v2_64
#define cublasSsymv_64 cublasSsymv_v2_64
#define cublasSsyr2_64 cublasSsyr2_v2_64
#define cublasSsyr2k_64 cublasSsyr2k_v2_64
#define cublasSsyr_64 cublasSsyr_v2_64
#define cublasSsyrk_64 cublasSsyrk_v2_64
#define cublasStbmv_64 cublasStbmv_v2_64
#define cublasStbsv_64 cublasStbsv_v2_64
#define cublasStpmv_64 cublasStpmv_v2_64
#define cublasStpsv_64 cublasStpsv_v2_64
#define cublasStrmm_64 cublasStrmm_v2_64
#define cublasStrmv_64 cublasStrmv_v2_64
#define cublasStrsm_64 cublasStrsm_v2_64
#define cublasStrsv_64 cublasStrsv_v2_64
#define cublasZaxpy_64 cublasZaxpy_v2_64
#define cublasZcopy_64 cublasZcopy_v2_64
#define cublasZdotc_64 cublasZdotc_v2_64
#define cublasZdotu_64 cublasZdotu_v2_64
#define cublasZdrot_64 cublasZdrot_v2_64
#define cublasZdscal_64 cublasZdscal_v2_64
#define cublasZgbmv_64 cublasZgbmv_v2_64
#define cublasZgemm_64 cublasZgemm_v2_64
#define cublasZgemv_64 cublasZgemv_v2_64
#define cublasZgerc_64 cublasZgerc_v2_64
#define cublasZgeru_64 cublasZgeru_v2_64
#define cublasZhbmv_64 cublasZhbmv_v2_64
#define cublasZhemm_64 cublasZhemm_v2_64
#define cublasZhemv_64 cublasZhemv_v2_64
#define cublasZher2_64 cublasZher2_v2_64
#define cublasZher2k_64 cublasZher2k_v2_64
#define cublasZher_64 cublasZher_v2_64
#define cublasZherk_64 cublasZherk_v2_64
#define cublasZhpmv_64 cublasZhpmv_v2_64
#define cublasZhpr2_64 cublasZhpr2_v2_64
#define cublasZhpr_64 cublasZhpr_v2_64
#define cublasZrot_64 cublasZrot_v2_64
#define cublasZscal_64 cublasZscal_v2_64
#define cublasZswap_64 cublasZswap_v2_64
#define cublasZsymm_64 cublasZsymm_v2_64
#define cublasZsymv_64 cublasZsymv_v2_64
#define cublasZsyr2_64 cublasZsyr2_v2_64
#define cublasZsyr2k_64 cublasZsyr2k_v2_64
#define cublasZsyr_64 cublasZsyr_v2_64
#define cublasZsyrk_64 cublasZsyrk_v2_64
#define cublasZtbmv_64 cublasZtbmv_v2_64
#define cublasZtbsv_64 cublasZtbsv_v2_64
#define cublasZtpmv_64 cublasZtpmv_v2_64
#define cublasZtpsv_64 cublasZtpsv_v2_64
#define cublasZtrmm_64 cublasZtrmm_v2_64
#define cublasZtrmv_64 cublasZtrmv_v2_64
#define cublasZtrsm_64 cublasZtrsm_v2_64
#define cublasZtrsv_64 cublasZtrsv_v2_64
#endif
