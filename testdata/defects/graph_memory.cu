// Memory that graphs allocate: it is there from the allocation node of a launch until a node, another graph
// or the host frees it, and the next launch begins with new memory at the same address.
// clean: nodes captured branches freed_in_stream freed_by_host auto_free not_freed second_graph graph_gone driver
// default order: unordered_free
#include <cstdio>
#include <cstring>
#include <cuda.h>

__global__ void fill(float *p) { p[threadIdx.x] = threadIdx.x; }  // want(captured_after_free) memory out-of-bounds

__global__ void use(float *p, float *out) { out[threadIdx.x] = p[threadIdx.x] + 1; }  // want(node_after_free) memory out-of-bounds // want(after_launch) memory out-of-bounds // want(before_launch) memory out-of-bounds // want(graph_freed) memory out-of-bounds // want(unordered_graph) race RAW // want(unordered_graph) race RAW

// Fills in the first launch only.
__global__ void fill_once(float *p, int *done) {
    if (*done == 0) p[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) *done = 1;
}

__global__ void show(float *p, float *out) {
    if (p[threadIdx.x] > 0) out[threadIdx.x] = 1;  // want(earlier_launch) init global
}

static cudaStream_t s, t;
static cudaGraph_t g;
static cudaGraphExec_t x;
static float *buf, *out;

template <class F> static cudaGraphNode_t kernel(F *f, cudaGraphNode_t *from, int n, void **args) {
    cudaKernelNodeParams p = {};
    p.func = (void *)f;
    p.gridDim = 1;
    p.blockDim = 64;
    p.kernelParams = args;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, g, from, n, &p);
    return node;
}

static cudaGraphNode_t alloc(float **p) {
    cudaMemAllocNodeParams a = {};
    a.poolProps.allocType = cudaMemAllocationTypePinned;
    a.poolProps.location = {cudaMemLocationTypeDevice, 0};
    a.bytesize = 256;
    cudaGraphNode_t node;
    cudaGraphAddMemAllocNode(&node, g, nullptr, 0, &a);
    *p = (float *)a.dptr;
    return node;
}

static void launch(cudaStream_t stream = s, unsigned long long flags = 0) {
    if (!x) cudaGraphInstantiate(&x, g, flags);
    if (cudaGraphLaunch(x, stream)) printf("not launched\n");
}

// Nodes that are made one by one. after: the second kernel comes after the free. apart: the free depends on nothing
// but the allocation.
static void nodes(bool after, bool apart) {
    void *a1[] = {&buf}, *a2[] = {&buf, &out};
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t begin = alloc(&buf), end, first = kernel(fill, &begin, 1, a1), second;
    if (!after) second = kernel(use, &first, 1, a2);
    cudaGraphAddMemFreeNode(&end, g, apart ? &begin : after ? &first : &second, 1, buf);  // want(unordered_free) race WAR // want(unordered_free) race WAW
    if (after) kernel(use, &end, 1, a2);
    launch();
    launch();
}

static void capture() { cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal); }
static void captured() { cudaStreamEndCapture(s, &g); }

// A graph that allocates, and leaves the free to others.
static void allocates(unsigned long long flags = 0) {
    capture();
    cudaMallocAsync(&buf, 256, s);
    fill<<<1, 64, 0, s>>>(buf);
    captured();
    launch(s, flags);
}

static void wait_for(cudaStream_t one, cudaStream_t other) {
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventRecord(e, other);
    cudaStreamWaitEvent(one, e, 0);
}

static void branches() {
    capture();
    cudaMallocAsync(&buf, 256, s);
    wait_for(t, s);
    fill<<<1, 64, 0, t>>>(buf);
    fill<<<1, 64, 0, s>>>(out);
    wait_for(s, t);
    use<<<1, 64, 0, s>>>(buf, out);
    cudaFreeAsync(buf, s);
    captured();
    launch();
    launch();
}

