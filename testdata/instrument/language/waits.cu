// Every way to wait, none of which an instrumented program may make a hang: named
// barriers, threads that have gone, barriers in branches that all or no threads of
// a block take, barriers of warps, cooperative groups, a great number of barriers.

#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

const int THREADS = 96;

#define BARRIER_AND(x) (__syncthreads(), (x))

__device__ void meet() { __syncthreads(); }
__device__ bool meetIf(bool here) {
    if (here) meet();
    return here;
}

// gone: some threads leave at the start, some in a loop, the rest continues.
__global__ void gone(int *out, int n) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    if (t >= n) return;
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        if (t >= 32 && i == 2) return;
        int v = s[t ^ 1];
        __syncthreads();
        s[t] = v + 1;
        if (!meetIf(n > 0)) return;
    }
    out[t] = s[t ^ 1];
}

// branches: barriers in parts that a whole block takes or leaves.
__global__ void branches(int *out, int n) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, i = 0;
    s[t] = t;
    if (blockIdx.x == 1) {
        __syncthreads();
        s[t] += s[t] > 3 ? 1 : 0;
    } else if (blockIdx.x == 2 && BARRIER_AND(n > 1)) {
        meet();
    }
    do {
        s[t] += i;
        switch (i % 3) {
        case 1: __syncthreads(); break;
        case 2: meetIf(true); break;
        default: if (n < 0) return;
        }
    } while (__syncthreads_or(++i < n));
    for (int k = __syncthreads_count(t < 40); k > 37; k--) meet();
    if (t == 0 && n > 100) goto out;
    __syncthreads();
    out[blockIdx.x * THREADS + t] = s[(t + 1) % THREADS] + __syncthreads_and(t < n);
    return;
out:
    out[0] = -1;
}

// named: two halves wait for each other by a barrier of their own.
__global__ void named(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 64) return;
    if (t < 32) {
        s[t] = t;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[t] = s[t + 32];
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        s[t] = s[t - 32] * 2;
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
}

// assembly: the block's barrier in assembly, and as an intrinsic with a number.
__global__ void assembly(int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t * 2;
    asm volatile("bar.sync 0;" ::: "memory");
    int v = s[(t + 40) % THREADS];
    asm("barrier.sync.aligned 0;" ::: "memory");
    s[t] = v;
    __syncthreads();
    out[t] = s[(t + 50) % THREADS];
}

// warps: barriers of warps and of parts of them, in a loop that lanes leave.
__global__ void warps(int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, lane = t % 32;
    s[t] = t;
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
        if (lane >= step) break;
        s[t] += s[t + step];
        __syncwarp((1u << step) - 1);
    }
    __syncthreads();
    if (t < 3) out[t] = s[t * 32];
    __syncthreads();
    if (lane % 2) return;
    unsigned mask = __activemask();
    s[t] = __shfl_sync(mask, s[t], 0);
    __syncwarp(mask);
    if (t == 64) out[3] = s[t];
}

__global__ void groups(int *out) {
    __shared__ int s[THREADS];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    s[t] = t;
    block.sync();
    int v = s[(t + 32) % THREADS];
    cg::sync(block);
    if (tile.meta_group_rank() < 2) {
        s[t] = v;
        tile.sync();
        v += s[t ^ 3];
        auto few = cg::coalesced_threads();
        few.sync();
    }
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    cg::this_thread_block().sync();
    out[t] = v;
}

// many has more intervals than a stamp of 16 bits can tell.
__global__ void many(int *out, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (i % 32 == t) s[t] = i;
        __syncthreads();
        if (i % 4096 == 4095) out[t] += s[31 - t];
        if (i % 4096 == 4095) __syncthreads();
    }
}

__global__ void one(int *out) {
    __shared__ int s;
    s = *out;
    __syncthreads();
    *out = s + 1;
}

// racing comes when the stamps have begun again.
__global__ void racing(int *out) {
    __shared__ int s[THREADS];
    s[threadIdx.x] = 1;
    out[threadIdx.x] = s[(threadIdx.x + 50) % THREADS];
}

static void show(const char *name, int *out, int n) {
    cudaError_t e = cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 31 % 1000003 + out[i], out[i] = 0;
    printf("%s: %lld, %s\n", name, sum, cudaGetErrorString(e));
}

int main() {
    int *out;
    cudaMallocManaged(&out, 4 * THREADS * sizeof(int));
    gone<<<1, THREADS>>>(out, 64);
    show("gone", out, 64);
    gone<<<1, THREADS>>>(out, 0);
    show("all gone", out, 64);
    branches<<<3, THREADS>>>(out, 5);
    show("branches", out, 3 * THREADS);
    named<<<1, THREADS>>>(out);
    show("named", out, 32);
    assembly<<<1, THREADS>>>(out);
    show("assembly", out, THREADS);
    warps<<<1, THREADS>>>(out);
    show("warps", out, 4);
    groups<<<1, THREADS>>>(out);
    show("groups", out, THREADS);
    many<<<1, 32>>>(out, 70000);
    show("many", out, 32);
    one<<<1, 1>>>(out);
    show("one", out, 1);
    racing<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
}
