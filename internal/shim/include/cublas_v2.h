/* cuBLAS: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#define CUBLAS_API_H_
#define CUBLASAPI
#define CUBLASWINAPI

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUBLAS_VER_MAJOR (CUDART_VERSION / 1000)
#define CUBLAS_VER_MINOR (CUDART_VERSION % 1000 / 10)
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100)

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

#ifndef __WG_C_API /* runtime/libraries.cpp makes stubs instead */
#ifdef __cplusplus
#define __WG_C_API(name) extern "C" cublasStatus_t name(...), name##_v2(...) __asm__(#name);
#else
#define __WG_C_API(name) cublasStatus_t name(), name##_v2() __asm__(#name);
#endif
#endif
__WG_C_API(cublasAlloc)
__WG_C_API(cublasAxpyEx)
__WG_C_API(cublasCaxpy)
__WG_C_API(cublasCcopy)
__WG_C_API(cublasCdgmm)
__WG_C_API(cublasCdotc)
__WG_C_API(cublasCdotu)
__WG_C_API(cublasCgbmv)
__WG_C_API(cublasCgeam)
__WG_C_API(cublasCgemm)
__WG_C_API(cublasCgemm3m)
__WG_C_API(cublasCgemmBatched)
__WG_C_API(cublasCgemmStridedBatched)
__WG_C_API(cublasCgemv)
__WG_C_API(cublasCgerc)
__WG_C_API(cublasCgeru)
__WG_C_API(cublasCgetrfBatched)
__WG_C_API(cublasCgetriBatched)
__WG_C_API(cublasCgetrsBatched)
__WG_C_API(cublasChemm)
__WG_C_API(cublasChemv)
__WG_C_API(cublasCherk)
__WG_C_API(cublasCmatinvBatched)
__WG_C_API(cublasCreate)
__WG_C_API(cublasCscal)
__WG_C_API(cublasCsscal)
__WG_C_API(cublasCswap)
__WG_C_API(cublasCsymm)
__WG_C_API(cublasCsymv)
__WG_C_API(cublasCsyr)
__WG_C_API(cublasCsyr2)
__WG_C_API(cublasCsyr2k)
__WG_C_API(cublasCsyrk)
__WG_C_API(cublasCtrmm)
__WG_C_API(cublasCtrmv)
__WG_C_API(cublasCtrsm)
__WG_C_API(cublasCtrsmBatched)
__WG_C_API(cublasCtrsv)
__WG_C_API(cublasDasum)
__WG_C_API(cublasDaxpy)
__WG_C_API(cublasDcopy)
__WG_C_API(cublasDdgmm)
__WG_C_API(cublasDdot)
__WG_C_API(cublasDestroy)
__WG_C_API(cublasDgbmv)
__WG_C_API(cublasDgeam)
__WG_C_API(cublasDgemm)
__WG_C_API(cublasDgemmBatched)
__WG_C_API(cublasDgemmStridedBatched)
__WG_C_API(cublasDgemv)
__WG_C_API(cublasDger)
__WG_C_API(cublasDgetrfBatched)
__WG_C_API(cublasDgetriBatched)
__WG_C_API(cublasDgetrsBatched)
__WG_C_API(cublasDmatinvBatched)
__WG_C_API(cublasDnrm2)
__WG_C_API(cublasDotEx)
__WG_C_API(cublasDrot)
__WG_C_API(cublasDrotg)
__WG_C_API(cublasDrotm)
__WG_C_API(cublasDscal)
__WG_C_API(cublasDswap)
__WG_C_API(cublasDsymm)
__WG_C_API(cublasDsymv)
__WG_C_API(cublasDsyr)
__WG_C_API(cublasDsyr2)
__WG_C_API(cublasDsyr2k)
__WG_C_API(cublasDsyrk)
__WG_C_API(cublasDtrmm)
__WG_C_API(cublasDtrmv)
__WG_C_API(cublasDtrsm)
__WG_C_API(cublasDtrsmBatched)
__WG_C_API(cublasDtrsv)
__WG_C_API(cublasDzasum)
__WG_C_API(cublasDznrm2)
__WG_C_API(cublasFree)
__WG_C_API(cublasGemmBatchedEx)
__WG_C_API(cublasGemmEx)
__WG_C_API(cublasGemmStridedBatchedEx)
__WG_C_API(cublasGetAtomicsMode)
__WG_C_API(cublasGetCudartVersion)
__WG_C_API(cublasGetError)
__WG_C_API(cublasGetMathMode)
__WG_C_API(cublasGetMatrix)
__WG_C_API(cublasGetMatrixAsync)
__WG_C_API(cublasGetPointerMode)
__WG_C_API(cublasGetProperty)
__WG_C_API(cublasGetStream)
__WG_C_API(cublasGetVector)
__WG_C_API(cublasGetVectorAsync)
__WG_C_API(cublasGetVersion)
__WG_C_API(cublasHgemm)
__WG_C_API(cublasHgemmBatched)
__WG_C_API(cublasHgemmStridedBatched)
__WG_C_API(cublasIcamax)
__WG_C_API(cublasIcamin)
__WG_C_API(cublasIdamax)
__WG_C_API(cublasIdamin)
__WG_C_API(cublasInit)
__WG_C_API(cublasIsamax)
__WG_C_API(cublasIsamin)
__WG_C_API(cublasIzamax)
__WG_C_API(cublasIzamin)
__WG_C_API(cublasLoggerConfigure)
__WG_C_API(cublasNrm2Ex)
__WG_C_API(cublasSasum)
__WG_C_API(cublasSaxpy)
__WG_C_API(cublasScalEx)
__WG_C_API(cublasScasum)
__WG_C_API(cublasScnrm2)
__WG_C_API(cublasScopy)
__WG_C_API(cublasSdgmm)
__WG_C_API(cublasSdot)
__WG_C_API(cublasSetAtomicsMode)
__WG_C_API(cublasSetMathMode)
__WG_C_API(cublasSetMatrix)
__WG_C_API(cublasSetMatrixAsync)
__WG_C_API(cublasSetPointerMode)
__WG_C_API(cublasSetStream)
__WG_C_API(cublasSetVector)
__WG_C_API(cublasSetVectorAsync)
__WG_C_API(cublasSetWorkspace)
__WG_C_API(cublasSgbmv)
__WG_C_API(cublasSgeam)
__WG_C_API(cublasSgemm)
__WG_C_API(cublasSgemmBatched)
__WG_C_API(cublasSgemmEx)
__WG_C_API(cublasSgemmStridedBatched)
__WG_C_API(cublasSgemv)
__WG_C_API(cublasSger)
__WG_C_API(cublasSgetrfBatched)
__WG_C_API(cublasSgetriBatched)
__WG_C_API(cublasSgetrsBatched)
__WG_C_API(cublasShutdown)
__WG_C_API(cublasSmatinvBatched)
__WG_C_API(cublasSnrm2)
__WG_C_API(cublasSrot)
__WG_C_API(cublasSrotg)
__WG_C_API(cublasSrotm)
__WG_C_API(cublasSscal)
__WG_C_API(cublasSswap)
__WG_C_API(cublasSsymm)
__WG_C_API(cublasSsymv)
__WG_C_API(cublasSsyr)
__WG_C_API(cublasSsyr2)
__WG_C_API(cublasSsyr2k)
__WG_C_API(cublasSsyrk)
__WG_C_API(cublasStrmm)
__WG_C_API(cublasStrmv)
__WG_C_API(cublasStrsm)
__WG_C_API(cublasStrsmBatched)
__WG_C_API(cublasStrsv)
__WG_C_API(cublasZaxpy)
__WG_C_API(cublasZcopy)
__WG_C_API(cublasZdgmm)
__WG_C_API(cublasZdotc)
__WG_C_API(cublasZdotu)
__WG_C_API(cublasZdscal)
__WG_C_API(cublasZgbmv)
__WG_C_API(cublasZgeam)
__WG_C_API(cublasZgemm)
__WG_C_API(cublasZgemmBatched)
__WG_C_API(cublasZgemmStridedBatched)
__WG_C_API(cublasZgemv)
__WG_C_API(cublasZgerc)
__WG_C_API(cublasZgeru)
__WG_C_API(cublasZgetrfBatched)
__WG_C_API(cublasZgetriBatched)
__WG_C_API(cublasZgetrsBatched)
__WG_C_API(cublasZhemm)
__WG_C_API(cublasZhemv)
__WG_C_API(cublasZherk)
__WG_C_API(cublasZmatinvBatched)
__WG_C_API(cublasZscal)
__WG_C_API(cublasZswap)
__WG_C_API(cublasZsymm)
__WG_C_API(cublasZsymv)
__WG_C_API(cublasZsyr)
__WG_C_API(cublasZsyr2)
__WG_C_API(cublasZsyr2k)
__WG_C_API(cublasZsyrk)
__WG_C_API(cublasZtrmm)
__WG_C_API(cublasZtrmv)
__WG_C_API(cublasZtrsm)
__WG_C_API(cublasZtrsmBatched)
__WG_C_API(cublasZtrsv)
#undef __WG_C_API

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

#endif
