// Stream capture ("CUDA Runtime API", "Stream Management"): the captures in progress, the
// nodes that captured calls become, and the entry points that begin, ask for and end one.
#include "capture.h"
#include "lasting.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "client.h"
#include "graph.h"

namespace warpgrind {
namespace {

// A capture sequence: the streams that take part, each with the nodes that its
// next one depends on.
struct Capture {
  unsigned long long id;
  cudaStreamCaptureMode mode;
  uint64_t thread;
  uint64_t origin;
  Graph *graph;
  bool ownsGraph; // false for cudaStreamBeginCaptureToGraph
  bool valid = true;
  std::map<uint64_t, std::vector<Node *>> tails;
  std::vector<Node *> left; // tails of streams that were destroyed
  std::map<uint64_t, std::map<Node *, Moment>> early; // of tails, by events of launches and edges
  std::map<uint64_t, std::vector<cudaGraphNode_t>> listed; // for cudaStreamGetCaptureInfo
};

struct CapturedEvent {
  Capture *capture;
  std::vector<Node *> nodes;
  std::optional<Moment> early; // of a launch; otherwise its end
};

struct Captures {
  std::recursive_mutex mutex;
  std::set<Capture *> active;
  std::map<cudaEvent_t, CapturedEvent> events;
  unsigned long long next = 1;
};

Captures &captures() {
  static Lasting<Captures> c;
  return c.get();
}

std::atomic<int> activeCount{0}; // of captures and captured events
thread_local cudaStreamCaptureMode threadMode = cudaStreamCaptureModeGlobal;
std::atomic<uint64_t> threadIds{0};

uint64_t threadId() {
  thread_local uint64_t id = ++threadIds;
  return id;
}

// The capture that a stream takes part in, or null. The mutex is held.
Capture *captureOf(cudaStream_t stream) {
  uint64_t s = streamNumber(stream);
  for (Capture *c : captures().active)
    if (c->tails.count(s)) return c;
  return nullptr;
}

cudaError_t invalidated() {
  return misuse(cudaErrorStreamCaptureInvalidated, "the capture was made invalid by an earlier error");
}

// Makes a node's edges those that its launch or events say. Nodes that are not kernels cannot
// have programmatic edges.
void setEarly(Node &n, Capture &c, uint64_t stream) {
  std::map<Node *, Moment> &early = c.early[stream];
  const bool kernel = n.type == cudaGraphNodeTypeKernel;
  for (Node *f : n.from) {
    auto it = early.find(f);
    if (it != early.end() && (kernel || it->second == Moment::begun)) n.early[f] = it->second;
    else if (kernel && n.grouping.programmatic && f->type == cudaGraphNodeTypeKernel) n.early[f] = Moment::triggered;
  }
  for (size_t i = 0; i < kMoments; i++)
    if (cudaEvent_t e = n.grouping.events[i]) captures().events[e] = {&c, {&n}, static_cast<Moment>(i)};
  n.grouping.programmatic = false;
  n.grouping.events = {};
}

// Adds a node after what the stream holds and runs set on it.
template <class Set>
cudaError_t append(cudaStream_t stream, cudaGraphNodeType type, Set set) {
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  Capture *c = captureOf(stream);
  if (!c || !c->valid) return invalidated();
  std::vector<Node *> &tail = c->tails[streamNumber(stream)];
  std::vector<cudaGraphNode_t> from;
  for (Node *n : tail) from.push_back(handle(n));
  cudaError_t e;
  Node *n = addNode(handle(c->graph), from.data(), from.size(), type, &e);
  if (n && (e = set(*n)) == cudaSuccess) setEarly(*n, *c, streamNumber(stream));
  if (e != cudaSuccess) c->valid = false;
  else tail = {n};
  c->early.erase(streamNumber(stream));
  return e;
}

// Whether every node of the capture comes before the origin's tail.
bool joined(const Capture &c) {
  std::set<const Node *> seen;
  std::vector<Node *> work = c.tails.at(c.origin);
  while (!work.empty()) {
    Node *n = work.back();
    work.pop_back();
    if (!seen.insert(n).second) continue;
    work.insert(work.end(), n->from.begin(), n->from.end());
  }
  auto isSeen = [&](const Node *n) { return seen.count(n) > 0; };
  for (auto &t : c.tails)
    if (!std::all_of(t.second.begin(), t.second.end(), isSeen)) return false;
  return std::all_of(c.left.begin(), c.left.end(), isSeen);
}

cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode, Graph *graph, std::vector<Node *> tail) {
  cudaError_t e = connectOnce();
  if (e != cudaSuccess) return e;
  if (mode > cudaStreamCaptureModeRelaxed) return invalid("no such capture mode");
  uint64_t s = streamNumber(stream);
  if (s <= 1)
    return misuse(cudaErrorStreamCaptureUnsupported, "the legacy default stream cannot be captured");
  Call c{protocol::StreamInfo(s)};
  if (!c.send()) return c.result();
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  if (captureOf(stream)) return misuse(cudaErrorIllegalState, "the stream is capturing already");
  auto *cap = new Capture{captures().next++, mode, threadId(), s, graph, graph == nullptr, true, {}, {}, {}, {}};
  if (!graph) {
    cudaGraph_t g;
    if ((e = core::cudaGraphCreate(&g, 0)) != cudaSuccess) return e;
    cap->graph = graphOf(g);
  }
  cap->tails[s] = std::move(tail);
  captures().active.insert(cap);
  activeCount++;
  return cudaSuccess;
}

// Forgets a capture and the events recorded in it.
void end(Capture *c) {
  auto &events = captures().events;
  for (auto it = events.begin(); it != events.end();)
    it = it->second.capture == c ? events.erase(it) : std::next(it);
  captures().active.erase(c);
  activeCount--;
  delete c;
}

void add(std::vector<Node *> &to, const std::vector<Node *> &from) {
  for (Node *n : from)
    if (std::find(to.begin(), to.end(), n) == to.end()) to.push_back(n);
}

} // namespace

