// flags: --arch sm_90
// Kernels of two streams that synchronize through a word, in a program that also has programmatic dependent launches.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>
const int N = 64;
using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void first(int *y) {
    cudaTriggerProgrammaticLaunchCompletion();
    y[threadIdx.x] += 1;
}
__global__ void second(int *y) {
    cudaGridDependencySynchronize();
    y[threadIdx.x] += 2;
}
__global__ void produce(int *a, Flag *f) {
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) f->store(1, cuda::memory_order_release);
}
__global__ void consume(const int *a, int *b, Flag *f) {
    if (threadIdx.x == 0) while (f->load(cuda::memory_order_acquire) == 0) {}
    __syncthreads();
    b[threadIdx.x] = a[N - 1 - threadIdx.x];
}
__global__ void consume_early(const int *a, int *b, Flag *f) {
    b[threadIdx.x] = a[N - 1 - threadIdx.x]; // want RAW streams-unordered/stream-order
    if (threadIdx.x == 0) while (f->load(cuda::memory_order_acquire) == 0) {}
}

int main() {
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    int *y, *a, *b;
    Flag *f;
    for (int **p : {&y, &a, &b, reinterpret_cast<int **>(&f)}) {
        cudaMalloc(p, N * sizeof(int));
        cudaMemset(*p, 0, N * sizeof(int));
    }
    cudaDeviceSynchronize();
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = 1;
    c.blockDim = N;
    c.stream = s;
    c.attrs = &early;
    c.numAttrs = 1;
    first<<<1, N, 0, s>>>(y);
    cudaLaunchKernelEx(&c, second, y);
    produce<<<1, N, 0, s>>>(a, f);
    consume<<<1, N, 0, t>>>(a, b, f);
    cudaDeviceSynchronize();
    cudaMemset(f, 0, sizeof(int));
    cudaDeviceSynchronize();
    produce<<<1, N, 0, s>>>(a, f);
    consume_early<<<1, N, 0, t>>>(a, b, f);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
    for (int *p : {y, a, b, reinterpret_cast<int *>(f)}) cudaFree(p);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}
