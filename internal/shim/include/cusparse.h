/* cuSPARSE: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_
#define CUSPARSEAPI

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

#define __WG_RESULT cusparseStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cusparseCreate)
__WG_C_API(cusparseDestroy)
__WG_C_API(cusparseGetVersion)
__WG_C_API(cusparseSetStream)
__WG_C_API(cusparseGetStream)
__WG_C_API(cusparseSetPointerMode)
__WG_C_API(cusparseGetPointerMode)
__WG_C_API(cusparseCreateMatDescr)
__WG_C_API(cusparseDestroyMatDescr)
__WG_C_API(cusparseGetMatDiagType)
__WG_C_API(cusparseGetMatFillMode)
__WG_C_API(cusparseGetMatIndexBase)
__WG_C_API(cusparseGetMatType)
__WG_C_API(cusparseSetMatType)
__WG_C_API(cusparseSetMatIndexBase)
__WG_C_API(cusparseSetMatFillMode)
__WG_C_API(cusparseSetMatDiagType)
__WG_C_API(cusparseCreateCsr)
__WG_C_API(cusparseCreateCsc)
__WG_C_API(cusparseCreateCoo)
__WG_C_API(cusparseCreateBsr)
__WG_C_API(cusparseCreateBlockedEll)
__WG_C_API(cusparseCreateDnMat)
__WG_C_API(cusparseCreateDnVec)
__WG_C_API(cusparseCreateSpVec)
__WG_C_API(cusparseDestroySpMat)
__WG_C_API(cusparseDestroyDnMat)
__WG_C_API(cusparseDestroyDnVec)
__WG_C_API(cusparseDestroySpVec)
__WG_C_API(cusparseSpMatGetSize)
__WG_C_API(cusparseSpMatSetAttribute)
__WG_C_API(cusparseSpMatGetIndexBase)
__WG_C_API(cusparseCsrSetPointers)
__WG_C_API(cusparseCooSetPointers)
__WG_C_API(cusparseCscSetPointers)
__WG_C_API(cusparseDnVecSetValues)
__WG_C_API(cusparseDnMatSetValues)
__WG_C_API(cusparseSpMV)
__WG_C_API(cusparseSpMV_bufferSize)
__WG_C_API(cusparseSpMV_preprocess)
__WG_C_API(cusparseSpMM)
__WG_C_API(cusparseSpMM_bufferSize)
__WG_C_API(cusparseSpMM_preprocess)
__WG_C_API(cusparseSpGEMM_createDescr)
__WG_C_API(cusparseSpGEMM_destroyDescr)
__WG_C_API(cusparseSpGEMM_workEstimation)
__WG_C_API(cusparseSpGEMM_compute)
__WG_C_API(cusparseSpGEMM_copy)
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
__WG_C_API(cusparseSpVV)
__WG_C_API(cusparseSpVV_bufferSize)
__WG_C_API(cusparseSDDMM)
__WG_C_API(cusparseSDDMM_bufferSize)
__WG_C_API(cusparseSDDMM_preprocess)
__WG_C_API(cusparseSparseToDense)
__WG_C_API(cusparseSparseToDense_bufferSize)
__WG_C_API(cusparseDenseToSparse_bufferSize)
__WG_C_API(cusparseDenseToSparse_analysis)
__WG_C_API(cusparseDenseToSparse_convert)
__WG_C_API(cusparseAxpby)
__WG_C_API(cusparseGather)
__WG_C_API(cusparseScatter)
__WG_C_API(cusparseRot)
__WG_C_API(cusparseXcoo2csr)
__WG_C_API(cusparseXcsr2coo)
__WG_C_API(cusparseCsr2cscEx2)
__WG_C_API(cusparseCsr2cscEx2_bufferSize)
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

static __inline__ const char *cusparseGetErrorName(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_SUCCESS ? "CUSPARSE_STATUS_SUCCESS" : "CUSPARSE_STATUS_NOT_SUPPORTED";
}
static __inline__ const char *cusparseGetErrorString(cusparseStatus_t status) { return cusparseGetErrorName(status); }

#endif
