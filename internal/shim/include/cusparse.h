/* cuSPARSE: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUSPARSE_VERSION 12000

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
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;

#ifdef __cplusplus
#define WG_API(name) extern "C" cusparseStatus_t name(...);
#else
#define WG_API(name) cusparseStatus_t name();
#endif
WG_API(cusparseCreate)
WG_API(cusparseDestroy)
WG_API(cusparseGetVersion)
WG_API(cusparseSetStream)
WG_API(cusparseGetStream)
WG_API(cusparseSetPointerMode)
WG_API(cusparseGetPointerMode)
WG_API(cusparseCreateMatDescr)
WG_API(cusparseDestroyMatDescr)
WG_API(cusparseSetMatType)
WG_API(cusparseSetMatIndexBase)
WG_API(cusparseSetMatFillMode)
WG_API(cusparseSetMatDiagType)
WG_API(cusparseCreateCsr)
WG_API(cusparseCreateCsc)
WG_API(cusparseCreateCoo)
WG_API(cusparseCreateBsr)
WG_API(cusparseCreateBlockedEll)
WG_API(cusparseCreateDnMat)
WG_API(cusparseCreateDnVec)
WG_API(cusparseCreateSpVec)
WG_API(cusparseDestroySpMat)
WG_API(cusparseDestroyDnMat)
WG_API(cusparseDestroyDnVec)
WG_API(cusparseDestroySpVec)
WG_API(cusparseSpMatGetSize)
WG_API(cusparseSpMatSetAttribute)
WG_API(cusparseSpMatGetIndexBase)
WG_API(cusparseCsrSetPointers)
WG_API(cusparseCooSetPointers)
WG_API(cusparseCscSetPointers)
WG_API(cusparseDnVecSetValues)
WG_API(cusparseDnMatSetValues)
WG_API(cusparseSpMV)
WG_API(cusparseSpMV_bufferSize)
WG_API(cusparseSpMV_preprocess)
WG_API(cusparseSpMM)
WG_API(cusparseSpMM_bufferSize)
WG_API(cusparseSpMM_preprocess)
WG_API(cusparseSpGEMM_createDescr)
WG_API(cusparseSpGEMM_destroyDescr)
WG_API(cusparseSpGEMM_workEstimation)
WG_API(cusparseSpGEMM_compute)
WG_API(cusparseSpGEMM_copy)
WG_API(cusparseSpSV_createDescr)
WG_API(cusparseSpSV_destroyDescr)
WG_API(cusparseSpSV_bufferSize)
WG_API(cusparseSpSV_analysis)
WG_API(cusparseSpSV_solve)
WG_API(cusparseSpSM_createDescr)
WG_API(cusparseSpSM_destroyDescr)
WG_API(cusparseSpSM_bufferSize)
WG_API(cusparseSpSM_analysis)
WG_API(cusparseSpSM_solve)
WG_API(cusparseSpVV)
WG_API(cusparseSpVV_bufferSize)
WG_API(cusparseSDDMM)
WG_API(cusparseSDDMM_bufferSize)
WG_API(cusparseSDDMM_preprocess)
WG_API(cusparseSparseToDense)
WG_API(cusparseSparseToDense_bufferSize)
WG_API(cusparseDenseToSparse_bufferSize)
WG_API(cusparseDenseToSparse_analysis)
WG_API(cusparseDenseToSparse_convert)
WG_API(cusparseAxpby)
WG_API(cusparseGather)
WG_API(cusparseScatter)
WG_API(cusparseRot)
WG_API(cusparseXcoo2csr)
WG_API(cusparseXcsr2coo)
WG_API(cusparseCsr2cscEx2)
WG_API(cusparseCsr2cscEx2_bufferSize)
WG_API(cusparseScsrmv)
WG_API(cusparseDcsrmv)
WG_API(cusparseScsrmm)
WG_API(cusparseDcsrmm)
WG_API(cusparseSgtsv2)
WG_API(cusparseDgtsv2)
WG_API(cusparseSgtsv2_bufferSizeExt)
WG_API(cusparseDgtsv2_bufferSizeExt)
WG_API(cusparseSgtsv2StridedBatch)
WG_API(cusparseDgtsv2StridedBatch)
WG_API(cusparseSgtsv2StridedBatch_bufferSizeExt)
WG_API(cusparseDgtsv2StridedBatch_bufferSizeExt)
WG_API(cusparseCreateCsrsv2Info)
WG_API(cusparseDestroyCsrsv2Info)
WG_API(cusparseCreateCsrilu02Info)
WG_API(cusparseDestroyCsrilu02Info)
WG_API(cusparseScsrilu02)
WG_API(cusparseDcsrilu02)
WG_API(cusparseScsrilu02_bufferSize)
WG_API(cusparseDcsrilu02_bufferSize)
WG_API(cusparseScsrilu02_analysis)
WG_API(cusparseDcsrilu02_analysis)
WG_API(cusparseXcsrilu02_zeroPivot)
WG_API(cusparseCreateCsric02Info)
WG_API(cusparseDestroyCsric02Info)
WG_API(cusparseScsric02)
WG_API(cusparseDcsric02)
WG_API(cusparseXcsrsortByRow)
WG_API(cusparseXcsrsort)
WG_API(cusparseXcsrsort_bufferSizeExt)
WG_API(cusparseCreateIdentityPermutation)
#undef WG_API

static __inline__ const char *cusparseGetErrorName(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_SUCCESS ? "CUSPARSE_STATUS_SUCCESS" : "CUSPARSE_STATUS_NOT_SUPPORTED";
}
static __inline__ const char *cusparseGetErrorString(cusparseStatus_t status) { return cusparseGetErrorName(status); }

#endif
