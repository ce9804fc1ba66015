// Conditional nodes of graphs ("CUDA C++ Programming Guide", "Conditional Graph
// Nodes"). A handle is the address of its value in device memory.
#include "graph.h"

namespace warpgrind {

uint32_t *conditionValue(cudaGraphConditionalHandle h) {
  return static_cast<uint32_t *>(accessible(reinterpret_cast<void *>(h)));
}

cudaError_t setConditional(Node &n, cudaConditionalNodeParams *p) {
  if (!n.bodies.empty()) return invalid("a conditional node cannot change");
  bool known = false;
  for (const Condition &c : n.graph->conditions) known = known || c.handle == p->handle;
  for (Graph *g = n.graph->parent; g && !known; g = g->parent)
    for (const Condition &c : g->conditions) known = known || c.handle == p->handle;
  if (!known) return invalid("the handle is not one of the graph");
  const bool whole = p->type == cudaGraphCondTypeIf ? p->size == 1 || p->size == 2
                                                    : p->type == cudaGraphCondTypeWhile ? p->size == 1 : p->size > 0;
  if (!whole || p->type > cudaGraphCondTypeSwitch)
    return invalid("no such conditional node, or not with as many bodies");
  n.handle = p->handle;
  n.conditional = p->type;
  for (unsigned i = 0; i < p->size; i++) {
    n.bodies.push_back(emptyGraph());
    n.bodies[i]->child = true;
    n.bodies[i]->parent = n.graph;
    n.bodyHandles.push_back(handle(n.bodies[i].get()));
  }
  p->phGraph_out = n.bodyHandles.data();
  return cudaSuccess;
}

// Conditions that ask for it have their default value at each launch.
void assignDefaults(Graph &g) {
  for (const Condition &c : g.conditions)
    if (c.assign) *conditionValue(c.handle) = c.initial;
  for (auto &n : g.nodes) {
    if (n->child) assignDefaults(*n->child);
    for (auto &b : n->bodies) assignDefaults(*b);
  }
}

namespace core {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *h, cudaGraph_t graph, unsigned initial,
                                             unsigned flags) {
  Graph *g = graphOf(graph);
  if (!h || !g || flags > cudaGraphCondAssignDefault)
    return invalid("a pointer is null, it is not a graph, or the flags are unknown");
  // The handle may be one of a graph that is being captured.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  core::cudaThreadExchangeStreamCaptureMode(&mode);
  void *at = nullptr;
  cudaError_t e = allocate(kDevice, &at, sizeof(uint32_t));
  core::cudaThreadExchangeStreamCaptureMode(&mode);
  if (e != cudaSuccess) return e;
  g->memory.push_back(std::make_shared<GraphMemory>(at, 0)); // not the program's
  *h = reinterpret_cast<cudaGraphConditionalHandle>(at);
  *conditionValue(*h) = 0;
  g->conditions.push_back({*h, initial, flags == cudaGraphCondAssignDefault});
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
