/* cuBLAS on several GPUs: its types and the names of its functions, so that programs
 * compile and link. The library is not included: a call is not supported. */
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"

typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;
typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;
typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

#define __WG_RESULT cublasStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cublasXtCreate)
__WG_C_API(cublasXtDestroy)
__WG_C_API(cublasXtDeviceSelect)
__WG_C_API(cublasXtGetNumBoards)
__WG_C_API(cublasXtMaxBoards)
__WG_C_API(cublasXtSetBlockDim)
__WG_C_API(cublasXtGetBlockDim)
__WG_C_API(cublasXtSetPinningMemMode)
__WG_C_API(cublasXtGetPinningMemMode)
__WG_C_API(cublasXtSetCpuRoutine)
__WG_C_API(cublasXtSetCpuRatio)
__WG_C_API(cublasXtSgemm)
__WG_C_API(cublasXtDgemm)
__WG_C_API(cublasXtCgemm)
__WG_C_API(cublasXtZgemm)
__WG_C_API(cublasXtSsyrk)
__WG_C_API(cublasXtDsyrk)
__WG_C_API(cublasXtCsyrk)
__WG_C_API(cublasXtZsyrk)
__WG_C_API(cublasXtStrsm)
__WG_C_API(cublasXtDtrsm)
__WG_C_API(cublasXtCtrsm)
__WG_C_API(cublasXtZtrsm)
__WG_C_API(cublasXtSsymm)
__WG_C_API(cublasXtDsymm)
__WG_C_API(cublasXtCsymm)
__WG_C_API(cublasXtZsymm)
__WG_C_API(cublasXtSsyrkx)
__WG_C_API(cublasXtDsyrkx)
__WG_C_API(cublasXtCsyrkx)
__WG_C_API(cublasXtZsyrkx)
__WG_C_API(cublasXtSsyr2k)
__WG_C_API(cublasXtDsyr2k)
__WG_C_API(cublasXtCsyr2k)
__WG_C_API(cublasXtZsyr2k)
__WG_C_API(cublasXtSspmm)
__WG_C_API(cublasXtDspmm)
__WG_C_API(cublasXtCspmm)
__WG_C_API(cublasXtZspmm)
__WG_C_API(cublasXtStrmm)
__WG_C_API(cublasXtDtrmm)
__WG_C_API(cublasXtCtrmm)
__WG_C_API(cublasXtZtrmm)
__WG_C_API(cublasXtCherk)
__WG_C_API(cublasXtZherk)
__WG_C_API(cublasXtChemm)
__WG_C_API(cublasXtZhemm)
__WG_C_API(cublasXtCher2k)
__WG_C_API(cublasXtZher2k)
__WG_C_API(cublasXtCherkx)
__WG_C_API(cublasXtZherkx)
#undef __WG_C_API
#undef __WG_RESULT

#endif
