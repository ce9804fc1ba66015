/* Functions of the runtime API whose parameters changed in CUDA 13 ("CUDA
 * Runtime API"): C++ programs may call both forms, C programs the new one. */
#ifndef __WARPGRIND_API13_H__
#define __WARPGRIND_API13_H__

#if defined(__WG_RUNTIME__) /* the library itself, where each name is one function */
#elif CUDART_VERSION >= 13000 && defined(__cplusplus)
#define __WG_API13 static __attribute__((noinline, unused)) cudaError_t
__WG_API13 cudaMemPrefetchAsync(const void *p, size_t n, struct cudaMemLocation location, unsigned int flags,
                                cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync_v2(p, n, location, flags, stream);
}
__WG_API13 cudaMemAdvise(const void *p, size_t n, enum cudaMemoryAdvise advice, struct cudaMemLocation location) {
  return cudaMemAdvise_v2(p, n, advice, location);
}
__WG_API13 cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                            const cudaGraphEdgeData *data, size_t count, struct cudaGraphNodeParams *params) {
  return cudaGraphAddNode_v2(node, graph, dependencies, data, count, params);
}
__WG_API13 cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *data,
                             size_t *count) {
  return cudaGraphGetEdges_v2(graph, from, to, data, count);
}
__WG_API13 cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies, cudaGraphEdgeData *data,
                                        size_t *count) {
  return cudaGraphNodeGetDependencies_v2(node, dependencies, data, count);
}
__WG_API13 cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents, cudaGraphEdgeData *data,
                                          size_t *count) {
  return cudaGraphNodeGetDependentNodes_v2(node, dependents, data, count);
}
__WG_API13 cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                    const cudaGraphEdgeData *data, size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, data, count);
}
__WG_API13 cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                       const cudaGraphEdgeData *data, size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, data, count);
}
__WG_API13 cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                    cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                                    const cudaGraphEdgeData **data, size_t *count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, data, count);
}
__WG_API13 cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                               const cudaGraphEdgeData *data, size_t count, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, data, count, flags);
}
#undef __WG_API13
#elif CUDART_VERSION >= 13000
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#define cudaMemAdvise cudaMemAdvise_v2
#define cudaGraphAddNode cudaGraphAddNode_v2
#define cudaGraphGetEdges cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies cudaGraphNodeGetDependencies_v2
#define cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_v2
#define cudaGraphAddDependencies cudaGraphAddDependencies_v2
#define cudaGraphRemoveDependencies cudaGraphRemoveDependencies_v2
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v3
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_v2
#endif

#endif
