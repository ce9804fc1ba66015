// Kernels of several streams that synchronize through words of global memory: locks, flags, tickets and counters.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>
const int N = 256;
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__device__ void lock(int *l) {
    while (atomicCAS(l, 0, 1) != 0) {}
    __threadfence();
}
__device__ void unlock(int *l) {
    __threadfence();
    atomicExch(l, 0);
}

__global__ void locked(int *n, int *l) {
    if (threadIdx.x == 0) {
        lock(l);
        *n += 1;
        unlock(l);
    }
}
// One of them counts once more when it has left the lock.
__global__ void after_lock(int *n, int *l) {
    if (threadIdx.x == 0) {
        lock(l);
        unlock(l);
        *n += 1; // want RAW streams-unordered/stream-order; WAR streams-unordered/stream-order; WAW streams-unordered/stream-order
    }
}
// n lies behind another lock.
__global__ void other_lock(int *n, int *l) {
    if (threadIdx.x == 0) {
        lock(l + 1);
        *n += 1; // want RAW streams-unordered/stream-order; WAR streams-unordered/stream-order; WAW streams-unordered/stream-order
        unlock(l + 1);
    }
}
// A whole block works behind the lock of its first thread.
__global__ void block_locked(int *a, int *l) {
    if (threadIdx.x == 0) lock(l);
    __syncthreads();
    a[threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == 0) unlock(l);
}
// The barrier before the unlock is missing: the last warps may still be at work.
__global__ void block_unlocks_early(int *a, int *l) {
    if (threadIdx.x == 0) lock(l);
    __syncthreads();
    a[threadIdx.x] += 1;
    if (threadIdx.x == 0) unlock(l);
}
__global__ void block_locked_then(int *a, int *l) {
    if (threadIdx.x == 0) lock(l);
    __syncthreads();
    a[threadIdx.x] += 1; // want RAW streams-unordered/stream-order; WAR streams-unordered/stream-order; WAW streams-unordered/stream-order
    __syncthreads();
    if (threadIdx.x == 0) unlock(l);
}

__global__ void produce(int *a, cuda::atomic<int, cuda::thread_scope_device> *flag) {
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) flag->store(1, cuda::memory_order_release);
}
__global__ void consume(const int *a, int *b, cuda::atomic<int, cuda::thread_scope_device> *flag) {
    if (threadIdx.x == 0) while (flag->load(cuda::memory_order_acquire) == 0) {}
    __syncthreads();
    b[threadIdx.x] = a[blockDim.x - 1 - threadIdx.x];
}
__global__ void consume_early(const int *a, int *b, cuda::atomic<int, cuda::thread_scope_device> *flag) {
    int first = a[blockDim.x - 1 - threadIdx.x]; // want RAW streams-unordered/stream-order
    if (threadIdx.x == 0) while (flag->load(cuda::memory_order_acquire) == 0) {}
    __syncthreads();
    b[threadIdx.x] = first;
}
__global__ void produce_relaxed(int *a, cuda::atomic<int, cuda::thread_scope_device> *flag) {
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) flag->store(1, cuda::memory_order_relaxed);
}
__global__ void consume_after_relaxed(const int *a, int *b, cuda::atomic<int, cuda::thread_scope_device> *flag) {
    if (threadIdx.x == 0) while (flag->load(cuda::memory_order_acquire) == 0) {}
    __syncthreads();
    b[threadIdx.x] = a[blockDim.x - 1 - threadIdx.x]; // want RAW streams-unordered/stream-order
}
// The flag that is raised is not the one that is read.
__global__ void consume_other_flag(const int *a, int *b, cuda::atomic<int, cuda::thread_scope_device> *flag) {
    if (threadIdx.x == 0) flag[1].load(cuda::memory_order_acquire);
    __syncthreads();
    b[threadIdx.x] = a[blockDim.x - 1 - threadIdx.x]; // want RAW streams-unordered/stream-order
}
// What one kernel received through a flag, it hands on through another.
__global__ void hand_on(cuda::atomic<int, cuda::thread_scope_device> *flag) {
    while (flag[0].load(cuda::memory_order_acquire) == 0) {}
    flag[1].store(1, cuda::memory_order_release);
}
__global__ void consume_second(const int *a, int *b, cuda::atomic<int, cuda::thread_scope_device> *flag) {
    if (threadIdx.x == 0) while (flag[1].load(cuda::memory_order_acquire) == 0) {}
    __syncthreads();
    b[threadIdx.x] = a[blockDim.x - 1 - threadIdx.x];
}
// Each thread hands over its own element, and one more when its flag is up.
__global__ void produce_each(int *a, int *flags) {
    a[ID] = ID;
    __threadfence();
    atomicExch(&flags[ID], 1);
}
__global__ void consume_each(const int *a, int *b, int *flags) {
    while (atomicAdd(&flags[ID], 0) == 0) {}
    __threadfence();
    b[ID] = a[ID];
}
__global__ void produce_late(int *a, int *flags) {
    __threadfence();
    atomicExch(&flags[ID], 1);
    a[ID] = ID;
}
__global__ void consume_late(const int *a, int *b, int *flags) {
    while (atomicAdd(&flags[ID], 0) == 0) {}
    __threadfence();
    b[ID] = a[ID]; // want RAW streams-unordered/stream-order
}
// A flag of the block's scope orders no kernels.
__global__ void produce_narrow(int *a, int *flag) {
    if (threadIdx.x == 0) {
        *a = 1;
        __threadfence_block();
        atomicExch_block(flag, 1);
    }
}
__global__ void consume_narrow(const int *a, int *b, int *flag) {
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *b = *a; // want RAW streams-unordered/stream-order
    }
}