static void driver() {
    CUgraph graph;
    CUgraphExec exec;
    cuGraphCreate(&graph, 0);
    CUDA_MEM_ALLOC_NODE_PARAMS a = {};
    a.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    a.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    a.bytesize = 256;
    CUgraphNode begin, set, end;
    cuGraphAddMemAllocNode(&begin, graph, nullptr, 0, &a);
    CUDA_MEMSET_NODE_PARAMS m = {};
    m.dst = a.dptr, m.elementSize = 4, m.width = 64, m.height = 1;
    CUcontext c;
    cuCtxGetCurrent(&c);
    cuGraphAddMemsetNode(&set, graph, &begin, 1, &m, c);
    cuGraphAddMemFreeNode(&end, graph, &set, 1, a.dptr);
    cuGraphInstantiate(&exec, graph, 0);
    cuGraphLaunch(exec, s);
    cuGraphLaunch(exec, s);
    fill<<<1, 64, 0, s>>>(out);
}

// A second graph uses the memory and frees it.
static cudaGraphExec_t frees() {
    cudaGraph_t h;
    cudaGraphExec_t second;
    capture();
    use<<<1, 64, 0, s>>>(buf, out);
    cudaFreeAsync(buf, s);  // want(unordered_graph) race WAW // want(unordered_graph) race WAW
    cudaStreamEndCapture(s, &h);
    cudaGraphInstantiate(&second, h, 0);
    return second;
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&out, 256);
    if (is("nodes")) nodes(false, false);
    if (is("node_after_free")) nodes(true, false);
    if (is("unordered_free")) nodes(false, true);
    if (is("branches")) branches();
    if (is("driver")) driver();
    if (is("captured") || is("captured_after_free") || is("after_launch")) {
        capture();
        cudaMallocAsync(&buf, 256, s);
        if (is("captured_after_free")) cudaFreeAsync(buf, s);
        fill<<<1, 64, 0, s>>>(buf);
        if (!is("captured_after_free")) cudaFreeAsync(buf, s);
        captured();
        launch();
        launch();
        if (is("after_launch")) use<<<1, 64, 0, s>>>(buf, out);
    }
    if (is("before_launch")) {
        capture();
        cudaMallocAsync(&buf, 256, s);
        captured();
        use<<<1, 64, 0, s>>>(buf, out);
    }
    if (is("freed_in_stream") || is("freed_elsewhere")) {
        allocates();
        use<<<1, 64, 0, s>>>(buf, out);
        cudaFreeAsync(buf, is("freed_elsewhere") ? t : s);  // want(freed_elsewhere) race WAR // want(freed_elsewhere) race WAW // want(freed_elsewhere) race WAW
        wait_for(s, t);
        launch();
    }
    if (is("freed_by_host") || is("freed_twice")) {
        allocates();
        cudaStreamSynchronize(s);
        cudaFree(buf);
        if (is("freed_twice")) cudaFree(buf);  // want(freed_twice) memory double-free
        launch();
    }
    if (is("auto_free")) {
        allocates(cudaGraphInstantiateFlagAutoFreeOnLaunch);
        use<<<1, 64, 0, s>>>(buf, out);
        launch();
        use<<<1, 64, 0, s>>>(buf, out);
    }
    if (is("not_freed")) {
        allocates();
        if (cudaGraphLaunch(x, s) != cudaErrorInvalidValue) printf("launched\n");
    }
    if (is("second_graph") || is("unordered_graph") || is("graph_gone") || is("graph_freed")) {
        allocates();
        cudaGraphExec_t second = frees();
        if (is("graph_gone")) cudaGraphExecDestroy(x), cudaGraphDestroy(g);
        cudaGraphLaunch(second, is("unordered_graph") ? t : s);
        if (is("second_graph")) {
            launch();
            cudaGraphLaunch(second, s);
        }
        if (is("graph_freed")) {
            cudaStreamSynchronize(s);
            cudaGraphExecDestroy(x), cudaGraphDestroy(g);
            use<<<1, 64, 0, s>>>(buf, out);
        }
    }
    if (is("earlier_launch")) {
        int *done;
        cudaMalloc(&done, 4);
        cudaMemset(done, 0, 4);
        cudaDeviceSynchronize();
        capture();
        cudaMallocAsync(&buf, 256, s);
        fill_once<<<1, 64, 0, s>>>(buf, done);
        show<<<1, 64, 0, s>>>(buf, out);
        cudaFreeAsync(buf, s);
        captured();
        launch();
        launch();
    }
    cudaDeviceSynchronize();
}
