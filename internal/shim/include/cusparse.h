/* cuSPARSE ("cuSPARSE", "cuSPARSE Generic API Reference"). Calls that have a prototype are executed by kernels that are
 * checked like the program's; the others are not supported. */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_
#define CUSPARSEAPI

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#include <stdint.h>
#include <stdio.h>

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
  CUSPARSE_SPMV_COO_ALG2 = 4,
  CUSPARSE_SPMV_SELL_ALG1 = 5,
  CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12,
  CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
  CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5,
  CUSPARSE_FORMAT_BSR = 6,
  CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_SPSV_UPDATE_GENERAL = 0, CUSPARSE_SPSV_UPDATE_DIAGONAL = 1 } cusparseSpSVUpdate_t;
typedef enum { CUSPARSE_SPSM_UPDATE_GENERAL = 0, CUSPARSE_SPSM_UPDATE_DIAGONAL = 1 } cusparseSpSMUpdate_t;
typedef enum { CUSPARSE_SPMM_OP_ALG_DEFAULT = 0 } cusparseSpMMOpAlg_t;
typedef enum { CUSPARSE_SPMVOP_ALG_DEFAULT = 0 } cusparseSpMVOpAlg_t;
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
typedef struct cusparseSpMMOpPlan *cusparseSpMMOpPlan_t;
typedef struct cusparseSpMVOpDescr *cusparseSpMVOpDescr_t;
typedef struct cusparseSpMVOpPlan *cusparseSpMVOpPlan_t;
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

cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count,
    const void *offsets, const void *index, const void *values, cusparseIndexType_t offsetType, cusparseIndexType_t
    indexType, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count,
    const void *row, const void *col, const void *values, cusparseIndexType_t indexType, cusparseIndexBase_t base,
    cudaDataType type);
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, int64_t
    blockRows, int64_t blockCols, void *offsets, void *index, void *values, cusparseIndexType_t offsetType,
    cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count,
    int64_t blockRows, int64_t blockCols, const void *offsets, const void *index, const void *values,
    cusparseIndexType_t offsetType, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type,
    cusparseOrder_t order);
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t blockSize,
    int64_t ellCols, void *index, void *values, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType
    type);
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, int64_t
    size, int64_t sliceSize, void *offsets, void *index, void *values, cusparseIndexType_t offsetType,
    cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void
    *data, size_t size);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t m, cusparseFormat_t *format);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t m, int batch, int64_t offsetsStride, int64_t stride);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t m, int batch, int64_t stride);
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t m, int batch, int64_t offsetsStride, int64_t
    indexStride, int64_t valuesStride);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t m, int *batch);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t m, int batch, int64_t stride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t m, int *batch, int64_t *stride);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t m, void **values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t m, void *values);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t m, const void **values);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t m, const void **values);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t m, const void **values);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t m, const void **values);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *count, const
    void **offsets, const void **col, const void **values, cusparseIndexType_t *offsetType, cusparseIndexType_t
    *indexType, cusparseIndexBase_t *base, cudaDataType *type);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *count, void **offsets,
    void **row, void **values, cusparseIndexType_t *offsetType, cusparseIndexType_t *indexType, cusparseIndexBase_t
    *base, cudaDataType *type);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *count, void **row, void
    **col, void **values, cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *blockSize,
    int64_t *ellCols, void **col, void **values, cusparseIndexType_t *indexType, cusparseIndexBase_t *base,
    cudaDataType *type);
cusparseStatus_t cusparseDnMatGet(struct cusparseDnMatDescr *m, int64_t *rows, int64_t *cols, int64_t *ld, void
    **values, cudaDataType *type, cusparseOrder_t *order);
cusparseStatus_t cusparseDnVecGet(struct cusparseDnVecDescr *v, int64_t *size, void **values, cudaDataType *type);
cusparseStatus_t cusparseSpVecGet(struct cusparseSpVecDescr *v, int64_t *size, int64_t *count, void **index, void
    **values, cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type);
cusparseStatus_t cusparseConstDnMatGet(const struct cusparseDnMatDescr *m, int64_t *rows, int64_t *cols, int64_t *ld,
    const void **values, cudaDataType *type, cusparseOrder_t *order);
cusparseStatus_t cusparseConstDnVecGet(const struct cusparseDnVecDescr *v, int64_t *size, const void **values,
    cudaDataType *type);
