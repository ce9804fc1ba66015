// Bugs of published programmatic dependent launches, re-created small from their issues and pull
// requests, and their fixes: Dao-AILab/quack#206, ggml-org/llama.cpp#23690 and #24030, flashinfer-ai/flashinfer#2708,
// NVIDIA/cccl#3131 (fixed in #5456) and #9134, NVIDIA/cutlass#2760 and #2962.
// clean: grouped_fixed grouped_plain restrict_fixed restrict_plain compiled_out_fixed merge_fixed
// clean: array_fixed array_plain shapes_fixed older_fixed hadamard_fixed
// flags: --arch sm_90
#include <cstdio>
#include <cstring>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

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

// cutlass#2760: kernels for arrays of problems copy their tiles by TMA, and nothing in them waits.
template <bool FIXED> __global__ void array_gemm(const int *tile, int *out) {
    __shared__ alignas(16) int part[32];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (FIXED) cudaGridDependencySynchronize();
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof part);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part, tile, sizeof part, &bar);  // want(array) race RAW
    }
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
    }
    out[threadIdx.x] = part[threadIdx.x];
}

// cutlass#2962: the scheduler's constructor reads the first problem's shape, before the kernel waits.
struct Scheduler {
    const int *shapes;
    int tiles;
    __device__ explicit Scheduler(const int *shapes) : shapes(shapes), tiles(shapes[0]) {}  // want(shapes) race RAW
};
template <bool FIXED> __global__ void group_gemm(const int *shapes, int *out) {
    if (FIXED) cudaGridDependencySynchronize();
    Scheduler scheduler(shapes);
    if (!FIXED) cudaGridDependencySynchronize();
    for (int i = threadIdx.x; i < scheduler.tiles; i += blockDim.x) out[i] = scheduler.shapes[i];
}

// cccl#9134: every kernel is launched as a dependent one, but the waits exist only in code for sm_90, and the
// program was compiled for an older GPU.
template <int SM> __global__ void transform(const int *in, int *out) {
    if constexpr (SM >= 90) cudaGridDependencySynchronize();
    out[threadIdx.x] = in[threadIdx.x] + 1;  // want(older) race RAW
}

// llama.cpp#23690: a new kernel is started by the function for dependent launches and does not wait.
template <bool FIXED> __global__ void hadamard(const int *in, int *out) {
    if (FIXED) cudaGridDependencySynchronize();
    int v = in[threadIdx.x];  // want(hadamard) race RAW
    for (int step = 1; step < 32; step *= 2) {
        int w = __shfl_xor_sync(~0u, v, step);
        v = threadIdx.x & step ? w - v : v + w;
    }
    out[threadIdx.x] = v;
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
    for (const char *name : {"array", "shapes", "older", "hadamard"})
        if (!strncmp(argv[1], name, strlen(name))) boundaries<<<1, 32>>>(a);
    if (is("array")) start(true, array_gemm<false>, 1, 32, a, b);
    if (is("array_plain")) start(false, array_gemm<false>, 1, 32, a, b);
    if (is("array_fixed")) start(true, array_gemm<true>, 1, 32, a, b);
    if (is("shapes")) start(true, group_gemm<false>, 1, 32, a, b);
    if (is("shapes_fixed")) start(true, group_gemm<true>, 1, 32, a, b);
    if (is("older")) start(true, transform<80>, 1, 32, a, b);
    if (is("older_fixed")) start(true, transform<90>, 1, 32, a, b);
    if (is("hadamard")) start(true, hadamard<false>, 1, 32, a, b);
    if (is("hadamard_fixed")) start(true, hadamard<true>, 1, 32, a, b);
    if (cudaDeviceSynchronize()) printf("failed\n");
}
