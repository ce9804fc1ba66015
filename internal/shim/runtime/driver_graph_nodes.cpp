// The nodes of graphs in the driver API: what each does, how it is made, asked
// for and changed.
#include "driver_handles.h"

using namespace warpgrind;

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

CUresult setKernel(const char *api, Node *n, const CUDA_KERNEL_NODE_PARAMS *p) {
  if (!n || !p) return invalid(api, "a pointer is null, or not a kernel node");
  // kern is a member since CUDA 12 and stands where func is not given.
  auto *f = p->func ? function(p->func) : reinterpret_cast<Function *>(p->kern);
  if (!f) return invalid(api, "the function is null");
  size_t size = 0;
  const void *given = extraBytes(p->extra, &size);
  if (!given && !p->kernelParams && !f->params.empty()) return invalid(api, "the kernel has parameters but none are given");
  std::vector<char> bytes(f->paramBytes);
  if (given) memcpy(bytes.data(), given, size < bytes.size() ? size : bytes.size());
  else bytes = packParams(*f, p->kernelParams);
  setLaunch(*n, *f, nullptr, dim3(p->gridDimX, p->gridDimY, p->gridDimZ), dim3(p->blockDimX, p->blockDimY, p->blockDimZ),
            p->sharedMemBytes, bytes.data(), n->grouping);
  return CUDA_SUCCESS;
}

CUresult setCopy(const char *api, Node *n, const CUDA_MEMCPY3D *c) {
  if (!n) return invalid(api, "not a copy node");
  cudaMemcpy3DParms p;
  if (CUresult e = parmsOf(api, c, &p)) return e;
  return result(setCopy(api, *n, &p));
}

CUresult setFill(const char *api, Node *n, const CUDA_MEMSET_NODE_PARAMS *p) {
  if (!n || !p) return invalid(api, "a pointer is null, or not a fill node");
  cudaMemsetParams m{pointer(p->dst), p->pitch, p->value, p->elementSize, p->width, p->height};
  return result(setFill(api, *n, &m));
}

CUresult setHost(const char *api, Node *n, const CUDA_HOST_NODE_PARAMS *p) {
  if (!n || !p) return invalid(api, "a pointer is null, or not a host node");
  cudaHostNodeParams h{p->fn, p->userData};
  return result(setHost(api, *n, &h));
}

// Adds a node and takes it away again if it cannot be set.
template <class Set>
CUresult add(const char *api, CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, cudaGraphNodeType type,
             Set set) {
  if (!out) return invalid(api, "the result pointer is null");
  cudaError_t e;
  Node *n = addNode(api, runtime(g), runtime(from), count, type, &e);
  if (!n) return result(e);
  CUresult r = set(n);
  if (r == CUDA_SUCCESS) *out = reinterpret_cast<CUgraphNode>(n);
  else cudaGraphDestroyNode(handle(n));
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

CUresult setNode(const char *api, Node *n, CUgraphNodeParams *p) {
  if (!n || !p || n->type != static_cast<cudaGraphNodeType>(p->type)) return invalid(api, "not a node of this type");
  switch (p->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL: return setKernel(api, n, &p->kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY: return setCopy(api, n, &p->memcpy.copyParams);
  case CU_GRAPH_NODE_TYPE_MEMSET: {
    CUDA_MEMSET_NODE_PARAMS m{p->memset.dst, p->memset.pitch, p->memset.value, p->memset.elementSize,
                              p->memset.width, p->memset.height};
    return setFill(api, n, &m);
  }
  case CU_GRAPH_NODE_TYPE_HOST: return setHost(api, n, &p->host);
  default: break;
  }
  cudaGraphNodeParams q = paramsOf(*p);
  cudaError_t e = setParams(api, *n, &q);
  if (e != cudaSuccess) return result(e);
  if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) p->alloc.dptr = address(q.alloc.dptr);
  if (p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) p->conditional.phGraph_out = reinterpret_cast<CUgraph *>(q.conditional.phGraph_out);
  return CUDA_SUCCESS;
}

} // namespace

extern "C" {

CUresult cuGraphAddNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, CUgraphNodeParams *p) {
  NEEDS_CONTEXT;
  if (!p) return invalid(__func__, "the parameters are null");
  if (p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) return cuGraphAddBatchMemOpNode(out, g, from, count, &p->memOp);
  return add(__func__, out, g, from, count, static_cast<cudaGraphNodeType>(p->type),
             [&](Node *n) { return setNode("cuGraphAddNode", n, p); });
}

