// Handles of cuBLAS and their settings, and copies between the host and the device ("cuBLAS",
// "cuBLAS Helper Function Reference").
#include "context.h"

namespace blas {
host::Kernels kernels("cublas");
}

using namespace blas;

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  const host::Named named("cublasCreate");
  REQUIRE(handle, "the handle's pointer is null");
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t h) {
  CALL("cublasDestroy", h);
  delete h;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version) {
  const host::Named named("cublasGetVersion");
  REQUIRE(version, "the result pointer is null");
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  const host::Named named("cublasGetProperty");
  REQUIRE(value, "the result pointer is null");
  REQUIRE(type >= MAJOR_VERSION && type <= PATCH_LEVEL, "the property type is invalid");
  *value = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : type == MINOR_VERSION ? CUBLAS_VER_MINOR : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) { return CUDART_VERSION; }

// A setting of the handle, and the question for it.
#define SETTING(name, suffix, type, field)                                         \
  cublasStatus_t cublasSet##name##suffix(cublasHandle_t h, type value) {           \
    CALL("cublasSet" #name, h);                                                    \
    h->field = value;                                                              \
    return CUBLAS_STATUS_SUCCESS;                                                  \
  }                                                                                \
  cublasStatus_t cublasGet##name##suffix(cublasHandle_t h, type *value) {          \
    CALL("cublasGet" #name, h);                                                    \
    REQUIRE(value, "the result pointer is null");                                  \
    *value = h->field;                                                             \
    return CUBLAS_STATUS_SUCCESS;                                                  \
  }
SETTING(Stream, _v2, cudaStream_t, stream)
SETTING(PointerMode, _v2, cublasPointerMode_t, pointers)
SETTING(AtomicsMode, , cublasAtomicsMode_t, atomics)
SETTING(MathMode, , cublasMath_t, math)
SETTING(SmCountTarget, , int, multiprocessors)
SETTING(EmulationStrategy, , cublasEmulationStrategy_t, strategy)
SETTING(EmulationSpecialValuesSupport, , cudaEmulationSpecialValuesSupport, specialValues)
SETTING(FixedPointEmulationMantissaControl, , cudaEmulationMantissaControl, mantissaControl)
SETTING(FixedPointEmulationMaxMantissaBitCount, , int, mantissaBits)
SETTING(FixedPointEmulationMantissaBitOffset, , int, mantissaOffset)

// Kernels need no workspace of the program's.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void *, size_t) {
  CALL("cublasSetWorkspace", h);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLoggerConfigure(int, int, int, const char *) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback) {
  if (callback) *callback = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}

// Copies are as the runtime's are; those without a stream wait.
static cublasStatus_t copyMatrix(int rows, int cols, int size, const void *from, int ldFrom, void *to, int ldTo,
                                 cudaStream_t stream, bool wait) {
  REQUIRE(rows >= 0 && cols >= 0, "a size is negative");
  REQUIRE(size > 0, "the size of an element is not positive");
  REQUIRE(ldFrom >= larger(1, rows) && ldTo >= larger(1, rows), "a leading dimension is less than the rows");
  if (rows == 0 || cols == 0) return CUBLAS_STATUS_SUCCESS;
  const size_t bytes = size;
  cudaError_t e = host::services->copy2D(to, ldTo * bytes, from, ldFrom * bytes, rows * bytes, cols, stream);
  if (e == cudaSuccess && wait) e = host::services->wait(stream);
  return e == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copyVector(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t stream, bool wait) {
  REQUIRE(incx > 0 && incy > 0, "an increment is not positive");
  REQUIRE(n >= 0 && size > 0, "a size is not positive");
  if (incx == 1 && incy == 1) return copyMatrix(n, 1, size, x, larger(1, n), y, larger(1, n), stream, wait);
  return copyMatrix(1, n, size, x, incx, y, incy, stream, wait);
}

cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy) {
  const host::Named named("cublasSetVector");
  return copyVector(n, size, x, incx, y, incy, nullptr, true);
}
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy) {
  const host::Named named("cublasGetVector");
  return copyVector(n, size, x, incx, y, incy, nullptr, true);
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t stream) {
  const host::Named named("cublasSetVectorAsync");
  return copyVector(n, size, x, incx, y, incy, stream, false);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t stream) {
  const host::Named named("cublasGetVectorAsync");
  return copyVector(n, size, x, incx, y, incy, stream, false);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *a, int lda, void *b, int ldb) {
  const host::Named named("cublasSetMatrix");
  return copyMatrix(rows, cols, size, a, lda, b, ldb, nullptr, true);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *a, int lda, void *b, int ldb) {
  const host::Named named("cublasGetMatrix");
  return copyMatrix(rows, cols, size, a, lda, b, ldb, nullptr, true);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *a, int lda, void *b, int ldb, cudaStream_t stream) {
  const host::Named named("cublasSetMatrixAsync");
  return copyMatrix(rows, cols, size, a, lda, b, ldb, stream, false);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *a, int lda, void *b, int ldb, cudaStream_t stream) {
  const host::Named named("cublasGetMatrixAsync");
  return copyMatrix(rows, cols, size, a, lda, b, ldb, stream, false);
}

} // extern "C"
