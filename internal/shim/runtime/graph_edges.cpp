// The functions of graphs whose edges have data, since CUDA 12.3 ("CUDA Runtime
// API", "cudaGraphEdgeData"). All edges here are plain ones, whose data is 0.
#include <cstring>

#include "graph.h"

using namespace warpgrind;

namespace {

cudaError_t withoutData(cudaGraphEdgeData *data, const size_t *n, cudaError_t e) {
  if (data && n && e == cudaSuccess) memset(data, 0, *n * sizeof *data);
  return e;
}

} // namespace

namespace warpgrind {

cudaError_t plainEdges(const cudaGraphEdgeData *data, size_t n, const char *api) {
  for (size_t i = 0; data && i < n; i++)
    if (data[i].type != cudaGraphDependencyTypeDefault || data[i].from_port || data[i].to_port)
      return unsupported((std::string(api) + " with edges of programmatic launches").c_str());
  return cudaSuccess;
}

} // namespace warpgrind

extern "C" {

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *data, size_t n) {
  if (cudaError_t e = plainEdges(data, n, __func__)) return e;
  return cudaGraphAddDependencies(graph, from, to, n);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *, size_t n) {
  return cudaGraphRemoveDependencies(graph, from, to, n);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                const cudaGraphEdgeData *data, size_t n, cudaGraphNodeParams *params) {
  if (cudaError_t e = plainEdges(data, n, __func__)) return e;
  return cudaGraphAddNode(node, graph, from, n, params);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *data, size_t *n) {
  return withoutData(data, n, cudaGraphGetEdges(graph, from, to, n));
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *from, cudaGraphEdgeData *data,
                                            size_t *n) {
  return withoutData(data, n, cudaGraphNodeGetDependencies(node, from, n));
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                              cudaGraphEdgeData *data, size_t *n) {
  return withoutData(data, n, cudaGraphNodeGetDependentNodes(node, dependents, n));
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                                        cudaGraph_t *graph, const cudaGraphNode_t **from,
                                        const cudaGraphEdgeData **data, size_t *n) {
  if (data) *data = nullptr;
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, from, n);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *list,
                                                   const cudaGraphEdgeData *data, size_t n, unsigned flags) {
  if (cudaError_t e = plainEdges(data, n, __func__)) return e;
  return cudaStreamUpdateCaptureDependencies(stream, list, n, flags);
}

} // extern "C"