cusparseStatus_t cusparseConstSpVecGet(const struct cusparseSpVecDescr *v, int64_t *size, int64_t *count, const void
    **index, const void **values, cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t v, cusparseIndexBase_t *base);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *out);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d);
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t d, void *values,
    cusparseSpSVUpdate_t part);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *out);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t d);
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t d, void *values,
    cusparseSpSMUpdate_t part);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute,
    cusparseSpSVAlg_t, cusparseSpSVDescr_t d, size_t *size);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute,
    cusparseSpSVAlg_t, cusparseSpSVDescr_t d, void *);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute,
    cusparseSpSVAlg_t, cusparseSpSVDescr_t d);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType
    compute, cusparseSpSMAlg_t, cusparseSpSMDescr_t d, size_t *size);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType
    compute, cusparseSpSMAlg_t, cusparseSpSMDescr_t d, void *);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const
    void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType
    compute, cusparseSpSMAlg_t, cusparseSpSMDescr_t d);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *out);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *out);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int *position);
cusparseStatus_t cusparseScsrilu02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, float *, const
    int *, const int *, csrilu02Info_t, int *size);
cusparseStatus_t cusparseScsrilu02_analysis(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, const
    float *values, const int *offsets, const int *col, csrilu02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsrilu02(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, float *values,
    const int *offsets, const int *col, csrilu02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsric02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, float *, const int
    *, const int *, csric02Info_t, int *size);
cusparseStatus_t cusparseScsric02_analysis(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, const
    float *values, const int *offsets, const int *col, csric02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsric02(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, float *values,
    const int *offsets, const int *col, csric02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSgtsv2_bufferSizeExt(cusparseHandle_t handle, int, int, const float *, const float *, const
    float *, const float *, int, size_t *size);
cusparseStatus_t cusparseSgtsv2(cusparseHandle_t handle, int m, int n, const float *lower, const float *d, const float
    *upper, float *b, int ldb, void *);
cusparseStatus_t cusparseSgtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int, int, const float *, const float *,
    const float *, const float *, int, size_t *size);
cusparseStatus_t cusparseSgtsv2_nopivot(cusparseHandle_t handle, int m, int n, const float *lower, const float *d,
    const float *upper, float *b, int ldb, void *);
cusparseStatus_t cusparseSgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int, const float *, const float *,
    const float *, const float *, int, int, size_t *size);
cusparseStatus_t cusparseSgtsv2StridedBatch(cusparseHandle_t handle, int m, const float *lower, const float *d, const
    float *upper, float *x, int batch, int stride, void *);
cusparseStatus_t cusparseSgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int, int, const float *, const
    float *, const float *, const float *, int, size_t *size);
cusparseStatus_t cusparseSgtsvInterleavedBatch(cusparseHandle_t handle, int, int m, float *lower, float *d, float
    *upper, float *x, int batch, void *);
cusparseStatus_t cusparseSgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int, int, const float *, const
    float *, const float *, const float *, const float *, const float *, int, size_t *size);
cusparseStatus_t cusparseSgpsvInterleavedBatch(cusparseHandle_t handle, int, int m, float *lowest, float *lower, float
    *d, float *upper, float *uppest, float *x, int batch, void *);
cusparseStatus_t cusparseDcsrilu02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, double *, const
    int *, const int *, csrilu02Info_t, int *size);
cusparseStatus_t cusparseDcsrilu02_analysis(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, const
    double *values, const int *offsets, const int *col, csrilu02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsrilu02(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, double *values,
    const int *offsets, const int *col, csrilu02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsric02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, double *, const
    int *, const int *, csric02Info_t, int *size);
cusparseStatus_t cusparseDcsric02_analysis(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, const
    double *values, const int *offsets, const int *col, csric02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsric02(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, double *values,
    const int *offsets, const int *col, csric02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDgtsv2_bufferSizeExt(cusparseHandle_t handle, int, int, const double *, const double *, const
    double *, const double *, int, size_t *size);
cusparseStatus_t cusparseDgtsv2(cusparseHandle_t handle, int m, int n, const double *lower, const double *d, const
    double *upper, double *b, int ldb, void *);
cusparseStatus_t cusparseDgtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int, int, const double *, const double
    *, const double *, const double *, int, size_t *size);
cusparseStatus_t cusparseDgtsv2_nopivot(cusparseHandle_t handle, int m, int n, const double *lower, const double *d,
    const double *upper, double *b, int ldb, void *);
cusparseStatus_t cusparseDgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int, const double *, const double
    *, const double *, const double *, int, int, size_t *size);
cusparseStatus_t cusparseDgtsv2StridedBatch(cusparseHandle_t handle, int m, const double *lower, const double *d,
    const double *upper, double *x, int batch, int stride, void *);
cusparseStatus_t cusparseDgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int, int, const double *, const
    double *, const double *, const double *, int, size_t *size);