bool isCapturing(cudaStream_t stream) {
  if (activeCount == 0) return false;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  return captureOf(stream) != nullptr;
}

cudaError_t leaveCapture(cudaStream_t stream) {
  if (activeCount == 0) return cudaSuccess;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  Capture *c = captureOf(stream);
  if (!c) return cudaSuccess;
  uint64_t s = streamNumber(stream);
  if (s == c->origin) return misuse(cudaErrorStreamCaptureUnsupported, "the capture began in the stream");
  add(c->left, c->tails[s]);
  c->tails.erase(s);
  c->early.erase(s);
  c->listed.erase(s);
  return cudaSuccess;
}

// Global captures of any thread and thread-local ones of this thread forbid
// calls that might wait for the device, unless the thread is relaxed ("CUDA
// Runtime API", cudaStreamBeginCapture).
cudaError_t forbiddenInCapture() {
  if (activeCount == 0 || threadMode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  for (Capture *c : captures().active) {
    bool mine = c->thread == threadId();
    bool forbids = c->mode == cudaStreamCaptureModeGlobal ? mine || threadMode == cudaStreamCaptureModeGlobal
                                                          : c->mode == cudaStreamCaptureModeThreadLocal && mine;
    if (!forbids) continue;
    c->valid = false;
    return misuse(cudaErrorStreamCaptureUnsupported, "the call is not permitted while a stream is capturing");
  }
  return cudaSuccess;
}

cudaError_t syncInCapture(cudaStream_t stream) {
  if (activeCount == 0) return cudaSuccess;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  Capture *c = stream ? captureOf(stream) : captures().active.empty() ? nullptr : *captures().active.begin();
  if (!c) return cudaSuccess;
  c->valid = false;
  if (streamNumber(stream) <= 1 && stream)
    return misuse(cudaErrorStreamCaptureImplicit, "the legacy default stream waits for a capturing stream");
  return misuse(cudaErrorStreamCaptureUnsupported, "a capturing stream cannot be waited for");
}

cudaError_t captureKernel(cudaStream_t stream, Function &f, const void *host, dim3 grid, dim3 block,
                          size_t shared, const void *params, const Grouping &grouping) {
  return append(stream, cudaGraphNodeTypeKernel, [&](Node &n) {
    setLaunch(n, f, host, grid, block, shared, params, grouping);
    return cudaSuccess;
  });
}

cudaError_t captureCopy(cudaStream_t stream, const Box &b, cudaMemcpyKind kind) {
  return append(stream, cudaGraphNodeTypeMemcpy, [&](Node &n) {
    n.box = b;
    n.kind = n.parms.kind = kind;
    n.parms.srcPtr = {const_cast<char *>(b.src), b.srcPitch, b.width, b.srcPitch ? b.srcSlice / b.srcPitch : 0};
    n.parms.dstPtr = {b.dst, b.dstPitch, b.width, b.dstPitch ? b.dstSlice / b.dstPitch : 0};
    n.parms.extent = {b.width, b.height, b.depth};
    return cudaSuccess;
  });
}

cudaError_t captureFill(cudaStream_t stream, const Area &a) {
  return append(stream, cudaGraphNodeTypeMemset, [&](Node &n) {
    n.area = a;
    return cudaSuccess;
  });
}

cudaError_t captureHost(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  return append(stream, cudaGraphNodeTypeHost, [&](Node &n) {
    n.host = {fn, userData};
    return cudaSuccess;
  });
}

cudaError_t captureAlloc(cudaStream_t stream, void **out, size_t size) {
  return append(stream, cudaGraphNodeTypeMemAlloc, [&](Node &n) {
    cudaStreamCaptureMode mode = threadMode;
    threadMode = cudaStreamCaptureModeRelaxed;
    cudaMemAllocNodeParams p{};
    p.bytesize = size;
    cudaError_t e = setAlloc(n, &p);
    threadMode = mode;
    *out = p.dptr;
    return e;
  });
}

cudaError_t captureFree(cudaStream_t stream, void *p) {
  return append(stream, cudaGraphNodeTypeMemFree, [&](Node &n) { return setFree(n, p); });
}

cudaError_t captureGraph(cudaStream_t stream, cudaGraphExec_t exec) {
  return append(stream, cudaGraphNodeTypeGraph,
                [&](Node &n) { return setChild(n, handle(execOf(exec)->graph.get())); });
}

cudaError_t captureMemOps(cudaStream_t stream, std::vector<MemOp> ops) {
  return append(stream, kMemOpNode, [&](Node &n) {
    n.memOps = std::move(ops);
    return cudaSuccess;
  });
}

cudaError_t captureExternal(cudaStream_t stream, cudaEvent_t event, bool record) {
  return append(stream, record ? cudaGraphNodeTypeEventRecord : cudaGraphNodeTypeWaitEvent, [&](Node &n) {
    n.event = event;
    return cudaSuccess;
  });
}

bool captureRecord(cudaStream_t stream, cudaEvent_t event, cudaError_t *error) {
  if (activeCount == 0) return false;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  Capture *c = captureOf(stream);
  if (!c) {
    captures().events.erase(event);
    return false;
  }
  *error = c->valid ? cudaSuccess : invalidated();
  if (c->valid) captures().events[event] = {c, c->tails[streamNumber(stream)], std::nullopt};
  return true;
}

bool captureWait(cudaStream_t stream, cudaEvent_t event, cudaError_t *error) {
  if (activeCount == 0) return false;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  Capture *c = captureOf(stream);
  auto it = captures().events.find(event);
  if (it == captures().events.end()) {
    if (!c) return false;
    c->valid = false;
    *error = misuse(cudaErrorStreamCaptureIsolation, "the event was recorded outside of the capture");
    return true;
  }
  if (c && c != it->second.capture) {
    c->valid = it->second.capture->valid = false;
    *error = misuse(cudaErrorStreamCaptureMerge, "the event belongs to another capture");
    return true;
  }
  *error = cudaSuccess;
  add(it->second.capture->tails[streamNumber(stream)], it->second.nodes);
  if (it->second.early)
    for (Node *n : it->second.nodes) it->second.capture->early[streamNumber(stream)][n] = *it->second.early;
  return true;
}

void captureEarly(cudaStream_t stream, cudaGraphNode_t node, Moment moment) {
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  if (Capture *c = captureOf(stream)) c->early[streamNumber(stream)][nodeOf(node)] = moment;
}

bool isCaptured(cudaEvent_t event) {
  if (activeCount == 0) return false;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  return captures().events.count(event) > 0;
}

namespace core {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return begin(stream, mode, nullptr, {});
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *from,
                                          const cudaGraphEdgeData *data, size_t count, cudaStreamCaptureMode mode) {
  if (cudaError_t e = checkEdges(from, data, count)) return e;
  Graph *g = graphOf(graph);
  if (!g || (count > 0 && !from)) return invalid("not a graph");
  std::vector<Node *> tail;
  for (size_t i = 0; i < count; i++) {
    Node *n = nodeOf(from[i]);
    if (!n || n->graph != g) return invalid("not a node of the graph");
    tail.push_back(n);
  }
  cudaError_t e = begin(stream, mode, g, tail);
  if (e == cudaSuccess) captureEdges(stream, from, data, count);
  return e;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  if (graph) *graph = nullptr;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  Capture *c = captureOf(stream);
  if (!graph && (!c || c->ownsGraph)) return invalid("the result pointer is null");
  if (!c) return misuse(cudaErrorIllegalState, "the stream is not capturing");
  if (c->origin != streamNumber(stream)) {
    c->valid = false; // as on a GPU
    return misuse(cudaErrorStreamCaptureUnmatched, "the capture began in another stream");
  }
  if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != threadId())
    return misuse(cudaErrorStreamCaptureWrongThread, "the capture began in another thread");
  bool valid = c->valid, whole = joined(*c);
  Graph *g = c->graph;
  if (c->ownsGraph && (!valid || !whole)) destroyGraph(g);
  end(c);
  if (!valid) return invalidated();
  if (!whole) return misuse(cudaErrorStreamCaptureUnjoined, "another stream's work was not joined");
  if (graph) *graph = handle(g);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  return core::cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **list, size_t *count) {
  if (!status) return invalid("the result pointer is null");
  cudaError_t e = connectOnce();
  if (e != cudaSuccess) return e;
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  Capture *c = captureOf(stream);
  *status = !c ? cudaStreamCaptureStatusNone
            : c->valid ? cudaStreamCaptureStatusActive
                       : cudaStreamCaptureStatusInvalidated;
  if (!c || !c->valid) return cudaSuccess;
  uint64_t s = streamNumber(stream);
  std::vector<cudaGraphNode_t> &nodes = c->listed[s];
  nodes.clear();
  for (Node *n : c->tails[s]) nodes.push_back(handle(n));
  if (id) *id = c->id;
  if (graph) *graph = handle(c->graph);
  if (list) *list = nodes.data();
  if (count) *count = nodes.size();
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *list, size_t count,
                                                unsigned flags) {
  std::lock_guard<std::recursive_mutex> lock(captures().mutex);
  Capture *c = captureOf(stream);
  if (!c) return misuse(cudaErrorIllegalState, "the stream is not capturing");
  std::vector<Node *> nodes;
  for (size_t i = 0; i < count; i++) {
    Node *n = nodeOf(list[i]);
    if (!n || n->graph != c->graph) return invalid("not a node of the graph");
    nodes.push_back(n);
  }
  std::vector<Node *> &tail = c->tails[streamNumber(stream)];
  if (flags == cudaStreamSetCaptureDependencies) tail.clear();
  add(tail, nodes);
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  if (!mode || *mode > cudaStreamCaptureModeRelaxed) return invalid("no such mode");
  std::swap(*mode, threadMode);
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