struct Test {
    cudaStream_t s, t, u;
    int *a, *b, *flags;
    cuda::atomic<int, cuda::thread_scope_device> *flag;
    Test() {
        for (cudaStream_t *p : {&s, &t, &u}) cudaStreamCreateWithFlags(p, cudaStreamNonBlocking);
        for (int **p : {&a, &b, &flags}) {
            cudaMalloc(p, N * sizeof(int));
            cudaMemset(*p, 0, N * sizeof(int));
        }
        flag = reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device> *>(flags);
        cudaDeviceSynchronize();
    }
    ~Test() {
        if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
        for (int *p : {a, b, flags}) cudaFree(p);
        for (cudaStream_t x : {s, t, u}) cudaStreamDestroy(x);
    }
};

int main() {
    {
        Test x;
        locked<<<4, 32, 0, x.s>>>(x.a, x.flags);
        locked<<<4, 32, 0, x.t>>>(x.a, x.flags);
        locked<<<4, 32, 0, x.u>>>(x.a, x.flags);
    }
    {
        Test x;
        after_lock<<<1, 32, 0, x.s>>>(x.a, x.flags);
        after_lock<<<1, 32, 0, x.t>>>(x.a, x.flags);
    }
    {
        Test x;
        locked<<<4, 32, 0, x.s>>>(x.a, x.flags);
        other_lock<<<4, 32, 0, x.t>>>(x.a, x.flags);
    }
    {
        Test x;
        block_locked<<<2, N, 0, x.s>>>(x.a, x.flags);
        block_locked<<<2, N, 0, x.t>>>(x.a, x.flags);
    }
    {
        Test x;
        block_unlocks_early<<<1, N, 0, x.s>>>(x.a, x.flags);
        block_locked_then<<<1, N, 0, x.t>>>(x.a, x.flags);
    }
    {
        Test x;
        produce<<<1, N, 0, x.s>>>(x.a, x.flag);
        consume<<<1, N, 0, x.t>>>(x.a, x.b, x.flag);
    }
    { // the consumer waits for a kernel that begins later
        Test x;
        consume<<<1, N, 0, x.t>>>(x.a, x.b, x.flag);
        produce<<<1, N, 0, x.s>>>(x.a, x.flag);
    }
    {
        Test x;
        produce<<<1, N, 0, x.s>>>(x.a, x.flag);
        consume_early<<<1, N, 0, x.t>>>(x.a, x.b, x.flag);
    }
    {
        Test x;
        produce_relaxed<<<1, N, 0, x.s>>>(x.a, x.flag);
        consume_after_relaxed<<<1, N, 0, x.t>>>(x.a, x.b, x.flag);
    }
    {
        Test x;
        produce<<<1, N, 0, x.s>>>(x.a, x.flag);
        consume_other_flag<<<1, N, 0, x.t>>>(x.a, x.b, x.flag);
    }
    {
        Test x;
        produce<<<1, N, 0, x.s>>>(x.a, x.flag);
        hand_on<<<1, 1, 0, x.t>>>(x.flag);
        consume_second<<<1, N, 0, x.u>>>(x.a, x.b, x.flag);
    }
    {
        Test x;
        produce_each<<<2, N / 2, 0, x.s>>>(x.a, x.flags);
        consume_each<<<2, N / 2, 0, x.t>>>(x.a, x.b, x.flags);
    }
    {
        Test x;
        produce_late<<<2, N / 2, 0, x.s>>>(x.a, x.flags);
        consume_late<<<2, N / 2, 0, x.t>>>(x.a, x.b, x.flags);
    }
    {
        Test x;
        produce_narrow<<<1, 32, 0, x.s>>>(x.a, x.flags);
        consume_narrow<<<1, 32, 0, x.t>>>(x.a, x.b, x.flags);
    }
    printf("ok\n");
}
