/* cuSPARSE ("cuSPARSE", "cuSPARSE Generic API Reference"). Calls that have a prototype are executed by kernels that are
 * checked like the program's; the others are not supported. */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_
#define CUSPARSEAPI

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#include <stdint.h>

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;

typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 } cusparseSolvePolicy_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 } cusparseSpMatAttribute_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPGEMM_DEFAULT = 0 } cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;

#ifdef __cplusplus
extern "C" {
#endif

const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t value);
cusparseMatrixType_t cusparseGetMatType(const struct cusparseMatDescr *descr);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t value);
cusparseFillMode_t cusparseGetMatFillMode(const struct cusparseMatDescr *descr);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t value);
cusparseDiagType_t cusparseGetMatDiagType(const struct cusparseMatDescr *descr);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t value);
cusparseIndexBase_t cusparseGetMatIndexBase(const struct cusparseMatDescr *descr);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *m, int64_t rows, int64_t cols, int64_t nnz,
                                   void *csrRowOffsets, void *csrColInd, void *values, cusparseIndexType_t offsetsType,
                                   cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *m, int64_t rows, int64_t cols, int64_t nnz,
                                        const void *csrRowOffsets, const void *csrColInd, const void *values,
                                        cusparseIndexType_t offsetsType, cusparseIndexType_t indexType,
                                        cusparseIndexBase_t base, cudaDataType valueType);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *m, int64_t rows, int64_t cols, int64_t nnz,
                                   void *cscColOffsets, void *cscRowInd, void *values, cusparseIndexType_t offsetsType,
                                   cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType valueType);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *m, int64_t rows, int64_t cols, int64_t nnz, void *rowInd,
                                   void *colInd, void *values, cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                   cudaDataType valueType);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t m);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *m, int64_t rows, int64_t cols, int64_t ld, void *values,
                                     cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *m, int64_t rows, int64_t cols, int64_t ld,
                                          const void *values, cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t m);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *v, int64_t size, void *values, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *v, int64_t size, const void *values,
                                          cudaDataType valueType);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t v);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *v, int64_t size, int64_t nnz, void *indices, void *values,
                                     cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType valueType);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t v);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t m, cusparseIndexBase_t *base);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t m, void **values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t m, void *values);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t m, void *rowOffsets, void *colInd, void *values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t m, void *colOffsets, void *rowInd, void *values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t m, void *rowInd, void *colInd, void *values);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz, void **rowOffsets,
                                void **colInd, void **values, cusparseIndexType_t *offsetsType,
                                cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *valueType);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t v, void **values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t v, void *values);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t m, void **values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t m, void *values);
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType computeType, cusparseSpMVAlg_t algorithm,
                                         size_t *bufferSize);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType computeType, cusparseSpMVAlg_t algorithm,
                                         void *buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType computeType, cusparseSpMVAlg_t algorithm,
                              void *buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType computeType,
                                         cusparseSpMMAlg_t algorithm, size_t *bufferSize);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType computeType,
                                         cusparseSpMMAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                              const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType computeType,
                              cusparseSpMMAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a,
                                               cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                                               cudaDataType computeType, cusparseSpGEMMAlg_t algorithm,
                                               cusparseSpGEMMDescr_t descr, size_t *bufferSize1, void *buffer1);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                        const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c, cudaDataType computeType,
                                        cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descr, size_t *bufferSize2,
                                        void *buffer2);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                     const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c, cudaDataType computeType,
                                     cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
                                                  size_t *bufferSize);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                                  size_t *bufferSize);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                                void *buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                               void *buffer);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
                                               const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
                                               int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
                                               cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm,
                                               size_t *bufferSize);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
                                    const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
                                    int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m, int *csrRowPtr,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrRowPtr, int nnz, int m, int *cooRowInd,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t x,
                                         cusparseConstDnVecDescr_t y, void *result, cudaDataType computeType,
                                         size_t *bufferSize);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void *result, cudaDataType computeType, void *buffer);

#ifdef __cplusplus
}
#endif

