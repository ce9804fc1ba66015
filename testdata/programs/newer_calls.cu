// flags: --std c++17 --arch sm_90
// Programmatic dependent launches, notifications, and what libcu++ has of newer standards in
// C++17.
#include <cuda.h>
#include <cuda/cmath>
#include <cuda/std/bit>
#include <cuda/std/span>

#include "../../examples/check.h"

struct Weights {
    float w[64];
};

__global__ void first(int *p) {
    p[threadIdx.x] = threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void second(const int *p, int *q, const __grid_constant__ Weights b) {
    cudaGridDependencySynchronize();
    q[threadIdx.x] = p[threadIdx.x] * 2 + static_cast<int>(b.w[threadIdx.x]);
}

__host__ __device__ int bits(unsigned x) {
    unsigned char small = static_cast<unsigned char>(x);
    int v = cuda::std::popcount(x) + 7 * cuda::std::countl_zero(x) + 11 * cuda::std::countr_zero(small) + cuda::std::countl_one(small);
    v += static_cast<int>(cuda::std::bit_ceil(x) + cuda::std::bit_floor(x) + cuda::std::rotl(x, 5) + cuda::std::rotr(small, 3));
    v += cuda::std::bit_width(x) + cuda::std::has_single_bit(x) + static_cast<int>(cuda::std::bit_cast<unsigned>(1.5f) >> 20);
    return v + static_cast<int>(cuda::ceil_div(x, 3) + cuda::round_up(x, 8) + cuda::round_down(x, 8u) + cuda::next_power_of_two(x)) + cuda::ilog2(x + 1);
}

__host__ __device__ int total(cuda::std::span<const int> s) {
    int sum = 0;
    for (int v : s.subspan(1)) sum += v;
    return sum * 10 + s.front() + s.first(3).back() + static_cast<int>(s.size_bytes());
}

__global__ void small(int *out) {
    int own[5] = {1, 2, 3, 4, static_cast<int>(threadIdx.x)};
    cuda::std::span all(own);
    all[0] = bits(threadIdx.x);
    out[threadIdx.x] = total(all);
}

static bool dependent() {
    std::vector<int> want(64);
    Weights b;
    for (int i = 0; i < 64; i++) b.w[i] = i, want[i] = 3 * i;
    int *p = toDevice(std::vector<int>(64)), *q = toDevice(std::vector<int>(64));
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    first<<<1, 64, 0, s>>>(p);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 64;
    config.stream = s;
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &early;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, second, static_cast<const int *>(p), q, b));
    CHECK(cudaStreamSynchronize(s));
    bool good = same("dependent launch", toHost(q, 64), want);
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
    return good;
}

static void overBudget(cudaAsyncNotificationInfo_t *, void *count, cudaAsyncCallbackHandle_t) { ++*static_cast<int *>(count); }
static void overBudgetDriver(CUasyncNotificationInfo *, void *count, CUasyncCallbackHandle) { ++*static_cast<int *>(count); }

static bool notifications() {
    int count = 0;
    cudaAsyncCallbackHandle_t one, two;
    CHECK(cudaDeviceRegisterAsyncNotification(0, overBudget, &count, &one));
    CHECK(cudaDeviceRegisterAsyncNotification(0, overBudget, &count, &two));
    CHECK(cudaDeviceUnregisterAsyncNotification(0, one));
    bool good = one != two && cudaDeviceUnregisterAsyncNotification(0, one) == cudaErrorInvalidValue;
    CHECK(cudaDeviceUnregisterAsyncNotification(0, two));
    CUasyncCallbackHandle three;
    good &= cuDeviceRegisterAsyncNotification(0, overBudgetDriver, &count, &three) == CUDA_SUCCESS;
    good &= cuDeviceUnregisterAsyncNotification(0, three) == CUDA_SUCCESS && cuDeviceUnregisterAsyncNotification(0, three) == CUDA_ERROR_INVALID_VALUE;
    cudaGetLastError();
    return good && count == 0;
}

static bool library() {
    std::vector<int> want;
    for (int i = 0; i < 64; i++) want.push_back(total(std::vector<int>{bits(i), 2, 3, 4, i}));
    int *out = toDevice(std::vector<int>(64));
    small<<<1, 64>>>(out);
    CHECK_LAUNCH();
    bool good = same("library", toHost(out, 64), want);
    CHECK(cudaFree(out));
    return good;
}

int main() {
    bool good = dependent() & library() & notifications();
    return good ? 0 : 1;
}
