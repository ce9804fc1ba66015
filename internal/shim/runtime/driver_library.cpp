// The driver API: libraries and kernels, which belong to no context ("CUDA
// Driver API", "Library Management").
#include "driver_module.h"

#include "jit.h"

using namespace warpgrind;

extern "C" {

CUresult cuLibraryLoadData(CUlibrary *out, const void *code, CUjit_option *options, void **values, unsigned count,
                           CUlibraryOption *, void **, unsigned) {
  DRIVER_CALL;
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  useRuntime(); // a library belongs to no context
  return loadModule(__func__, reinterpret_cast<CUmodule *>(out), code, count, options, values);
}

CUresult cuLibraryLoadFromFile(CUlibrary *out, const char *file, CUjit_option *options, void **values, unsigned count,
                               CUlibraryOption *libraryOptions, void **libraryValues, unsigned n) {
  DRIVER_CALL;
  if (!file) return invalid(__func__, "the file name is null");
  const char *image = content(file);
  if (!image) return result(misuse(__func__, cudaErrorFileNotFound, file));
  return cuLibraryLoadData(out, image, options, values, count, libraryOptions, libraryValues, n);
}

CUresult cuLibraryUnload(CUlibrary l) { DRIVER_CALL; return cuModuleUnload(reinterpret_cast<CUmodule>(l)); }

CUresult cuLibraryGetModule(CUmodule *out, CUlibrary l) {
  DRIVER_CALL;
  if (!out) return invalid(__func__, "the result pointer is null");
  *out = reinterpret_cast<CUmodule>(l);
  return checkModule(__func__, *out);
}

CUresult cuLibraryGetKernel(CUkernel *out, CUlibrary l, const char *name) {
  DRIVER_CALL;
  return functionOf(__func__, reinterpret_cast<CUfunction *>(out), reinterpret_cast<CUmodule>(l), name);
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary l) {
  DRIVER_CALL;
  return cuModuleGetFunctionCount(count, reinterpret_cast<CUmodule>(l));
}

CUresult cuLibraryEnumerateKernels(CUkernel *out, unsigned count, CUlibrary l) {
  DRIVER_CALL;
  return cuModuleEnumerateFunctions(reinterpret_cast<CUfunction *>(out), count, reinterpret_cast<CUmodule>(l));
}

CUresult cuLibraryGetGlobal(CUdeviceptr *out, size_t *bytes, CUlibrary l, const char *name) {
  DRIVER_CALL;
  return globalOf(__func__, out, bytes, reinterpret_cast<CUmodule>(l), name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *out, size_t *bytes, CUlibrary l, const char *name) {
  DRIVER_CALL;
  return globalOf(__func__, out, bytes, reinterpret_cast<CUmodule>(l), name);
}

CUresult cuKernelGetFunction(CUfunction *out, CUkernel k) {
  DRIVER_CALL;
  if (!out || !k) return invalid(__func__, "a pointer is null");
  *out = reinterpret_cast<CUfunction>(k);
  return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary *out, CUkernel k) {
  DRIVER_CALL;
  return cuFuncGetModule(reinterpret_cast<CUmodule *>(out), reinterpret_cast<CUfunction>(k));
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel k, CUdevice) {
  DRIVER_CALL;
  return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(k));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel k, CUdevice) {
  DRIVER_CALL;
  return cuFuncSetAttribute(reinterpret_cast<CUfunction>(k), attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel, CUfunc_cache, CUdevice) { DRIVER_CALL; return CUDA_SUCCESS; }

CUresult cuKernelGetName(const char **name, CUkernel k) {
  DRIVER_CALL;
  return cuFuncGetName(name, reinterpret_cast<CUfunction>(k));
}

CUresult cuKernelGetParamInfo(CUkernel k, size_t index, size_t *offset, size_t *size) {
  DRIVER_CALL;
  return cuFuncGetParamInfo(reinterpret_cast<CUfunction>(k), index, offset, size);
}

// Functions that host and device have in common are in the table that the
// program gives the library; no compiler here makes one.
CUresult cuLibraryGetUnifiedFunction(void **out, CUlibrary l, const char *symbol) {
  DRIVER_CALL;
  if (!out || !symbol) return invalid(__func__, "a pointer is null");
  if (CUresult e = checkModule(__func__, reinterpret_cast<CUmodule>(l))) return e;
  return result(misuse(__func__, cudaErrorSymbolNotFound, "the library has no unified functions"));
}

} // extern "C"
