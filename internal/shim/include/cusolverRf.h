/* cuSOLVER's refactorization: its types and the names of its functions, so that programs
 * compile and link. The library is not included: a call is not supported. */
#ifndef CUSOLVERRF_H_
#define CUSOLVERRF_H_

#include "cusolver_common.h"

typedef struct cusolverRfCommon *cusolverRfHandle_t;
typedef enum { CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1 } cusolverRfResetValuesFastMode_t;
typedef enum { CUSOLVERRF_MATRIX_FORMAT_CSR = 0, CUSOLVERRF_MATRIX_FORMAT_CSC = 1 } cusolverRfMatrixFormat_t;
typedef enum { CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0, CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3 } cusolverRfUnitDiagonal_t;
typedef enum { CUSOLVERRF_FACTORIZATION_ALG0 = 0, CUSOLVERRF_FACTORIZATION_ALG1 = 1, CUSOLVERRF_FACTORIZATION_ALG2 = 2 } cusolverRfFactorization_t;
typedef enum { CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1, CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2, CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3 } cusolverRfTriangularSolve_t;
typedef enum { CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0, CUSOLVERRF_NUMERIC_BOOST_USED = 1 } cusolverRfNumericBoostReport_t;

#define __WG_RESULT cusolverStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cusolverRfCreate)
__WG_C_API(cusolverRfDestroy)
__WG_C_API(cusolverRfSetupHost)
__WG_C_API(cusolverRfSetupDevice)
__WG_C_API(cusolverRfSetMatrixFormat)
__WG_C_API(cusolverRfGetMatrixFormat)
__WG_C_API(cusolverRfSetNumericProperties)
__WG_C_API(cusolverRfGetNumericProperties)
__WG_C_API(cusolverRfGetNumericBoostReport)
__WG_C_API(cusolverRfSetAlgs)
__WG_C_API(cusolverRfGetAlgs)
__WG_C_API(cusolverRfSetResetValuesFastMode)
__WG_C_API(cusolverRfGetResetValuesFastMode)
__WG_C_API(cusolverRfResetValues)
__WG_C_API(cusolverRfAnalyze)
__WG_C_API(cusolverRfRefactor)
__WG_C_API(cusolverRfSolve)
__WG_C_API(cusolverRfAccessBundledFactorsDevice)
__WG_C_API(cusolverRfExtractBundledFactorsHost)
__WG_C_API(cusolverRfExtractSplitFactorsHost)
__WG_C_API(cusolverRfBatchSetupHost)
__WG_C_API(cusolverRfBatchResetValues)
__WG_C_API(cusolverRfBatchAnalyze)
__WG_C_API(cusolverRfBatchRefactor)
__WG_C_API(cusolverRfBatchSolve)
__WG_C_API(cusolverRfBatchZeroPivot)
#undef __WG_C_API
#undef __WG_RESULT

#endif
