// The nodes of graphs in the driver API: what each does, how it is made, asked
// for and changed.
#include "driver_handles.h"

namespace warpgrind {
namespace {

Node *typed(CUgraphNode h, cudaGraphNodeType type) {
  Node *n = nodeOf(runtime(h));
  return n && n->type == type ? n : nullptr;
}

// The clone of a node in an executable graph, or null.
Node *typed(CUgraphExec h, CUgraphNode of, cudaGraphNodeType type) {
  GraphExec *e = execOf(runtime(h));
  Node *n = nodeOf(runtime(of));
  Node *found = e && n ? findClone(*e->graph, n) : nullptr;
  return found && found->type == type ? found : nullptr;
}

cudaError_t setKernel(Node *n, const CUDA_KERNEL_NODE_PARAMS *p) {
  if (!n || !p) return invalid("a pointer is null, or not a kernel node");
  // kern is a member since CUDA 12 and stands where func is not given.
  auto *f = p->func ? function(p->func) : reinterpret_cast<Function *>(p->kern);
  if (!f) return invalid("the function is null");
  size_t size = 0;
  const void *given = extraBytes(p->extra, &size);
  if (!given && !p->kernelParams && !f->params.empty()) return invalid("the kernel has parameters but none are given");
  std::vector<char> bytes(f->paramBytes);
  if (given) memcpy(bytes.data(), given, size < bytes.size() ? size : bytes.size());
  else bytes = packParams(*f, p->kernelParams);
  setLaunch(*n, *f, nullptr, dim3(p->gridDimX, p->gridDimY, p->gridDimZ), dim3(p->blockDimX, p->blockDimY, p->blockDimZ),
            p->sharedMemBytes, bytes.data(), n->grouping);
  return cudaSuccess;
}

cudaError_t setCopy(Node *n, const CUDA_MEMCPY3D *c) {
  if (!n) return invalid("not a copy node");
  cudaMemcpy3DParms p;
  if (cudaError_t e = parmsOf(c, &p)) return e;
  return setCopy(*n, &p);
}

cudaError_t setFill(Node *n, const CUDA_MEMSET_NODE_PARAMS *p) {
  if (!n || !p) return invalid("a pointer is null, or not a fill node");
  cudaMemsetParams m{pointer(p->dst), p->pitch, p->value, p->elementSize, p->width, p->height};
  return setFill(*n, &m);
}

cudaError_t setHost(Node *n, const CUDA_HOST_NODE_PARAMS *p) {
  if (!n || !p) return invalid("a pointer is null, or not a host node");
  cudaHostNodeParams h{p->fn, p->userData};
  return setHost(*n, &h);
}

// Adds a node and takes it away again if it cannot be set.
template <class Set>
cudaError_t add(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, cudaGraphNodeType type, Set set) {
  if (!out) return invalid("the result pointer is null");
  cudaError_t e;
  Node *n = addNode(runtime(g), runtime(from), count, type, &e);
  if (!n) return e;
  cudaError_t r = set(n);
  if (r == cudaSuccess) *out = reinterpret_cast<CUgraphNode>(n);
  else core::cudaGraphDestroyNode(handle(n));
  return r;
}

// The parameters of a node of any type as the runtime API has them, but for
// the types whose nodes differ.
cudaGraphNodeParams paramsOf(const CUgraphNodeParams &p) {
  cudaGraphNodeParams n{};
  n.type = static_cast<cudaGraphNodeType>(p.type);
  switch (p.type) {
  case CU_GRAPH_NODE_TYPE_GRAPH: n.graph.graph = runtime(p.graph.graph); break;
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT: n.eventWait.event = p.eventWait.event; break;
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD: n.eventRecord.event = p.eventRecord.event; break;
  case CU_GRAPH_NODE_TYPE_MEM_ALLOC: memcpy(&n.alloc, &p.alloc, sizeof n.alloc); break;
  case CU_GRAPH_NODE_TYPE_MEM_FREE: n.free.dptr = pointer(p.free.dptr); break;
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    n.conditional.handle = p.conditional.handle;
    n.conditional.type = static_cast<cudaGraphConditionalNodeType>(p.conditional.type);
    n.conditional.size = p.conditional.size;
    break;
  default: break;
  }
  return n;
}

cudaError_t setNode(Node *n, CUgraphNodeParams *p) {
  if (!n || !p || n->type != static_cast<cudaGraphNodeType>(p->type)) return invalid("not a node of this type");
  switch (p->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL: return setKernel(n, &p->kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY: return setCopy(n, &p->memcpy.copyParams);
  case CU_GRAPH_NODE_TYPE_MEMSET: {
    CUDA_MEMSET_NODE_PARAMS m{p->memset.dst, p->memset.pitch, p->memset.value, p->memset.elementSize,
                              p->memset.width, p->memset.height};
    return setFill(n, &m);
  }
  case CU_GRAPH_NODE_TYPE_HOST: return setHost(n, &p->host);
  default: break;
  }
  cudaGraphNodeParams q = paramsOf(*p);
  cudaError_t e = setParams(*n, &q);
  if (e != cudaSuccess) return e;
  if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) p->alloc.dptr = address(q.alloc.dptr);
  if (p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) p->conditional.phGraph_out = reinterpret_cast<CUgraph *>(q.conditional.phGraph_out);
  return cudaSuccess;
}

} // namespace

namespace core {

cudaError_t cuGraphAddNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, CUgraphNodeParams *p) {
  if (!p) return invalid("the parameters are null");
  if (p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) return core::cuGraphAddBatchMemOpNode(out, g, from, count, &p->memOp);
  return add(out, g, from, count, static_cast<cudaGraphNodeType>(p->type), [&](Node *n) { return setNode(n, p); });
}

cudaError_t cuGraphAddNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *from, const CUgraphEdgeData *data,
                              size_t count, CUgraphNodeParams *p) {
  if (cudaError_t e = checkEdges(nullptr, runtime(data), count)) return e;
  return core::cuGraphAddNode(out, g, from, count, p);
}