cusparseStatus_t cusparseDgtsvInterleavedBatch(cusparseHandle_t handle, int, int m, double *lower, double *d, double
    *upper, double *x, int batch, void *);
cusparseStatus_t cusparseDgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int, int, const double *, const
    double *, const double *, const double *, const double *, const double *, int, size_t *size);
cusparseStatus_t cusparseDgpsvInterleavedBatch(cusparseHandle_t handle, int, int m, double *lowest, double *lower,
    double *d, double *upper, double *uppest, double *x, int batch, void *);
cusparseStatus_t cusparseCcsrilu02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, cuComplex *,
    const int *, const int *, csrilu02Info_t, int *size);
cusparseStatus_t cusparseCcsrilu02_analysis(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, const
    cuComplex *values, const int *offsets, const int *col, csrilu02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsrilu02(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, cuComplex *values,
    const int *offsets, const int *col, csrilu02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsric02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, cuComplex *, const
    int *, const int *, csric02Info_t, int *size);
cusparseStatus_t cusparseCcsric02_analysis(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, const
    cuComplex *values, const int *offsets, const int *col, csric02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCcsric02(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, cuComplex *values,
    const int *offsets, const int *col, csric02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseCgtsv2_bufferSizeExt(cusparseHandle_t handle, int, int, const cuComplex *, const cuComplex *,
    const cuComplex *, const cuComplex *, int, size_t *size);
cusparseStatus_t cusparseCgtsv2(cusparseHandle_t handle, int m, int n, const cuComplex *lower, const cuComplex *d,
    const cuComplex *upper, cuComplex *b, int ldb, void *);
cusparseStatus_t cusparseCgtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int, int, const cuComplex *, const
    cuComplex *, const cuComplex *, const cuComplex *, int, size_t *size);
cusparseStatus_t cusparseCgtsv2_nopivot(cusparseHandle_t handle, int m, int n, const cuComplex *lower, const cuComplex
    *d, const cuComplex *upper, cuComplex *b, int ldb, void *);
cusparseStatus_t cusparseCgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int, const cuComplex *, const
    cuComplex *, const cuComplex *, const cuComplex *, int, int, size_t *size);
cusparseStatus_t cusparseCgtsv2StridedBatch(cusparseHandle_t handle, int m, const cuComplex *lower, const cuComplex
    *d, const cuComplex *upper, cuComplex *x, int batch, int stride, void *);
cusparseStatus_t cusparseCgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int, int, const cuComplex *,
    const cuComplex *, const cuComplex *, const cuComplex *, int, size_t *size);
cusparseStatus_t cusparseCgtsvInterleavedBatch(cusparseHandle_t handle, int, int m, cuComplex *lower, cuComplex *d,
    cuComplex *upper, cuComplex *x, int batch, void *);
cusparseStatus_t cusparseCgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int, int, const cuComplex *,
    const cuComplex *, const cuComplex *, const cuComplex *, const cuComplex *, const cuComplex *, int, size_t *size);
cusparseStatus_t cusparseCgpsvInterleavedBatch(cusparseHandle_t handle, int, int m, cuComplex *lowest, cuComplex
    *lower, cuComplex *d, cuComplex *upper, cuComplex *uppest, cuComplex *x, int batch, void *);
cusparseStatus_t cusparseZcsrilu02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, cuDoubleComplex
    *, const int *, const int *, csrilu02Info_t, int *size);
