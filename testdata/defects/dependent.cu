// Programmatic dependent launches: a kernel may begin before the one before it in its stream ends.
// flags: --arch sm_90
// clean: waits waits_after plain other_data syncs leader warp_leader chain_of_waits after_all host_waits event_waits graph_waits edge_waits start_event_waits start_edge_waits start_graph_waits begun_before begun_plain memset_chain copy_chain alloc_chain
#include <cstdio>
#include <cstring>

__global__ void produce(int *a) {
    cudaTriggerProgrammaticLaunchCompletion();
    a[threadIdx.x] = threadIdx.x;
}

__global__ void waits(const int *a, int *b) {
    int own = threadIdx.x;
    cudaGridDependencySynchronize();
    b[threadIdx.x] = a[threadIdx.x] + own;  // want(begun_event) race RAW // want(begun_edge) race RAW // want(begun_graph) race RAW
}

__global__ void never(const int *a, int *b) {
    b[threadIdx.x] = a[threadIdx.x];  // want(never) race RAW // want(event) race RAW // want(graph) race RAW // want(edge) race RAW // want(start_event) race RAW // want(start_edge) race RAW // want(start_graph) race RAW
}

__global__ void late(const int *a, int *b) {
    int v = a[threadIdx.x];  // want(late) race RAW
    cudaGridDependencySynchronize();
    b[threadIdx.x] = v;
}

__global__ void early_write(int *a, int *b) {
    a[threadIdx.x] = 0;  // want(early_write) race WAW
    cudaGridDependencySynchronize();
    b[threadIdx.x] = a[threadIdx.x];
}

__global__ void some_wait(const int *a, int *b) {
    if (threadIdx.x < 32) cudaGridDependencySynchronize();
    b[threadIdx.x] = a[threadIdx.x];  // want(some_wait) race RAW
}

__global__ void leader(const int *a, int *b) {
    if (threadIdx.x == 0) cudaGridDependencySynchronize();
    __syncthreads();
    b[threadIdx.x] = a[threadIdx.x];
}

__global__ void warp_leader(const int *a, int *b) {
    if (threadIdx.x % 32 == 0) cudaGridDependencySynchronize();
    __syncwarp();
    b[threadIdx.x] = a[threadIdx.x];
}

// The same for two buffers.
__global__ void other_data(const int *c, int *b) {
    if (c != nullptr) b[threadIdx.x] = 1;
}

// Touches other memory than its neighbors, and does not wait.
__global__ void other(int *c) { c[threadIdx.x] = 1; }

__global__ void other_waits(int *c) {
    cudaGridDependencySynchronize();
    c[threadIdx.x] = 1;
}

// Waits after it has let the next one begin.
__global__ void other_waits_last(int *c) {
    cudaTriggerProgrammaticLaunchCompletion();
    c[threadIdx.x] = 1;
    cudaGridDependencySynchronize();
}

__global__ void third(const int *a, int *b) {
    cudaGridDependencySynchronize();
    b[threadIdx.x] = a[threadIdx.x];  // want(chain) race RAW
}

__global__ void third_early(const int *a, int *b) {
    b[threadIdx.x] = a[threadIdx.x];  // want(chain_early) race RAW
    cudaGridDependencySynchronize();
}

// Reads what the first of two dependent launches has written, and lets the next one begin at once.
__global__ void triggers(int *a) {
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    a[threadIdx.x] += threadIdx.x;
}

__global__ void reads(const int *a, int *b) {
    b[threadIdx.x] = a[63 - threadIdx.x];  // want(memset_reads) race RAW // want(alloc_reads) race RAW
}

__global__ void waits_then_reads(const int *a, int *b) {
    cudaGridDependencySynchronize();
    b[threadIdx.x] = a[63 - threadIdx.x];
}

static cudaStream_t s, t;

static cudaLaunchConfig_t config(cudaLaunchAttribute *attr, cudaStream_t stream = s) {
    attr->id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attr->val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = 1;
    c.blockDim = 64;
    c.stream = stream;
    c.attrs = attr;
    c.numAttrs = 1;
    return c;
}

template <class... P, class... A> static void dependent(void (*kernel)(P...), A... args) {
    cudaLaunchAttribute attr;
    cudaLaunchConfig_t c = config(&attr);
    cudaLaunchKernelEx(&c, kernel, args...);
}

static void edge(void (*kernel)(const int *, int *), int *a, int *b, cudaGraphDependencyType type = cudaGraphDependencyTypeProgrammatic,
                 unsigned char port = cudaGraphKernelNodePortProgrammatic) {
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, second;
    void *args1[] = {&a}, *args2[] = {&a, &b};
    cudaKernelNodeParams p1 = {}, p2 = {};
    p1.func = (void *)produce;
    p2.func = (void *)kernel;
    p1.gridDim = p2.gridDim = 1;
    p1.blockDim = p2.blockDim = 64;
    p1.kernelParams = args1;
    p2.kernelParams = args2;
    cudaGraphCreate(&g, 0);
    cudaGraphAddKernelNode(&first, g, nullptr, 0, &p1);
    cudaGraphAddKernelNode(&second, g, nullptr, 0, &p2);
    cudaGraphEdgeData data = {};
    data.from_port = port;
    data.type = type;
    if (cudaGraphAddDependencies_v2(g, &first, &second, &data, 1)) printf("no edge\n");
    cudaGraphEdgeData had = {};
    size_t n = 1;
    if (cudaGraphNodeGetDependencies_v2(second, &first, &had, &n) || memcmp(&had, &data, sizeof had)) printf("another edge\n");
    if (cudaGraphInstantiate(&exec, g, 0)) printf("no graph\n");
    cudaGraphLaunch(exec, s);
}

