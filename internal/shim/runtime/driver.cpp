// The driver API: devices, contexts and errors.
#include "driver.h"

#include "cudaProfiler.h"

#include <cstdio>

namespace warpgrind {
namespace {

Context *context(CUcontext c) { return reinterpret_cast<Context *>(c); }
CUcontext handle(Context *c) { return reinterpret_cast<CUcontext>(c); }

cudaError_t checkContext(CUcontext c) {
  if (c && isContext(context(c))) return cudaSuccess;
  return misuse(cudaErrorDeviceUninitialized, "not a context, or it is destroyed");
}

// Runs f with a device's primary context current.
template <class F> cudaError_t onDevice(int d, F f) {
  pushContext(primaryContext(d));
  cudaError_t e = f();
  popContext();
  return e;
}

} // namespace

namespace core {

cudaError_t cuInit(unsigned flags) {
  cudaError_t e = connectOnce();
  if (e == cudaSuccess && flags != 0) return invalid("flags must be 0");
  return e;
}

cudaError_t cuGetErrorName(CUresult error, const char **name) {
  if (!name) return cudaErrorInvalidValue;
  switch (error) {
#define DRIVER_ERROR(e, text) \
  case e: *name = #e; return cudaSuccess;
#include "errors.inc"
  }
  *name = nullptr;
  return cudaErrorInvalidValue;
}

cudaError_t cuGetErrorString(CUresult error, const char **text) {
  if (!text) return cudaErrorInvalidValue;
  switch (error) {
#define DRIVER_ERROR(e, t) \
  case e: *text = t; return cudaSuccess;
#include "errors.inc"
  }
  *text = nullptr;
  return cudaErrorInvalidValue;
}

cudaError_t cuDeviceGet(CUdevice *out, int ordinal) {
  cudaError_t e = checkDevice(ordinal);
  if (e == cudaSuccess && !out) return invalid("the result pointer is null");
  if (e == cudaSuccess) *out = ordinal;
  return e;
}

cudaError_t cuDeviceGetName(char *name, int len, CUdevice d) {
  cudaDeviceProp p;
  cudaError_t e = checkDevice(d);
  if (e != cudaSuccess) return e;
  e = core::cudaGetDeviceProperties(&p, d);
  if (e == cudaSuccess && name && len > 0) snprintf(name, static_cast<size_t>(len), "%s", p.name);
  return e;
}

cudaError_t cuDeviceGetUuid(CUuuid *uuid, CUdevice d) {
  cudaDeviceProp p;
  cudaError_t e = core::cudaGetDeviceProperties(&p, d);
  if (e == cudaSuccess && uuid) memcpy(uuid, &p.uuid, sizeof *uuid);
  return e;
}

cudaError_t cuDeviceGetLuid(char *, unsigned *, CUdevice) { return cudaErrorNotSupported; } // of Windows

cudaError_t cuDeviceTotalMem(size_t *bytes, CUdevice d) {
  cudaError_t e = checkDevice(d);
  if (e == cudaSuccess && !bytes) return invalid("the result pointer is null");
  if (e == cudaSuccess) *bytes = caps().totalMem;
  return e;
}

cudaError_t cuDeviceComputeCapability(int *major, int *minor, CUdevice d) {
  cudaError_t e = core::cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, d);
  return e != cudaSuccess ? e : core::cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, d);
}

cudaError_t cuDeviceGetProperties(CUdevprop *prop, CUdevice d) {
  if (!prop) return invalid("the result pointer is null");
  cudaDeviceProp p;
  cudaError_t e = core::cudaGetDeviceProperties(&p, d);
  if (e != cudaSuccess) return e;
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

cudaError_t cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice d) {
  cudaError_t e = checkDevice(d);
  if (e == cudaSuccess && !out) return invalid("the result pointer is null");
  if (e != cudaSuccess) return e;
  Context *c = primaryContext(d);
  c->retained++;
  *out = handle(c);
  return e;
}

cudaError_t cuDevicePrimaryCtxRelease(CUdevice d) {
  cudaError_t e = checkDevice(d);
  if (e != cudaSuccess) return e;
  Context *c = primaryContext(d);
  if (c->retained == 0) return invalid("the primary context is not retained");
  c->retained--;
  return e;
}

cudaError_t cuDevicePrimaryCtxReset(CUdevice d) {
  cudaError_t e = checkDevice(d);
  return e == cudaSuccess ? onDevice(d, core::cudaDeviceReset) : e;
}

cudaError_t cuDevicePrimaryCtxSetFlags(CUdevice d, unsigned flags) {
  cudaError_t e = checkDevice(d);
  if (e == cudaSuccess) primaryContext(d)->flags = flags;
  return e;
}

