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

// An undocumented call of NVIDIA's own libraries. NVRTC and the like ask for
// tables that they can do without; the runtime library cannot, and where it is
// part of the program itself, ours is never called.
CUresult cuGetExportTable(const void **table, const CUuuid *) {
  DRIVER_CALL;
  if (table) *table = nullptr;
  // Where the program's own code is, and the caller's.
  Dl_info caller{}, program{};
  if (dladdr(__builtin_return_address(0), &caller) && dladdr(reinterpret_cast<void *>(getauxval(AT_ENTRY)), &program) &&
      caller.dli_fbase == program.dli_fbase)
    unsupported("NVIDIA's static runtime library in the program: link it with nvcc -cudart shared");
  return CUDA_ERROR_NOT_FOUND;
}

// Functions whose parameters changed: as programs of older versions call them
// ("CUDA Driver API", the same names in the references of CUDA 10 and 11). In
// cuda.h these names stand for the newer ones.
#undef cuGetProcAddress
#undef cuGraphInstantiate
#undef cuGraphExecUpdate
#undef cuGraphKernelNodeGetParams
#undef cuStreamGetCaptureInfo

CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags) {
  DRIVER_CALL;
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log, size_t size) {
  DRIVER_CALL;
  if (node) *node = nullptr;
  if (log && size > 0) *log = 0;
  return cuGraphInstantiateWithFlags(exec, graph, 0);
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log, size_t size) {
  DRIVER_CALL;
  return cuGraphInstantiate(exec, graph, node, log, size);
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *node, CUgraphExecUpdateResult *out) {
  DRIVER_CALL;
  CUgraphExecUpdateResultInfo info{};
  CUresult e = cuGraphExecUpdate_v2(exec, graph, &info);
  if (node) *node = info.errorNode;
  if (out) *out = info.result;
  return e;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *out) {
  DRIVER_CALL;
  CUDA_KERNEL_NODE_PARAMS p{};
  CUresult e = cuGraphKernelNodeGetParams_v2(node, out ? &p : nullptr);
  if (e == CUDA_SUCCESS) memcpy(out, &p, sizeof *out); // its members come first
  return e;
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id) {
  DRIVER_CALL;
  return cuStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
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
CUDA(cudaGraphExecGetId)
CUDA(cudaGraphGetId)
CUDA(cudaGraphNodeGetContainingGraph)
CUDA(cudaGraphNodeGetLocalId)
CUDA(cudaGraphNodeGetParams)
CUDA(cudaGraphNodeGetToolsId)
CUDA(cudaGraphicsResourceGetMappedEglFrame)
CUDA(cudaGreenCtxCreate)
CUDA(cudaLaunchHostFunc_v2)
CUDA(cudaLaunchHostFunc_v2_ptsz)
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
CUDA(cudaMemcpy3DWithAttributesAsync)
CUDA(cudaMemcpy3DWithAttributesAsync_ptsz)
CUDA(cudaMemcpyWithAttributesAsync)
CUDA(cudaMemcpyWithAttributesAsync_ptsz)
CUDA(cudaSignalExternalSemaphoresAsync_v2_ptsz)
CUDA(cudaStreamBeginRecaptureToGraph)
CUDA(cudaStreamBeginRecaptureToGraph_ptsz)
CUDA(cudaStreamGetDevResource)
CUDA(cudaStreamGetDevResource_ptsz)
CUDA(cudaSubgridCreate)
CUDA(cudaSubgridWorkerGridCreate)
CUDA(cudaSubgridWorksetCreate)
CUDA(cudaWaitExternalSemaphoresAsync_v2_ptsz)
