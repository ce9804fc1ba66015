/* cuBLAS: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;

typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
#define WG_API(name) extern "C" cublasStatus_t name(...);
#else
#define WG_API(name) cublasStatus_t name();
#endif
WG_API(cublasAlloc)
WG_API(cublasAxpyEx)
WG_API(cublasCaxpy)
WG_API(cublasCcopy)
WG_API(cublasCdgmm)
WG_API(cublasCdotc)
WG_API(cublasCdotu)
WG_API(cublasCgbmv)
WG_API(cublasCgeam)
WG_API(cublasCgemm)
WG_API(cublasCgemm3m)
WG_API(cublasCgemmBatched)
WG_API(cublasCgemmStridedBatched)
WG_API(cublasCgemv)
WG_API(cublasCgerc)
WG_API(cublasCgeru)
WG_API(cublasCgetrfBatched)
WG_API(cublasCgetriBatched)
WG_API(cublasCgetrsBatched)
WG_API(cublasChemm)
WG_API(cublasChemv)
WG_API(cublasCherk)
WG_API(cublasCmatinvBatched)
WG_API(cublasCreate)
WG_API(cublasCscal)
WG_API(cublasCsscal)
WG_API(cublasCswap)
WG_API(cublasCsymm)
WG_API(cublasCsymv)
WG_API(cublasCsyr)
WG_API(cublasCsyr2)
WG_API(cublasCsyr2k)
WG_API(cublasCsyrk)
WG_API(cublasCtrmm)
WG_API(cublasCtrmv)
WG_API(cublasCtrsm)
WG_API(cublasCtrsmBatched)
WG_API(cublasCtrsv)
WG_API(cublasDasum)
WG_API(cublasDaxpy)
WG_API(cublasDcopy)
WG_API(cublasDdgmm)
WG_API(cublasDdot)
WG_API(cublasDestroy)
WG_API(cublasDgbmv)
WG_API(cublasDgeam)
WG_API(cublasDgemm)
WG_API(cublasDgemmBatched)
WG_API(cublasDgemmStridedBatched)
WG_API(cublasDgemv)
WG_API(cublasDger)
WG_API(cublasDgetrfBatched)
WG_API(cublasDgetriBatched)
WG_API(cublasDgetrsBatched)
WG_API(cublasDmatinvBatched)
WG_API(cublasDnrm2)
WG_API(cublasDotEx)
WG_API(cublasDrot)
WG_API(cublasDrotg)
WG_API(cublasDrotm)
WG_API(cublasDscal)
WG_API(cublasDswap)
WG_API(cublasDsymm)
WG_API(cublasDsymv)
WG_API(cublasDsyr)
WG_API(cublasDsyr2)
WG_API(cublasDsyr2k)
WG_API(cublasDsyrk)
WG_API(cublasDtrmm)
WG_API(cublasDtrmv)
WG_API(cublasDtrsm)
WG_API(cublasDtrsmBatched)
WG_API(cublasDtrsv)
WG_API(cublasDzasum)
WG_API(cublasDznrm2)
WG_API(cublasFree)
WG_API(cublasGemmBatchedEx)
WG_API(cublasGemmEx)
WG_API(cublasGemmStridedBatchedEx)
WG_API(cublasGetAtomicsMode)
WG_API(cublasGetCudartVersion)
WG_API(cublasGetError)
WG_API(cublasGetMathMode)
WG_API(cublasGetMatrix)
WG_API(cublasGetMatrixAsync)
WG_API(cublasGetPointerMode)
WG_API(cublasGetProperty)
WG_API(cublasGetStream)
WG_API(cublasGetVector)
WG_API(cublasGetVectorAsync)
WG_API(cublasGetVersion)
WG_API(cublasHgemm)
WG_API(cublasHgemmBatched)
WG_API(cublasHgemmStridedBatched)
WG_API(cublasIcamax)
WG_API(cublasIcamin)
WG_API(cublasIdamax)
WG_API(cublasIdamin)
WG_API(cublasInit)
WG_API(cublasIsamax)
WG_API(cublasIsamin)
WG_API(cublasIzamax)
WG_API(cublasIzamin)
WG_API(cublasLoggerConfigure)
WG_API(cublasNrm2Ex)
WG_API(cublasSasum)
WG_API(cublasSaxpy)
WG_API(cublasScalEx)
WG_API(cublasScasum)
WG_API(cublasScnrm2)
WG_API(cublasScopy)
WG_API(cublasSdgmm)
WG_API(cublasSdot)
WG_API(cublasSetAtomicsMode)
WG_API(cublasSetMathMode)
WG_API(cublasSetMatrix)
WG_API(cublasSetMatrixAsync)
WG_API(cublasSetPointerMode)
WG_API(cublasSetStream)
WG_API(cublasSetVector)
WG_API(cublasSetVectorAsync)
WG_API(cublasSetWorkspace)
WG_API(cublasSgbmv)
WG_API(cublasSgeam)
WG_API(cublasSgemm)
WG_API(cublasSgemmBatched)
WG_API(cublasSgemmEx)
WG_API(cublasSgemmStridedBatched)
WG_API(cublasSgemv)
WG_API(cublasSger)
WG_API(cublasSgetrfBatched)
WG_API(cublasSgetriBatched)
WG_API(cublasSgetrsBatched)
WG_API(cublasShutdown)
WG_API(cublasSmatinvBatched)
WG_API(cublasSnrm2)
WG_API(cublasSrot)
WG_API(cublasSrotg)
WG_API(cublasSrotm)
WG_API(cublasSscal)
WG_API(cublasSswap)
WG_API(cublasSsymm)
WG_API(cublasSsymv)
WG_API(cublasSsyr)
WG_API(cublasSsyr2)
WG_API(cublasSsyr2k)
WG_API(cublasSsyrk)
WG_API(cublasStrmm)
WG_API(cublasStrmv)
WG_API(cublasStrsm)
WG_API(cublasStrsmBatched)
WG_API(cublasStrsv)
WG_API(cublasZaxpy)
WG_API(cublasZcopy)
WG_API(cublasZdgmm)
WG_API(cublasZdotc)
WG_API(cublasZdotu)
WG_API(cublasZdscal)
WG_API(cublasZgbmv)
WG_API(cublasZgeam)
WG_API(cublasZgemm)
WG_API(cublasZgemmBatched)
WG_API(cublasZgemmStridedBatched)
WG_API(cublasZgemv)
WG_API(cublasZgerc)
WG_API(cublasZgeru)
WG_API(cublasZgetrfBatched)
WG_API(cublasZgetriBatched)
WG_API(cublasZgetrsBatched)
WG_API(cublasZhemm)
WG_API(cublasZhemv)
WG_API(cublasZherk)
WG_API(cublasZmatinvBatched)
WG_API(cublasZscal)
WG_API(cublasZswap)
WG_API(cublasZsymm)
WG_API(cublasZsymv)
WG_API(cublasZsyr)
WG_API(cublasZsyr2)
WG_API(cublasZsyr2k)
WG_API(cublasZsyrk)
WG_API(cublasZtrmm)
WG_API(cublasZtrmv)
WG_API(cublasZtrsm)
WG_API(cublasZtrsmBatched)
WG_API(cublasZtrsv)
#undef WG_API

static __inline__ const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
  case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
  case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
  case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
  case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
  case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
  case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
  case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
  case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
  case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "unrecognized error code";
}
static __inline__ const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

#define IDX2F(i, j, ld) ((((j) - 1) * (ld)) + ((i) - 1))
#define IDX2C(i, j, ld) (((j) * (ld)) + (i))

#endif