CUresult cuGraphAddNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *from, const CUgraphEdgeData *data,
                           size_t count, CUgraphNodeParams *p) {
  DRIVER_CALL;
  if (CUresult e = result(checkEdges(__func__, nullptr, runtime(data), count))) return e;
  return cuGraphAddNode(out, g, from, count, p);
}

CUresult cuGraphNodeSetParams(CUgraphNode n, CUgraphNodeParams *p) {
  NEEDS_CONTEXT;
  if (p && p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) return cuGraphBatchMemOpNodeSetParams(n, &p->memOp);
  return setNode(__func__, nodeOf(runtime(n)), p);
}

CUresult cuGraphExecNodeSetParams(CUgraphExec e, CUgraphNode n, CUgraphNodeParams *p) {
  NEEDS_CONTEXT;
  if (!p) return invalid(__func__, "the parameters are null");
  if (p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) return cuGraphExecBatchMemOpNodeSetParams(e, n, &p->memOp);
  return setNode(__func__, typed(e, n, static_cast<cudaGraphNodeType>(p->type)), p);
}

CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *p) {
  DRIVER_CALL;
  return add(__func__, out, g, from, count, cudaGraphNodeTypeKernel,
             [&](Node *n) { return setKernel("cuGraphAddKernelNode", n, p); });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode h, CUDA_KERNEL_NODE_PARAMS *p) {
  DRIVER_CALL;
  Node *n = typed(h, cudaGraphNodeTypeKernel);
  if (!n || !p) return invalid(__func__, "a pointer is null, or not a kernel node");
  *p = {reinterpret_cast<CUfunction>(n->function), n->grid.x, n->grid.y, n->grid.z, n->block.x, n->block.y, n->block.z,
        static_cast<unsigned>(n->shared), n->arguments.data(), nullptr, nullptr, reinterpret_cast<CUcontext>(currentContext())};
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p) {
  DRIVER_CALL;
  return setKernel(__func__, typed(n, cudaGraphNodeTypeKernel), p);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p) {
  DRIVER_CALL;
  return setKernel(__func__, typed(e, n, cudaGraphNodeTypeKernel), p);
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode n, CUkernelNodeAttrID id, const CUkernelNodeAttrValue *value) {
  DRIVER_CALL;
  return result(cudaGraphKernelNodeSetAttribute(runtime(n), static_cast<cudaLaunchAttributeID>(id),
                                                reinterpret_cast<const cudaLaunchAttributeValue *>(value)));
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode n, CUkernelNodeAttrID id, CUkernelNodeAttrValue *value) {
  DRIVER_CALL;
  return result(cudaGraphKernelNodeGetAttribute(runtime(n), static_cast<cudaLaunchAttributeID>(id),
                                                reinterpret_cast<cudaLaunchAttributeValue *>(value)));
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  DRIVER_CALL;
  return result(cudaGraphKernelNodeCopyAttributes(runtime(dst), runtime(src)));
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                              const CUDA_MEMCPY3D *c, CUcontext) {
  DRIVER_CALL;
  return add(__func__, out, g, from, count, cudaGraphNodeTypeMemcpy,
             [&](Node *n) { return setCopy("cuGraphAddMemcpyNode", n, c); });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode h, CUDA_MEMCPY3D *c) {
  DRIVER_CALL;
  Node *n = typed(h, cudaGraphNodeTypeMemcpy);
  if (!n || !c) return invalid(__func__, "a pointer is null, or not a copy node");
  *c = copyOf(__func__, n->parms);
  return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode n, const CUDA_MEMCPY3D *c) {
  DRIVER_CALL;
  return setCopy(__func__, typed(n, cudaGraphNodeTypeMemcpy), c);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_MEMCPY3D *c, CUcontext) {
  DRIVER_CALL;
  return setCopy(__func__, typed(e, n, cudaGraphNodeTypeMemcpy), c);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *p, CUcontext) {
  DRIVER_CALL;
  return add(__func__, out, g, from, count, cudaGraphNodeTypeMemset,
             [&](Node *n) { return setFill("cuGraphAddMemsetNode", n, p); });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode n, CUDA_MEMSET_NODE_PARAMS *p) {
  DRIVER_CALL;
  cudaMemsetParams m{};
  CUresult e = result(cudaGraphMemsetNodeGetParams(runtime(n), p ? &m : nullptr));
  if (e == CUDA_SUCCESS) *p = {address(m.dst), m.pitch, m.value, m.elementSize, m.width, m.height};
  return e;
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p) {
  DRIVER_CALL;
  return setFill(__func__, typed(n, cudaGraphNodeTypeMemset), p);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext) {
  DRIVER_CALL;
  return setFill(__func__, typed(e, n, cudaGraphNodeTypeMemset), p);
}

