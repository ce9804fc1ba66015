/* cuSOLVER on several GPUs: its types and the names of its functions, so that programs compile and link. The library is
 * not included: a call is not supported. */
#ifndef CUSOLVERMG_H_
#define CUSOLVERMG_H_

#include "cusolverDn.h"

typedef struct cusolverMgContext *cusolverMgHandle_t;
typedef enum { CUDALIBMG_GRID_MAPPING_ROW_MAJOR = 1, CUDALIBMG_GRID_MAPPING_COL_MAJOR = 0 } cusolverMgGridMapping_t;
typedef void *cudaLibMgGrid_t;
typedef void *cudaLibMgMatrixDesc_t;

#define __WG_RESULT cusolverStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cusolverMgCreate)
__WG_C_API(cusolverMgDestroy)
__WG_C_API(cusolverMgDeviceSelect)
__WG_C_API(cusolverMgCreateDeviceGrid)
__WG_C_API(cusolverMgDestroyGrid)
__WG_C_API(cusolverMgCreateMatrixDesc)
__WG_C_API(cusolverMgDestroyMatrixDesc)
__WG_C_API(cusolverMgSyevd_bufferSize)
__WG_C_API(cusolverMgSyevd)
__WG_C_API(cusolverMgGetrf_bufferSize)
__WG_C_API(cusolverMgGetrf)
__WG_C_API(cusolverMgGetrs_bufferSize)
__WG_C_API(cusolverMgGetrs)
__WG_C_API(cusolverMgPotrf_bufferSize)
__WG_C_API(cusolverMgPotrf)
__WG_C_API(cusolverMgPotrs_bufferSize)
__WG_C_API(cusolverMgPotrs)
__WG_C_API(cusolverMgPotri_bufferSize)
__WG_C_API(cusolverMgPotri)
#undef __WG_C_API
#undef __WG_RESULT

#endif
