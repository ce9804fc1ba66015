// Bugs of published programmatic dependent launches, re-created small from their issues and pull
// requests, and their fixes: Dao-AILab/quack#206, ggml-org/llama.cpp#24030, flashinfer-ai/flashinfer#2708,
// NVIDIA/cccl#3131 (fixed in #5456).
// clean: grouped_fixed grouped_plain restrict_fixed restrict_plain compiled_out_fixed merge_fixed
// flags: --arch sm_90
#include <cstdio>
#include <cstring>

// quack#206: of the warps of a specialized kernel two wait for the kernel before, and the others decode
// the same boundaries of groups without.
__global__ void boundaries(int *ends) { ends[threadIdx.x] = 16 * (threadIdx.x + 1); }

template <bool FIXED> __global__ void grouped(const int *ends, int *out) {
    __shared__ int loaded[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        cudaGridDependencySynchronize();
        loaded[lane] = ends[lane];
    } else {
        if (FIXED) cudaGridDependencySynchronize();
        out[lane] = ends[lane];  // want(grouped) race RAW
    }
    __syncthreads();
    if (warp == 1) out[lane] += loaded[lane];
}

// llama.cpp#24030: parameters are const __restrict__, so their loads may take the read-only path, which
// neither the wait nor any other synchronization orders.
__global__ void scale(float *x) { x[threadIdx.x] = 2 * threadIdx.x; }

__global__ void add_restrict(const float *__restrict__ x, float *__restrict__ y) {
    cudaGridDependencySynchronize();
    y[threadIdx.x] = x[threadIdx.x] + 1;  // want(restrict) race RAW warning source // want(restrict) race RAW error optimized
}
__global__ void add_plain(const float *x, float *y) {
    cudaGridDependencySynchronize();
    y[threadIdx.x] = x[threadIdx.x] + 1;
}

// flashinfer#2708: a library's waits are empty unless a macro is defined, its launches overlap all the same.
template <bool ENABLED> __device__ void wait_on_dependent_grids() {
    if (ENABLED) asm volatile("griddepcontrol.wait;" ::: "memory");
}
template <bool ENABLED> __global__ void quantize(const float *x, signed char *q) {
    wait_on_dependent_grids<ENABLED>();
    q[threadIdx.x] = static_cast<signed char>(x[threadIdx.x]);  // want(compiled_out) race RAW
}

// cccl#3131: a merge of sorted parts reads where its partitions begin before it waits.
__global__ void partition(int *begins) {
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    if (threadIdx.x < 3) begins[threadIdx.x] = 32 * threadIdx.x;
}
template <bool FIXED> __global__ void merge(const int *begins, const int *keys, int *out) {
    if (FIXED) cudaGridDependencySynchronize();
    int begin = begins[blockIdx.x], end = begins[blockIdx.x + 1];  // want(merge) race RAW // want(merge) race RAW
    if (!FIXED) cudaGridDependencySynchronize();
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) out[i] = keys[i];
}

template <class... P, class... A> static void start(bool overlap, void (*kernel)(P...), int blocks, int threads, A... args) {
    cudaLaunchAttribute a;
    a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a.val.programmaticStreamSerializationAllowed = overlap;
    cudaLaunchConfig_t c = {};
    c.gridDim = blocks;
    c.blockDim = threads;
    c.attrs = &a;
    c.numAttrs = 1;
    if (cudaLaunchKernelEx(&c, kernel, args...)) printf("failed\n");
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *a, *b, *c;
    cudaMalloc(&a, 1024);
    cudaMalloc(&b, 1024);
    cudaMalloc(&c, 1024);
    cudaMemset(a, 0, 1024);
    cudaMemset(b, 0, 1024);
    cudaDeviceSynchronize();
    float *x = reinterpret_cast<float *>(a), *y = reinterpret_cast<float *>(b);
    signed char *q = reinterpret_cast<signed char *>(b);
    if (!strncmp(argv[1], "grouped", 7)) boundaries<<<1, 32>>>(a);
    if (is("grouped")) start(true, grouped<false>, 1, 64, a, b);
    if (is("grouped_plain")) start(false, grouped<false>, 1, 64, a, b);
    if (is("grouped_fixed")) start(true, grouped<true>, 1, 64, a, b);
    if (!strncmp(argv[1], "restrict", 8) || !strncmp(argv[1], "compiled", 8)) scale<<<1, 64>>>(x);
    if (is("restrict")) start(true, add_restrict, 1, 64, x, y);
    if (is("restrict_plain")) start(false, add_restrict, 1, 64, x, y);
    if (is("restrict_fixed")) start(true, add_plain, 1, 64, x, y);
    if (is("compiled_out")) start(true, quantize<false>, 1, 64, x, q);
    if (is("compiled_out_fixed")) start(true, quantize<true>, 1, 64, x, q);
    if (!strncmp(argv[1], "merge", 5)) start(true, partition, 1, 32, a);
    if (is("merge")) start(true, merge<false>, 2, 32, a, b, c);
    if (is("merge_fixed")) start(true, merge<true>, 2, 32, a, b, c);
    if (cudaDeviceSynchronize()) printf("failed\n");
}
