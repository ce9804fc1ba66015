// The functions of graphs whose edges have data, since CUDA 12.3 ("CUDA Runtime
// API", "cudaGraphEdgeData").
#include <optional>

#include "capture.h"
#include "graph.h"

namespace warpgrind {
namespace {

// The moment at which an edge lets what comes after it begin; none for the end.
std::optional<Moment> momentOf(const cudaGraphEdgeData &d) {
  const bool start = d.from_port == cudaGraphKernelNodePortLaunchCompletion;
  if (d.type == cudaGraphDependencyTypeProgrammatic) return start ? Moment::started : Moment::triggered;
  return start ? std::optional(Moment::begun) : std::nullopt;
}

cudaGraphEdgeData dataOf(cudaGraphNode_t from, cudaGraphNode_t to) {
  cudaGraphEdgeData d{};
  auto it = nodeOf(to)->early.find(nodeOf(from));
  if (it == nodeOf(to)->early.end()) return d;
  if (it->second != Moment::begun) d.type = cudaGraphDependencyTypeProgrammatic;
  d.from_port = it->second == Moment::triggered ? cudaGraphKernelNodePortProgrammatic : cudaGraphKernelNodePortLaunchCompletion;
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
    const cudaGraphEdgeData &d = data[i];
    if (d.type > cudaGraphDependencyTypeProgrammatic || d.from_port > cudaGraphKernelNodePortLaunchCompletion || d.to_port)
      return invalid("no such type or port of an edge");
    const bool programmatic = d.type == cudaGraphDependencyTypeProgrammatic;
    if (programmatic ? d.from_port == cudaGraphKernelNodePortDefault : d.from_port == cudaGraphKernelNodePortProgrammatic)
      return invalid("a programmatic edge leaves by a programmatic or a launch completion port, and others do not leave by a programmatic one");
    const Node *f = from ? nodeOf(from[i]) : nullptr;
    if (d.from_port && f && f->type != cudaGraphNodeTypeKernel) return invalid("only kernels have such ports");
  }
  return cudaSuccess;
}

void setEdges(Node &to, const cudaGraphNode_t *from, const cudaGraphEdgeData *data, size_t n) {
  for (size_t i = 0; data && i < n; i++)
    if (auto m = momentOf(data[i])) to.early[nodeOf(from[i])] = *m;
}

void captureEdges(cudaStream_t stream, const cudaGraphNode_t *from, const cudaGraphEdgeData *data, size_t n) {
  for (size_t i = 0; data && i < n; i++)
    if (auto m = momentOf(data[i])) captureEarly(stream, from[i], *m);
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
  if (e == cudaSuccess) captureEdges(stream, list, data, n);
  return e;
}

} // namespace core
} // namespace warpgrind
