// What programs that were compiled against NVIDIA's own headers call: names with
// the version of a function or the kind of its default stream. The versions of
// a function that differ in their parameters have code of their own.

#include <dlfcn.h>
#include <sys/auxv.h>

#include "client.h"
#include "driver.h"

using namespace warpgrind;

// A name is a jump to another, so that the caller stays the program.
#if defined(__aarch64__)
#define JUMP "b "
#define PLT ""
#else
#define JUMP "jmp "
#define PLT "@PLT"
#endif
#define ALIAS(name, target)                                                                       \
  __asm__(".text\n.globl " #name "\n.type " #name ",%function\n" #name ": " JUMP #target PLT "\n");
#include "abi_names.inc"
#undef ALIAS

extern "C" {

// "CUDA Driver API", cuCtxCreate: execution affinity and the creation
// parameters of CUDA 13 change nothing here.
CUresult cuCtxCreate_v3(CUcontext *out, const void *, int, unsigned flags, CUdevice device) {
  return cuCtxCreate(out, flags, device);
}
CUresult cuCtxCreate_v4(CUcontext *out, const void *, unsigned flags, CUdevice device) {
  return cuCtxCreate(out, flags, device);
}

// Since CUDA 12.3 a graph's edges have data of 8 bytes ("CUDA Runtime API",
// "cudaGraphEdgeData"). All edges here are plain ones, whose data is 0.
static cudaError_t plainEdges(const uint64_t *data, size_t n, const char *api) {
  for (size_t i = 0; data && i < n; i++)
    if (data[i]) return unsupported(api);
  return cudaSuccess;
}

static cudaError_t withoutData(uint64_t *data, const size_t *n, cudaError_t e) {
  if (data && n && e == cudaSuccess) memset(data, 0, *n * sizeof *data);
  return e;
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const uint64_t *data, size_t n) {
  if (cudaError_t e = plainEdges(data, n, __func__)) return e;
  return cudaGraphAddDependencies(graph, from, to, n);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const uint64_t *, size_t n) {
  return cudaGraphRemoveDependencies(graph, from, to, n);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *on,
                                const uint64_t *data, size_t n, cudaGraphNodeParams *params) {
  if (cudaError_t e = plainEdges(data, n, __func__)) return e;
  return cudaGraphAddNode(node, graph, on, n, params);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, uint64_t *data,
                                 size_t *n) {
  return withoutData(data, n, cudaGraphGetEdges(graph, from, to, n));
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *on, uint64_t *data, size_t *n) {
  return withoutData(data, n, cudaGraphNodeGetDependencies(node, on, n));
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependents, uint64_t *data,
                                              size_t *n) {
  return withoutData(data, n, cudaGraphNodeGetDependentNodes(node, dependents, n));
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                                        cudaGraph_t *graph, const cudaGraphNode_t **on, const uint64_t **data,
                                        size_t *n) {
  if (data) *data = nullptr;
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, on, n);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *on, const uint64_t *data,
                                                   size_t n, unsigned flags) {
  if (cudaError_t e = plainEdges(data, n, __func__)) return e;
  return cudaStreamUpdateCaptureDependencies(stream, on, n, flags);
}

// An undocumented call of NVIDIA's own libraries. NVRTC and the like ask for
// tables that they can do without; the runtime library cannot, and where it is
// part of the program itself, ours is never called.
CUresult cuGetExportTable(const void **table, const CUuuid *) {
  if (table) *table = nullptr;
  // Where the program's own code is, and the caller's.
  Dl_info caller{}, program{};
  if (dladdr(__builtin_return_address(0), &caller) && dladdr(reinterpret_cast<void *>(getauxval(AT_ENTRY)), &program) &&
      caller.dli_fbase == program.dli_fbase)
    unsupported("NVIDIA's static runtime library in the program: link it with nvcc -cudart shared");
  return CUDA_ERROR_NOT_FOUND;
}

// Not called by host code of CUDA 9.2 and later.
void __cudaRegisterHostVar(void **, const char *, char *, size_t) {}

} // extern "C"

namespace warpgrind {
int unsupportedCall(const char *api, int code); // client.cpp
}

// As in unsupported.cpp: weak, and without parameters.
#define CUDA(name)                                                                \
  extern "C" int unsupported_##name() __asm__(#name) __attribute__((weak));       \
  extern "C" int unsupported_##name() { return warpgrind::unsupportedCall(#name, 801); }

