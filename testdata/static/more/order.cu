// What orders threads, and what does not: barriers in branches and loops, of
// parts of a block, fences, asynchronous copies.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

const int B = 64;

__global__ void uniformBranch(const int *in, int *out, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    if (n > 0) {
        __syncthreads();
        out[t] = s[B - 1 - t];
    }
}

__global__ void partOfAWarp(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t % 2) __syncthreads(); // want sync divergent
    out[t] = s[t];
}

__global__ void wholeWarps(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 32) __syncthreads(); // want sync exited
    out[t] = s[t];
}

__global__ void tooEarly(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    if (t >= 40) return;
    s[t] = in[t];
    __syncthreads(); // want sync exited
    out[t] = s[39 - t];
}

__global__ void returnsFromLoop(int *out, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (i * i == t) return;
        s[t] = i;
        __syncthreads(); // want sync exited
        out[t] = s[B - 1];
    }
}

__global__ void passesBy(int *out, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    if (t < n + 50) {
        if (t < n + 40) __syncthreads(); // want sync divergent
        out[t] = s[t];
    }
}

__global__ void eitherBarrier(int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 40) {
        __syncthreads(); // want sync divergent
        out[t] = s[39 - t];
    } else {
        __syncthreads(); // want sync divergent
        out[t] = s[t];
    }
}

__global__ void unequalRounds(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int i = 0; i < t / 32 + 1; i++) __syncthreads(); // want sync exited
    out[t] = s[t];
}

__global__ void equalRounds(const int *in, int *out, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = in[t] + i;
        __syncthreads();
        out[t] = s[B - 1 - t];
        __syncthreads();
    }
}

__global__ void twice(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    __syncthreads(); // want sync redundant
    out[t] = s[B - 1 - t];
}

__global__ void skipsBarrier(const int *in, int *out, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    if (n == 3) __syncthreads(); // want sync unreachable
    out[t] = s[B - 1 - t]; // want race read-write
}

// A fence orders what one thread does; it makes no thread wait.
__global__ void fenceOnly(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __threadfence_block();
    out[t] = s[B - 1 - t]; // want race read-write
}

__global__ void fenceAndBarrier(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __threadfence_block();
    __syncthreads();
    out[t] = s[B - 1 - t];
}

__device__ unsigned int blocksDone;

// The last block adds up what the others wrote, ordered by fences and a count.
__global__ void lastBlock(int *out, int *part) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        part[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicAdd(&blocksDone, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        __threadfence();
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += part[i];
        out[0] = sum;
    }
}

__global__ void copied(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[B - 1 - t];
}

// The wait is for the thread's own copies.
__global__ void copiedNoBarrier(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[B - 1 - t];
}

// The barrier is for what has been done, and the copy may not be.
__global__ void copiedNoWait(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncthreads();
    out[t] = s[B - 1 - t];
    __pipeline_wait_prior(0);
}

__global__ void named(const int *in, int *out) {
    __shared__ int s[2 * B];
    int t = threadIdx.x, half = t / 64;
    s[t] = in[t % B]; // want drano
    asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
    out[t] = s[half * 64 + 63 - t % 64];
}

__global__ void shuffled(const int *in, int *out) {
    int t = threadIdx.x, v = in[t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
    out[t] = v;
}

__global__ void counted(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    int n = __syncthreads_count(in[t] > 0);
    out[t] = s[B - 1 - t] + n;
}

__global__ void leavesLoop(const int *in, int *out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        if (i == t) break;
        s[t] = i;
        __syncthreads(); // want sync divergent
    }
    out[t] = s[t]; // want drano
}

__global__ void volatileFlag(int *out) {
    __shared__ volatile int flag, value;
    int t = threadIdx.x;
    if (t == 0) {
        flag = 0;
        value = 0;
    }
    __syncthreads();
    if (t == 0) {
        value = 42;
        __threadfence_block();
        flag = 1;
    }
    if (t == 32) out[0] = flag ? value : 42;
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    uniformBranch<<<1, B>>>(in, out, 5);
    equalRounds<<<1, B>>>(in, out, 3);
    twice<<<1, B>>>(in, out);
    skipsBarrier<<<1, B>>>(in, out, 4);
    fenceOnly<<<1, B>>>(in, out);
    fenceAndBarrier<<<1, B>>>(in, out);
    lastBlock<<<4, B>>>(out, out + 16);
    copied<<<1, B>>>(in, out);
    copiedNoBarrier<<<1, B>>>(in, out);
    copiedNoWait<<<1, B>>>(in, out);
    named<<<1, 2 * B>>>(in, out);
    shuffled<<<1, B>>>(in, out);
    counted<<<1, B>>>(in, out);
    volatileFlag<<<1, B>>>(out);
    partOfAWarp<<<1, B>>>(in, out);
    cudaDeviceSynchronize();
    wholeWarps<<<1, B>>>(in, out);
    tooEarly<<<1, B>>>(in, out);
    returnsFromLoop<<<1, B>>>(out, 5);
    passesBy<<<1, B>>>(out, 0);
    eitherBarrier<<<1, B>>>(out);
    unequalRounds<<<1, B>>>(in, out);
    leavesLoop<<<1, B>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