// The kernel of the first stream lets the second one begin by an event of its launch.
static void by_event(void (*kernel)(const int *, int *), cudaLaunchAttributeID id, int at_start, int *a, const int *read, int *b) {
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaLaunchAttribute attr;
    cudaLaunchConfig_t cfg = config(&attr);
    attr.id = id;
    if (id == cudaLaunchAttributeProgrammaticEvent) attr.val.programmaticEvent = {e, 0, at_start};
    else attr.val.launchCompletionEvent = {e, 0};
    cudaLaunchKernelEx(&cfg, produce, a);
    cudaStreamWaitEvent(t, e, 0);
    kernel<<<1, 64, 0, t>>>(read, b);
}

int main(int, char **argv) {
    const char *name = argv[1];
    constexpr auto programmatic = cudaLaunchAttributeProgrammaticEvent, completion = cudaLaunchAttributeLaunchCompletionEvent;
    constexpr unsigned char begun = cudaGraphKernelNodePortLaunchCompletion;
    auto is = [&](const char *k) { return !strcmp(name, k); };
    int *a, *b, *c;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    cudaMalloc(&c, 256);
    cudaMemset(a, 0, 256);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaDeviceSynchronize();

    // What is not a kernel comes before the first dependent launch of the program.
    const bool alloc = is("alloc_chain") || is("alloc_reads");
    if (alloc || is("memset_chain") || is("memset_reads") || is("copy_chain")) {
        int *y = a;
        if (alloc) cudaMallocAsync(&y, 256, s);
        if (is("copy_chain")) cudaMemcpyAsync(y, c, 0, cudaMemcpyDeviceToDevice, s), cudaMemcpyAsync(y, a + 32, 128, cudaMemcpyDeviceToDevice, s);
        else cudaMemsetAsync(y, 0, 256, s);
        dependent(triggers, y);
        if (is("memset_reads") || is("alloc_reads")) dependent(reads, y, b);
        else dependent(waits_then_reads, y, b);
        if (cudaDeviceSynchronize()) printf("failed\n");
        return 0;
    }

    const bool joins = is("start_graph") || is("start_graph_waits") || is("begun_graph");
    const bool graph = is("graph") || is("graph_waits") || joins;
    if (graph) cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    if (is("edge")) edge(never, a, b);
    else if (is("edge_waits")) edge(waits, a, b);
    else if (is("start_edge")) edge(never, a, b, cudaGraphDependencyTypeProgrammatic, begun);
    else if (is("start_edge_waits")) edge(waits, a, b, cudaGraphDependencyTypeProgrammatic, begun);
    else if (is("begun_edge")) edge(waits, a, b, cudaGraphDependencyTypeDefault, begun);
    else if (is("event")) by_event(never, programmatic, 0, a, a, b);
    else if (is("event_waits")) by_event(waits, programmatic, 0, a, a, b);
    else if (is("start_event") || is("start_graph")) by_event(never, programmatic, 1, a, a, b);
    else if (is("start_event_waits") || is("start_graph_waits")) by_event(waits, programmatic, 1, a, a, b);
    else if (is("begun_event") || is("begun_graph")) by_event(waits, completion, 0, a, a, b);
    else if (is("begun_before")) {
        other<<<1, 64, 0, s>>>(c); // what comes before the launch is done when it begins
        by_event(never, completion, 0, a, c, b);
    } else if (is("begun_plain")) {
        by_event(other_data, completion, 0, a, c, b);
        cudaDeviceSynchronize();
    } else {
        produce<<<1, 64, 0, s>>>(a);
    }
    if (is("waits") || is("graph_waits")) dependent(waits, a, b);
    if (is("never") || is("graph")) dependent(never, a, b);
    if (is("late")) dependent(late, a, b);
    if (is("early_write")) dependent(early_write, a, b);
    if (is("some_wait")) dependent(some_wait, a, b);
    if (is("leader")) dependent(leader, a, b);
    if (is("warp_leader")) dependent(warp_leader, a, b);
    if (is("other_data")) dependent(other, c);
    if (is("plain")) never<<<1, 64, 0, s>>>(a, b);
    if (is("waits_after")) { never<<<1, 64, 0, s>>>(a, b); dependent(waits, a, c); }
    if (is("host_waits")) { cudaStreamSynchronize(s); dependent(never, a, b); }
    if (is("chain")) { dependent(other, c); dependent(third, a, b); }
    if (is("chain_of_waits")) { dependent(other_waits, c); dependent(third, a, b); }
    if (is("chain_early")) { dependent(other_waits_last, c); dependent(third_early, a, b); }
    if (is("after_all")) { dependent(other, c); never<<<1, 64, 0, s>>>(a, b); }
    if (is("syncs")) { dependent(other, c); cudaDeviceSynchronize(); dependent(third_early, a, b); }
    if (joins) {
        cudaEvent_t e;
        cudaEventCreate(&e);
        cudaEventRecord(e, t);
        cudaStreamWaitEvent(s, e, 0);
    }
    if (graph) {
        cudaGraph_t g;
        cudaGraphExec_t exec;
        cudaStreamEndCapture(s, &g);
        cudaGraphInstantiate(&exec, g, 0);
        cudaGraphLaunch(exec, s);
    }
    if (cudaDeviceSynchronize()) printf("failed\n");
}
