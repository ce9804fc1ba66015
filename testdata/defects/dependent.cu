// Programmatic dependent launches: a kernel may begin before the one before it in its stream ends.
// flags: --arch sm_90
// clean: waits waits_after plain other_data syncs leader warp_leader chain_of_waits after_all host_waits event_waits graph_waits edge_waits
#include <cstdio>
#include <cstring>

__global__ void produce(int *a) {
    cudaTriggerProgrammaticLaunchCompletion();
    a[threadIdx.x] = threadIdx.x;
}

__global__ void waits(const int *a, int *b) {
    int own = threadIdx.x;
    cudaGridDependencySynchronize();
    b[threadIdx.x] = a[threadIdx.x] + own;
}

__global__ void never(const int *a, int *b) {
    b[threadIdx.x] = a[threadIdx.x];  // want(never) race RAW // want(event) race RAW // want(graph) race RAW // want(edge) race RAW
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

static void edge(void (*kernel)(const int *, int *), int *a, int *b) {
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
    data.from_port = cudaGraphKernelNodePortProgrammatic;
    data.type = cudaGraphDependencyTypeProgrammatic;
    if (cudaGraphAddDependencies_v2(g, &first, &second, &data, 1)) printf("no edge\n");
    if (cudaGraphInstantiate(&exec, g, 0)) printf("no graph\n");
    cudaGraphLaunch(exec, s);
}

int main(int, char **argv) {
    const char *name = argv[1];
    auto is = [&](const char *k) { return !strcmp(name, k); };
    int *a, *b, *c;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    cudaMalloc(&c, 256);
    cudaMemset(a, 0, 256);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaDeviceSynchronize();

    bool graph = is("graph") || is("graph_waits");
    if (graph) cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    if (is("edge")) edge(never, a, b);
    else if (is("edge_waits")) edge(waits, a, b);
    else if (is("event") || is("event_waits")) {
        cudaEvent_t e;
        cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        cudaLaunchAttribute attr;
        cudaLaunchConfig_t cfg = config(&attr);
        attr.id = cudaLaunchAttributeProgrammaticEvent;
        attr.val.programmaticEvent.event = e;
        attr.val.programmaticEvent.flags = 0;
        attr.val.programmaticEvent.triggerAtBlockStart = 0;
        cudaLaunchKernelEx(&cfg, produce, a);
        cudaStreamWaitEvent(t, e, 0);
        if (is("event")) never<<<1, 64, 0, t>>>(a, b);
        else waits<<<1, 64, 0, t>>>(a, b);
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
    if (graph) {
        cudaGraph_t g;
        cudaGraphExec_t exec;
        cudaStreamEndCapture(s, &g);
        cudaGraphInstantiate(&exec, g, 0);
        cudaGraphLaunch(exec, s);
    }
    if (cudaDeviceSynchronize()) printf("failed\n");
}
