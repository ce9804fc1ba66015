// The driver API: streams and events.
#include "driver.h"

namespace warpgrind::core {

cudaError_t cuStreamGetCtx(CUstream stream, CUcontext *context) {
  if (!context) return invalid("the result pointer is null");
  int device;
  cudaError_t e = core::cudaStreamGetDevice(stream, &device);
  if (e != cudaSuccess) return e;
  Context *c = currentContext()->device == device ? currentContext() : primaryContext(device);
  *context = reinterpret_cast<CUcontext>(c);
  return cudaSuccess;
}

// Green contexts are not supported: all contexts are whole ones.
cudaError_t cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green) {
  if (green) *green = nullptr;
  return core::cuStreamGetCtx(stream, context);
}

cudaError_t cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *green) {
  if (!green) return invalid("the result pointer is null");
  CUcontext whole;
  *green = nullptr;
  return core::cuStreamGetCtx(stream, &whole);
}

} // namespace warpgrind::core
