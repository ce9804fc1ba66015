// Calls that warpgrind does not carry out. Each says so to the server, which
// ends the check as unsupported, and returns cudaErrorNotSupported.
#include "client.h"

using warpgrind::unsupported;

extern "C" {

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) { return unsupported(__func__); }
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) { return unsupported(__func__); }
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) { return unsupported(__func__); }
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int) { return unsupported(__func__); }
cudaError_t cudaIpcCloseMemHandle(void *) { return unsupported(__func__); }
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return unsupported(__func__); }
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *) { return unsupported(__func__); }
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) { return unsupported(__func__); }
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, const void *, const cudaLaunchConfig_t *) {
  return unsupported(__func__);
}
cudaError_t cudaOccupancyMaxActiveClusters(int *, const void *, const cudaLaunchConfig_t *) {
  return unsupported(__func__);
}
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *, size_t, size_t, unsigned int) {
  return unsupported(__func__);
}
cudaError_t cudaMalloc3DArray(cudaArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned int) {
  return unsupported(__func__);
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *, const cudaChannelFormatDesc *, cudaExtent,
                                     unsigned int, unsigned int) {
  return unsupported(__func__);
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *, cudaMipmappedArray_const_t, unsigned int) {
  return unsupported(__func__);
}
cudaError_t cudaFreeArray(cudaArray_t) { return unsupported(__func__); }
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t) { return unsupported(__func__); }
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *, cudaExtent *, unsigned int *, cudaArray_t) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *) { return unsupported(__func__); }
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *, cudaStream_t) { return unsupported(__func__); }
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpyFromArray(void *, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind, cudaStream_t) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpyFromArrayAsync(void *, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind,
                                     cudaStream_t) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t,
                                   cudaMemcpyKind) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
                                     cudaMemcpyKind, cudaStream_t) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpy2DFromArray(void *, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void *, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                       cudaMemcpyKind, cudaStream_t) {
  return unsupported(__func__);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t,
                                     size_t, cudaMemcpyKind) {
  return unsupported(__func__);
}
cudaError_t cudaMemRangeGetAttribute(void *, size_t, cudaMemRangeAttribute, const void *, size_t) {
  return unsupported(__func__);
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *, cudaArray_const_t) { return unsupported(__func__); }
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const cudaResourceDesc *, const cudaTextureDesc *,
                                    const cudaResourceViewDesc *) {
  return unsupported(__func__);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) { return unsupported(__func__); }
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *, cudaTextureObject_t) {
  return unsupported(__func__);
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *, cudaTextureObject_t) { return unsupported(__func__); }
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const cudaResourceDesc *) { return unsupported(__func__); }
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) { return unsupported(__func__); }
cudaError_t cudaBindTexture(size_t *, const textureReference *, const void *, const cudaChannelFormatDesc *, size_t) {
  return unsupported(__func__);
}
cudaError_t cudaBindTexture2D(size_t *, const textureReference *, const void *, const cudaChannelFormatDesc *,
                              size_t, size_t, size_t) {
  return unsupported(__func__);
}
cudaError_t cudaBindTextureToArray(const textureReference *, cudaArray_const_t, const cudaChannelFormatDesc *) {
  return unsupported(__func__);
}
cudaError_t cudaUnbindTexture(const textureReference *) { return unsupported(__func__); }
cudaError_t cudaGetTextureAlignmentOffset(size_t *, const textureReference *) { return unsupported(__func__); }
cudaError_t cudaGetTextureReference(const textureReference **, const void *) { return unsupported(__func__); }
cudaError_t cudaBindSurfaceToArray(const surfaceReference *, cudaArray_const_t, const cudaChannelFormatDesc *) {
  return unsupported(__func__);
}
cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned int) { return unsupported(__func__); }
cudaError_t cudaGraphDestroy(cudaGraph_t) { return unsupported(__func__); }
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long) { return unsupported(__func__); }
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long) {
  return unsupported(__func__);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return unsupported(__func__); }
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return unsupported(__func__); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return unsupported(__func__); }
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *) { return unsupported(__func__); }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

} // extern "C"