CUDA(cudaDevResourceGenerateDesc)
CUDA(cudaDevSmResourceSplit)
CUDA(cudaDevSmResourceSplitByCount)
CUDA(cudaDeviceGetDevResource)
CUDA(cudaDeviceGetExecutionCtx)
CUDA(cudaDeviceGetHostAtomicCapabilities)
CUDA(cudaDeviceGetP2PAtomicCapabilities)
CUDA(cudaEGLStreamConsumerAcquireFrame)
CUDA(cudaEGLStreamConsumerConnect)
CUDA(cudaEGLStreamConsumerConnectWithFlags)
CUDA(cudaEGLStreamConsumerDisconnect)
CUDA(cudaEGLStreamConsumerReleaseFrame)
CUDA(cudaEGLStreamProducerConnect)
CUDA(cudaEGLStreamProducerDisconnect)
CUDA(cudaEGLStreamProducerPresentFrame)
CUDA(cudaEGLStreamProducerReturnFrame)
CUDA(cudaEventCreateFromEGLSync)
CUDA(cudaExecutionCtxDestroy)
CUDA(cudaExecutionCtxGetDevResource)
CUDA(cudaExecutionCtxGetDevice)
CUDA(cudaExecutionCtxGetId)
CUDA(cudaExecutionCtxRecordEvent)
CUDA(cudaExecutionCtxStreamCreate)
CUDA(cudaExecutionCtxSynchronize)
CUDA(cudaExecutionCtxWaitEvent)
CUDA(cudaFuncGetParamCount)
CUDA(cudaGraphConditionalHandleCreate_v2)
CUDA(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
CUDA(cudaGraphExecExternalSemaphoresWaitNodeSetParams)
CUDA(cudaGraphExecGetId)
CUDA(cudaGraphExecMemcpyNodeSetParamsFromSymbol)
CUDA(cudaGraphExecMemcpyNodeSetParamsToSymbol)
CUDA(cudaGraphExternalSemaphoresSignalNodeGetParams)
CUDA(cudaGraphExternalSemaphoresSignalNodeSetParams)
CUDA(cudaGraphExternalSemaphoresWaitNodeGetParams)
CUDA(cudaGraphExternalSemaphoresWaitNodeSetParams)
CUDA(cudaGraphGetId)
CUDA(cudaGraphMemcpyNodeSetParamsFromSymbol)
CUDA(cudaGraphMemcpyNodeSetParamsToSymbol)
CUDA(cudaGraphNodeGetContainingGraph)
CUDA(cudaGraphNodeGetLocalId)
CUDA(cudaGraphNodeGetParams)
CUDA(cudaGraphNodeGetToolsId)
CUDA(cudaGraphicsResourceGetMappedEglFrame)
CUDA(cudaGreenCtxCreate)
CUDA(cudaKernelSetAttributeForDevice)
CUDA(cudaLaunchHostFunc_v2)
CUDA(cudaLaunchHostFunc_v2_ptsz)
CUDA(cudaLibraryEnumerateKernels)
CUDA(cudaLibraryGetGlobal)
CUDA(cudaLibraryGetKernel)
CUDA(cudaLibraryGetKernelCount)
CUDA(cudaLibraryGetManaged)
CUDA(cudaLibraryGetUnifiedFunction)
CUDA(cudaLibraryLoadData)
CUDA(cudaLibraryLoadFromFile)
CUDA(cudaLibraryUnload)
CUDA(cudaLogsCurrent)
CUDA(cudaLogsDumpToFile)
CUDA(cudaLogsDumpToMemory)
CUDA(cudaLogsRegisterCallback)
CUDA(cudaLogsUnregisterCallback)
CUDA(cudaMemDiscardAndPrefetchBatchAsync)
CUDA(cudaMemDiscardAndPrefetchBatchAsync_ptsz)
CUDA(cudaMemDiscardBatchAsync)
CUDA(cudaMemDiscardBatchAsync_ptsz)
CUDA(cudaMemGetDefaultMemPool)
CUDA(cudaMemGetLocationInfo)
CUDA(cudaMemGetMemPool)
CUDA(cudaMemPrefetchBatchAsync)
CUDA(cudaMemPrefetchBatchAsync_ptsz)
CUDA(cudaMemSetMemPool)
CUDA(cudaMemcpy3DBatchAsync)
CUDA(cudaMemcpy3DBatchAsync_ptsz)
CUDA(cudaMemcpy3DWithAttributesAsync)
CUDA(cudaMemcpy3DWithAttributesAsync_ptsz)
CUDA(cudaMemcpyBatchAsync)
CUDA(cudaMemcpyBatchAsync_ptsz)
CUDA(cudaMemcpyWithAttributesAsync)
CUDA(cudaMemcpyWithAttributesAsync_ptsz)
CUDA(cudaSignalExternalSemaphoresAsync_v2_ptsz)
CUDA(cudaStreamBeginRecaptureToGraph)
CUDA(cudaStreamBeginRecaptureToGraph_ptsz)
CUDA(cudaStreamGetCaptureInfo_v3_ptsz)
CUDA(cudaStreamGetDevResource)
CUDA(cudaStreamGetDevResource_ptsz)
CUDA(cudaStreamUpdateCaptureDependencies_v2_ptsz)
CUDA(cudaSubgridCreate)
CUDA(cudaSubgridWorkerGridCreate)
CUDA(cudaSubgridWorksetCreate)
CUDA(cudaWaitExternalSemaphoresAsync_v2_ptsz)
CUDA(cuGraphKernelNodeSetAttribute)
CUDA(cuGraphKernelNodeGetAttribute)
CUDA(cuTensorMapEncodeTiled)
CUDA(cuTensorMapEncodeIm2col)
CUDA(cuTensorMapReplaceAddress)
