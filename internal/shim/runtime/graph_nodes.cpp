// The nodes of graphs: what each does, how it is made, asked for and changed.
#include "graph.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "context.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "a pointer is null";
constexpr const char *kNoNode = "not a node of this type";

// The bytes of graphs' memory by device: now, and at most since that was set
// back.
struct Usage {
  uint64_t now = 0, high = 0;
};
std::mutex usageMutex;
std::map<int, Usage> &usage() {
  static auto *u = new std::map<int, Usage>;
  return *u;
}

// Runs set on a new node and takes the node away again if that fails.
template <class Set>
cudaError_t add(const char *api, cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *from, size_t count,
                cudaGraphNodeType type, Set set) {
  if (!out) return invalid(api, kNull);
  cudaError_t e;
  Node *n = addNode(api, graph, from, count, type, &e);
  if (!n) return e;
  if ((e = set(*n)) == cudaSuccess) *out = handle(n);
  else core::cudaGraphDestroyNode(handle(n));
  return e;
}

Node *typed(cudaGraphNode_t h, cudaGraphNodeType type) {
  Node *n = nodeOf(h);
  return n && n->type == type ? n : nullptr;
}

// The clone of a node in an executable graph, or null.
Node *typed(cudaGraphExec_t exec, cudaGraphNode_t h, cudaGraphNodeType type) {
  GraphExec *e = execOf(exec);
  Node *n = nodeOf(h);
  Node *found = e && n ? findClone(*e->graph, n) : nullptr;
  return found && found->type == type ? found : nullptr;
}

template <class Set> cudaError_t change(const char *api, Node *n, Set set) {
  return n ? set(*n) : invalid(api, kNoNode);
}

cudaError_t getEvent(const char *api, Node *n, cudaEvent_t *event) {
  if (!n || !event) return invalid(api, kNoNode);
  *event = n->event;
  return cudaSuccess;
}

cudaError_t setEvent(const char *api, Node *n, cudaEvent_t event) {
  if (!n || !event) return invalid(api, kNoNode);
  n->event = event;
  return cudaSuccess;
}

// The parameters of a 1D copy as those of a 3D one.
cudaMemcpy3DParms parms1D(void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<void *>(src), count, count, 1};
  p.dstPtr = {dst, count, count, 1};
  p.extent = {count, 1, 1};
  p.kind = kind;
  return p;
}

} // namespace

GraphMemory::GraphMemory(void *p, size_t n) : ptr(p), bytes(n), device(currentDevice()) {
  addGraphMemory(p);
  std::lock_guard<std::mutex> lock(usageMutex);
  Usage &u = usage()[device];
  u.now += bytes;
  u.high = std::max(u.high, u.now);
}

GraphMemory::~GraphMemory() {
  removeGraphMemory(ptr);
  {
    std::lock_guard<std::mutex> lock(usageMutex);
    usage()[device].now -= bytes;
  }
  release("cudaGraphDestroy", ptr, false);
}

void setLaunch(Node &n, Function &f, const void *symbol, dim3 grid, dim3 block, size_t shared, const void *params,
               const Grouping &grouping) {
  const char *bytes = static_cast<const char *>(params);
  n.function = &f;
  n.symbol = symbol;
  n.grid = grid;
  n.block = block;
  n.shared = shared;
  n.grouping = grouping;
  n.params.assign(bytes, bytes + f.paramBytes);
  n.arguments.clear();
  for (const Param &p : f.params) n.arguments.push_back(n.params.data() + p.offset);
}

cudaError_t setKernel(const char *api, Node &n, const cudaKernelNodeParams *p) {
  if (!p) return invalid(api, kNull);
  cudaError_t e;
  Function *f = findFunction(api, p->func, &e);
  if (!f) return e;
  size_t size = 0;
  const void *bytes = extraBytes(p->extra, &size);
  if (!bytes && !p->kernelParams && !f->params.empty())
    return invalid(api, "the kernel has parameters but the argument array is null");
  std::vector<char> params(f->paramBytes);
  if (bytes) memcpy(params.data(), bytes, size < params.size() ? size : params.size());
  else params = packParams(*f, p->kernelParams);
  setLaunch(n, *f, p->func, p->gridDim, p->blockDim, p->sharedMemBytes, params.data(), n.grouping);
  return cudaSuccess;
}

cudaError_t setCopy(const char *api, Node &n, const cudaMemcpy3DParms *p) {
  cudaError_t e;
  Box b;
  if (!boxOf(api, p, &b, &e)) return e;
  n.box = b;
  n.kind = p->kind;
  n.parms = *p;
  return cudaSuccess;
}

cudaError_t setCopy1D(const char *api, Node &n, void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p = parms1D(dst, src, count, kind);
  return setCopy(api, n, &p);
}

