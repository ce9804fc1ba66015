// What programs that were compiled against NVIDIA's own headers call: names with
// the version of a function or the kind of its default stream. The versions of
// a function that differ in their parameters have code of their own.

#include <dlfcn.h>
#include <sys/auxv.h>

#include "client.h"
#include "driver.h"

using namespace warpgrind;

extern "C" {

// An undocumented call of NVIDIA's own libraries. NVRTC and the like ask for
// tables that they can do without; the runtime library cannot, and where it is
// part of a program and was not found there, ours is never called (static_runtime.cpp).
CUresult cuGetExportTable(const void **table, const CUuuid *) {
  if (table) *table = nullptr;
  // Where the program's own code is, and the caller's.
  Dl_info caller{}, program{};
  if (dladdr(__builtin_return_address(0), &caller) && dladdr(reinterpret_cast<void *>(getauxval(AT_ENTRY)), &program) &&
      caller.dli_fbase == program.dli_fbase)
    unsupported("NVIDIA's static runtime library, older than that of CUDA 12.9, in a stripped program: keep its symbol table, or link it with nvcc -cudart shared");
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
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log, size_t size) {
  if (node) *node = nullptr;
  if (log && size > 0) *log = 0;
  return cuGraphInstantiateWithFlags(exec, graph, 0);
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log, size_t size) {
  return cuGraphInstantiate(exec, graph, node, log, size);
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *node, CUgraphExecUpdateResult *out) {
  CUgraphExecUpdateResultInfo info{};
  CUresult e = cuGraphExecUpdate_v2(exec, graph, &info);
  if (node) *node = info.errorNode;
  if (out) *out = info.result;
  return e;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *out) {
  CUDA_KERNEL_NODE_PARAMS p{};
  CUresult e = cuGraphKernelNodeGetParams_v2(node, out ? &p : nullptr);
  if (e == CUDA_SUCCESS) memcpy(out, &p, sizeof *out); // its members come first
  return e;
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id) {
  return cuStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

CUresult cuStreamGetCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id) {
  const PerThreadDefault scope;
  return cuStreamGetCaptureInfo(stream, status, id);
}

// Not called by host code of CUDA 9.2 and later.
void __cudaRegisterHostVar(void **, const char *, char *, size_t) {}

} // extern "C"
