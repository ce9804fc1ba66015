/* cuFFT: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef CUFFT_H_
#define CUFFT_H_
#define _CUFFT_H_
#define CUFFTAPI

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;

#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#define __WG_RESULT cufftResult
#include "warpgrind/library_calls.h"
__WG_C_API(cufftPlan1d)
__WG_C_API(cufftPlan2d)
__WG_C_API(cufftPlan3d)
__WG_C_API(cufftPlanMany)
__WG_C_API(cufftMakePlan1d)
__WG_C_API(cufftMakePlan2d)
__WG_C_API(cufftMakePlan3d)
__WG_C_API(cufftMakePlanMany)
__WG_C_API(cufftMakePlanMany64)
__WG_C_API(cufftCreate)
__WG_C_API(cufftDestroy)
__WG_C_API(cufftEstimate1d)
__WG_C_API(cufftEstimate2d)
__WG_C_API(cufftEstimate3d)
__WG_C_API(cufftEstimateMany)
__WG_C_API(cufftGetSize)
__WG_C_API(cufftGetSize1d)
__WG_C_API(cufftGetSize2d)
__WG_C_API(cufftGetSize3d)
__WG_C_API(cufftGetSizeMany)
__WG_C_API(cufftSetAutoAllocation)
__WG_C_API(cufftSetWorkArea)
__WG_C_API(cufftSetStream)
__WG_C_API(cufftGetVersion)
__WG_C_API(cufftGetProperty)
__WG_C_API(cufftExecC2C)
__WG_C_API(cufftExecR2C)
__WG_C_API(cufftExecC2R)
__WG_C_API(cufftExecZ2Z)
__WG_C_API(cufftExecD2Z)
__WG_C_API(cufftExecZ2D)
#undef __WG_C_API
#undef __WG_RESULT

#endif
