// A chain of kernels by programmatic dependent launches: each begins while the one before it still
// runs, prepares, and waits before it touches what that one reads or writes.
// flags: --arch sm_90
#include "pipeline.h"

constexpr int N = 256, THREADS = 64;

__global__ void scale(const int *in, int *out, int factor) {
    int i = blockIdx.x * THREADS + threadIdx.x, mine = threadIdx.x * factor;
    cudaGridDependencySynchronize();
    out[i] = in[i] * factor + mine;
    cudaTriggerProgrammaticLaunchCompletion();
}

// Neighbors of a block's edges are the work of other blocks of the kernel before.
__global__ void smooth(const int *in, int *out) {
    __shared__ int part[THREADS + 2];
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x == 0) cudaGridDependencySynchronize();
    __syncthreads();
    part[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0) {
        part[0] = i > 0 ? in[i - 1] : 0;
        part[THREADS + 1] = i + THREADS < N ? in[i + THREADS] : 0;
    }
    __syncthreads();
    cudaTriggerProgrammaticLaunchCompletion();
    out[i] = part[threadIdx.x] + part[threadIdx.x + 1] + part[threadIdx.x + 2];
}

__global__ void sum(const int *in, int *total) {
    __shared__ int all;
    cudaTriggerProgrammaticLaunchCompletion();
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    cudaGridDependencySynchronize();
    for (int i = threadIdx.x; i < N; i += THREADS) atomicAdd(&all, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) *total += all;
}

template <class... P, class... A> void launch(cudaStream_t stream, void (*kernel)(P...), int blocks, A... args) {
    cudaLaunchAttribute overlap;
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = blocks;
    c.blockDim = THREADS;
    c.stream = stream;
    c.attrs = &overlap;
    c.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&c, kernel, args...));
}

int main() {
    Buffer<int> a(N), b(N), total(1);
    for (int i = 0; i < N; i++) a.host[i] = i % 31;
    a.to_device();
    total.to_device();
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaDeviceSynchronize());
    std::vector<int> now = a.host;
    int want = 0;
    for (int round = 0; round < 2; round++) {
        launch(stream, scale, N / THREADS, a.device, b.device, 3);
        launch(stream, smooth, N / THREADS, b.device, a.device);
        launch(stream, sum, 1, a.device, total.device);
        std::vector<int> scaled(N);
        for (int i = 0; i < N; i++) scaled[i] = 3 * now[i] + i % THREADS * 3;
        for (int i = 0; i < N; i++) {
            now[i] = scaled[i] + (i > 0 ? scaled[i - 1] : 0) + (i + 1 < N ? scaled[i + 1] : 0);
            want += now[i];
        }
    }
    CHECK(cudaStreamSynchronize(stream));
    total.to_host();
    int wrong = total.host[0] != want;
    printf("%s\n", wrong ? "FAIL" : "PASS");
    CHECK(cudaStreamDestroy(stream));
    return wrong;
}
