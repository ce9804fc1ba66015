// Graphs of the driver API: their structure, and executable graphs. They are
// those of the runtime API.
#include "driver_handles.h"

using namespace warpgrind;

extern "C" {

CUresult cuGraphCreate(CUgraph *out, unsigned flags) {
  DRIVER_CALL;
  if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  return result(cudaGraphCreate(runtime(out), flags));
}

CUresult cuGraphDestroy(CUgraph g) { DRIVER_CALL; return result(cudaGraphDestroy(runtime(g))); }
CUresult cuGraphClone(CUgraph *out, CUgraph g) { DRIVER_CALL; return result(cudaGraphClone(runtime(out), runtime(g))); }

CUresult cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode original, CUgraph clone) {
  DRIVER_CALL;
  return result(cudaGraphNodeFindInClone(runtime(out), runtime(original), runtime(clone)));
}

CUresult cuGraphNodeGetType(CUgraphNode n, CUgraphNodeType *type) {
  DRIVER_CALL;
  return result(cudaGraphNodeGetType(runtime(n), reinterpret_cast<cudaGraphNodeType *>(type)));
}

CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *out, size_t *count) {
  DRIVER_CALL;
  return result(cudaGraphGetNodes(runtime(g), runtime(out), count));
}

CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *out, size_t *count) {
  DRIVER_CALL;
  return result(cudaGraphGetRootNodes(runtime(g), runtime(out), count));
}

CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *count) {
  DRIVER_CALL;
  return result(cudaGraphGetEdges(runtime(g), runtime(from), runtime(to), count));
}

CUresult cuGraphGetEdges_v2(CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count) {
  DRIVER_CALL;
  return result(cudaGraphGetEdges_v2(runtime(g), runtime(from), runtime(to), runtime(data), count));
}

CUresult cuGraphNodeGetDependencies(CUgraphNode n, CUgraphNode *out, size_t *count) {
  DRIVER_CALL;
  return result(cudaGraphNodeGetDependencies(runtime(n), runtime(out), count));
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode n, CUgraphNode *out, CUgraphEdgeData *data, size_t *count) {
  DRIVER_CALL;
  return result(cudaGraphNodeGetDependencies_v2(runtime(n), runtime(out), runtime(data), count));
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode n, CUgraphNode *out, size_t *count) {
  DRIVER_CALL;
  return result(cudaGraphNodeGetDependentNodes(runtime(n), runtime(out), count));
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode n, CUgraphNode *out, CUgraphEdgeData *data, size_t *count) {
  DRIVER_CALL;
  return result(cudaGraphNodeGetDependentNodes_v2(runtime(n), runtime(out), runtime(data), count));
}

CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  DRIVER_CALL;
  return result(cudaGraphAddDependencies(runtime(g), runtime(from), runtime(to), count));
}

CUresult cuGraphAddDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count) {
  DRIVER_CALL;
  return result(cudaGraphAddDependencies_v2(runtime(g), runtime(from), runtime(to), runtime(data), count));
}

CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  DRIVER_CALL;
  return result(cudaGraphRemoveDependencies(runtime(g), runtime(from), runtime(to), count));
}

CUresult cuGraphRemoveDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *data, size_t count) {
  DRIVER_CALL;
  return result(cudaGraphRemoveDependencies_v2(runtime(g), runtime(from), runtime(to), runtime(data), count));
}

CUresult cuGraphDestroyNode(CUgraphNode n) { DRIVER_CALL; return result(cudaGraphDestroyNode(runtime(n))); }

CUresult cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned flags) {
  DRIVER_CALL;
  return result(cudaGraphDebugDotPrint(runtime(g), path, flags));
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *h, CUgraph g, CUcontext, unsigned initial,
                                        unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaGraphConditionalHandleCreate(h, runtime(g), initial, flags));
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph g, unsigned long long flags) {
  DRIVER_CALL;
  return result(cudaGraphInstantiateWithFlags(reinterpret_cast<cudaGraphExec_t *>(out), runtime(g), flags));
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
  DRIVER_CALL;
  static_assert(sizeof *params == sizeof(cudaGraphInstantiateParams), "the structures differ");
  return result(cudaGraphInstantiateWithParams(reinterpret_cast<cudaGraphExec_t *>(out), runtime(g),
                                               reinterpret_cast<cudaGraphInstantiateParams *>(params)));
}

