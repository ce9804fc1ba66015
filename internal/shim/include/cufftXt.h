/* cuFFT on several GPUs and with callbacks: its types and the names of its functions, so
 * that programs compile and link. The library is not included: a call is not supported. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include "cudalibxt.h"
#include "cufft.h"

typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0,
  CUFFT_XT_FORMAT_OUTPUT = 1,
  CUFFT_XT_FORMAT_INPLACE = 2,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
  CUFFT_FORMAT_UNDEFINED = 7
} cufftXtSubFormat;

typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE = 0,
  CUFFT_COPY_DEVICE_TO_HOST = 1,
  CUFFT_COPY_DEVICE_TO_DEVICE = 2,
  CUFFT_COPY_UNDEFINED = 3
} cufftXtCopyType;

typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS = 0, CUFFT_QUERY_UNDEFINED = 1 } cufftXtQueryType;

typedef enum cufftXtWorkAreaPolicy_t {
  CUFFT_WORKAREA_MINIMAL = 0,
  CUFFT_WORKAREA_USER = 1,
  CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;

typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  CUFFT_CB_LD_REAL = 2,
  CUFFT_CB_LD_REAL_DOUBLE = 3,
  CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  CUFFT_CB_ST_REAL = 6,
  CUFFT_CB_ST_REAL_DOUBLE = 7,
  CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

typedef cufftComplex (*cufftCallbackLoadC)(void *in, size_t offset, void *info, void *shared);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void *in, size_t offset, void *info, void *shared);
typedef cufftReal (*cufftCallbackLoadR)(void *in, size_t offset, void *info, void *shared);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void *in, size_t offset, void *info, void *shared);
typedef void (*cufftCallbackStoreC)(void *out, size_t offset, cufftComplex element, void *info, void *shared);
typedef void (*cufftCallbackStoreZ)(void *out, size_t offset, cufftDoubleComplex element, void *info, void *shared);
typedef void (*cufftCallbackStoreR)(void *out, size_t offset, cufftReal element, void *info, void *shared);
typedef void (*cufftCallbackStoreD)(void *out, size_t offset, cufftDoubleReal element, void *info, void *shared);

#define __WG_RESULT cufftResult
#include "warpgrind/library_calls.h"
__WG_C_API(cufftXtSetGPUs)
__WG_C_API(cufftXtMalloc)
__WG_C_API(cufftXtMemcpy)
__WG_C_API(cufftXtFree)
__WG_C_API(cufftXtSetWorkArea)
__WG_C_API(cufftXtSetWorkAreaPolicy)
__WG_C_API(cufftXtMakePlanMany)
__WG_C_API(cufftXtGetSizeMany)
__WG_C_API(cufftXtExec)
__WG_C_API(cufftXtExecDescriptor)
__WG_C_API(cufftXtExecDescriptorC2C)
__WG_C_API(cufftXtExecDescriptorR2C)
__WG_C_API(cufftXtExecDescriptorC2R)
__WG_C_API(cufftXtExecDescriptorZ2Z)
__WG_C_API(cufftXtExecDescriptorD2Z)
__WG_C_API(cufftXtExecDescriptorZ2D)
__WG_C_API(cufftXtQueryPlan)
__WG_C_API(cufftXtSetCallback)
__WG_C_API(cufftXtClearCallback)
__WG_C_API(cufftXtSetCallbackSharedSize)
__WG_C_API(cufftXtSetJITCallback)
#undef __WG_C_API
#undef __WG_RESULT

#endif
