// Kernels with programmatic dependent launch as libraries have had them: what a wait misses, and where it belongs.
// flags: --arch sm_90
// clean: grouped_fixed shapes_fixed merge_fixed hadamard_fixed loads_fixed reuse_fixed cluster_fixed captured_fixed trigger_late serial prologue
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <vector>
namespace cg = cooperative_groups;

__device__ void wait_for_grids() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__device__ void launch_dependents() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

// Fills the arrays of pointers and of shapes of a grouped product.
__global__ void set_up(float **pointers, int *shapes, float *data) {
    launch_dependents();
    pointers[threadIdx.x] = data + 64 * threadIdx.x;
    shapes[threadIdx.x] = 16;
}
// A grouped product whose warps have tasks: the first loads, the second computes.
template <bool WAIT> __global__ void grouped(float **pointers, const int *shapes, float *out) {
    __shared__ float tile[64];
    if (WAIT) wait_for_grids();
    if (threadIdx.x < 32) {
        const float *p = pointers[blockIdx.x];  // want(grouped) race RAW
        tile[threadIdx.x] = p ? 1.0f : 0.0f;
        tile[threadIdx.x + 32] = (float)shapes[blockIdx.x];  // want(grouped) race RAW
    }
    __syncthreads();
    if (threadIdx.x >= 32) out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x - 32] * tile[threadIdx.x];
}
// The scheduler reads the first shape as it is made, before the wait.
struct Scheduler {
    int first;
    __device__ explicit Scheduler(const int *shapes) : first(shapes[0]) {}  // want(shapes) race RAW
};
template <bool EARLY> __global__ void scheduled(const int *shapes, float *out) {
    if (!EARLY) wait_for_grids();
    Scheduler s(shapes);
    if (EARLY) wait_for_grids();
    out[threadIdx.x] = (float)(s.first + shapes[1 + threadIdx.x % 8]);
}
// A merge: the partitions of one kernel bound the tiles of the next one.
__global__ void partition(int *bounds, int n) {
    wait_for_grids();
    if (threadIdx.x <= n) bounds[threadIdx.x] = threadIdx.x * 32;
}
template <bool EARLY> __global__ void merge(const int *bounds, const int *in, int *out) {
    if (!EARLY) wait_for_grids();
    int begin = bounds[blockIdx.x];  // want(merge) race RAW
    int end = bounds[blockIdx.x + 1];  // want(merge) race RAW
    if (EARLY) wait_for_grids();
    if (begin + (int)threadIdx.x < end) out[begin + threadIdx.x] = in[begin + threadIdx.x];
}
// One kernel of a chain lacks the wait that all others have.
__global__ void scale(const float *in, float *out) {
    wait_for_grids();
    launch_dependents();
    out[threadIdx.x] = 2 * in[threadIdx.x];
}
template <bool WAIT> __global__ void hadamard(const float *in, float *out) {
    if (WAIT) wait_for_grids();
    float x = in[threadIdx.x], y = in[threadIdx.x ^ 1];  // want(hadamard) race RAW // want(hadamard) race RAW
    launch_dependents();
    out[threadIdx.x] = threadIdx.x & 1 ? y - x : x + y;
}
// Only the warp that loads the activations waits; weights and the scale are loaded by others.
template <bool ALL> __global__ void loads(const float *activations, const float *scales, float *out) {
    __shared__ float a[32];
    if (ALL || threadIdx.x < 32) wait_for_grids();
    if (threadIdx.x < 32) a[threadIdx.x] = activations[threadIdx.x];
    float s = threadIdx.x >= 32 ? scales[threadIdx.x - 32] : 0;  // want(loads) race RAW
    __syncthreads();
    if (threadIdx.x >= 32) out[threadIdx.x] = a[threadIdx.x - 32] * s;
}
// Overwrites what the kernel before it still reads.
template <bool EARLY> __global__ void reuse(float *scratch) {
    if (!EARLY) wait_for_grids();
    scratch[threadIdx.x] = 0;  // want(reuse) race WAR
    if (EARLY) wait_for_grids();
}
// Prefetches what no kernel writes, and prepares shared memory, before it waits.
__global__ void prologue(const float *weights, const float *in, float *out) {
    __shared__ float w[64];
    w[threadIdx.x] = weights[threadIdx.x];
    __syncthreads();
    wait_for_grids();
    out[threadIdx.x] = in[threadIdx.x] * w[63 - threadIdx.x];
}
// In clusters: one block waits for all of its cluster.
template <bool SYNC> __global__ void in_cluster(const float *in, float *out) {
    cg::cluster_group c = cg::this_cluster();
    if (SYNC || c.block_rank() == 0) wait_for_grids();
    c.sync();
    out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];  // want(cluster) race RAW
}
// The trigger comes after the writes, which makes them no more visible.
__global__ void trigger_last(float *out) {
    out[threadIdx.x] = 1;
    __threadfence();
    launch_dependents();
}
__global__ void never_waits(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }  // want(trigger_last) race RAW // want(implicit) race RAW
__global__ void untriggered(float *out) { out[threadIdx.x] = 1; }

