// The driver API: devices, contexts and errors.
#include "driver.h"

#include "cudaProfiler.h"

#include <cstdio>

using namespace warpgrind;

namespace {

Context *context(CUcontext c) { return reinterpret_cast<Context *>(c); }
CUcontext handle(Context *c) { return reinterpret_cast<CUcontext>(c); }

CUresult checkContext(const char *api, CUcontext c) {
  if (c && isContext(context(c))) return CUDA_SUCCESS;
  misuse(api, cudaErrorDeviceUninitialized, "not a context, or it is destroyed");
  return CUDA_ERROR_INVALID_CONTEXT;
}

// Checks cuInit and a device's number.
CUresult device(const char *api, CUdevice d) {
  return initialised() ? result(checkDevice(api, d)) : CUDA_ERROR_NOT_INITIALIZED;
}

// Runs f with a device's primary context current.
template <class F> CUresult onDevice(int d, F f) {
  pushContext(primaryContext(d));
  cudaError_t e = f();
  popContext();
  return result(e);
}

} // namespace

namespace warpgrind {

CUresult result(cudaError_t e) {
  switch (e) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
  case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_NOT_FOUND;
  default: return static_cast<CUresult>(e);
  }
}

CUresult ready() {
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  return currentContext() && isContext(currentContext()) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult invalid(const char *api, const char *detail) { return result(misuse(api, cudaErrorInvalidValue, detail)); }

} // namespace warpgrind

extern "C" {

CUresult cuInit(unsigned flags) {
  DRIVER_CALL;
  cudaError_t e = connectOnce();
  if (e == cudaSuccess && flags != 0) return invalid(__func__, "flags must be 0");
  return result(setLastError(e));
}

CUresult cuDriverGetVersion(int *version) { DRIVER_CALL; return result(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult error, const char **name) {
  DRIVER_CALL;
  if (!name) return CUDA_ERROR_INVALID_VALUE;
#define NAME(e) \
  case e: *name = #e; return CUDA_SUCCESS;
  switch (error) {
#include "driver_errors.inc"
  }
#undef NAME
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  DRIVER_CALL;
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  const char *name;
  CUresult known = cuGetErrorName(error, &name);
  *text = known == CUDA_SUCCESS ? cudaGetErrorString(static_cast<cudaError_t>(error)) : nullptr;
  return known;
}

CUresult cuDeviceGet(CUdevice *out, int ordinal) {
  DRIVER_CALL;
  CUresult e = device(__func__, ordinal);
  if (e == CUDA_SUCCESS && !out) return invalid(__func__, "the result pointer is null");
  if (e == CUDA_SUCCESS) *out = ordinal;
  return e;
}

CUresult cuDeviceGetCount(int *count) {
  DRIVER_CALL;
  return initialised() ? result(cudaGetDeviceCount(count)) : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice d) {
  DRIVER_CALL;
  cudaDeviceProp p;
  CUresult e = device(__func__, d);
  if (e != CUDA_SUCCESS) return e;
  e = result(cudaGetDeviceProperties(&p, d));
  if (e == CUDA_SUCCESS && name && len > 0) snprintf(name, static_cast<size_t>(len), "%s", p.name);
  return e;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice d) {
  DRIVER_CALL;
  cudaDeviceProp p;
  CUresult e = result(cudaGetDeviceProperties(&p, d));
  if (e == CUDA_SUCCESS && uuid) memcpy(uuid, &p.uuid, sizeof *uuid);
  return e;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice d) { DRIVER_CALL; return cuDeviceGetUuid(uuid, d); }

CUresult cuDeviceGetLuid(char *, unsigned *, CUdevice) { DRIVER_CALL; return CUDA_ERROR_NOT_SUPPORTED; } // of Windows

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice d) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  if (e == CUDA_SUCCESS && !bytes) return invalid(__func__, "the result pointer is null");
  if (e == CUDA_SUCCESS) *bytes = caps().totalMem;
  return e;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice d) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  if (e != CUDA_SUCCESS) return e;
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), d));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice d) {
  DRIVER_CALL;
  CUresult e = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d);
  return e != CUDA_SUCCESS ? e : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d);
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice d) {
  DRIVER_CALL;
  if (!prop) return invalid(__func__, "the result pointer is null");
  cudaDeviceProp p;
  CUresult e = result(cudaGetDeviceProperties(&p, d));
  if (e != CUDA_SUCCESS) return e;
  *prop = {p.maxThreadsPerBlock,
           {p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]},
           {p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]},
           static_cast<int>(p.sharedMemPerBlock),
           static_cast<int>(p.totalConstMem),
           p.warpSize,
           static_cast<int>(p.memPitch),
           p.regsPerBlock,
           p.clockRate,
           static_cast<int>(p.textureAlignment)};
  return e;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *d, const char *busId) {
  DRIVER_CALL;
  return result(cudaDeviceGetByPCIBusId(d, busId));
}

