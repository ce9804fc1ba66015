// flags: --devices 2
// Two devices and several host threads: what is of one of them stays apart from the others.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <thread>
#include <vector>

#define REQUIRE(x) do { if (!(x)) { printf("FAIL line %d: %s\n", __LINE__, #x); exit(1); } } while (0)

__device__ int counter = 7;
__managed__ int byThread[64];
__managed__ int fromDevice;

struct Large { char bytes[3000]; };

__global__ void bump(int *p) { atomicAdd(p, counter); }
__global__ void set(int *p, int v) { *p = v; }
__global__ void sum(int *p, Large a) {
    int s = 0;
    for (int i = 0; i < 3000; i++) s += a.bytes[i];
    *p = s;
}

// cudaDeviceReset ends what is on the current device, no more.
static void reset() {
    int *a, *b, h = 0;
    cudaStream_t s;
    cudaEvent_t e;
    REQUIRE(!cudaSetDevice(0));
    REQUIRE(!cudaMalloc(&a, 4) && !cudaMemset(a, 0, 4) && !cudaStreamCreate(&s) && !cudaEventCreate(&e));
    bump<<<1, 1, 0, s>>>(a);
    REQUIRE(!cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    REQUIRE(!cudaSetDevice(1));
    REQUIRE(!cudaMalloc(&b, 4) && !cudaMemset(b, 0, 4));
    bump<<<1, 1>>>(b);
    REQUIRE(!cudaFree(b));
    REQUIRE(!cudaDeviceReset());
    REQUIRE(!cudaSetDevice(0));
    bump<<<1, 1, 0, s>>>(a);
    REQUIRE(!cudaEventRecord(e, s) && !cudaEventSynchronize(e));
    REQUIRE(!cudaMemcpy(&h, a, 4, cudaMemcpyDeviceToHost) && h == 14);
    size_t heap = 0;
    REQUIRE(!cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize) && heap == 16 << 20);
    REQUIRE(!cudaStreamDestroy(s) && !cudaEventDestroy(e) && !cudaFree(a));
    REQUIRE(!cudaSetDevice(1));
    REQUIRE(!cudaMalloc(&b, 4) && !cudaMemset(b, 0, 4));
    bump<<<1, 1>>>(b);
    REQUIRE(!cudaMemcpy(&h, b, 4, cudaMemcpyDeviceToHost) && h == 7);
    REQUIRE(!cudaFree(b) && !cudaSetDevice(0));
}

// Functions of the driver API return their errors; cudaGetLastError is the runtime's.
static void errors() {
    REQUIRE(cudaGetLastError() == cudaSuccess);
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    REQUIRE(cuMemAlloc(&p, 0) == CUDA_ERROR_INVALID_VALUE);
    REQUIRE(cuMemAlloc(&p, (size_t)1 << 50) == CUDA_ERROR_OUT_OF_MEMORY);
    REQUIRE(cuModuleLoadData(&m, ".version 7.0\n.target sm_70\n.address_size 64\nnonsense") != CUDA_SUCCESS);
    REQUIRE(cuModuleGetFunction(&f, nullptr, "f") != CUDA_SUCCESS);
    REQUIRE(cuStreamSynchronize((CUstream)0x77770) != CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent((CUcontext)0x1234) != CUDA_SUCCESS);
    REQUIRE(cuDeviceGet(nullptr, 0) != CUDA_SUCCESS);
    REQUIRE(cudaPeekAtLastError() == cudaSuccess);
    REQUIRE(cudaMalloc((void **)&p, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    REQUIRE(cuMemAlloc(&p, 0) == CUDA_ERROR_INVALID_VALUE);
    REQUIRE(cudaGetLastError() == cudaErrorMemoryAllocation);
    REQUIRE(cudaGetLastError() == cudaSuccess);
}

// Each thread of the host changes its own managed variable while others launch.
static void managed() {
    int *p;
    REQUIRE(!cudaMalloc(&p, 4));
    std::vector<std::thread> all;
    for (int t = 0; t < 4; t++)
        all.emplace_back([=] {
            for (int i = 1; i <= 300; i++) {
                byThread[16 * t] = i;
                if (i % 3 == 0) set<<<1, 1>>>(p, i);
                if (byThread[16 * t] != i) { printf("FAIL thread %d: %d is %d\n", t, i, byThread[16 * t]); exit(1); }
            }
        });
    for (auto &t : all) t.join();
    REQUIRE(!cudaDeviceSynchronize());
    for (int t = 0; t < 4; t++) REQUIRE(byThread[16 * t] == 300);
    set<<<1, 1>>>(&fromDevice, 5);
    REQUIRE(!cudaDeviceSynchronize() && fromDevice == 5 && byThread[0] == 300);
    fromDevice = 6;
    int h = 0;
    REQUIRE(!cudaMemcpy(&h, &fromDevice, 4, cudaMemcpyDefault) && h == 6);
    REQUIRE(!cudaFree(p));
}

// Both devices resolve a kernel while the other one's parameters are packed.
static void parameters() {
    Large large;
    memset(&large, 1, sizeof large);
    std::vector<std::thread> all;
    for (int d = 0; d < 2; d++)
        all.emplace_back([&, d] {
            int *p, h = 0;
            REQUIRE(!cudaSetDevice(d) && !cudaMalloc(&p, 4));
            sum<<<1, 1>>>(p, large);
            REQUIRE(!cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost) && h == 3000);
            REQUIRE(!cudaFree(p));
        });
    for (auto &t : all) t.join();
}

int main() {
    reset();
    errors();
    managed();
    parameters();
    printf("PASS\n");
}
