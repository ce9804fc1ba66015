/* Functions of the driver API whose parameters changed in CUDA 13 ("CUDA Driver
 * API"): C++ programs may call both forms, C programs the new one. */
#ifndef __WARPGRIND_DRIVER13_H__
#define __WARPGRIND_DRIVER13_H__

/* The types of the old forms, before the names are overloaded. */
#define __WG_PFN(name, version) typedef __typeof__(&name) PFN_##name##_v##version;
__WG_PFN(cuCtxCreate, 3020)
__WG_PFN(cuGraphAddDependencies, 10000)
__WG_PFN(cuGraphAddNode, 12020)
__WG_PFN(cuGraphGetEdges, 10000)
__WG_PFN(cuGraphNodeGetDependencies, 10000)
__WG_PFN(cuGraphNodeGetDependentNodes, 10000)
__WG_PFN(cuGraphRemoveDependencies, 10000)
__WG_PFN(cuMemAdvise, 8000)
__WG_PFN(cuMemPrefetchAsync, 8000)
__WG_PFN(cuMemcpyBatchAsync, 12080)
__WG_PFN(cuStreamGetCaptureInfo, 11030)
__WG_PFN(cuStreamUpdateCaptureDependencies, 11030)
#undef __WG_PFN

#if defined(__WG_RUNTIME__) /* the library itself, where each name is one function */
#elif CUDA_VERSION >= 13000 && defined(__cplusplus)
#define __WG_DRIVER13 static __attribute__((noinline, unused)) CUresult
__WG_DRIVER13 cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device) {
  return cuCtxCreate_v4(context, params, flags, device);
}
__WG_DRIVER13 cuMemPrefetchAsync(CUdeviceptr p, size_t n, CUmemLocation location, unsigned int flags, CUstream stream) {
  return cuMemPrefetchAsync_v2(p, n, location, flags, stream);
}
__WG_DRIVER13 cuMemAdvise(CUdeviceptr p, size_t n, CUmem_advise advice, CUmemLocation location) {
  return cuMemAdvise_v2(p, n, advice, location);
}
__WG_DRIVER13 cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                             const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *params) {
  return cuGraphAddNode_v2(node, graph, dependencies, data, count, params);
}
__WG_DRIVER13 cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count) {
  return cuGraphGetEdges_v2(graph, from, to, data, count);
}
__WG_DRIVER13 cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, CUgraphEdgeData *data,
                                         size_t *count) {
  return cuGraphNodeGetDependencies_v2(node, dependencies, data, count);
}
__WG_DRIVER13 cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *dependents, CUgraphEdgeData *data,
                                           size_t *count) {
  return cuGraphNodeGetDependentNodes_v2(node, dependents, data, count);
}
__WG_DRIVER13 cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                     const CUgraphEdgeData *data, size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, data, count);
}
__WG_DRIVER13 cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                        const CUgraphEdgeData *data, size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, data, count);
}
__WG_DRIVER13 cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                     const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, data, count);
}
__WG_DRIVER13 cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *data,
                                                size_t count, unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, data, count, flags);
}
#undef __WG_DRIVER13
#elif CUDA_VERSION >= 13000
#define cuCtxCreate cuCtxCreate_v4
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2
#define cuMemAdvise cuMemAdvise_v2
#define cuGraphAddNode cuGraphAddNode_v2
#define cuGraphGetEdges cuGraphGetEdges_v2
#define cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes_v2
#define cuGraphAddDependencies cuGraphAddDependencies_v2
#define cuGraphRemoveDependencies cuGraphRemoveDependencies_v2
#undef cuStreamGetCaptureInfo
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v3
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2
#endif

/* In C++ too this has one form, as libraries take its type by its name. */
#if !defined(__WG_RUNTIME__) && CUDA_VERSION >= 13000
#define cuMemcpyBatchAsync cuMemcpyBatchAsync_v2
#endif

#endif