cudaError_t cuGraphNodeSetParams(CUgraphNode n, CUgraphNodeParams *p) {
  if (p && p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) return core::cuGraphBatchMemOpNodeSetParams(n, &p->memOp);
  return setNode(nodeOf(runtime(n)), p);
}

cudaError_t cuGraphExecNodeSetParams(CUgraphExec e, CUgraphNode n, CUgraphNodeParams *p) {
  if (!p) return invalid("the parameters are null");
  if (p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) return core::cuGraphExecBatchMemOpNodeSetParams(e, n, &p->memOp);
  return setNode(typed(e, n, static_cast<cudaGraphNodeType>(p->type)), p);
}

cudaError_t cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS *p) {
  return add(out, g, from, count, cudaGraphNodeTypeKernel, [&](Node *n) { return setKernel(n, p); });
}

cudaError_t cuGraphKernelNodeGetParams(CUgraphNode h, CUDA_KERNEL_NODE_PARAMS *p) {
  Node *n = typed(h, cudaGraphNodeTypeKernel);
  if (!n || !p) return invalid("a pointer is null, or not a kernel node");
  *p = {reinterpret_cast<CUfunction>(n->function), n->grid.x, n->grid.y, n->grid.z, n->block.x, n->block.y, n->block.z,
        static_cast<unsigned>(n->shared), n->arguments.data(), nullptr, nullptr, reinterpret_cast<CUcontext>(currentContext())};
  return cudaSuccess;
}

cudaError_t cuGraphKernelNodeSetParams(CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p) {
  return setKernel(typed(n, cudaGraphNodeTypeKernel), p);
}

cudaError_t cuGraphExecKernelNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p) {
  return setKernel(typed(e, n, cudaGraphNodeTypeKernel), p);
}

cudaError_t cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                                 const CUDA_MEMCPY3D *c, CUcontext) {
  return add(out, g, from, count, cudaGraphNodeTypeMemcpy, [&](Node *n) { return setCopy(n, c); });
}

cudaError_t cuGraphMemcpyNodeGetParams(CUgraphNode h, CUDA_MEMCPY3D *c) {
  Node *n = typed(h, cudaGraphNodeTypeMemcpy);
  if (!n || !c) return invalid("a pointer is null, or not a copy node");
  *c = copyOf(n->parms);
  return cudaSuccess;
}

cudaError_t cuGraphMemcpyNodeSetParams(CUgraphNode n, const CUDA_MEMCPY3D *c) {
  return setCopy(typed(n, cudaGraphNodeTypeMemcpy), c);
}

cudaError_t cuGraphExecMemcpyNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_MEMCPY3D *c, CUcontext) {
  return setCopy(typed(e, n, cudaGraphNodeTypeMemcpy), c);
}

cudaError_t cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                                 const CUDA_MEMSET_NODE_PARAMS *p, CUcontext) {
  return add(out, g, from, count, cudaGraphNodeTypeMemset, [&](Node *n) { return setFill(n, p); });
}

cudaError_t cuGraphMemsetNodeGetParams(CUgraphNode n, CUDA_MEMSET_NODE_PARAMS *p) {
  cudaMemsetParams m{};
  cudaError_t e = core::cudaGraphMemsetNodeGetParams(runtime(n), p ? &m : nullptr);
  if (e == cudaSuccess) *p = {address(m.dst), m.pitch, m.value, m.elementSize, m.width, m.height};
  return e;
}

cudaError_t cuGraphMemsetNodeSetParams(CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p) {
  return setFill(typed(n, cudaGraphNodeTypeMemset), p);
}

cudaError_t cuGraphExecMemsetNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext) {
  return setFill(typed(e, n, cudaGraphNodeTypeMemset), p);
}

cudaError_t cuGraphConditionalHandleCreate(CUgraphConditionalHandle *h, CUgraph g, CUcontext, unsigned initial,
                                           unsigned flags) {
  return core::cudaGraphConditionalHandleCreate(h, runtime(g), initial, flags);
}

} // namespace core
} // namespace warpgrind