cudaError_t cuDevicePrimaryCtxGetState(CUdevice d, unsigned *flags, int *active) {
  cudaError_t e = checkDevice(d);
  if (e != cudaSuccess) return e;
  Context *c = primaryContext(d);
  if (flags) *flags = c->flags;
  if (active) *active = c->retained > 0 || currentContext() == c;
  return e;
}

cudaError_t cuCtxCreate(CUcontext *out, unsigned flags, CUdevice d) {
  cudaError_t e = checkDevice(d);
  if (e == cudaSuccess && !out) return invalid("the result pointer is null");
  if (e != cudaSuccess) return e;
  Context *c = newContext(d, flags);
  pushContext(c);
  *out = handle(c);
  return e;
}

// Contexts have the whole device.
cudaError_t cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type, CUdevice d) {
  cudaError_t e = checkDevice(d);
  if (e == cudaSuccess && (!supported || type < 0 || type >= CU_EXEC_AFFINITY_TYPE_MAX))
    return invalid("no such type, or the result pointer is null");
  if (e == cudaSuccess) *supported = 0;
  return e;
}

cudaError_t cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *, int count, unsigned flags, CUdevice d) {
  return count > 0 ? cudaErrorUnsupportedExecAffinity : core::cuCtxCreate(out, flags, d);
}

cudaError_t cuCtxCreate_v4(CUcontext *out, CUctxCreateParams *p, unsigned flags, CUdevice d) {
  if (p && p->cigParams) return unsupported("cuCtxCreate for graphics");
  return core::cuCtxCreate_v3(out, nullptr, p ? p->numExecAffinityParams : 0, flags, d);
}

cudaError_t cuCtxGetExecAffinity(CUexecAffinityParam *affinity, CUexecAffinityType type) {
  if (!affinity || type < 0 || type >= CU_EXEC_AFFINITY_TYPE_MAX)
    return invalid("no such type, or the result pointer is null");
  return cudaErrorUnsupportedExecAffinity;
}

cudaError_t cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget, CUflushGPUDirectRDMAWritesScope) {
  return cudaErrorNotSupported; // as the device's attributes say
}

cudaError_t cuCtxDestroy(CUcontext c) {
  if (cudaError_t e = checkContext(c)) return e;
  int d = context(c)->device;
  return destroyContext(context(c)) ? onDevice(d, core::cudaDeviceReset) : cudaSuccess;
}

cudaError_t cuCtxAttach(CUcontext *c, unsigned) {
  *c = handle(currentContext());
  return cudaSuccess;
}

cudaError_t cuCtxGetCurrent(CUcontext *c) {
  if (!c) return invalid("the result pointer is null");
  *c = handle(currentContext());
  return cudaSuccess;
}

cudaError_t cuCtxSetCurrent(CUcontext c) {
  if (c)
    if (cudaError_t e = checkContext(c)) return e;
  setContext(context(c));
  return cudaSuccess;
}

cudaError_t cuCtxPushCurrent(CUcontext c) {
  if (cudaError_t e = checkContext(c)) return e;
  pushContext(context(c));
  return cudaSuccess;
}

cudaError_t cuCtxPopCurrent(CUcontext *out) {
  Context *c = popContext();
  if (out) *out = handle(c);
  return cudaSuccess;
}

cudaError_t cuCtxGetDevice(CUdevice *d) {
  if (!d) return invalid("the result pointer is null");
  *d = currentContext()->device;
  return cudaSuccess;
}

cudaError_t cuCtxGetApiVersion(CUcontext c, unsigned *version) {
  if (!version) return invalid("the result pointer is null");
  if (c)
    if (cudaError_t e = checkContext(c)) return e;
  *version = 3020; // of the context interface
  return cudaSuccess;
}

cudaError_t cuCtxGetFlags(unsigned *flags) {
  if (!flags) return invalid("the result pointer is null");
  *flags = currentContext()->flags;
  return cudaSuccess;
}

cudaError_t cuCtxSetFlags(unsigned flags) {
  currentContext()->flags = flags;
  return cudaSuccess;
}

cudaError_t cuCtxGetId(CUcontext c, unsigned long long *id) {
  if (!id) return invalid("the result pointer is null");
  *id = reinterpret_cast<uintptr_t>(c ? context(c) : currentContext());
  return cudaSuccess;
}

cudaError_t cuCtxResetPersistingL2Cache(void) {
  return cudaSuccess;
}

cudaError_t cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  if (cudaError_t e = checkContext(peer)) return e;
  return core::cudaDeviceEnablePeerAccess(context(peer)->device, flags);
}

cudaError_t cuCtxDisablePeerAccess(CUcontext peer) {
  if (cudaError_t e = checkContext(peer)) return e;
  return core::cudaDeviceDisablePeerAccess(context(peer)->device);
}

// Programs run beside a tool already.
cudaError_t cuProfilerInitialize(const char *, const char *, CUoutput_mode) {
  return cudaErrorProfilerDisabled;
}

} // namespace core
} // namespace warpgrind
