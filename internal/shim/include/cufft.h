/* cuFFT: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef CUFFT_H_
#define CUFFT_H_

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
  CUFFT_NOT_SUPPORTED = 16
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

#ifdef __cplusplus
#define WG_API(name) extern "C" cufftResult name(...);
#else
#define WG_API(name) cufftResult name();
#endif
WG_API(cufftPlan1d)
WG_API(cufftPlan2d)
WG_API(cufftPlan3d)
WG_API(cufftPlanMany)
WG_API(cufftMakePlan1d)
WG_API(cufftMakePlan2d)
WG_API(cufftMakePlan3d)
WG_API(cufftMakePlanMany)
WG_API(cufftMakePlanMany64)
WG_API(cufftCreate)
WG_API(cufftDestroy)
WG_API(cufftEstimate1d)
WG_API(cufftEstimate2d)
WG_API(cufftEstimate3d)
WG_API(cufftEstimateMany)
WG_API(cufftGetSize)
WG_API(cufftGetSize1d)
WG_API(cufftGetSize2d)
WG_API(cufftGetSize3d)
WG_API(cufftGetSizeMany)
WG_API(cufftSetAutoAllocation)
WG_API(cufftSetWorkArea)
WG_API(cufftSetStream)
WG_API(cufftGetVersion)
WG_API(cufftGetProperty)
WG_API(cufftExecC2C)
WG_API(cufftExecR2C)
WG_API(cufftExecC2R)
WG_API(cufftExecZ2Z)
WG_API(cufftExecD2Z)
WG_API(cufftExecZ2D)
#undef WG_API

#endif
