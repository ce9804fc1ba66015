// A program that provokes errors on purpose and handles each: it gets the codes
// that a GPU's runtime gives, and errors that a program handles are no
// findings. It exits 0 when every code is as expected.

#include "../check.h"

__global__ void nothing() {}

static int wrong = 0;

static void expect(const char *what, cudaError_t got, cudaError_t want) {
    if (got == want) return;
    printf("errors: FAIL: %s: got %s, want %s\n", what, cudaGetErrorName(got),
           cudaGetErrorName(want));
    wrong++;
}

int main() {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(0));
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));

    void *huge = nullptr;
    expect("a petabyte", cudaMalloc(&huge, 1ull << 50), cudaErrorMemoryAllocation);
    expect("the last error", cudaGetLastError(), cudaErrorMemoryAllocation);
    expect("the last error again", cudaGetLastError(), cudaSuccess);

    expect("a device that is not there", cudaSetDevice(devices + 98), cudaErrorInvalidDevice);
    // warpgrind: ignore memory (on purpose)
    expect("a copy to nowhere", cudaMemcpy(nullptr, &devices, 4, cudaMemcpyHostToDevice),
           cudaErrorInvalidValue);
    expect("peek", cudaPeekAtLastError(), cudaErrorInvalidValue);
    expect("clear", cudaGetLastError(), cudaErrorInvalidValue);

    nothing<<<1, 32>>>();
    expect("a good launch", cudaGetLastError(), cudaSuccess);
    expect("synchronize", cudaDeviceSynchronize(), cudaSuccess);
    if (wrong == 0) printf("errors: PASS (%d devices, %s)\n", devices, properties.name);
    return wrong == 0 ? 0 : 1;
}