cudaError_t setFill(const char *api, Node &n, const cudaMemsetParams *p) {
  if (!p) return invalid(api, kNull);
  if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
    return invalid(api, "the element size must be 1, 2 or 4");
  size_t width = p->width * p->elementSize;
  n.area = {p->dst, width, p->height, 1, p->height > 1 ? p->pitch : width, 0,
            p->value, static_cast<uint8_t>(p->elementSize)};
  return cudaSuccess;
}

cudaError_t setHost(const char *api, Node &n, const cudaHostNodeParams *p) {
  if (!p || !p->fn) return invalid(api, kNull);
  n.host = *p;
  return cudaSuccess;
}

cudaError_t setChild(const char *api, Node &n, cudaGraph_t child) {
  Graph *g = graphOf(child);
  if (!g || g == n.graph) return invalid(api, "not a graph that can be a child");
  auto copy = clone(*g);
  copy->child = true;
  if (n.child) destroyGraph(n.child.release());
  n.child = std::move(copy);
  return cudaSuccess;
}

cudaError_t setAlloc(const char *api, Node &n, cudaMemAllocNodeParams *p) {
  if (!p || p->bytesize == 0) return invalid(api, "the size is 0, or a pointer is null");
  cudaError_t e = allocate(api, kDevice, &p->dptr, p->bytesize);
  if (e != cudaSuccess) return e;
  n.graph->memory.push_back(std::make_shared<GraphMemory>(p->dptr, p->bytesize));
  n.memory = p->dptr;
  n.alloc = *p;
  return e;
}

cudaError_t setFree(const char *api, Node &n, void *p) {
  if (!isGraphMemory(p)) return invalid(api, "not memory of a graph");
  n.memory = p;
  return cudaSuccess;
}

cudaError_t setParams(const char *api, Node &n, cudaGraphNodeParams *p) {
  if (!p || p->type != n.type) return invalid(api, kNoNode);
  switch (p->type) {
  case cudaGraphNodeTypeKernel: return setKernel(api, n, &p->kernel);
  case cudaGraphNodeTypeMemcpy: return setCopy(api, n, &p->memcpy.copyParams);
  case cudaGraphNodeTypeMemset: return setFill(api, n, &p->memset);
  case cudaGraphNodeTypeHost: return setHost(api, n, &p->host);
  case cudaGraphNodeTypeGraph: return setChild(api, n, p->graph.graph);
  case cudaGraphNodeTypeEmpty: return cudaSuccess;
  case cudaGraphNodeTypeEventRecord: return setEvent(api, &n, p->eventRecord.event);
  case cudaGraphNodeTypeWaitEvent: return setEvent(api, &n, p->eventWait.event);
  case cudaGraphNodeTypeMemAlloc: return setAlloc(api, n, &p->alloc);
  case cudaGraphNodeTypeMemFree: return setFree(api, n, p->free.dptr);
  case cudaGraphNodeTypeConditional: return setConditional(api, n, &p->conditional);
  default: return unsupported("cudaGraphAddNode of this node type");
  }
}