CUresult cuGraphExecGetFlags(CUgraphExec e, cuuint64_t *flags) {
  DRIVER_CALL;
  unsigned long long f = 0;
  CUresult r = result(cudaGraphExecGetFlags(runtime(e), flags ? &f : nullptr));
  if (r == CUDA_SUCCESS) *flags = f;
  return r;
}

CUresult cuGraphExecUpdate(CUgraphExec e, CUgraph g, CUgraphExecUpdateResultInfo *info) {
  DRIVER_CALL;
  static_assert(sizeof *info == sizeof(cudaGraphExecUpdateResultInfo), "the structures differ");
  return result(cudaGraphExecUpdate(runtime(e), runtime(g), reinterpret_cast<cudaGraphExecUpdateResultInfo *>(info)));
}

CUresult cuGraphNodeSetEnabled(CUgraphExec e, CUgraphNode n, unsigned enabled) {
  DRIVER_CALL;
  return result(cudaGraphNodeSetEnabled(runtime(e), runtime(n), enabled));
}

CUresult cuGraphNodeGetEnabled(CUgraphExec e, CUgraphNode n, unsigned *enabled) {
  DRIVER_CALL;
  return result(cudaGraphNodeGetEnabled(runtime(e), runtime(n), enabled));
}

CUresult cuGraphLaunch(CUgraphExec e, CUstream stream) {
  NEEDS_CONTEXT;
  return result(cudaGraphLaunch(runtime(e), stream));
}

CUresult cuGraphUpload(CUgraphExec e, CUstream stream) {
  DRIVER_CALL;
  return result(cudaGraphUpload(runtime(e), stream));
}

CUresult cuGraphExecDestroy(CUgraphExec e) { DRIVER_CALL; return result(cudaGraphExecDestroy(runtime(e))); }

CUresult cuUserObjectCreate(CUuserObject *out, void *p, CUhostFn destroy, unsigned count, unsigned flags) {
  DRIVER_CALL;
  return result(cudaUserObjectCreate(reinterpret_cast<cudaUserObject_t *>(out), p, destroy, count, flags));
}

CUresult cuUserObjectRetain(CUuserObject o, unsigned n) {
  DRIVER_CALL;
  return result(cudaUserObjectRetain(runtime(o), n));
}

CUresult cuUserObjectRelease(CUuserObject o, unsigned n) {
  DRIVER_CALL;
  return result(cudaUserObjectRelease(runtime(o), n));
}

CUresult cuGraphRetainUserObject(CUgraph g, CUuserObject o, unsigned count, unsigned flags) {
  DRIVER_CALL;
  return result(cudaGraphRetainUserObject(runtime(g), runtime(o), count, flags));
}

CUresult cuGraphReleaseUserObject(CUgraph g, CUuserObject o, unsigned count) {
  DRIVER_CALL;
  return result(cudaGraphReleaseUserObject(runtime(g), runtime(o), count));
}

CUresult cuDeviceGraphMemTrim(CUdevice d) { DRIVER_CALL; return result(cudaDeviceGraphMemTrim(d)); }

CUresult cuDeviceGetGraphMemAttribute(CUdevice d, CUgraphMem_attribute attribute, void *value) {
  DRIVER_CALL;
  return result(cudaDeviceGetGraphMemAttribute(d, static_cast<cudaGraphMemAttributeType>(attribute), value));
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice d, CUgraphMem_attribute attribute, void *value) {
  DRIVER_CALL;
  return result(cudaDeviceSetGraphMemAttribute(d, static_cast<cudaGraphMemAttributeType>(attribute), value));
}

} // extern "C"
