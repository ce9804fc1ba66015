// Stubs of functions of CUDA's libraries that are not supported and of which only the name is
// known: those that their headers declare so (include/warpgrind/library_calls.h). A call ends
// the check as unsupported and returns the library's own code for it.
#include "unsupported.h"

#include "library_types.h"

#define __WG_C_API(name) UNSUPPORTED(name, CUBLAS_STATUS_NOT_SUPPORTED)
#include "cublas.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUBLAS_STATUS_NOT_SUPPORTED)
#include "cublasXt.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUBLAS_STATUS_NOT_SUPPORTED)
#include "cublasLt.h"
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
