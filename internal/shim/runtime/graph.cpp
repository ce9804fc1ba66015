// Graphs: their structure, and how they are instantiated, updated and run.
#include "graph.h"
#include "lasting.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "capture.h"
#include "hostfunc.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "a pointer is null";
constexpr const char *kNoGraph = "not a graph";
constexpr const char *kNoNode = "not a node";
constexpr const char *kNoExec = "not an executable graph";

struct Handles {
  std::mutex mutex;
  std::set<const void *> graphs, nodes, execs;
};

Handles &handles() {
  static Lasting<Handles> h;
  return h.get();
}

template <class T> T *known(std::set<const void *> Handles::*set, const void *p) {
  std::lock_guard<std::mutex> lock(handles().mutex);
  return (handles().*set).count(p) ? static_cast<T *>(const_cast<void *>(p)) : nullptr;
}

void remember(std::set<const void *> Handles::*set, const void *p) {
  std::lock_guard<std::mutex> lock(handles().mutex);
  (handles().*set).insert(p);
}

void forget(std::set<const void *> Handles::*set, const void *p) {
  std::lock_guard<std::mutex> lock(handles().mutex);
  (handles().*set).erase(p);
}

void drop(UserObject *o, unsigned count) {
  if (o->count > count) {
    o->count -= count;
    return;
  }
  o->destroy(o->ptr);
  delete o;
}

// Copies what a node does, but not its place in a graph.
void copyWork(Node &to, const Node &from) {
  to.api = from.api;
  to.site = from.site;
  to.enabled = from.enabled;
  to.function = from.function;
  to.box = from.box;
  to.kind = from.kind;
  to.parms = from.parms;
  to.area = from.area;
  to.host = from.host;
  to.event = from.event;
  to.memory = from.memory;
  to.alloc = from.alloc;
  to.memOps = from.memOps;
  if (from.function)
    setLaunch(to, *from.function, from.symbol, from.grid, from.block, from.shared, from.params.data(),
              from.grouping);
  if (from.child) {
    to.child = clone(*from.child);
    to.child->child = true;
  }
  to.handle = from.handle;
  to.conditional = from.conditional;
  for (auto &b : to.bodies) destroyGraph(b.release());
  to.bodies.clear();
  to.bodyHandles.clear();
  for (auto &b : from.bodies) {
    to.bodies.push_back(clone(*b));
    to.bodies.back()->child = true;
    to.bodies.back()->parent = to.graph;
    to.bodyHandles.push_back(handle(to.bodies.back().get()));
  }
}

// A list of handles as the query functions give it: their number alone where
// out is null, else at most *count of them, and nulls for those beyond.
cudaError_t give(const std::vector<Node *> &list, cudaGraphNode_t *out, size_t *count) {
  if (out)
    for (size_t i = 0; i < *count; i++) out[i] = i < list.size() ? handle(list[i]) : nullptr;
  if (!out || list.size() < *count) *count = list.size();
  return cudaSuccess;
}

std::vector<Node *> all(const Graph &g) {
  std::vector<Node *> list;
  for (auto &n : g.nodes) list.push_back(n.get());
  return list;
}

cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags) {
  if (!out) return invalid(kNull);
  Graph *g = graphOf(graph);
  if (!g) return invalid(kNoGraph);
  if (sorted(*g).size() != g->nodes.size()) return invalid("the graph has a cycle");
  auto *e = new GraphExec{clone(*g), flags, currentDevice()};
  remember(&Handles::execs, e);
  *out = reinterpret_cast<cudaGraphExec_t>(e);
  return cudaSuccess;
}

// Adds or removes edges.
cudaError_t changeEdges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                        size_t count, bool add) {
  if (count > 0 && (!from || !to)) return invalid(kNull);
  for (size_t i = 0; i < count; i++) {
    Node *a = nodeOf(from[i]), *b = nodeOf(to[i]);
    if (!a || !b || a->graph != graphOf(graph) || b->graph != a->graph || a == b)
      return invalid("the nodes are not two nodes of the graph");
    auto it = std::find(b->from.begin(), b->from.end(), a);
    if ((it == b->from.end()) != add)
      return invalid(add ? "the dependency exists" : "the dependency does not exist");
    if (add) b->from.push_back(a);
    else b->from.erase(it), b->early.erase(a);
  }
  return cudaSuccess;
}

