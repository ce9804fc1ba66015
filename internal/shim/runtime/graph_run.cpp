// Launches of graphs. Nodes run one after the other, but the server has to know
// which of them the graph orders: the others could run at once. Each chain of
// nodes has a stream of its own, a lane; the first lane is the stream of the
// launch. Events order the lanes as the graph's edges do.
#include <algorithm>
#include <set>

#include "graph.h"
#include "hostfunc.h"

namespace warpgrind {

struct Lanes {
  explicit Lanes(int d) : device(d) {}
  Lanes(const Lanes &) = delete;
  ~Lanes() {
    for (cudaStream_t s : streams) Call(protocol::StreamDestroy(s)).send();
  }

  int device;
  std::vector<cudaStream_t> streams;        // from the second lane on
  cudaEvent_t begin = nullptr;              // of the launch
  std::vector<cudaEvent_t> ends;            // of the lanes
  std::map<const Node *, cudaEvent_t> done; // of nodes that other lanes wait for
  std::map<std::pair<const Node *, Moment>, cudaEvent_t> early; // of kernels, where edges leave before their end
};

namespace {

cudaError_t freeInStream(void *p, cudaStream_t stream) {
  Call c{protocol::Free(p, false, true, stream)};
  c.send();
  return c.result();
}

// Where each node runs.
struct Plan {
  std::vector<Node *> order;
  std::map<const Node *, size_t> lane;
  std::set<const Node *> awaited; // by nodes of other lanes
  std::map<const Node *, std::set<Moment>> early; // by nodes of other lanes that may begin before its end
  std::map<const Node *, const Node *> before; // the one before it in its lane
  size_t lanes = 0;
};

// A node that may begin as soon as another one has begun needs a lane of its own: in one lane
// it could begin when the other one has let its dependents begin, but not earlier.
bool apart(const Node &n, const Node *from) {
  auto it = n.early.find(from);
  return it != n.early.end() && it->second != Moment::triggered;
}

// A node follows the first lane that ends with a node that it depends on.
Plan planOf(const Graph &g) {
  Plan p;
  p.order = sorted(g);
  std::vector<const Node *> last;
  for (Node *n : p.order) {
    size_t lane = last.size();
    for (Node *f : n->from)
      if (last[p.lane[f]] == f && !apart(*n, f)) lane = std::min(lane, p.lane[f]);
    if (lane == last.size()) last.push_back(n);
    p.before[n] = last[lane] == n ? nullptr : last[lane];
    last[lane] = n;
    p.lane[n] = lane;
    for (Node *f : n->from)
      if (auto it = n->early.find(f); p.lane[f] == lane) continue;
      else if (it != n->early.end()) p.early[f].insert(it->second);
      else p.awaited.insert(f);
  }
  p.lanes = last.size();
  return p;
}

cudaStream_t makeLane(size_t number) {
  Call c{protocol::StreamCreate(cudaStreamNonBlocking, 0, "branch " + std::to_string(number) + " of a graph", "")};
  return c.send() ? static_cast<cudaStream_t>(c.reply.handle) : nullptr;
}

cudaEvent_t makeEvent() {
  Call c{protocol::EventCreate(cudaEventDisableTiming)};
  return c.send() ? static_cast<cudaEvent_t>(c.reply.handle) : nullptr;
}

void record(cudaEvent_t &event, cudaStream_t stream) {
  if (!event) event = makeEvent();
  Call(protocol::EventRecord(event, stream)).send();
}

void wait(cudaStream_t stream, cudaEvent_t event) {
  Call(protocol::StreamWait(event, stream)).send();
}

class Run {
public:
  // host is the stream whose host functions the graph's are.
  Run(Graph &g, cudaStream_t stream, cudaStream_t host)
      : stream_(stream), host_(host), plan_(planOf(g)) {
    if (!g.lanes || g.lanes->device != currentDevice()) g.lanes = std::make_shared<Lanes>(currentDevice());
    lanes_ = g.lanes;
    while (lanes_->streams.size() + 1 < plan_.lanes)
      lanes_->streams.push_back(makeLane(lanes_->streams.size() + 1));
    lanes_->ends.resize(lanes_->streams.size());
  }

  cudaError_t all() {
    if (plan_.lanes > 1) record(lanes_->begin, stream_);
    for (size_t k = 1; k < plan_.lanes; k++) wait(lane(k), lanes_->begin);
    for (Node *n : plan_.order)
      if (cudaError_t e = one(*n)) return e;
    for (size_t k = 1; k < plan_.lanes; k++) {
      record(lanes_->ends[k - 1], lane(k));
      wait(stream_, lanes_->ends[k - 1]);
    }
    return cudaSuccess;
  }

private:
  cudaStream_t lane(size_t k) const { return k == 0 ? stream_ : lanes_->streams[k - 1]; }

