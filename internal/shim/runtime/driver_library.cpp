// Libraries and kernels, which belong to no context ("CUDA Driver API" and "CUDA
// Runtime API", "Library Management").
#include "driver_module.h"

#include "jit.h"

namespace warpgrind::core {

cudaError_t cuLibraryLoadData(CUlibrary *out, const void *code, CUjit_option *options, void **values, unsigned count,
                              CUlibraryOption *, void **, unsigned) {
  useRuntime(); // a library belongs to no context
  return loadModule(reinterpret_cast<CUmodule *>(out), code, count, options, values);
}

cudaError_t cuLibraryLoadFromFile(CUlibrary *out, const char *file, CUjit_option *options, void **values, unsigned count,
                                  CUlibraryOption *libraryOptions, void **libraryValues, unsigned n) {
  if (!file) return invalid("the file name is null");
  const char *image = content(file);
  if (!image) return misuse(cudaErrorFileNotFound, file);
  return core::cuLibraryLoadData(out, image, options, values, count, libraryOptions, libraryValues, n);
}

cudaError_t cuLibraryGetModule(CUmodule *out, CUlibrary l) {
  if (!out) return invalid("the result pointer is null");
  *out = reinterpret_cast<CUmodule>(l);
  return checkModule(*out);
}

cudaError_t cuLibraryGetKernel(CUkernel *out, CUlibrary l, const char *name) {
  return functionOf(reinterpret_cast<CUfunction *>(out), reinterpret_cast<CUmodule>(l), name);
}

cudaError_t cuLibraryGetGlobal(CUdeviceptr *out, size_t *bytes, CUlibrary l, const char *name) {
  return globalOf(out, bytes, reinterpret_cast<CUmodule>(l), name);
}

cudaError_t cuLibraryGetManaged(CUdeviceptr *out, size_t *bytes, CUlibrary l, const char *name) {
  return globalOf(out, bytes, reinterpret_cast<CUmodule>(l), name);
}

cudaError_t cuKernelGetFunction(CUfunction *out, CUkernel k) {
  if (!out || !k) return invalid("a pointer is null");
  *out = reinterpret_cast<CUfunction>(k);
  return cudaSuccess;
}

cudaError_t cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel k, CUdevice) {
  return core::cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(k));
}

cudaError_t cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel k, CUdevice) {
  return core::cuFuncSetAttribute(reinterpret_cast<CUfunction>(k), attribute, value);
}

cudaError_t cuKernelSetCacheConfig(CUkernel, CUfunc_cache, CUdevice) { return cudaSuccess; }

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t k, cudaFuncAttribute attribute, int value, int) {
  return core::cuFuncSetAttribute(reinterpret_cast<CUfunction>(k), static_cast<CUfunction_attribute>(attribute), value);
}

// Functions that host and device have in common are in the table that the
// program gives the library; no compiler here makes one.
cudaError_t cuLibraryGetUnifiedFunction(void **out, CUlibrary l, const char *symbol) {
  if (!out || !symbol) return invalid("a pointer is null");
  if (cudaError_t e = checkModule(reinterpret_cast<CUmodule>(l))) return e;
  return misuse(cudaErrorSymbolNotFound, "the library has no unified functions");
}

} // namespace warpgrind::core
