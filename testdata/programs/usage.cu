// What programs use that the others here do not: headers that are included along, OpenMP on the host, occupancy
// for a launch, and intrinsics by value.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <cusparse.h>
#include <driver_types.h>
#include <math_constants.h>
#include <omp.h>
struct Results {
    float pi, bits, ceil[2], power, inf;
    int down[2], all, none, nan;
    unsigned bytes;
};
__global__ void intrinsics(Results *r, float x, int n, unsigned a, unsigned b) {
    int all = __all_sync(0xffffffff, threadIdx.x < 32), none = __all_sync(0xffffffff, threadIdx.x < 31);
    if (threadIdx.x > 0) return;
    r->pi = CUDART_PI_F;
    r->inf = CUDART_INF_F;
    r->nan = isnan(CUDART_NAN_F);
    r->bits = __int_as_float(0x3fc00000);
    r->down[0] = __float2int_rd(x);
    r->down[1] = __float2int_rd(-x);
    r->ceil[0] = ceilf(x);
    r->ceil[1] = ceilf(-x);
    r->power = pow(x, n);
    r->all = all;
    r->none = none;
    r->bytes = __vadd4(a, b);
}
__global__ void __launch_bounds__(256) scale(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}
#define CHECK(x)                                                                                             \
    if (!(x)) {                                                                                              \
        printf("FAIL line %d: %s\n", __LINE__, #x);                                                          \
        return 1;                                                                                            \
    }
int main() {
    Results *d, r;
    CHECK(cudaMalloc(&d, sizeof r) == cudaSuccess);
    intrinsics<<<1, 32>>>(d, 2.5f, 3, 0x01fe7f80, 0x01020180);
    CHECK(cudaMemcpy(&r, d, sizeof r, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(r.pi > 3.14159f && r.pi < 3.1416f && r.inf > 1e38f && r.nan && r.bits == 1.5f);
    CHECK(r.down[0] == 2 && r.down[1] == -3 && r.ceil[0] == 3 && r.ceil[1] == -2 && r.power == 15.625f);
    CHECK(r.all && !r.none && r.bytes == 0x02008000);

    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0) == cudaSuccess);
    int least, block, blocks;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &block, scale, 0, 0) == cudaSuccess);
    CHECK(block % prop.warpSize == 0 && block > 0 && block <= 256);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, block, 0) == cudaSuccess);
    CHECK(blocks * block <= prop.maxThreadsPerMultiProcessor && least == blocks * prop.multiProcessorCount);

    const auto shared = [](int threads) { return threads * sizeof(float); };
    int most, same;
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&least, &most, scale, shared) == cudaSuccess && most > 0 && most <= 256);
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&least, &same, scale, shared, 0, cudaOccupancyDefault) == cudaSuccess && same == most);
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&least, &same, scale, shared, 64) == cudaSuccess && same == 64);
    CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&least, &same, scale, 0, 64, cudaOccupancyDisableCachingOverride) == cudaSuccess && same == 64);

    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, scale) == cudaSuccess && attributes.maxThreadsPerBlock == 256);
    CHECK(attributes.ptxVersion >= 35 && attributes.ptxVersion <= attributes.binaryVersion);
    CHECK(attributes.binaryVersion == 10 * prop.major + prop.minor);

    const int n = 1000;
    static float h[n];
    float *p, sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) h[i] = i % 7;
    CHECK(omp_get_max_threads() >= 1 && omp_get_thread_num() == 0);
    CHECK(cudaMalloc(&p, sizeof h) == cudaSuccess);
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    scale<<<(n + block - 1) / block, block>>>(p, n);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += h[i];
    float want = 0;
    for (int i = 0; i < n; i++) want += 2 * (i % 7);
    CHECK(sum == want);
    cudaFree(d);
    cudaFree(p);
    printf("PASS\n");
}
