// The sum of an array in six ways, from the tree that every tutorial starts
// with to warp shuffles and atomics. All of them are correct on GPUs whose
// lanes progress independently (sm_70 and later).
//
// With -D VOLATILE_WARP the last-warp kernel drops its __syncwarp calls and
// relies on volatile and lockstep, as code from before sm_70 does: a data race
// today.

#include "../check.h"

const int BLOCK = 256;

// sumInterleaved pairs neighbors first: strided shared accesses, and
// bank conflicts that grow with the stride.
__global__ void sumInterleaved(const int *in, int *out, int n) {
    __shared__ int s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        int at = 2 * stride * t;
        if (at < blockDim.x) s[at] += s[at + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// sumSequential pairs halves: neighboring threads, neighboring words.
__global__ void sumSequential(const int *in, int *out, int n) {
    __shared__ int s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

#ifdef VOLATILE_WARP
__device__ void sumWarp(volatile int *s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}
#else
__device__ void sumWarp(int *s, int t) {
    int sum = s[t];
    for (int stride = 32; stride > 0; stride /= 2) {
        sum += s[t + stride];
        __syncwarp();
        s[t] = sum;
        __syncwarp();
    }
}
#endif

// sumUnrolled stops the block-wide tree at 64 and leaves the rest to one warp.
__global__ void sumUnrolled(const int *in, int *out, int n) {
    __shared__ int s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * 2 * blockDim.x + t;
    s[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t < 32) sumWarp(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
}

__device__ int warpSum(int value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

// sumShuffle keeps everything in registers but one word for each warp.
__global__ void sumShuffle(const int *in, int *out, int n) {
    __shared__ int partial[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = warpSum(sum);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? partial[lane] : 0;
        sum = warpSum(sum);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}

// sumAtomic lets the memory do the work.
__global__ void sumAtomic(const int *in, int *out, int n) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, total);
}

__device__ unsigned blocksDone;

// sumLastBlock finishes in one launch: the last block to arrive adds up what
// the others wrote, after a fence and an atomic counter.
__global__ void sumLastBlock(const int *in, int *partial, int *out, int n) {
    __shared__ int s[BLOCK];
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(&blocksDone, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && t == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) total += partial[b];
        out[0] = total;
        blocksDone = 0;
    }
}

typedef void (*Kernel)(const int *, int *, int);

// run launches a kernel that leaves one partial sum per block.
static bool run(const char *name, Kernel kernel, int blocks, const int *dIn, int n, int want) {
    int *dOut;
    CHECK(cudaMalloc(&dOut, blocks * sizeof(int)));
    kernel<<<blocks, BLOCK>>>(dIn, dOut, n);
    CHECK_LAUNCH();
    int sum = 0;
    for (int v : toHost(dOut, blocks)) sum += v;
    CHECK(cudaFree(dOut));
    return same(name, std::vector<int>{sum}, std::vector<int>{want});
}

int main() {
    const int n = 10000, blocks = (n + BLOCK - 1) / BLOCK;
    Random random;
    std::vector<int> in(n);
    int want = 0;
    for (int &v : in) want += v = random.below(1000);
    int *dIn = toDevice(in);

    bool ok = run("reduce interleaved", sumInterleaved, blocks, dIn, n, want);
    ok &= run("reduce sequential", sumSequential, blocks, dIn, n, want);
    ok &= run("reduce unrolled", sumUnrolled, (blocks + 1) / 2, dIn, n, want);
    ok &= run("reduce shuffle", sumShuffle, 8, dIn, n, want);

    int *dOut, *dPartial;
    CHECK(cudaMalloc(&dOut, sizeof(int)));
    CHECK(cudaMalloc(&dPartial, blocks * sizeof(int)));
    CHECK(cudaMemset(dOut, 0, sizeof(int)));
    sumAtomic<<<blocks, BLOCK>>>(dIn, dOut, n);
    CHECK_LAUNCH();
    ok &= same("reduce atomic", toHost(dOut, 1), std::vector<int>{want});

    sumLastBlock<<<blocks, BLOCK>>>(dIn, dPartial, dOut, n);
    CHECK_LAUNCH();
    ok &= same("reduce last block", toHost(dOut, 1), std::vector<int>{want});

    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    CHECK(cudaFree(dPartial));
    return ok ? 0 : 1;
}
