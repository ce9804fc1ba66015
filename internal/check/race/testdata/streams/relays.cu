// Kernels that synchronize through words of global memory for the work before and after them in their streams.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>
const int N = 64;
using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void fill(int *a) { a[threadIdx.x] = threadIdx.x; }
__global__ void fill_late(int *a) { a[threadIdx.x] = threadIdx.x; }
__global__ void raise(Flag *f) { f->store(1, cuda::memory_order_release); }
__global__ void wait(Flag *f) { while (f->load(cuda::memory_order_acquire) == 0) {} }
__global__ void copy(const int *a, int *b) { b[threadIdx.x] = a[N - 1 - threadIdx.x]; }
__global__ void copy_early(const int *a, int *b) {
    b[threadIdx.x] = a[N - 1 - threadIdx.x]; // want RAW streams-unordered/stream-order
}
__global__ void copy_raced(const int *a, int *b) {
    b[threadIdx.x] = a[N - 1 - threadIdx.x]; // want RAW streams-unordered/stream-order
}
__global__ void wait_and_copy(const int *a, int *b, Flag *f) {
    if (threadIdx.x == 0) while (f->load(cuda::memory_order_acquire) == 0) {}
    __syncthreads();
    b[threadIdx.x] = a[N - 1 - threadIdx.x];
}
__global__ void wait_and_copy_raced(const int *a, int *b, Flag *f) {
    if (threadIdx.x == 0) while (f->load(cuda::memory_order_acquire) == 0) {}
    __syncthreads();
    b[threadIdx.x] = a[N - 1 - threadIdx.x]; // want RAW streams-unordered/stream-order
}
// It hands on what it waits for, and ends after the kernel that uses it.
__global__ void hand_on(Flag *f) {
    while (f[0].load(cuda::memory_order_acquire) == 0) {}
    f[1].store(1, cuda::memory_order_release);
    while (f[2].load(cuda::memory_order_acquire) == 0) {}
}
// It raises a flag, and ends when another one is up.
__global__ void raise_and_wait(Flag *f) {
    f[1].store(1, cuda::memory_order_release);
    while (f[2].load(cuda::memory_order_acquire) == 0) {}
}
__global__ void put(int *a, Flag *f) {
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) f->store(1, cuda::memory_order_release);
}

struct Test {
    cudaStream_t s, t, u;
    int *a, *b, *h;
    Flag *f;
    Test() {
        for (cudaStream_t *p : {&s, &t, &u}) cudaStreamCreateWithFlags(p, cudaStreamNonBlocking);
        cudaMallocHost(&h, N * sizeof(int));
        for (int i = 0; i < N; i++) h[i] = i;
        for (int **p : {&a, &b, reinterpret_cast<int **>(&f)}) {
            cudaMalloc(p, N * sizeof(int));
            cudaMemset(*p, 0, N * sizeof(int));
        }
        cudaDeviceSynchronize();
    }
    ~Test() {
        if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
        for (void *p : {(void *)a, (void *)b, (void *)f}) cudaFree(p);
        cudaFreeHost(h);
        for (cudaStream_t x : {s, t, u}) cudaStreamDestroy(x);
    }
};

int main() {
    { // a kernel before the flag
        Test x;
        fill<<<1, N, 0, x.s>>>(x.a);
        raise<<<1, 1, 0, x.s>>>(x.f);
        wait_and_copy<<<1, N, 0, x.t>>>(x.a, x.b, x.f);
    }
    { // a copy before the flag
        Test x;
        cudaMemcpyAsync(x.a, x.h, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
        raise<<<1, 1, 0, x.s>>>(x.f);
        wait_and_copy<<<1, N, 0, x.t>>>(x.a, x.b, x.f);
    }
    { // a kernel and a copy after the wait
        Test x;
        put<<<1, N, 0, x.s>>>(x.a, x.f);
        wait<<<1, 1, 0, x.t>>>(x.f);
        copy<<<1, N, 0, x.t>>>(x.a, x.b);
        cudaMemcpyAsync(x.h, x.a, N * sizeof(int), cudaMemcpyDeviceToHost, x.t);
    }
    { // both, through a third stream
        Test x;
        fill<<<1, N, 0, x.s>>>(x.a);
        raise<<<1, 1, 0, x.s>>>(x.f);
        wait<<<1, 1, 0, x.t>>>(x.f);
        raise<<<1, 1, 0, x.t>>>(x.f + 1);
        wait<<<1, 1, 0, x.u>>>(x.f + 1);
        copy<<<1, N, 0, x.u>>>(x.a, x.b);
    }
    { // the kernel between them ends last
        Test x;
        put<<<1, N, 0, x.s>>>(x.a, x.f);
        hand_on<<<1, 1, 0, x.t>>>(x.f);
        wait_and_copy<<<1, N, 0, x.u>>>(x.a, x.b, x.f + 1);
        raise<<<1, 1, 0, x.u>>>(x.f + 2);
    }
    { // the kernel that raises the flag ends last, and what comes after it comes after the copy
        Test x;
        fill<<<1, N, 0, x.s>>>(x.a);
        raise_and_wait<<<1, 1, 0, x.s>>>(x.f);
        fill<<<1, N, 0, x.s>>>(x.a);
        wait_and_copy<<<1, N, 0, x.t>>>(x.a, x.b, x.f + 1);
        raise<<<1, 1, 0, x.t>>>(x.f + 2);
    }
    { // used before the wait
        Test x;
        fill<<<1, N, 0, x.s>>>(x.a);
        raise<<<1, 1, 0, x.s>>>(x.f);
        copy_early<<<1, N, 0, x.t>>>(x.a, x.b);
        wait<<<1, 1, 0, x.t>>>(x.f);
    }
    { // filled after the flag
        Test x;
        raise<<<1, 1, 0, x.s>>>(x.f);
        fill_late<<<1, N, 0, x.s>>>(x.a);
        wait<<<1, 1, 0, x.t>>>(x.f);
        copy_raced<<<1, N, 0, x.t>>>(x.a, x.b);
    }
    { // the flag is raised in a stream that does not wait for the kernel
        Test x;
        fill<<<1, N, 0, x.s>>>(x.a);
        raise<<<1, 1, 0, x.u>>>(x.f);
        wait_and_copy_raced<<<1, N, 0, x.t>>>(x.a, x.b, x.f);
    }
    printf("ok\n");
}