cusparseStatus_t cusparseZcsrilu02_analysis(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, const
    cuDoubleComplex *values, const int *offsets, const int *col, csrilu02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsrilu02(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, cuDoubleComplex
    *values, const int *offsets, const int *col, csrilu02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsric02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, cuDoubleComplex *,
    const int *, const int *, csric02Info_t, int *size);
cusparseStatus_t cusparseZcsric02_analysis(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, const
    cuDoubleComplex *values, const int *offsets, const int *col, csric02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZcsric02(cusparseHandle_t handle, int m, int count, cusparseMatDescr_t a, cuDoubleComplex
    *values, const int *offsets, const int *col, csric02Info_t info, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseZgtsv2_bufferSizeExt(cusparseHandle_t handle, int, int, const cuDoubleComplex *, const
    cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, int, size_t *size);
cusparseStatus_t cusparseZgtsv2(cusparseHandle_t handle, int m, int n, const cuDoubleComplex *lower, const
    cuDoubleComplex *d, const cuDoubleComplex *upper, cuDoubleComplex *b, int ldb, void *);
cusparseStatus_t cusparseZgtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, int, size_t *size);
cusparseStatus_t cusparseZgtsv2_nopivot(cusparseHandle_t handle, int m, int n, const cuDoubleComplex *lower, const
    cuDoubleComplex *d, const cuDoubleComplex *upper, cuDoubleComplex *b, int ldb, void *);
cusparseStatus_t cusparseZgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int, const cuDoubleComplex *, const
    cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, int, int, size_t *size);
cusparseStatus_t cusparseZgtsv2StridedBatch(cusparseHandle_t handle, int m, const cuDoubleComplex *lower, const
    cuDoubleComplex *d, const cuDoubleComplex *upper, cuDoubleComplex *x, int batch, int stride, void *);
cusparseStatus_t cusparseZgtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int, int, const cuDoubleComplex
    *, const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, int, size_t *size);
cusparseStatus_t cusparseZgtsvInterleavedBatch(cusparseHandle_t handle, int, int m, cuDoubleComplex *lower,
    cuDoubleComplex *d, cuDoubleComplex *upper, cuDoubleComplex *x, int batch, void *);
cusparseStatus_t cusparseZgpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int, int, const cuDoubleComplex
    *, const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, const cuDoubleComplex *, const
    cuDoubleComplex *, int, size_t *size);
cusparseStatus_t cusparseZgpsvInterleavedBatch(cusparseHandle_t handle, int, int m, cuDoubleComplex *lowest,
    cuDoubleComplex *lower, cuDoubleComplex *d, cuDoubleComplex *upper, cuDoubleComplex *uppest, cuDoubleComplex *x,
    int batch, void *);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t d, int64_t *out);
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t
    opB, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,
    cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d, float, size_t *size3,
    void *buffer3, size_t *size2);
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
    cusparseOperation_t opB, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d, size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t,
    cusparseSpGEMMDescr_t d, size_t *size2, void *buffer2, size_t *size3, void *, size_t *size4, void *);
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t,
    cusparseSpGEMMDescr_t d, size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t
    opB, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,
    cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
    cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t, size_t *size);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
    cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t, void *);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void
    *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute, cusparseSDDMMAlg_t, void *);
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s, cusparseSpVecDescr_t x,
    cusparseDnVecDescr_t y);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *, const int *,
    size_t *size);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int count, int *row, int *col, int
    *order, void *);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int count, int *row, int *col, int
    *order, void *);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *, const int *,
    size_t *size);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int, int count, cusparseMatDescr_t a, const int
    *offsets, int *col, int *order, void *);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *, const int *,
    size_t *size);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int, int n, int count, cusparseMatDescr_t a, const int
    *offsets, int *row, int *order, void *);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *order);

#ifdef __cplusplus
}
#endif

#define __WG_RESULT cusparseStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cusparseCreateConstSpVec)
__WG_C_API(cusparseSpMMOp_createPlan)
__WG_C_API(cusparseSpMMOp_destroyPlan)
__WG_C_API(cusparseSpMMOp)
__WG_C_API(cusparseSpMVOp)
__WG_C_API(cusparseSpMVOp_bufferSize)
__WG_C_API(cusparseSpMVOp_createDescr)
__WG_C_API(cusparseSpMVOp_destroyDescr)
__WG_C_API(cusparseSpMVOp_createPlan)
__WG_C_API(cusparseSpMVOp_destroyPlan)
__WG_C_API(cusparseSpMVOp_setGlobalUserData)
__WG_C_API(cusparseScsrmv)
__WG_C_API(cusparseDcsrmv)
__WG_C_API(cusparseScsrmm)
__WG_C_API(cusparseDcsrmm)
__WG_C_API(cusparseCreateCsrsv2Info)
__WG_C_API(cusparseDestroyCsrsv2Info)
__WG_C_API(cusparseXcsrsortByRow)
#undef __WG_C_API
#undef __WG_RESULT

#endif