CUresult cuDeviceGetPCIBusId(char *busId, int len, CUdevice d) {
  DRIVER_CALL;
  return result(cudaDeviceGetPCIBusId(busId, len, d));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice d, CUdevice peer) {
  DRIVER_CALL;
  return result(cudaDeviceCanAccessPeer(can, d, peer));
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice src, CUdevice dst) {
  DRIVER_CALL;
  return result(cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), src, dst));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice d) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  if (e == CUDA_SUCCESS && !out) return invalid(__func__, "the result pointer is null");
  if (e != CUDA_SUCCESS) return e;
  Context *c = primaryContext(d);
  c->retained++;
  *out = handle(c);
  return e;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice d) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  if (e != CUDA_SUCCESS) return e;
  Context *c = primaryContext(d);
  if (c->retained == 0) return invalid(__func__, "the primary context is not retained");
  c->retained--;
  return e;
}

CUresult cuDevicePrimaryCtxReset(CUdevice d) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  return e == CUDA_SUCCESS ? onDevice(d, cudaDeviceReset) : e;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice d, unsigned flags) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  if (e == CUDA_SUCCESS) primaryContext(d)->flags = flags;
  return e;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned *flags, int *active) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  if (e != CUDA_SUCCESS) return e;
  Context *c = primaryContext(d);
  if (flags) *flags = c->flags;
  if (active) *active = c->retained > 0 || currentContext() == c;
  return e;
}

CUresult cuCtxCreate(CUcontext *out, unsigned flags, CUdevice d) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  if (e == CUDA_SUCCESS && !out) return invalid(__func__, "the result pointer is null");
  if (e != CUDA_SUCCESS) return e;
  Context *c = newContext(d, flags);
  pushContext(c);
  *out = handle(c);
  return e;
}

// Contexts have the whole device.
CUresult cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type, CUdevice d) {
  DRIVER_CALL;
  CUresult e = device(__func__, d);
  if (e == CUDA_SUCCESS && (!supported || type < 0 || type >= CU_EXEC_AFFINITY_TYPE_MAX))
    return invalid(__func__, "no such type, or the result pointer is null");
  if (e == CUDA_SUCCESS) *supported = 0;
  return e;
}

CUresult cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *, int count, unsigned flags, CUdevice d) {
  DRIVER_CALL;
  return count > 0 ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : cuCtxCreate(out, flags, d);
}

CUresult cuCtxCreate_v4(CUcontext *out, CUctxCreateParams *p, unsigned flags, CUdevice d) {
  DRIVER_CALL;
  if (p && p->cigParams) return result(unsupported("cuCtxCreate for graphics"));
  return cuCtxCreate_v3(out, nullptr, p ? p->numExecAffinityParams : 0, flags, d);
}

CUresult cuCtxGetExecAffinity(CUexecAffinityParam *affinity, CUexecAffinityType type) {
  NEEDS_CONTEXT;
  if (!affinity || type < 0 || type >= CU_EXEC_AFFINITY_TYPE_MAX)
    return invalid(__func__, "no such type, or the result pointer is null");
  return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget, CUflushGPUDirectRDMAWritesScope) {
  NEEDS_CONTEXT;
  return CUDA_ERROR_NOT_SUPPORTED; // as the device's attributes say
}