namespace core {

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from, size_t count,
                             cudaGraphNodeParams *params) {
  if (!params) return invalid(__func__, kNull);
  return add(__func__, node, graph, from, count, params->type,
             [&](Node &n) { return setParams("cudaGraphAddNode", n, params); });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *params) {
  return change(__func__, nodeOf(node), [&](Node &n) { return setParams("cudaGraphNodeSetParams", n, params); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams *params) {
  Node *n = params ? typed(exec, node, params->type) : nullptr;
  return change(__func__, n, [&](Node &m) { return setParams("cudaGraphExecNodeSetParams", m, params); });
}

// The functions of one type of node: add, change, change in an executable
// graph. PARAMS are the parameters that SET takes after api and node.
#define NODE(ADD, CHANGE, EXEC, TYPE, SET, PARAM)                                                                     \
  cudaError_t ADD(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from, size_t count, PARAM p) {     \
    return add(#ADD, node, graph, from, count, TYPE, [&](Node &n) { return SET(#ADD, n, p); });                       \
  }                                                                                                                   \
  cudaError_t CHANGE(cudaGraphNode_t node, PARAM p) {                                                                 \
    return change(#CHANGE, typed(node, TYPE), [&](Node &n) { return SET(#CHANGE, n, p); });                           \
  }                                                                                                                   \
  cudaError_t EXEC(cudaGraphExec_t exec, cudaGraphNode_t node, PARAM p) {                                             \
    return change(#EXEC, typed(exec, node, TYPE), [&](Node &n) { return SET(#EXEC, n, p); });                         \
  }

NODE(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams, cudaGraphNodeTypeKernel,
     setKernel, const cudaKernelNodeParams *)
NODE(cudaGraphAddMemcpyNode, cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams, cudaGraphNodeTypeMemcpy,
     setCopy, const cudaMemcpy3DParms *)
NODE(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams, cudaGraphNodeTypeMemset,
     setFill, const cudaMemsetParams *)
NODE(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams, cudaGraphNodeTypeHost, setHost,
     const cudaHostNodeParams *)

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *params) {
  Node *n = typed(node, cudaGraphNodeTypeKernel);
  if (!n || !params) return invalid(__func__, kNoNode);
  *params = {const_cast<void *>(n->symbol), n->grid,  n->block, static_cast<unsigned>(n->shared),
             n->arguments.data(),           nullptr};
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value) {
  Node *n = typed(node, cudaGraphNodeTypeKernel);
  if (!n || !value) return invalid(__func__, kNoNode);
  if (attr == cudaLaunchAttributeCooperative) n->grouping.cooperative = value->cooperative != 0;
  if (attr == cudaLaunchAttributeClusterDimension)
    n->grouping.cluster = dim3(value->clusterDim.x, value->clusterDim.y, value->clusterDim.z);
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value) {
  Node *n = typed(node, cudaGraphNodeTypeKernel);
  if (!n || !value) return invalid(__func__, kNoNode);
  memset(value, 0, sizeof *value);
  if (attr == cudaLaunchAttributeCooperative) value->cooperative = n->grouping.cooperative;
  if (attr == cudaLaunchAttributeClusterDimension)
    value->clusterDim = {n->grouping.cluster.x, n->grouping.cluster.y, n->grouping.cluster.z};
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src) {
  Node *a = typed(dst, cudaGraphNodeTypeKernel), *b = typed(src, cudaGraphNodeTypeKernel);
  if (!a || !b) return invalid(__func__, kNoNode);
  a->grouping = b->grouping;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                     size_t count, void *dst, const void *src, size_t bytes, cudaMemcpyKind kind) {
  return add(__func__, node, graph, from, count, cudaGraphNodeTypeMemcpy,
             [&](Node &n) { return setCopy1D("cudaGraphAddMemcpyNode1D", n, dst, src, bytes, kind); });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                           size_t n, const void *symbol, const void *src, size_t count, size_t offset,
                                           cudaMemcpyKind kind) {
  cudaError_t e;
  char *dst = symbolRange(__func__, symbol, count, offset, &e);
  return dst ? core::cudaGraphAddMemcpyNode1D(node, graph, from, n, dst, src, count, kind) : e;
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                             size_t n, void *dst, const void *symbol, size_t count, size_t offset,
                                             cudaMemcpyKind kind) {
  cudaError_t e;
  char *src = symbolRange(__func__, symbol, count, offset, &e);
  return src ? core::cudaGraphAddMemcpyNode1D(node, graph, from, n, dst, src, count, kind) : e;
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                           cudaMemcpyKind kind) {
  return change(__func__, typed(node, cudaGraphNodeTypeMemcpy),
                [&](Node &n) { return setCopy1D("cudaGraphMemcpyNodeSetParams1D", n, dst, src, count, kind); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src,
                                               size_t count, cudaMemcpyKind kind) {
  return change(__func__, typed(exec, node, cudaGraphNodeTypeMemcpy),
                [&](Node &n) { return setCopy1D("cudaGraphExecMemcpyNodeSetParams1D", n, dst, src, count, kind); });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                 size_t count, size_t offset, cudaMemcpyKind kind) {
  cudaError_t e;
  char *dst = symbolRange(__func__, symbol, count, offset, &e);
  return dst ? core::cudaGraphMemcpyNodeSetParams1D(node, dst, src, count, kind) : e;
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
                                                   size_t offset, cudaMemcpyKind kind) {
  cudaError_t e;
  char *src = symbolRange(__func__, symbol, count, offset, &e);
  return src ? core::cudaGraphMemcpyNodeSetParams1D(node, dst, src, count, kind) : e;
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
                                                     const void *src, size_t count, size_t offset,
                                                     cudaMemcpyKind kind) {
  cudaError_t e;
  char *dst = symbolRange(__func__, symbol, count, offset, &e);
  return dst ? core::cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, count, kind) : e;
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
                                                       const void *symbol, size_t count, size_t offset,
                                                       cudaMemcpyKind kind) {
  cudaError_t e;
  char *src = symbolRange(__func__, symbol, count, offset, &e);
  return src ? core::cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, count, kind) : e;
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *params) {
  Node *n = typed(node, cudaGraphNodeTypeMemcpy);
  if (!n || !params) return invalid(__func__, kNoNode);
  *params = n->parms;
  return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *params) {
  Node *n = typed(node, cudaGraphNodeTypeMemset);
  if (!n || !params) return invalid(__func__, kNoNode);
  const Area &a = n->area;
  *params = {a.dst, a.pitch, a.value, a.size, a.width / a.size, a.height};
  return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *params) {
  Node *n = typed(node, cudaGraphNodeTypeHost);
  if (!n || !params) return invalid(__func__, kNoNode);
  *params = n->host;
  return cudaSuccess;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                       size_t count, cudaGraph_t child) {
  return add(__func__, node, graph, from, count, cudaGraphNodeTypeGraph,
             [&](Node &n) { return setChild("cudaGraphAddChildGraphNode", n, child); });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  Node *n = typed(node, cudaGraphNodeTypeGraph);
  if (!n || !graph) return invalid(__func__, kNoNode);
  *graph = handle(n->child.get());
  return cudaSuccess;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return change(__func__, typed(exec, node, cudaGraphNodeTypeGraph),
                [&](Node &n) { return setChild("cudaGraphExecChildGraphNodeSetParams", n, child); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                  size_t count) {
  return add(__func__, node, graph, from, count, cudaGraphNodeTypeEmpty, [](Node &) { return cudaSuccess; });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                        size_t count, cudaEvent_t event) {
  return add(__func__, node, graph, from, count, cudaGraphNodeTypeEventRecord,
             [&](Node &n) { return setEvent("cudaGraphAddEventRecordNode", &n, event); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                      size_t count, cudaEvent_t event) {
  return add(__func__, node, graph, from, count, cudaGraphNodeTypeWaitEvent,
             [&](Node &n) { return setEvent("cudaGraphAddEventWaitNode", &n, event); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return getEvent(__func__, typed(node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return getEvent(__func__, typed(node, cudaGraphNodeTypeWaitEvent), event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(__func__, typed(node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(__func__, typed(node, cudaGraphNodeTypeWaitEvent), event);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(__func__, typed(exec, node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(__func__, typed(exec, node, cudaGraphNodeTypeWaitEvent), event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                     size_t count, cudaMemAllocNodeParams *params) {
  return add(__func__, node, graph, from, count, cudaGraphNodeTypeMemAlloc,
             [&](Node &n) { return setAlloc("cudaGraphAddMemAllocNode", n, params); });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *params) {
  Node *n = typed(node, cudaGraphNodeTypeMemAlloc);
  if (!n || !params) return invalid(__func__, kNoNode);
  *params = n->alloc;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                    size_t count, void *p) {
  return add(__func__, node, graph, from, count, cudaGraphNodeTypeMemFree,
             [&](Node &n) { return setFree("cudaGraphAddMemFreeNode", n, p); });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *p) {
  Node *n = typed(node, cudaGraphNodeTypeMemFree);
  if (!n || !p) return invalid(__func__, kNoNode);
  *static_cast<void **>(p) = n->memory;
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned) {
  Graph *g = graphOf(graph);
  if (!g || !path) return invalid(__func__, "not a graph, or no path");
  FILE *f = fopen(path, "w");
  if (!f) return misuse(__func__, cudaErrorOperatingSystem, "the file cannot be written");
  std::map<const Node *, size_t> number;
  fprintf(f, "digraph graph_1 {\n");
  for (auto &n : g->nodes) {
    size_t id = number.size();
    number[n.get()] = id;
    fprintf(f, "  node%zu [label=\"%zu %s\"];\n", id, id, n->function ? n->function->name.c_str() : n->api.c_str());
  }
  for (auto &n : g->nodes)
    for (Node *m : n->from) fprintf(f, "  node%zu -> node%zu;\n", number[m], number[n.get()]);
  fprintf(f, "}\n");
  return fclose(f) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
}

cudaError_t cudaDeviceGraphMemTrim(int device) { return checkDevice(__func__, device); }

// What graphs have is what they use: nothing is kept in reserve.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void *value) {
  if (!value || attr < cudaGraphMemAttrUsedMemCurrent || attr > cudaGraphMemAttrReservedMemHigh)
    return invalid(__func__, "no such attribute, or the result pointer is null");
  cudaError_t e = checkDevice(__func__, device);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(usageMutex);
  const Usage &u = usage()[device];
  bool high = attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh;
  *static_cast<uint64_t *>(value) = high ? u.high : u.now;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void *value) {
  bool high = attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh;
  if (!value || !high || *static_cast<uint64_t *>(value) != 0)
    return invalid(__func__, "only a high watermark can be set, and only to 0");
  cudaError_t e = checkDevice(__func__, device);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(usageMutex);
  usage()[device].high = usage()[device].now;
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
