// Graphs: built by capture of two streams and by nodes, launched repeatedly,
// with parameters that change between launches, clones, child graphs, host
// nodes, memory of the graph, and the errors of wrong captures.

#include "../check.h"

__global__ void axpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

__global__ void addTo(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += x[i];
}

static int wrong = 0;

static void expect(const char *what, long long got, long long want) {
    if (got == want) return;
    printf("graphs: FAIL: %s: got %lld, want %lld\n", what, got, want);
    wrong++;
}

static const int n = 500;
static const dim3 grid((n + 127) / 128), block(128);

struct Counter {
    int calls = 0;
};

static void countCall(void *p) { static_cast<Counter *>(p)->calls++; }

// Two streams fork and join in one capture.
static void captured(float *x, float *y, float *z, float *host) {
    cudaStream_t a, b;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    Counter counter;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));

    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(y, 0, n * sizeof(float), a));
    CHECK(cudaEventRecord(fork, a));
    CHECK(cudaStreamWaitEvent(b, fork, 0));
    axpy<<<grid, block, 0, a>>>(y, x, 2.0f, n);
    CHECK(cudaMemsetAsync(z, 0, n * sizeof(float), b));
    axpy<<<grid, block, 0, b>>>(z, x, 3.0f, n);
    CHECK(cudaEventRecord(join, b));
    CHECK(cudaStreamWaitEvent(a, join, 0));
    addTo<<<grid, block, 0, a>>>(y, z, n);
    CHECK(cudaMemcpyAsync(host, y, n * sizeof(float), cudaMemcpyDeviceToHost, a));
    CHECK(cudaLaunchHostFunc(a, countCall, &counter));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(b, &status));
    expect("the second stream's status", status, cudaStreamCaptureStatusActive);
    CHECK(cudaStreamEndCapture(a, &graph));
    expect("nothing ran while capturing", counter.calls, 0);

    size_t nodes = 0, roots = 0, edges = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
    expect("nodes", nodes, 7);
    expect("roots", roots, 1);
    expect("edges", edges, 7);

    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int round = 0; round < 3; round++) CHECK(cudaGraphLaunch(exec, a));
    CHECK(cudaStreamSynchronize(a));
    expect("host function calls", counter.calls, 3);
    for (int i = 0; i < n; i++)
        if (host[i] != 5.0f * i) return expect("captured result", host[i], 5 * i);

    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

// The same work as nodes, with other parameters for the second launch.
static void built(float *x, float *y, float *host) {
    cudaGraph_t graph, child;
    cudaGraphNode_t clear, kernel, copy, inner, call;
    cudaGraphExec_t exec;
    Counter counter;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphCreate(&child, 0));

    cudaMemsetParams set = {};
    set.dst = y, set.value = 0, set.elementSize = 4, set.width = n, set.height = 1;
    CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &set));
    float a = 4;
    int count = n;
    void *args[] = {&y, &x, &a, &count};
    cudaKernelNodeParams launch = {};
    launch.func = reinterpret_cast<void *>(axpy);
    launch.gridDim = grid, launch.blockDim = block, launch.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&kernel, child, nullptr, 0, &launch));
    CHECK(cudaGraphAddChildGraphNode(&inner, graph, &clear, 1, child));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &inner, 1, host, y, n * sizeof(float), cudaMemcpyDeviceToHost));
    cudaHostNodeParams hostCall = {countCall, &counter};
    CHECK(cudaGraphAddHostNode(&call, graph, &copy, 1, &hostCall));

    cudaGraph_t clone;
    cudaGraphNode_t cloned;
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphNodeFindInClone(&cloned, clear, clone));
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(cloned, &type));
    expect("the clone's node type", type, cudaGraphNodeTypeMemset);
    CHECK(cudaGraphDestroy(clone));

    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    expect("first launch", host[7], 28);
    set.value = 0x3f800000; // 1.0f
    CHECK(cudaGraphExecMemsetNodeSetParams(exec, clear, &set));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    expect("changed memset", host[7], 29);

    CHECK(cudaGraphMemsetNodeSetParams(clear, &set));
    a = 10;
    CHECK(cudaGraphKernelNodeSetParams(kernel, &launch)); // the child was copied: no effect
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    expect("updated graph", host[7], 29);
    CHECK(cudaGraphNodeSetEnabled(exec, clear, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    expect("without the memset", host[7], 57);
    expect("host calls", counter.calls, 4);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(child));
    CHECK(cudaGraphDestroy(graph));
}

// Memory that exists while the graph runs.
static void memory(float *x, float *host) {
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *t;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMallocAsync(&t, n * sizeof(float), s));
    CHECK(cudaMemsetAsync(t, 0, n * sizeof(float), s));
    axpy<<<grid, block, 0, s>>>(t, x, 6.0f, n);
    CHECK(cudaMemcpyAsync(host, t, n * sizeof(float), cudaMemcpyDeviceToHost, s));
    CHECK(cudaFreeAsync(t, s));
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    expect("graph memory", host[9], 54);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s));
}

static void wrongCaptures(float *x) {
    cudaStream_t a, b;
    cudaEvent_t event;
    cudaGraph_t graph;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaEventCreate(&event));
    expect("capture of stream 0", cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal),
           cudaErrorStreamCaptureUnsupported);
    expect("end without begin", cudaStreamEndCapture(a, &graph), cudaErrorIllegalState);

    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    expect("wait for a capturing stream", cudaStreamSynchronize(a), cudaErrorStreamCaptureUnsupported);
    expect("the capture is lost", cudaStreamEndCapture(a, &graph), cudaErrorStreamCaptureInvalidated);

    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    axpy<<<grid, block, 0, b>>>(x, x, 0.0f, 0);
    expect("end in the other stream", cudaStreamEndCapture(b, &graph), cudaErrorStreamCaptureUnmatched);
    expect("which invalidates it", cudaStreamEndCapture(a, &graph), cudaErrorStreamCaptureInvalidated);

    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    axpy<<<grid, block, 0, b>>>(x, x, 0.0f, 0);
    expect("work not joined", cudaStreamEndCapture(a, &graph), cudaErrorStreamCaptureUnjoined);
    cudaGetLastError();
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

int main() {
    std::vector<float> values(n);
    for (int i = 0; i < n; i++) values[i] = i;
    float *x = toDevice(values), *y = toDevice(values), *z = toDevice(values), *host;
    CHECK(cudaMallocHost(&host, n * sizeof(float)));
    captured(x, y, z, host);
    built(x, y, host);
    memory(x, host);
    wrongCaptures(x);
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
    printf("graphs: %s\n", wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