CUresult cuCtxDestroy(CUcontext c) {
  DRIVER_CALL;
  if (CUresult e = checkContext(__func__, c)) return e;
  int d = context(c)->device;
  return destroyContext(context(c)) ? onDevice(d, cudaDeviceReset) : CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext c) { DRIVER_CALL; return cuCtxDestroy(c); }

CUresult cuCtxAttach(CUcontext *c, unsigned) {
  NEEDS_CONTEXT;
  *c = handle(currentContext());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *c) {
  DRIVER_CALL;
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!c) return invalid(__func__, "the result pointer is null");
  *c = handle(currentContext());
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext c) {
  DRIVER_CALL;
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  if (c)
    if (CUresult e = checkContext(__func__, c)) return e;
  setContext(context(c));
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext c) {
  DRIVER_CALL;
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  if (CUresult e = checkContext(__func__, c)) return e;
  pushContext(context(c));
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *out) {
  NEEDS_CONTEXT;
  Context *c = popContext();
  if (out) *out = handle(c);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *d) {
  NEEDS_CONTEXT;
  if (!d) return invalid(__func__, "the result pointer is null");
  *d = currentContext()->device;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version) {
  DRIVER_CALL;
  if (!version) return invalid(__func__, "the result pointer is null");
  if (c)
    if (CUresult e = checkContext(__func__, c)) return e;
  *version = 3020; // of the context interface
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags) {
  NEEDS_CONTEXT;
  if (!flags) return invalid(__func__, "the result pointer is null");
  *flags = currentContext()->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags) {
  NEEDS_CONTEXT;
  currentContext()->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext c, unsigned long long *id) {
  NEEDS_CONTEXT;
  if (!id) return invalid(__func__, "the result pointer is null");
  *id = reinterpret_cast<uintptr_t>(c ? context(c) : currentContext());
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
  NEEDS_CONTEXT;
  return result(cudaDeviceSynchronize());
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  NEEDS_CONTEXT;
  return result(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  NEEDS_CONTEXT;
  return result(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  NEEDS_CONTEXT;
  return result(cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache *>(config)));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  NEEDS_CONTEXT;
  return result(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)));
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  NEEDS_CONTEXT;
  return result(cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig *>(config)));
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  NEEDS_CONTEXT;
  return result(cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)));
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  NEEDS_CONTEXT;
  return result(cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuCtxResetPersistingL2Cache(void) {
  NEEDS_CONTEXT;
  return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  NEEDS_CONTEXT;
  if (CUresult e = checkContext(__func__, peer)) return e;
  return result(cudaDeviceEnablePeerAccess(context(peer)->device, flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  NEEDS_CONTEXT;
  if (CUresult e = checkContext(__func__, peer)) return e;
  return result(cudaDeviceDisablePeerAccess(context(peer)->device));
}

// Programs run beside a tool already.
CUresult cuProfilerInitialize(const char *, const char *, CUoutput_mode) {
  DRIVER_CALL;
  return CUDA_ERROR_PROFILER_DISABLED;
}

CUresult cuProfilerStart(void) { DRIVER_CALL; return result(cudaProfilerStart()); }
CUresult cuProfilerStop(void) { DRIVER_CALL; return result(cudaProfilerStop()); }

// Memory is not shared between processes.
CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr p) {
  DRIVER_CALL;
  return result(cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t *>(handle), reinterpret_cast<void *>(p)));
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *p, CUipcMemHandle handle, unsigned flags) {
  DRIVER_CALL;
  cudaIpcMemHandle_t h;
  memcpy(&h, &handle, sizeof h);
  return result(cudaIpcOpenMemHandle(reinterpret_cast<void **>(p), h, flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr p) {
  DRIVER_CALL;
  return result(cudaIpcCloseMemHandle(reinterpret_cast<void *>(p)));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
  DRIVER_CALL;
  return result(cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t *>(handle), event));
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
  DRIVER_CALL;
  cudaIpcEventHandle_t h;
  memcpy(&h, &handle, sizeof h);
  return result(cudaIpcOpenEventHandle(event, h));
}

} // extern "C"
