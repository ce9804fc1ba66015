// The functions of graphs whose edges have data, since CUDA 12.3 ("CUDA Runtime
// API", "cudaGraphEdgeData").
#include <cstring>

#include "capture.h"
#include "graph.h"

namespace warpgrind {
namespace {

bool isPlain(const cudaGraphEdgeData &d) { return d.type == cudaGraphDependencyTypeDefault && !d.from_port && !d.to_port; }

bool isProgrammatic(const cudaGraphEdgeData &d) {
  return d.type == cudaGraphDependencyTypeProgrammatic && d.from_port == cudaGraphKernelNodePortProgrammatic && !d.to_port;
}

cudaGraphEdgeData dataOf(cudaGraphNode_t from, cudaGraphNode_t to) {
  cudaGraphEdgeData d{};
  if (nodeOf(to)->early.count(nodeOf(from)) == 0) return d;
  d.type = cudaGraphDependencyTypeProgrammatic;
  d.from_port = cudaGraphKernelNodePortProgrammatic;
  return d;
}

// Fills in the data of edges that a call has listed.
template <class Edge> cudaError_t withData(cudaGraphEdgeData *data, const size_t *n, cudaError_t e, Edge edge) {
  for (size_t i = 0; e == cudaSuccess && data && n && i < *n; i++) data[i] = edge(i);
  return e;
}

} // namespace

cudaError_t checkEdges(const cudaGraphNode_t *from, const cudaGraphEdgeData *data, size_t n) {
  for (size_t i = 0; data && i < n; i++) {
    if (isPlain(data[i])) continue;
    if (!isProgrammatic(data[i])) return unsupported((std::string(callName()) + " with edges of this type").c_str());
    const Node *f = from ? nodeOf(from[i]) : nullptr;
    if (f && f->type != cudaGraphNodeTypeKernel)
      return invalid("only kernels have programmatic ports");
  }
  return cudaSuccess;
}

void setEdges(Node &to, const cudaGraphNode_t *from, const cudaGraphEdgeData *data, size_t n) {
  for (size_t i = 0; data && i < n; i++)
    if (isProgrammatic(data[i])) to.early.insert(nodeOf(from[i]));
}

namespace core {

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *data, size_t n) {
  if (cudaError_t e = checkEdges(from, data, n)) return e;
  cudaError_t e = core::cudaGraphAddDependencies(graph, from, to, n);
  for (size_t i = 0; e == cudaSuccess && data && i < n; i++) setEdges(*nodeOf(to[i]), from + i, data + i, 1);
  return e;
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *, size_t n) {
  return core::cudaGraphRemoveDependencies(graph, from, to, n);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                const cudaGraphEdgeData *data, size_t n, cudaGraphNodeParams *params) {
  if (cudaError_t e = checkEdges(from, data, n)) return e;
  cudaError_t e = core::cudaGraphAddNode(node, graph, from, n, params);
  if (e == cudaSuccess) setEdges(*nodeOf(*node), from, data, n);
  return e;
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *data, size_t *n) {
  return withData(data, n, core::cudaGraphGetEdges(graph, from, to, n),
                  [=](size_t i) { return from ? dataOf(from[i], to[i]) : cudaGraphEdgeData{}; });
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *from, cudaGraphEdgeData *data,
                                            size_t *n) {
  return withData(data, n, core::cudaGraphNodeGetDependencies(node, from, n),
                  [=](size_t i) { return from ? dataOf(from[i], node) : cudaGraphEdgeData{}; });
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                              cudaGraphEdgeData *data, size_t *n) {
  return withData(data, n, core::cudaGraphNodeGetDependentNodes(node, dependents, n),
                  [=](size_t i) { return dependents ? dataOf(node, dependents[i]) : cudaGraphEdgeData{}; });
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                                        cudaGraph_t *graph, const cudaGraphNode_t **from,
                                        const cudaGraphEdgeData **data, size_t *n) {
  if (data) *data = nullptr;
  return core::cudaStreamGetCaptureInfo(stream, status, id, graph, from, n);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *list,
                                                   const cudaGraphEdgeData *data, size_t n, unsigned flags) {
  if (cudaError_t e = checkEdges(list, data, n)) return e;
  cudaError_t e = core::cudaStreamUpdateCaptureDependencies(stream, list, n, flags);
  for (size_t i = 0; e == cudaSuccess && data && i < n; i++)
    if (data[i].type == cudaGraphDependencyTypeProgrammatic) captureEarly(stream, list[i]);
  return e;
}

} // namespace core
} // namespace warpgrind