  cudaError_t one(Node &n) {
    const size_t mine = plan_.lane[&n];
    for (Node *f : n.from)
      if (auto it = n.early.find(f); plan_.lane[f] != mine)
        wait(lane(mine), it != n.early.end() ? lanes_->early[*it] : lanes_->done[f]);
    cudaError_t e = cudaSuccess;
    if (n.enabled) {
      const CallName name(n.api);
      const AtSite site(n.site);
      e = work(n, lane(mine));
    } else if (auto it = plan_.early.find(&n); it != plan_.early.end()) {
      for (Moment m : it->second) record(lanes_->early[{&n, m}], lane(mine));
    }
    if (plan_.awaited.count(&n)) record(lanes_->done[&n], lane(mine));
    return e;
  }

  cudaError_t work(Node &n, cudaStream_t stream) {
    switch (n.type) {
    case cudaGraphNodeTypeKernel:
      return launchFunction(*n.function, n.grid, n.block, n.shared, stream, n.params.data(), groupingOf(n));
    case cudaGraphNodeTypeMemcpy: return copyBox(n.box, n.kind, true, stream);
    case cudaGraphNodeTypeMemset: return fillArea(n.area, true, stream);
    case cudaGraphNodeTypeHost: return hostFunction(n.host, stream);
    case cudaGraphNodeTypeGraph: return Run(*n.child, stream, host_).all();
    case cudaGraphNodeTypeConditional: return conditional(n, stream);
    case cudaGraphNodeTypeEventRecord: return core::cudaEventRecord(n.event, stream);
    case cudaGraphNodeTypeMemAlloc: return begin(n, stream);
    case cudaGraphNodeTypeMemFree: return freeInStream(n.memory, stream);
    case kMemOpNode: return runMemOps(stream, n.memOps);
    case cudaGraphNodeTypeWaitEvent: return core::cudaStreamWaitEvent(stream, n.event, 0);
    default: return cudaSuccess;
    }
  }

  // The memory of an allocation node begins.
  cudaError_t begin(const Node &n, cudaStream_t stream) {
    Call c{protocol::Alloc(kDevice, n.alloc.bytesize, 0, 0, true, stream, n.memory)};
    c.send();
    return c.result();
  }

  // The node's edges say what it may begin before the end of.
  Grouping groupingOf(const Node &n) {
    Grouping g = n.grouping;
    g.programmatic = n.early.count(plan_.before[&n]) > 0;
    if (auto it = plan_.early.find(&n); it != plan_.early.end())
      for (Moment m : it->second) {
        cudaEvent_t &e = lanes_->early[{&n, m}];
        if (!e) e = makeEvent();
        g.at(m) = e;
      }
    return g;
  }

  // All that comes before has been done, so that the value is what it is on a device.
  cudaError_t conditional(Node &n, cudaStream_t stream) {
    const uint32_t *value = conditionValue(n.handle);
    cudaError_t e = settled(stream);
    switch (n.conditional) {
    case cudaGraphCondTypeIf:
      if (*value) return Run(*n.bodies[0], stream, host_).all();
      return n.bodies.size() > 1 ? Run(*n.bodies[1], stream, host_).all() : e;
    case cudaGraphCondTypeWhile:
      while (*value && e == cudaSuccess && (e = Run(*n.bodies[0], stream, host_).all()) == cudaSuccess) e = settled(stream);
      return e;
    default: return *value < n.bodies.size() ? Run(*n.bodies[*value], stream, host_).all() : e;
    }
  }

  // Waits until the work before has been done, without that the host counts as waiting for it. The
  // error is that of a kernel that has run, for which the next one would not be begun.
  cudaError_t settled(cudaStream_t stream) {
    Call c{protocol::Settle(stream)};
    c.send();
    return c.result();
  }

  // The function may tell the host that what comes before it is done.
  cudaError_t hostFunction(const cudaHostNodeParams &h, cudaStream_t stream) {
    return enqueueHostFunction(stream, [h] { h.fn(h.userData); });
  }

  cudaStream_t stream_, host_;
  Plan plan_;
  std::shared_ptr<Lanes> lanes_;
};

} // namespace

// "A graph with allocations that have not been freed cannot be launched again", unless a launch frees
// them first (CUDA C++ Programming Guide, "Graph Memory Nodes").
static cudaError_t freeBefore(const GraphExec &e, cudaStream_t stream) {
  for (auto &n : e.graph->nodes) {
    if (n->type != cudaGraphNodeTypeMemAlloc) continue;
    Call c{protocol::PointerInfo(n->memory)};
    if (!c.send() || c.reply.base == 0) continue;
    if (!(e.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch))
      return invalid("memory that an earlier launch of the graph has allocated has not been freed");
    if (cudaError_t error = freeInStream(n->memory, stream)) return error;
  }
  return cudaSuccess;
}

// "Each launch is ordered after both any previous work in the stream and any
// previous launches of the executable graph" (CUDA Runtime API,
// cudaGraphLaunch).
cudaError_t runExec(GraphExec &e, cudaStream_t stream) {
  if (e.done) wait(stream, e.done);
  if (cudaError_t error = freeBefore(e, stream)) return error;
  assignDefaults(*e.graph);
  cudaError_t error = Run(*e.graph, stream, stream).all();
  record(e.done, stream);
  return error;
}

} // namespace warpgrind
