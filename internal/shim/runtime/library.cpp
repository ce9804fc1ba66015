// Libraries and kernels of the runtime API ("CUDA Runtime API", "Library
// Management"), which are those of the driver API.
#include "driver.h"

using namespace warpgrind;

namespace {

CUlibrary driver(cudaLibrary_t l) { return reinterpret_cast<CUlibrary>(l); }

// Most numbers are the same in both.
cudaError_t result(CUresult e) { return setLastError(static_cast<cudaError_t>(e)); }

// A library can be loaded before any other call.
cudaError_t begin() {
  cudaError_t e = connectOnce();
  if (e == cudaSuccess) useRuntime();
  return e;
}

CUjit_option *driver(cudaJitOption *options) { return reinterpret_cast<CUjit_option *>(options); }
CUlibraryOption *driver(cudaLibraryOption *options) { return reinterpret_cast<CUlibraryOption *>(options); }

} // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *code, cudaJitOption *jit, void **jitValues,
                                unsigned jitCount, cudaLibraryOption *options, void **values, unsigned count) {
  if (cudaError_t e = begin()) return setLastError(e);
  return result(cuLibraryLoadData(reinterpret_cast<CUlibrary *>(out), code, driver(jit), jitValues, jitCount,
                                  driver(options), values, count));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *out, const char *file, cudaJitOption *jit, void **jitValues,
                                    unsigned jitCount, cudaLibraryOption *options, void **values, unsigned count) {
  if (cudaError_t e = begin()) return setLastError(e);
  return result(cuLibraryLoadFromFile(reinterpret_cast<CUlibrary *>(out), file, driver(jit), jitValues, jitCount,
                                      driver(options), values, count));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t l) { return result(cuLibraryUnload(driver(l))); }

cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t l, const char *name) {
  return result(cuLibraryGetKernel(out, driver(l), name));
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t l) {
  return result(cuLibraryGetKernelCount(count, driver(l)));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *out, unsigned count, cudaLibrary_t l) {
  return result(cuLibraryEnumerateKernels(out, count, driver(l)));
}

cudaError_t cudaLibraryGetGlobal(void **out, size_t *bytes, cudaLibrary_t l, const char *name) {
  CUdeviceptr p = 0;
  CUresult e = cuLibraryGetGlobal(&p, bytes, driver(l), name);
  if (e == CUDA_SUCCESS && out) *out = pointer(p);
  return result(e);
}

cudaError_t cudaLibraryGetManaged(void **out, size_t *bytes, cudaLibrary_t l, const char *name) {
  CUdeviceptr p = 0;
  CUresult e = cuLibraryGetManaged(&p, bytes, driver(l), name);
  if (e == CUDA_SUCCESS && out) *out = pointer(p);
  return result(e);
}

cudaError_t cudaLibraryGetUnifiedFunction(void **out, cudaLibrary_t l, const char *symbol) {
  return result(cuLibraryGetUnifiedFunction(out, driver(l), symbol));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t k, cudaFuncAttribute attribute, int value, int device) {
  if (cudaError_t e = begin()) return setLastError(e);
  return result(cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value, k, device));
}

} // extern "C"