CUresult cuGraphAddHostNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                            const CUDA_HOST_NODE_PARAMS *p) {
  DRIVER_CALL;
  return add(__func__, out, g, from, count, cudaGraphNodeTypeHost,
             [&](Node *n) { return setHost("cuGraphAddHostNode", n, p); });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode n, CUDA_HOST_NODE_PARAMS *p) {
  DRIVER_CALL;
  return result(cudaGraphHostNodeGetParams(runtime(n), reinterpret_cast<cudaHostNodeParams *>(p)));
}

CUresult cuGraphHostNodeSetParams(CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p) {
  DRIVER_CALL;
  return setHost(__func__, typed(n, cudaGraphNodeTypeHost), p);
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p) {
  DRIVER_CALL;
  return setHost(__func__, typed(e, n, cudaGraphNodeTypeHost), p);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count) {
  DRIVER_CALL;
  return result(cudaGraphAddEmptyNode(runtime(out), runtime(g), runtime(from), count));
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, CUgraph child) {
  DRIVER_CALL;
  return result(cudaGraphAddChildGraphNode(runtime(out), runtime(g), runtime(from), count, runtime(child)));
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode n, CUgraph *g) {
  DRIVER_CALL;
  return result(cudaGraphChildGraphNodeGetGraph(runtime(n), runtime(g)));
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec e, CUgraphNode n, CUgraph child) {
  DRIVER_CALL;
  return result(cudaGraphExecChildGraphNodeSetParams(runtime(e), runtime(n), runtime(child)));
}

// The functions of nodes that record events and of those that wait for them.
#define EVENT(KIND)                                                                                                   \
  CUresult cuGraphAddEvent##KIND##Node(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, CUevent e) { \
    DRIVER_CALL;                                                                                                      \
    return result(cudaGraphAddEvent##KIND##Node(runtime(out), runtime(g), runtime(from), count, e));                  \
  }                                                                                                                   \
  CUresult cuGraphEvent##KIND##NodeGetEvent(CUgraphNode n, CUevent *e) {                                              \
    DRIVER_CALL;                                                                                                      \
    return result(cudaGraphEvent##KIND##NodeGetEvent(runtime(n), e));                                                 \
  }                                                                                                                   \
  CUresult cuGraphEvent##KIND##NodeSetEvent(CUgraphNode n, CUevent e) {                                               \
    DRIVER_CALL;                                                                                                      \
    return result(cudaGraphEvent##KIND##NodeSetEvent(runtime(n), e));                                                 \
  }                                                                                                                   \
  CUresult cuGraphExecEvent##KIND##NodeSetEvent(CUgraphExec exec, CUgraphNode n, CUevent e) {                         \
    DRIVER_CALL;                                                                                                      \
    return result(cudaGraphExecEvent##KIND##NodeSetEvent(runtime(exec), runtime(n), e));                              \
  }

EVENT(Record)
EVENT(Wait)

static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams), "the structures differ");

CUresult cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  NEEDS_CONTEXT;
  return result(cudaGraphAddMemAllocNode(runtime(out), runtime(g), runtime(from), count,
                                         reinterpret_cast<cudaMemAllocNodeParams *>(p)));
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode n, CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  DRIVER_CALL;
  return result(cudaGraphMemAllocNodeGetParams(runtime(n), reinterpret_cast<cudaMemAllocNodeParams *>(p)));
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count, CUdeviceptr p) {
  NEEDS_CONTEXT;
  return result(cudaGraphAddMemFreeNode(runtime(out), runtime(g), runtime(from), count, pointer(p)));
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode n, CUdeviceptr *p) {
  DRIVER_CALL;
  return result(cudaGraphMemFreeNodeGetParams(runtime(n), p));
}

} // extern "C"
