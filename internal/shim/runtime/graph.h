// Graphs of work ("CUDA Runtime API", "Graph Management").
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "client.h"
#include "memops.h"
#include "memory.h"
#include "registry.h"

namespace warpgrind {

// A graph owns its nodes, and a node may own graphs.
struct Graph;

// A node: what it depends on, and what it does, by its type.
struct Node {
  cudaGraphNodeType type;
  Graph *graph;
  std::vector<Node *> from; // what it depends on
  // Those of from before whose end it may begin, and when.
  std::map<const Node *, Moment> early;
  const char *api = "";     // the call that made it, and where
  Site site;
  const Node *original = nullptr; // that it is a clone of
  bool enabled = true;

  // Of a kernel.
  Function *function = nullptr;
  const void *symbol = nullptr;
  dim3 grid, block;
  size_t shared = 0;
  std::vector<char> params;
  std::vector<void *> arguments; // into params
  Grouping grouping;
  // Of a copy; parms is what the program gave or an equal of it.
  Box box{};
  cudaMemcpyKind kind = cudaMemcpyDefault;
  cudaMemcpy3DParms parms{};
  Area area{};
  cudaHostNodeParams host{};
  std::unique_ptr<Graph> child;
  // Of a conditional node.
  cudaGraphConditionalHandle handle = 0;
  cudaGraphConditionalNodeType conditional{};
  std::vector<std::unique_ptr<Graph>> bodies;
  std::vector<cudaGraph_t> bodyHandles; // those of bodies
  cudaEvent_t event = nullptr;
  void *memory = nullptr; // of an allocation or a free
  cudaMemAllocNodeParams alloc{};
  std::vector<MemOp> memOps;
};

// The value that decides what conditional nodes do.
struct Condition {
  cudaGraphConditionalHandle handle;
  unsigned initial;
  bool assign; // at each launch
};

// An object whose destructor the program gives ("CUDA Runtime API", "cudaUserObjectCreate");
// count is the number of references.
struct UserObject {
  void *ptr;
  cudaHostFn_t destroy;
  unsigned count;
};

// The addresses of memory that a graph's nodes allocate. They stay as long as a graph with
// these nodes exists, and longer where the memory has not been freed; there is memory from the
// allocation node of a launch until it is freed (CUDA C++ Programming Guide, "Graph Memory Nodes").
struct GraphMemory {
  GraphMemory(void *p, size_t bytes);
  ~GraphMemory();
  GraphMemory(const GraphMemory &) = delete;
  void *ptr;
  size_t bytes;
  int device;
};

// What the server needs to know of a graph that runs; see graph_run.cpp.
struct Lanes;

// A graph, or the body of a node.
struct Graph {
  std::vector<std::unique_ptr<Node>> nodes; // in the order of their making
  std::map<UserObject *, unsigned> objects;
  std::vector<std::shared_ptr<GraphMemory>> memory;
  std::vector<Condition> conditions;
  bool child = false;         // owned by a node
  Graph *parent = nullptr;    // of the body of a conditional node
  std::shared_ptr<Lanes> lanes; // null before it runs
};

// An executable graph (cudaGraphExec_t).
struct GraphExec {
  std::unique_ptr<Graph> graph; // a clone
  unsigned long long flags;
  int device;
  cudaEvent_t done = nullptr; // the end of its last launch
};

// Adds a node of a type after others; null and *error for bad arguments.
Node *addNode(cudaGraph_t graph, const cudaGraphNode_t *from, size_t n, cudaGraphNodeType type, cudaError_t *error);

// Fill in what a node does; an error is reported.
cudaError_t setKernel(Node &n, const cudaKernelNodeParams *p);
cudaError_t setCopy(Node &n, const cudaMemcpy3DParms *p);
cudaError_t setCopy1D(Node &n, void *dst, const void *src, size_t count, cudaMemcpyKind kind);
cudaError_t setFill(Node &n, const cudaMemsetParams *p);
cudaError_t setHost(Node &n, const cudaHostNodeParams *p);
cudaError_t setChild(Node &n, cudaGraph_t child);
cudaError_t setConditional(Node &n, cudaConditionalNodeParams *p);
cudaError_t setAlloc(Node &n, cudaMemAllocNodeParams *p);
cudaError_t setFree(Node &n, void *p);
cudaError_t setParams(Node &n, cudaGraphNodeParams *p);

// The launch of a kernel node from packed parameters.
void setLaunch(Node &n, Function &f, const void *symbol, dim3 grid, dim3 block, size_t shared, const void *params,
               const Grouping &grouping);

// The node of an executable graph that was made from a node; null if none.
Node *findClone(Graph &g, const Node *original);

// Conditions: where the host finds the value, and what a launch begins with.
uint32_t *conditionValue(cudaGraphConditionalHandle h);
void assignDefaults(Graph &g);

// A graph without nodes, which has a handle.
std::unique_ptr<Graph> emptyGraph();

// A deep copy whose nodes know their originals.
std::unique_ptr<Graph> clone(const Graph &g);

// The nodes in an order that their dependencies allow; empty where there is
// none because of a cycle, or where there are no nodes.
std::vector<Node *> sorted(const Graph &g);

// Ends a graph, with its nodes and its references to user objects.
void destroyGraph(Graph *g);

// An error where the data of edges are not what the ports of nodes allow.
cudaError_t checkEdges(const cudaGraphNode_t *from, const cudaGraphEdgeData *data, size_t n);

// Tells the capture of a stream of the data of edges to its next node.
void captureEdges(cudaStream_t stream, const cudaGraphNode_t *from, const cudaGraphEdgeData *data, size_t n);

// Notes the data of edges to one node.
void setEdges(Node &to, const cudaGraphNode_t *from, const cudaGraphEdgeData *data, size_t n);

// Handles of what exists; null for others.
Graph *graphOf(cudaGraph_t h);
Node *nodeOf(cudaGraphNode_t h);
GraphExec *execOf(cudaGraphExec_t h);

// The handle of a graph and of a node.
inline cudaGraph_t handle(Graph *g) { return reinterpret_cast<cudaGraph_t>(g); }
inline cudaGraphNode_t handle(const Node *n) { return reinterpret_cast<cudaGraphNode_t>(const_cast<Node *>(n)); }

// Launches a graph after its launch before.
cudaError_t runExec(GraphExec &e, cudaStream_t stream);

} // namespace warpgrind
