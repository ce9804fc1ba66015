/* cuBLASLt: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef __WG_CUBLASLT_H__
#define __WG_CUBLASLT_H__

#include "cublas_v2.h"

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDesc_ *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayout_ *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreference_ *cublasLtMatmulPreference_t;
typedef struct cublasLtMatrixTransformDesc_ *cublasLtMatrixTransformDesc_t;
typedef struct { unsigned long long data[8]; } cublasLtMatmulAlgo_t;
typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;
typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36
} cublasLtEpilogue_t;
typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} cublasLtMatrixLayoutAttribute_t;
typedef enum { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1 } cublasLtOrder_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
} cublasLtMatmulPreferenceAttributes_t;

#define __WG_RESULT cublasStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cublasLtCreate)
__WG_C_API(cublasLtDestroy)
__WG_C_API(cublasLtMatmul)
__WG_C_API(cublasLtMatmulDescCreate)
__WG_C_API(cublasLtMatmulDescDestroy)
__WG_C_API(cublasLtMatmulDescSetAttribute)
__WG_C_API(cublasLtMatmulDescGetAttribute)
__WG_C_API(cublasLtMatrixLayoutCreate)
__WG_C_API(cublasLtMatrixLayoutDestroy)
__WG_C_API(cublasLtMatrixLayoutSetAttribute)
__WG_C_API(cublasLtMatmulPreferenceCreate)
__WG_C_API(cublasLtMatmulPreferenceDestroy)
__WG_C_API(cublasLtMatmulPreferenceSetAttribute)
__WG_C_API(cublasLtMatmulAlgoGetHeuristic)
__WG_C_API(cublasLtMatmulAlgoGetIds)
__WG_C_API(cublasLtMatmulAlgoInit)
__WG_C_API(cublasLtMatrixTransform)
__WG_C_API(cublasLtMatrixTransformDescCreate)
__WG_C_API(cublasLtMatrixTransformDescDestroy)
__WG_C_API(cublasLtMatrixTransformDescSetAttribute)
#undef __WG_C_API
#undef __WG_RESULT

#endif