// Compares the shape of an executable graph and a graph; gives the first node
// that differs.
cudaGraphExecUpdateResult compare(const Graph &exec, const Graph &g, const Node **node) {
  if (exec.nodes.size() != g.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  std::map<const Node *, const Node *> same;
  for (size_t i = 0; i < g.nodes.size(); i++) same[g.nodes[i].get()] = exec.nodes[i].get();
  for (size_t i = 0; i < g.nodes.size(); i++) {
    const Node &a = *exec.nodes[i], &b = *g.nodes[i];
    *node = &b;
    if (a.type != b.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (a.from.size() != b.from.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    for (const Node *f : b.from)
      if (std::find(a.from.begin(), a.from.end(), same[f]) == a.from.end())
        return cudaGraphExecUpdateErrorTopologyChanged;
    if (b.child) {
      cudaGraphExecUpdateResult r = compare(*a.child, *b.child, node);
      if (r != cudaGraphExecUpdateSuccess) return r;
    }
    if (a.conditional != b.conditional || a.bodies.size() != b.bodies.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t k = 0; k < b.bodies.size(); k++) {
      cudaGraphExecUpdateResult r = compare(*a.bodies[k], *b.bodies[k], node);
      if (r != cudaGraphExecUpdateSuccess) return r;
    }
  }
  *node = nullptr;
  return cudaGraphExecUpdateSuccess;
}

} // namespace

Graph *graphOf(cudaGraph_t h) { return known<Graph>(&Handles::graphs, h); }
Node *nodeOf(cudaGraphNode_t h) { return known<Node>(&Handles::nodes, h); }
GraphExec *execOf(cudaGraphExec_t h) { return known<GraphExec>(&Handles::execs, h); }

Node *addNode(cudaGraph_t graph, const cudaGraphNode_t *from, size_t count, cudaGraphNodeType type,
              cudaError_t *error) {
  Graph *g = graphOf(graph);
  *error = cudaSuccess;
  if (!g) *error = invalid(kNoGraph);
  else if (count > 0 && !from) *error = invalid(kNull);
  if (*error != cudaSuccess) return nullptr;
  auto n = std::make_unique<Node>();
  n->type = type;
  n->graph = g;
  n->api = callName();
  n->site = callSite();
  for (size_t i = 0; i < count; i++) {
    Node *f = nodeOf(from[i]);
    if (!f || f->graph != g) {
      *error = invalid("a dependency is not a node of the graph");
      return nullptr;
    }
    n->from.push_back(f);
  }
  g->nodes.push_back(std::move(n));
  remember(&Handles::nodes, g->nodes.back().get());
  return g->nodes.back().get();
}

std::unique_ptr<Graph> emptyGraph() {
  auto g = std::make_unique<Graph>();
  remember(&Handles::graphs, g.get());
  return g;
}

std::unique_ptr<Graph> clone(const Graph &g) {
  auto copy = emptyGraph();
  std::map<const Node *, Node *> made;
  for (auto &n : g.nodes) {
    auto m = std::make_unique<Node>();
    m->type = n->type;
    m->graph = copy.get();
    m->original = n.get();
    copyWork(*m, *n);
    made[n.get()] = m.get();
    remember(&Handles::nodes, m.get());
    copy->nodes.push_back(std::move(m));
  }
  for (auto &n : g.nodes) {
    for (Node *f : n->from) made[n.get()]->from.push_back(made[f]);
    for (auto &[f, moment] : n->early) made[n.get()]->early[made[f]] = moment;
  }
  for (auto &o : g.objects) {
    o.first->count += o.second;
    copy->objects.insert(o);
  }
  copy->memory = g.memory;
  copy->conditions = g.conditions;
  return copy;
}

Node *findClone(Graph &g, const Node *original) {
  for (auto &n : g.nodes) {
    if (n->original == original) return n.get();
    Node *found = n->child ? findClone(*n->child, original) : nullptr;
    for (size_t i = 0; i < n->bodies.size() && !found; i++) found = findClone(*n->bodies[i], original);
    if (found) return found;
  }
  return nullptr;
}

std::vector<Node *> sorted(const Graph &g) {
  std::vector<Node *> order;
  std::set<const Node *> done;
  for (bool more = true; more && order.size() < g.nodes.size();) {
    more = false;
    for (auto &n : g.nodes) {
      if (done.count(n.get())) continue;
      bool ready = std::all_of(n->from.begin(), n->from.end(), [&](Node *f) { return done.count(f) > 0; });
      if (!ready) continue;
      done.insert(n.get());
      order.push_back(n.get());
      more = true;
    }
  }
  return order;
}

// The graphs that belong to a node.
static void release(Node &n) {
  if (n.child) destroyGraph(n.child.release());
  for (auto &b : n.bodies) destroyGraph(b.release());
}

void destroyGraph(Graph *g) {
  for (auto &n : g->nodes) {
    forget(&Handles::nodes, n.get());
    release(*n);
  }
  for (auto &o : g->objects) drop(o.first, o.second);
  forget(&Handles::graphs, g);
  delete g;
}

namespace core {

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  if (!graph || flags != 0) return invalid("the result is null, or flags are not 0");
  cudaError_t e = connectOnce();
  if (e == cudaSuccess) *graph = handle(emptyGraph().release());
  return e;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  Graph *g = graphOf(graph);
  if (!g || g->child) return invalid(kNoGraph);
  destroyGraph(g);
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t original) {
  Graph *g = graphOf(original);
  if (!copy || !g) return invalid(kNoGraph);
  *copy = handle(clone(*g).release());
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t copy) {
  Graph *g = graphOf(copy);
  Node *n = nodeOf(original);
  if (!node || !g || !n) return invalid(kNoNode);
  Node *found = findClone(*g, n);
  if (!found) return invalid("the graph has no clone of the node");
  *node = handle(found);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
  Node *n = nodeOf(node);
  if (!n || !type) return invalid(kNoNode);
  *type = n->type;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  Graph *g = graphOf(graph);
  if (!g || !count) return invalid(kNoGraph);
  return give(all(*g), nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  Graph *g = graphOf(graph);
  if (!g || !count) return invalid(kNoGraph);
  std::vector<Node *> roots;
  for (Node *n : all(*g))
    if (n->from.empty()) roots.push_back(n);
  return give(roots, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count) {
  Graph *g = graphOf(graph);
  if (!g || !count || !from != !to) return invalid(kNoGraph);
  std::vector<Node *> a, b;
  for (Node *n : all(*g))
    for (Node *f : n->from) a.push_back(f), b.push_back(n);
  size_t copy = *count;
  give(a, from, &copy);
  return give(b, to, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *list, size_t *count) {
  Node *n = nodeOf(node);
  if (!n || !count) return invalid(kNoNode);
  return give(n->from, list, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *list, size_t *count) {
  Node *n = nodeOf(node);
  if (!n || !count) return invalid(kNoNode);
  std::vector<Node *> dependents;
  for (Node *m : all(*n->graph))
    if (std::find(m->from.begin(), m->from.end(), n) != m->from.end()) dependents.push_back(m);
  return give(dependents, list, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     size_t count) {
  return changeEdges(graph, from, to, count, true);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        size_t count) {
  return changeEdges(graph, from, to, count, false);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  Node *n = nodeOf(node);
  if (!n) return invalid(kNoNode);
  Graph *g = n->graph;
  for (Node *m : all(*g)) {
    m->from.erase(std::remove(m->from.begin(), m->from.end(), n), m->from.end());
    m->early.erase(n);
  }
  forget(&Handles::nodes, n);
  release(*n);
  g->nodes.erase(std::find_if(g->nodes.begin(), g->nodes.end(), [&](auto &p) { return p.get() == n; }));
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params) {
  if (!params) return invalid(kNull);
  params->errNode_out = nullptr;
  cudaError_t e = instantiate(exec, graph, params->flags);
  params->result_out = e == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
  return e;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
  GraphExec *e = execOf(exec);
  if (!e || !flags) return invalid(kNoExec);
  *flags = e->flags;
  return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
  GraphExec *e = execOf(exec);
  Graph *g = graphOf(graph);
  if (!e || !g || !info) return invalid(!e ? kNoExec : kNoGraph);
  const Node *node = nullptr;
  *info = {compare(*e->graph, *g, &node), nullptr, nullptr};
  info->errorNode = handle(node);
  if (info->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
  for (size_t i = 0; i < g->nodes.size(); i++) {
    bool enabled = e->graph->nodes[i]->enabled;
    if (e->graph->nodes[i]->child) destroyGraph(e->graph->nodes[i]->child.release());
    copyWork(*e->graph->nodes[i], *g->nodes[i]);
    e->graph->nodes[i]->enabled = enabled;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  GraphExec *e = execOf(exec);
  if (!e) return invalid(kNoExec);
  if (isCapturing(stream)) return captureGraph(stream, exec);
  return runExec(*e, stream);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
  return execOf(exec) ? cudaSuccess : invalid(kNoExec);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  GraphExec *e = execOf(exec);
  if (!e) return invalid(kNoExec);
  forget(&Handles::execs, e);
  destroyGraph(e->graph.release());
  delete e;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  GraphExec *e = execOf(exec);
  Node *n = e ? findClone(*e->graph, nodeOf(node)) : nullptr;
  if (!n) return invalid(kNoNode);
  n->enabled = enabled != 0;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled) {
  GraphExec *e = execOf(exec);
  Node *n = e ? findClone(*e->graph, nodeOf(node)) : nullptr;
  if (!n || !enabled) return invalid(kNoNode);
  *enabled = n->enabled;
  return cudaSuccess;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr, cudaHostFn_t destroy, unsigned count,
                                 unsigned) {
  if (!object || !destroy || count == 0) return invalid(kNull);
  *object = reinterpret_cast<cudaUserObject_t>(new UserObject{ptr, destroy, count});
  return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  if (!object) return invalid(kNull);
  reinterpret_cast<UserObject *>(object)->count += count;
  return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  if (!object) return invalid(kNull);
  drop(reinterpret_cast<UserObject *>(object), count);
  return cudaSuccess;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  Graph *g = graphOf(graph);
  if (!g || !object) return invalid(kNoGraph);
  auto *o = reinterpret_cast<UserObject *>(object);
  if (!(flags & cudaGraphUserObjectMove)) o->count += count;
  g->objects[o] += count;
  return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  Graph *g = graphOf(graph);
  auto *o = reinterpret_cast<UserObject *>(object);
  if (!g || !g->objects.count(o) || g->objects[o] < count) return invalid(kNoGraph);
  if ((g->objects[o] -= count) == 0) g->objects.erase(o);
  drop(o, count);
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