static cudaStream_t stream;

template <class... P, class... A> static void overlapped(void (*kernel)(P...), int blocks, int cluster, A... args) {
    cudaLaunchAttribute attrs[2];
    attrs[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attrs[0].val.programmaticStreamSerializationAllowed = 1;
    attrs[1].id = cudaLaunchAttributeClusterDimension;
    attrs[1].val.clusterDim.x = cluster;
    attrs[1].val.clusterDim.y = attrs[1].val.clusterDim.z = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = blocks;
    c.blockDim = 64;
    c.stream = stream;
    c.attrs = attrs;
    c.numAttrs = cluster > 1 ? 2 : 1;
    if (cudaLaunchKernelEx(&c, kernel, args...)) printf("failed\n");
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    float *a, *b, *c, **pointers;
    int *n, *m;
    cudaMalloc(&a, 65536);
    cudaMalloc(&b, 65536);
    cudaMalloc(&c, 65536);
    cudaMalloc(&pointers, 64 * sizeof *pointers);
    cudaMalloc(&n, 1024);
    cudaMalloc(&m, 1024);
    for (float *p : {a, b, c}) cudaMemset(p, 0, 65536);
    cudaMemset(pointers, 0, 64 * sizeof *pointers);
    cudaMemset(n, 0, 1024);
    cudaMemset(m, 0, 1024);
    cudaStreamCreate(&stream);
    cudaDeviceSynchronize();
    if (is("grouped") || is("grouped_fixed")) {
        set_up<<<1, 64, 0, stream>>>(pointers, n, a);
        if (is("grouped")) overlapped(grouped<false>, 2, 1, pointers, (const int *)n, b);
        else overlapped(grouped<true>, 2, 1, pointers, (const int *)n, b);
    }
    if (is("shapes") || is("shapes_fixed")) {
        set_up<<<1, 64, 0, stream>>>(pointers, n, a);
        if (is("shapes")) overlapped(scheduled<true>, 1, 1, (const int *)n, b);
        else overlapped(scheduled<false>, 1, 1, (const int *)n, b);
    }
    if (is("merge") || is("merge_fixed")) {
        overlapped(partition, 1, 1, n, 2);
        if (is("merge")) overlapped(merge<true>, 2, 1, (const int *)n, (const int *)m, m + 128);
        else overlapped(merge<false>, 2, 1, (const int *)n, (const int *)m, m + 128);
    }
    if (is("hadamard") || is("hadamard_fixed")) {
        overlapped(scale, 1, 1, (const float *)a, b);
        if (is("hadamard")) overlapped(hadamard<false>, 1, 1, (const float *)b, c);
        else overlapped(hadamard<true>, 1, 1, (const float *)b, c);
        overlapped(scale, 1, 1, (const float *)c, a + 64);
    }
    if (is("loads") || is("loads_fixed")) {
        overlapped(scale, 1, 1, (const float *)a, b);
        if (is("loads")) overlapped(loads<false>, 1, 1, (const float *)b, (const float *)b, c);
        else overlapped(loads<true>, 1, 1, (const float *)b, (const float *)b, c);
    }
    if (is("reuse") || is("reuse_fixed")) {
        overlapped(scale, 1, 1, (const float *)a, b);
        if (is("reuse")) overlapped(reuse<true>, 1, 1, a);
        else overlapped(reuse<false>, 1, 1, a);
    }
    if (is("cluster") || is("cluster_fixed")) {
        overlapped(scale, 1, 1, (const float *)a, b);
        if (is("cluster")) overlapped(in_cluster<false>, 2, 2, (const float *)b, c);
        else overlapped(in_cluster<true>, 2, 2, (const float *)b, c);
    }
    if (is("trigger_last")) {
        trigger_last<<<1, 64, 0, stream>>>(a);
        overlapped(never_waits, 1, 1, (const float *)a, b);
    }
    if (is("implicit")) {
        untriggered<<<1, 64, 0, stream>>>(a);
        overlapped(never_waits, 1, 1, (const float *)a, b);
    }
    if (is("trigger_late")) {
        trigger_last<<<1, 64, 0, stream>>>(a);
        overlapped(scale, 1, 1, (const float *)a, b);
    }
    if (is("serial")) {
        trigger_last<<<1, 64, 0, stream>>>(a);
        never_waits<<<1, 64, 0, stream>>>(a, b);
    }
    if (is("prologue")) {
        overlapped(scale, 1, 1, (const float *)a, b);
        overlapped(prologue, 1, 1, (const float *)(c + 64), (const float *)b, c);
    }
    if (is("captured_fixed")) {
        cudaGraph_t g;
        cudaGraphExec_t exec;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        overlapped(scale, 1, 1, (const float *)a, b);
        overlapped(hadamard<true>, 1, 1, (const float *)b, c);
        overlapped(scale, 1, 1, (const float *)c, a);
        cudaStreamEndCapture(stream, &g);
        cudaGraphInstantiate(&exec, g, 0);
        for (int i = 0; i < 2; i++) cudaGraphLaunch(exec, stream);
    }
    if (cudaDeviceSynchronize()) printf("failed\n");
}
