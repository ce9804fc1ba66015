// The driver API: streams and events.
#include "driver.h"

using namespace warpgrind;

extern "C" {

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  NEEDS_CONTEXT;
  return result(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  DRIVER_CALL;
  return result(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  DRIVER_CALL;
  return result(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  DRIVER_CALL;
  return result(cudaStreamGetId(stream, id));
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  NEEDS_CONTEXT;
  if (!context) return invalid(__func__, "the result pointer is null");
  int device;
  cudaError_t e = cudaStreamGetDevice(stream, &device);
  if (e != cudaSuccess) return result(e);
  Context *c = currentContext()->device == device ? currentContext() : primaryContext(device);
  *context = reinterpret_cast<CUcontext>(c);
  return CUDA_SUCCESS;
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *userData, unsigned flags) {
  NEEDS_CONTEXT; // cudaError_t and CUresult are passed alike
  return result(cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), userData, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *userData) {
  NEEDS_CONTEXT;
  return result(cudaLaunchHostFunc(stream, fn, userData));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaStreamAttachMemAsync(stream, pointer(p), bytes, flags));
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  NEEDS_CONTEXT;
  return result(cudaStreamGetDevice(stream, device));
}

// All contexts are whole ones: see unsupported_driver.cpp.
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green) {
  DRIVER_CALL;
  if (green) *green = nullptr;
  return cuStreamGetCtx(stream, context);
}

CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *green) {
  DRIVER_CALL;
  if (!green) return invalid(__func__, "the result pointer is null");
  CUcontext whole;
  *green = nullptr;
  return cuStreamGetCtx(stream, &whole);
}

static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaLaunchAttributeValue), "the unions differ");

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID id, CUstreamAttrValue *value) {
  NEEDS_CONTEXT;
  return result(cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(id),
                                       reinterpret_cast<cudaLaunchAttributeValue *>(value)));
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID id, const CUstreamAttrValue *value) {
  NEEDS_CONTEXT;
  return result(cudaStreamSetAttribute(stream, static_cast<cudaLaunchAttributeID>(id),
                                       reinterpret_cast<const cudaLaunchAttributeValue *>(value)));
}

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) {
  NEEDS_CONTEXT;
  return result(cudaStreamCopyAttributes(dst, src));
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) {
  NEEDS_CONTEXT;
  return result(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaEventRecord(event, stream));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaEventRecordWithFlags(event, stream, flags));
}

CUresult cuEventQuery(CUevent event) { DRIVER_CALL; return result(cudaEventQuery(event)); }
CUresult cuEventSynchronize(CUevent event) { DRIVER_CALL; return result(cudaEventSynchronize(event)); }

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
  DRIVER_CALL;
  return result(cudaEventElapsedTime(ms, start, end));
}

} // extern "C"