#define __WG_RESULT cusparseStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cusparseCreateBsr)
__WG_C_API(cusparseCreateBlockedEll)
__WG_C_API(cusparseSpSV_createDescr)
__WG_C_API(cusparseSpSV_destroyDescr)
__WG_C_API(cusparseSpSV_bufferSize)
__WG_C_API(cusparseSpSV_analysis)
__WG_C_API(cusparseSpSV_solve)
__WG_C_API(cusparseSpSM_createDescr)
__WG_C_API(cusparseSpSM_destroyDescr)
__WG_C_API(cusparseSpSM_bufferSize)
__WG_C_API(cusparseSpSM_analysis)
__WG_C_API(cusparseSpSM_solve)
__WG_C_API(cusparseSDDMM)
__WG_C_API(cusparseSDDMM_bufferSize)
__WG_C_API(cusparseSDDMM_preprocess)
__WG_C_API(cusparseCreateConstSpVec)
__WG_C_API(cusparseSpVecGet)
__WG_C_API(cusparseConstSpVecGet)
__WG_C_API(cusparseSpVecGetIndexBase)
__WG_C_API(cusparseSpVecGetValues)
__WG_C_API(cusparseConstSpVecGetValues)
__WG_C_API(cusparseSpVecSetValues)
__WG_C_API(cusparseDnVecGet)
__WG_C_API(cusparseConstDnVecGet)
__WG_C_API(cusparseConstDnVecGetValues)
__WG_C_API(cusparseSpMatGetFormat)
__WG_C_API(cusparseConstSpMatGetValues)
__WG_C_API(cusparseSpMatGetStridedBatch)
__WG_C_API(cusparseCooSetStridedBatch)
__WG_C_API(cusparseCsrSetStridedBatch)
__WG_C_API(cusparseBsrSetStridedBatch)
__WG_C_API(cusparseSpMatGetAttribute)
__WG_C_API(cusparseCreateConstCsc)
__WG_C_API(cusparseConstCsrGet)
__WG_C_API(cusparseCscGet)
__WG_C_API(cusparseCreateConstBsr)
__WG_C_API(cusparseCreateConstCoo)
__WG_C_API(cusparseCooGet)
__WG_C_API(cusparseBlockedEllGet)
__WG_C_API(cusparseCreateSlicedEll)
__WG_C_API(cusparseDnMatGet)
__WG_C_API(cusparseConstDnMatGet)
__WG_C_API(cusparseConstDnMatGetValues)
__WG_C_API(cusparseDnMatSetStridedBatch)
__WG_C_API(cusparseDnMatGetStridedBatch)
__WG_C_API(cusparseSpSV_updateMatrix)
__WG_C_API(cusparseSpSM_updateMatrix)
__WG_C_API(cusparseSpGEMM_getNumProducts)
__WG_C_API(cusparseSpGEMM_estimateMemory)
__WG_C_API(cusparseSpGEMMreuse_workEstimation)
__WG_C_API(cusparseSpGEMMreuse_nnz)
__WG_C_API(cusparseSpGEMMreuse_copy)
__WG_C_API(cusparseSpGEMMreuse_compute)
__WG_C_API(cusparseSpMMOp_createPlan)
__WG_C_API(cusparseSpMMOp_destroyPlan)
__WG_C_API(cusparseSpMMOp)
__WG_C_API(cusparseRot)
__WG_C_API(cusparseScsrmv)
__WG_C_API(cusparseDcsrmv)
__WG_C_API(cusparseScsrmm)
__WG_C_API(cusparseDcsrmm)
__WG_C_API(cusparseSgtsv2)
__WG_C_API(cusparseDgtsv2)
__WG_C_API(cusparseSgtsv2_bufferSizeExt)
__WG_C_API(cusparseDgtsv2_bufferSizeExt)
__WG_C_API(cusparseSgtsv2StridedBatch)
__WG_C_API(cusparseDgtsv2StridedBatch)
__WG_C_API(cusparseSgtsv2StridedBatch_bufferSizeExt)
__WG_C_API(cusparseDgtsv2StridedBatch_bufferSizeExt)
__WG_C_API(cusparseCreateCsrsv2Info)
__WG_C_API(cusparseDestroyCsrsv2Info)
__WG_C_API(cusparseCreateCsrilu02Info)
__WG_C_API(cusparseDestroyCsrilu02Info)
__WG_C_API(cusparseScsrilu02)
__WG_C_API(cusparseDcsrilu02)
__WG_C_API(cusparseScsrilu02_bufferSize)
__WG_C_API(cusparseDcsrilu02_bufferSize)
__WG_C_API(cusparseScsrilu02_analysis)
__WG_C_API(cusparseDcsrilu02_analysis)
__WG_C_API(cusparseXcsrilu02_zeroPivot)
__WG_C_API(cusparseCreateCsric02Info)
__WG_C_API(cusparseDestroyCsric02Info)
__WG_C_API(cusparseScsric02)
__WG_C_API(cusparseDcsric02)
__WG_C_API(cusparseXcsrsortByRow)
__WG_C_API(cusparseXcsrsort)
__WG_C_API(cusparseXcsrsort_bufferSizeExt)
__WG_C_API(cusparseCreateIdentityPermutation)
#undef __WG_C_API
#undef __WG_RESULT

#endif
