// The nodes of graphs: what each does, how it is made, asked for and changed.
#include "graph.h"
#include "lasting.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "context.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "a pointer is null";
constexpr size_t kGraphAlign = 512; // of the memory of allocation nodes
constexpr const char *kNoNode = "not a node of this type";

// The bytes of graphs' memory by device: now, and at most since that was set
// back.
struct Usage {
  uint64_t now = 0, high = 0;
};
std::mutex usageMutex;
std::map<int, Usage> &usage() {
  static Lasting<std::map<int, Usage>> u;
  return u.get();
}

// Runs set on a new node and takes the node away again if that fails.
template <class Set>
cudaError_t add(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *from, size_t count,
                cudaGraphNodeType type, Set set) {
  if (!out) return invalid(kNull);
  cudaError_t e;
  Node *n = addNode(graph, from, count, type, &e);
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

template <class Set> cudaError_t change(Node *n, Set set) {
  return n ? set(*n) : invalid(kNoNode);
}

cudaError_t getEvent(Node *n, cudaEvent_t *event) {
  if (!n || !event) return invalid(kNoNode);
  *event = n->event;
  return cudaSuccess;
}

cudaError_t setEvent(Node *n, cudaEvent_t event) {
  if (!n || !event) return invalid(kNoNode);
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
  {
    std::lock_guard<std::mutex> lock(usageMutex);
    usage()[device].now -= bytes;
  }
  if (bytes) Call(protocol::Unreserve(ptr)).send();
  else release(ptr, false); // of a condition, which is allocated at once
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

cudaError_t setKernel(Node &n, const cudaKernelNodeParams *p) {
  if (!p) return invalid(kNull);
  cudaError_t e;
  Function *f = findFunction(p->func, &e);
  if (!f) return e;
  size_t size = 0;
  const void *bytes = extraBytes(p->extra, &size);
  if (!bytes && !p->kernelParams && !f->params.empty())
    return invalid("the kernel has parameters but the argument array is null");
  std::vector<char> params(f->paramBytes);
  if (bytes) memcpy(params.data(), bytes, size < params.size() ? size : params.size());
  else params = packParams(*f, p->kernelParams);
  setLaunch(n, *f, p->func, p->gridDim, p->blockDim, p->sharedMemBytes, params.data(), n.grouping);
  return cudaSuccess;
}

cudaError_t setCopy(Node &n, const cudaMemcpy3DParms *p) {
  cudaError_t e;
  Box b;
  if (!boxOf(p, &b, &e)) return e;
  n.box = b;
  n.kind = p->kind;
  n.parms = *p;
  return cudaSuccess;
}

cudaError_t setCopy1D(Node &n, void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p = parms1D(dst, src, count, kind);
  return setCopy(n, &p);
}

cudaError_t setFill(Node &n, const cudaMemsetParams *p) {
  if (!p) return invalid(kNull);
  if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
    return invalid("the element size must be 1, 2 or 4");
  size_t width = p->width * p->elementSize;
  n.area = {p->dst, width, p->height, 1, p->height > 1 ? p->pitch : width, 0,
            p->value, static_cast<uint8_t>(p->elementSize)};
  return cudaSuccess;
}

cudaError_t setHost(Node &n, const cudaHostNodeParams *p) {
  if (!p || !p->fn) return invalid(kNull);
  n.host = *p;
  return cudaSuccess;
}

cudaError_t setChild(Node &n, cudaGraph_t child) {
  Graph *g = graphOf(child);
  if (!g || g == n.graph) return invalid("not a graph that can be a child");
  auto copy = clone(*g);
  copy->child = true;
  if (n.child) destroyGraph(n.child.release());
  n.child = std::move(copy);
  return cudaSuccess;
}

cudaError_t setAlloc(Node &n, cudaMemAllocNodeParams *p) {
  if (!p || p->bytesize == 0) return invalid("the size is 0, or a pointer is null");
  Call c{protocol::Reserve(p->bytesize, kGraphAlign)};
  if (!c.send()) return c.result();
  p->dptr = c.reply.address;
  n.graph->memory.push_back(std::make_shared<GraphMemory>(p->dptr, p->bytesize));
  n.memory = p->dptr;
  n.alloc = *p;
  return cudaSuccess;
}

cudaError_t setFree(Node &n, void *p) {
  if (!isGraphMemory(p)) return invalid("not memory of a graph");
  n.memory = p;
  return cudaSuccess;
}

cudaError_t setParams(Node &n, cudaGraphNodeParams *p) {
  if (!p || p->type != n.type) return invalid(kNoNode);
  switch (p->type) {
  case cudaGraphNodeTypeKernel: return setKernel(n, &p->kernel);
  case cudaGraphNodeTypeMemcpy: return setCopy(n, &p->memcpy.copyParams);
  case cudaGraphNodeTypeMemset: return setFill(n, &p->memset);
  case cudaGraphNodeTypeHost: return setHost(n, &p->host);
  case cudaGraphNodeTypeGraph: return setChild(n, p->graph.graph);
  case cudaGraphNodeTypeEmpty: return cudaSuccess;
  case cudaGraphNodeTypeEventRecord: return setEvent(&n, p->eventRecord.event);
  case cudaGraphNodeTypeWaitEvent: return setEvent(&n, p->eventWait.event);
  case cudaGraphNodeTypeMemAlloc: return setAlloc(n, &p->alloc);
  case cudaGraphNodeTypeMemFree: return setFree(n, p->free.dptr);
  case cudaGraphNodeTypeConditional: return setConditional(n, &p->conditional);
  default: return unsupported("cudaGraphAddNode of this node type");
  }
}

namespace core {

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from, size_t count,
                             cudaGraphNodeParams *params) {
  if (!params) return invalid(kNull);
  return add(node, graph, from, count, params->type, [&](Node &n) { return setParams(n, params); });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *params) {
  return change(nodeOf(node), [&](Node &n) { return setParams(n, params); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams *params) {
  Node *n = params ? typed(exec, node, params->type) : nullptr;
  return change(n, [&](Node &m) { return setParams(m, params); });
}

// The functions of one type of node: add, change, change in an executable
// graph. PARAM is the parameter that SET takes after the node.
#define NODE(ADD, CHANGE, EXEC, TYPE, SET, PARAM)                                                                 \
  cudaError_t ADD(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from, size_t count, PARAM p) { \
    return add(node, graph, from, count, TYPE, [&](Node &n) { return SET(n, p); });                               \
  }                                                                                                               \
  cudaError_t CHANGE(cudaGraphNode_t node, PARAM p) {                                                             \
    return change(typed(node, TYPE), [&](Node &n) { return SET(n, p); });                                         \
  }                                                                                                               \
  cudaError_t EXEC(cudaGraphExec_t exec, cudaGraphNode_t node, PARAM p) {                                         \
    return change(typed(exec, node, TYPE), [&](Node &n) { return SET(n, p); });                                   \
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
  if (!n || !params) return invalid(kNoNode);
  *params = {const_cast<void *>(n->symbol), n->grid,  n->block, static_cast<unsigned>(n->shared),
             n->arguments.data(),           nullptr};
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value) {
  Node *n = typed(node, cudaGraphNodeTypeKernel);
  if (!n || !value) return invalid(kNoNode);
  if (attr == cudaLaunchAttributeCooperative) n->grouping.cooperative = value->cooperative != 0;
  if (attr == cudaLaunchAttributeClusterDimension)
    n->grouping.cluster = dim3(value->clusterDim.x, value->clusterDim.y, value->clusterDim.z);
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value) {
  Node *n = typed(node, cudaGraphNodeTypeKernel);
  if (!n || !value) return invalid(kNoNode);
  memset(value, 0, sizeof *value);
  if (attr == cudaLaunchAttributeCooperative) value->cooperative = n->grouping.cooperative;
  if (attr == cudaLaunchAttributeClusterDimension)
    value->clusterDim = {n->grouping.cluster.x, n->grouping.cluster.y, n->grouping.cluster.z};
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src) {
  Node *a = typed(dst, cudaGraphNodeTypeKernel), *b = typed(src, cudaGraphNodeTypeKernel);
  if (!a || !b) return invalid(kNoNode);
  a->grouping = b->grouping;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                     size_t count, void *dst, const void *src, size_t bytes, cudaMemcpyKind kind) {
  return add(node, graph, from, count, cudaGraphNodeTypeMemcpy,
             [&](Node &n) { return setCopy1D(n, dst, src, bytes, kind); });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                           size_t n, const void *symbol, const void *src, size_t count, size_t offset,
                                           cudaMemcpyKind kind) {
  cudaError_t e;
  char *dst = symbolRange(symbol, count, offset, &e);
  return dst ? core::cudaGraphAddMemcpyNode1D(node, graph, from, n, dst, src, count, kind) : e;
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                             size_t n, void *dst, const void *symbol, size_t count, size_t offset,
                                             cudaMemcpyKind kind) {
  cudaError_t e;
  char *src = symbolRange(symbol, count, offset, &e);
  return src ? core::cudaGraphAddMemcpyNode1D(node, graph, from, n, dst, src, count, kind) : e;
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                           cudaMemcpyKind kind) {
  return change(typed(node, cudaGraphNodeTypeMemcpy), [&](Node &n) { return setCopy1D(n, dst, src, count, kind); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src,
                                               size_t count, cudaMemcpyKind kind) {
  return change(typed(exec, node, cudaGraphNodeTypeMemcpy),
                [&](Node &n) { return setCopy1D(n, dst, src, count, kind); });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                 size_t count, size_t offset, cudaMemcpyKind kind) {
  cudaError_t e;
  char *dst = symbolRange(symbol, count, offset, &e);
  return dst ? core::cudaGraphMemcpyNodeSetParams1D(node, dst, src, count, kind) : e;
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
                                                   size_t offset, cudaMemcpyKind kind) {
  cudaError_t e;
  char *src = symbolRange(symbol, count, offset, &e);
  return src ? core::cudaGraphMemcpyNodeSetParams1D(node, dst, src, count, kind) : e;
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
                                                     const void *src, size_t count, size_t offset,
                                                     cudaMemcpyKind kind) {
  cudaError_t e;
  char *dst = symbolRange(symbol, count, offset, &e);
  return dst ? core::cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, count, kind) : e;
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
                                                       const void *symbol, size_t count, size_t offset,
                                                       cudaMemcpyKind kind) {
  cudaError_t e;
  char *src = symbolRange(symbol, count, offset, &e);
  return src ? core::cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, count, kind) : e;
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *params) {
  Node *n = typed(node, cudaGraphNodeTypeMemcpy);
  if (!n || !params) return invalid(kNoNode);
  *params = n->parms;
  return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *params) {
  Node *n = typed(node, cudaGraphNodeTypeMemset);
  if (!n || !params) return invalid(kNoNode);
  const Area &a = n->area;
  *params = {a.dst, a.pitch, a.value, a.size, a.width / a.size, a.height};
  return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *params) {
  Node *n = typed(node, cudaGraphNodeTypeHost);
  if (!n || !params) return invalid(kNoNode);
  *params = n->host;
  return cudaSuccess;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                       size_t count, cudaGraph_t child) {
  return add(node, graph, from, count, cudaGraphNodeTypeGraph, [&](Node &n) { return setChild(n, child); });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  Node *n = typed(node, cudaGraphNodeTypeGraph);
  if (!n || !graph) return invalid(kNoNode);
  *graph = handle(n->child.get());
  return cudaSuccess;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return change(typed(exec, node, cudaGraphNodeTypeGraph), [&](Node &n) { return setChild(n, child); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                  size_t count) {
  return add(node, graph, from, count, cudaGraphNodeTypeEmpty, [](Node &) { return cudaSuccess; });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                        size_t count, cudaEvent_t event) {
  return add(node, graph, from, count, cudaGraphNodeTypeEventRecord, [&](Node &n) { return setEvent(&n, event); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                      size_t count, cudaEvent_t event) {
  return add(node, graph, from, count, cudaGraphNodeTypeWaitEvent, [&](Node &n) { return setEvent(&n, event); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return getEvent(typed(node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return getEvent(typed(node, cudaGraphNodeTypeWaitEvent), event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(typed(node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(typed(node, cudaGraphNodeTypeWaitEvent), event);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(typed(exec, node, cudaGraphNodeTypeEventRecord), event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(typed(exec, node, cudaGraphNodeTypeWaitEvent), event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                     size_t count, cudaMemAllocNodeParams *params) {
  return add(node, graph, from, count, cudaGraphNodeTypeMemAlloc, [&](Node &n) { return setAlloc(n, params); });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *params) {
  Node *n = typed(node, cudaGraphNodeTypeMemAlloc);
  if (!n || !params) return invalid(kNoNode);
  *params = n->alloc;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from,
                                    size_t count, void *p) {
  return add(node, graph, from, count, cudaGraphNodeTypeMemFree, [&](Node &n) { return setFree(n, p); });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *p) {
  Node *n = typed(node, cudaGraphNodeTypeMemFree);
  if (!n || !p) return invalid(kNoNode);
  *static_cast<void **>(p) = n->memory;
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned) {
  Graph *g = graphOf(graph);
  if (!g || !path) return invalid("not a graph, or no path");
  FILE *f = fopen(path, "w");
  if (!f) return misuse(cudaErrorOperatingSystem, "the file cannot be written");
  std::map<const Node *, size_t> number;
  fprintf(f, "digraph graph_1 {\n");
  for (auto &n : g->nodes) {
    size_t id = number.size();
    number[n.get()] = id;
    fprintf(f, "  node%zu [label=\"%zu %s\"];\n", id, id, n->function ? n->function->name.c_str() : n->api);
  }
  for (auto &n : g->nodes)
    for (Node *m : n->from) fprintf(f, "  node%zu -> node%zu;\n", number[m], number[n.get()]);
  fprintf(f, "}\n");
  return fclose(f) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
}

cudaError_t cudaDeviceGraphMemTrim(int device) { return checkDevice(device); }

// What graphs have is what they use: nothing is kept in reserve.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void *value) {
  if (!value || attr < cudaGraphMemAttrUsedMemCurrent || attr > cudaGraphMemAttrReservedMemHigh)
    return invalid("no such attribute, or the result pointer is null");
  cudaError_t e = checkDevice(device);
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
    return invalid("only a high watermark can be set, and only to 0");
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(usageMutex);
  usage()[device].high = usage()[device].now;
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
