// Graphs whose nodes decide what runs: loops, branches and choices, in each other and
// in both APIs.
#include "../../examples/check.h"

#include <cuda.h>

__global__ void halve(float *x, int n, float limit, cudaGraphConditionalHandle again) {
    float most = 0;
    for (int i = 0; i < n; i++) most = fmaxf(most, x[i] *= 0.5f);
    cudaGraphSetConditional(again, most > limit);
}

__global__ void choose(const int *what, cudaGraphConditionalHandle which) { cudaGraphSetConditional(which, *what); }

__global__ void add(int *to, int n) { *to += n; }

__global__ void count(int *left, cudaGraphConditionalHandle again) {
    if (threadIdx.x == 0) cudaGraphSetConditional(again, --*left > 0);
}

static cudaGraphNode_t conditional(cudaGraph_t g, cudaGraphNode_t after, cudaGraphConditionalHandle h,
                                   cudaGraphConditionalNodeType type, int bodies, cudaGraph_t *out) {
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = bodies;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddNode(&node, g, &after, after ? 1 : 0, &p));
    for (int i = 0; i < bodies; i++) out[i] = p.conditional.phGraph_out[i];
    return node;
}

static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t after, void *f, void **args, int threads = 1) {
    cudaKernelNodeParams p = {};
    p.func = f;
    p.gridDim = 1;
    p.blockDim = threads;
    p.kernelParams = args;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, g, &after, after ? 1 : 0, &p));
    return node;
}

// As long as an element is above the limit; twice, as the default begins each launch.
static bool loop() {
    const int n = 64;
    std::vector<float> x(n);
    for (int i = 0; i < n; i++) x[i] = i + 1;
    float *d = toDevice(x), limit = 0.75f;
    cudaGraph_t graph, body;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle again;
    CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    conditional(graph, nullptr, again, cudaGraphCondTypeWhile, 1, &body);
    // The body is captured.
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    halve<<<1, 1, 0, s>>>(d, n, limit, again);
    CHECK(cudaStreamEndCapture(s, nullptr));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    bool good = true;
    for (int round = 0; round < 2; round++) {
        for (float most = x[n - 1], first = 1; most > limit || first; first = 0) {
            for (float &v : x) v *= 0.5f;
            most = x[n - 1];
        }
        CHECK(cudaGraphLaunch(exec, s));
        CHECK(cudaStreamSynchronize(s));
        good &= same("loop", toHost(d, n), x);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
    return good;
}

// A choice of three, of which one is a branch with both sides, and a loop within it.
static bool choice() {
    int *what = toDevice(std::vector<int>(1)), *sum = toDevice(std::vector<int>(1)), *left = toDevice(std::vector<int>(1));
    cudaGraph_t graph, cases[3], sides[2], body;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle which, yes, again;
    CHECK(cudaGraphConditionalHandleCreate(&which, graph));
    CHECK(cudaGraphConditionalHandleCreate(&yes, graph));
    CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    void *chooseArgs[] = {&what, &which};
    cudaGraphNode_t first = kernel(graph, nullptr, (void *)choose, chooseArgs);
    conditional(graph, first, which, cudaGraphCondTypeSwitch, 3, cases);
    int one = 1, ten = 10, hundred = 100, thousand = 1000;
    void *add1[] = {&sum, &one}, *add10[] = {&sum, &ten}, *add100[] = {&sum, &hundred}, *add1000[] = {&sum, &thousand};
    kernel(cases[0], nullptr, (void *)add, add1);
    kernel(cases[1], nullptr, (void *)add, add10);
    void *leftArgs[] = {&left, &yes}, *againArgs[] = {&left, &again};
    cudaGraphNode_t test = kernel(cases[2], nullptr, (void *)choose, leftArgs);
    conditional(cases[2], test, yes, cudaGraphCondTypeIf, 2, sides);
    kernel(sides[1], nullptr, (void *)add, add1000);
    conditional(sides[0], nullptr, again, cudaGraphCondTypeWhile, 1, &body);
    cudaGraphNode_t added = kernel(body, nullptr, (void *)add, add100);
    kernel(body, added, (void *)count, againArgs, 32);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    std::vector<int> got, want = {1, 11, 11, 311, 1311};
    const int cases4[][2] = {{0, 0}, {1, 0}, {3, 0}, {2, 3}, {2, 0}}; // 3 is not a case
    for (auto &c : cases4) {
        CHECK(cudaMemcpy(what, &c[0], sizeof(int), cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(left, &c[1], sizeof(int), cudaMemcpyHostToDevice));
        CHECK(cudaGraphLaunch(exec, nullptr));
        CHECK(cudaDeviceSynchronize());
        got.push_back(toHost(sum, 1)[0]);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(what));
    CHECK(cudaFree(sum));
    CHECK(cudaFree(left));
    return same("choice", got, want);
}

// The driver's functions, and what they refuse.
static bool driver() {
    int *sum = toDevice(std::vector<int>(1));
    CUgraph graph;
    CUgraphConditionalHandle yes;
    bool good = cuGraphCreate(&graph, 0) == CUDA_SUCCESS;
    good &= cuGraphConditionalHandleCreate(&yes, graph, nullptr, 1, CU_GRAPH_COND_ASSIGN_DEFAULT) == CUDA_SUCCESS;
    CUgraphNodeParams p = {};
    p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    p.conditional.handle = yes;
    p.conditional.type = CU_GRAPH_COND_TYPE_IF;
    p.conditional.size = 3;
    CUgraphNode node, inner;
    good &= cuGraphAddNode(&node, graph, nullptr, 0, &p) == CUDA_ERROR_INVALID_VALUE; // with two bodies at most
    p.conditional.size = 1;
    p.conditional.handle = yes + 1;
    good &= cuGraphAddNode(&node, graph, nullptr, 0, &p) == CUDA_ERROR_INVALID_VALUE; // not its handle
    p.conditional.handle = yes;
    good &= cuGraphAddNode(&node, graph, nullptr, 0, &p) == CUDA_SUCCESS;
    CUgraphNodeType type;
    good &= cuGraphNodeGetType(node, &type) == CUDA_SUCCESS && type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
    CUgraphNodeParams set = {};
    set.type = CU_GRAPH_NODE_TYPE_MEMSET;
    set.memset.dst = (CUdeviceptr)sum;
    set.memset.value = 77;
    set.memset.elementSize = 4;
    set.memset.width = set.memset.height = 1;
    good &= cuGraphAddNode(&inner, p.conditional.phGraph_out[0], nullptr, 0, &set) == CUDA_SUCCESS;
    CUgraphExec exec;
    good &= cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS && cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS;
    CHECK(cudaDeviceSynchronize());
    good &= toHost(sum, 1)[0] == 77;
    cuGraphExecDestroy(exec);
    cuGraphDestroy(graph);
    CHECK(cudaFree(sum));
    printf("driver: %s\n", good ? "PASS" : "FAIL");
    return good;
}

int main() {
    bool good = loop() & choice() & driver();
    return good ? 0 : 1;
}
