// Nodes of graphs of any type in the driver API, and conditional ones.
#include "driver.h"
#include "graph.h"

using namespace warpgrind;

namespace {

cudaGraph_t runtime(CUgraph g) { return reinterpret_cast<cudaGraph_t>(g); }

CUresult addConditional(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                        CUDA_CONDITIONAL_NODE_PARAMS *p) {
  cudaGraphNodeParams n{};
  n.type = cudaGraphNodeTypeConditional;
  n.conditional.handle = p->handle;
  n.conditional.type = static_cast<cudaGraphConditionalNodeType>(p->type);
  n.conditional.size = p->size;
  CUresult r = result(cudaGraphAddNode(reinterpret_cast<cudaGraphNode_t *>(out), runtime(g),
                                       reinterpret_cast<const cudaGraphNode_t *>(from), count, &n));
  p->phGraph_out = reinterpret_cast<CUgraph *>(n.conditional.phGraph_out);
  return r;
}

} // namespace

extern "C" {

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *h, CUgraph g, CUcontext, unsigned initial,
                                        unsigned flags) {
  NEEDS_CONTEXT;
  return result(cudaGraphConditionalHandleCreate(h, runtime(g), initial, flags));
}

CUresult cuGraphAddNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, CUgraphNodeParams *p) {
  NEEDS_CONTEXT;
  if (!out || !p) return result(misuse(__func__, cudaErrorInvalidValue, "a pointer is null"));
  switch (p->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL: return cuGraphAddKernelNode(out, g, from, count, &p->kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY: return cuGraphAddMemcpyNode(out, g, from, count, &p->memcpy.copyParams, nullptr);
  case CU_GRAPH_NODE_TYPE_MEMSET: return cuGraphAddMemsetNode(out, g, from, count, &p->memset, nullptr);
  case CU_GRAPH_NODE_TYPE_HOST: return cuGraphAddHostNode(out, g, from, count, &p->host);
  case CU_GRAPH_NODE_TYPE_GRAPH: return cuGraphAddChildGraphNode(out, g, from, count, p->graph.graph);
  case CU_GRAPH_NODE_TYPE_EMPTY: return cuGraphAddEmptyNode(out, g, from, count);
  case CU_GRAPH_NODE_TYPE_CONDITIONAL: return addConditional(out, g, from, count, &p->conditional);
  default: return result(unsupported("cuGraphAddNode of this node type"));
  }
}

} // extern "C"
