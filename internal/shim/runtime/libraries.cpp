// Stubs of CUDA's libraries, which are not included: the functions that their headers
// declare (include/warpgrind/library_calls.h). A call ends the check as unsupported and
// returns the library's own code for it.
#include "unsupported.h"

#include "library_types.h"

#define __WG_C_API(name) UNSUPPORTED(name, CUBLAS_STATUS_NOT_SUPPORTED)
#include "cublas_v2.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUBLAS_STATUS_NOT_SUPPORTED)
#include "cublasXt.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUBLAS_STATUS_NOT_SUPPORTED)
#include "cublasLt.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUFFT_NOT_SUPPORTED)
#include "cufft.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUFFT_NOT_SUPPORTED)
#include "cufftXt.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUSPARSE_STATUS_NOT_SUPPORTED)
#include "cusparse.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUSOLVER_STATUS_NOT_SUPPORTED)
#include "cusolverDn.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUSOLVER_STATUS_NOT_SUPPORTED)
#include "cusolverSp.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUSOLVER_STATUS_NOT_SUPPORTED)
#include "cusolverSp_LOWLEVEL_PREVIEW.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUSOLVER_STATUS_NOT_SUPPORTED)
#include "cusolverRf.h"
#define __WG_C_API(name) UNSUPPORTED(name, NVML_ERROR_NOT_SUPPORTED)
#include "nvml.h"
#define __WG_C_API(name) UNSUPPORTED(name, ncclInternalError)
#include "nccl.h"
