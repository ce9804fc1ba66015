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
#include "cusolverMg.h"
#define __WG_C_API(name) UNSUPPORTED(name, CUSOLVER_STATUS_NOT_SUPPORTED)
#include "cusolverRf.h"

#define CUBLAS(name) UNSUPPORTED(name, CUBLAS_STATUS_NOT_SUPPORTED)
#define CUFFT(name) UNSUPPORTED(name, CUFFT_NOT_SUPPORTED)
#define CUSPARSE(name) UNSUPPORTED(name, CUSPARSE_STATUS_NOT_SUPPORTED)
#define CUSOLVER(name) UNSUPPORTED(name, CUSOLVER_STATUS_NOT_SUPPORTED)
#include "library_names.inc"

// The names of the libraries' error codes.
#define NAME(code) \
  case code: return #code;

extern "C" {

__attribute__((weak)) const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    NAME(CUBLAS_STATUS_SUCCESS)
    NAME(CUBLAS_STATUS_NOT_INITIALIZED)
    NAME(CUBLAS_STATUS_ALLOC_FAILED)
    NAME(CUBLAS_STATUS_INVALID_VALUE)
    NAME(CUBLAS_STATUS_ARCH_MISMATCH)
    NAME(CUBLAS_STATUS_MAPPING_ERROR)
    NAME(CUBLAS_STATUS_EXECUTION_FAILED)
    NAME(CUBLAS_STATUS_INTERNAL_ERROR)
    NAME(CUBLAS_STATUS_NOT_SUPPORTED)
    NAME(CUBLAS_STATUS_LICENSE_ERROR)
  }
  return "unrecognized error code";
}
__attribute__((weak)) const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }
__attribute__((weak)) const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
__attribute__((weak)) const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

__attribute__((weak)) const char *cusparseGetErrorName(cusparseStatus_t status) {
  switch (status) {
    NAME(CUSPARSE_STATUS_SUCCESS)
    NAME(CUSPARSE_STATUS_NOT_INITIALIZED)
    NAME(CUSPARSE_STATUS_ALLOC_FAILED)
    NAME(CUSPARSE_STATUS_INVALID_VALUE)
    NAME(CUSPARSE_STATUS_ARCH_MISMATCH)
    NAME(CUSPARSE_STATUS_MAPPING_ERROR)
    NAME(CUSPARSE_STATUS_EXECUTION_FAILED)
    NAME(CUSPARSE_STATUS_INTERNAL_ERROR)
    NAME(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED)
    NAME(CUSPARSE_STATUS_ZERO_PIVOT)
    NAME(CUSPARSE_STATUS_NOT_SUPPORTED)
    NAME(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES)
  }
  return "unrecognized error code";
}
__attribute__((weak)) const char *cusparseGetErrorString(cusparseStatus_t status) { return cusparseGetErrorName(status); }

} // extern "C"
