// Launches that a device refuses, and those at the limit.
// clean: full_block wide_grid opted_in static_and_dynamic bounds_kept flat3 no_launch_error_kept by_pointer
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void k(int *out) { if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y == 0) out[0] = 1; }
__global__ void dynamic(int *out) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x % 32] = 1;
}
__global__ void both(int *out) {
    __shared__ int t[1024];
    extern __shared__ int s[];
    t[threadIdx.x] = s[threadIdx.x] = 1;
    out[threadIdx.x % 32] = t[threadIdx.x] + s[threadIdx.x];
}
__global__ void __launch_bounds__(128) small(int *out) { if (threadIdx.x == 0) out[0] = 1; }

int main(int, char **argv) {
    const char *c = argv[1];
    int *out;
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
    k<<<1, 1>>>(out);
    cudaDeviceSynchronize();
#define CASE(name, kernel, ...) if (!strcmp(c, #name)) kernel<<<__VA_ARGS__>>>(out)
    CASE(full_block, k, 1, 1024); CASE(wide_grid, k, dim3(1, 65535), 1); CASE(flat3, k, 1, dim3(4, 4, 64));
    CASE(static_and_dynamic, both, 1, 32, 48 * 1024 - 4096); CASE(bounds_kept, small, 1, 128);
    if (!strcmp(c, "opted_in")) {
        cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
        dynamic<<<1, 32, 64 * 1024>>>(out);
    }
    CASE(no_launch_error_kept, k, 2, 32);
    CASE(no_threads, k, 1, 0); CASE(no_blocks, k, 0, 32); CASE(too_many, k, 1, 1025);  // want(no_threads) launch rejected // want(no_blocks) launch rejected // want(too_many) launch rejected
    CASE(too_many_3d, k, 1, dim3(32, 32, 2)); CASE(deep_block, k, 1, dim3(1, 1, 65)); CASE(high_grid, k, dim3(1, 65536), 1);  // want(too_many_3d) launch rejected // want(deep_block) launch rejected // want(high_grid) launch rejected
    CASE(too_much_dynamic, dynamic, 1, 32, 48 * 1024 + 4); CASE(too_much_together, both, 1, 32, 48 * 1024 - 4092);  // want(too_much_dynamic) launch rejected // want(too_much_together) launch rejected error source
    CASE(over_bounds, small, 1, 129);  // want(over_bounds) launch rejected
    void (*pointer)(int *) = k;
    if (!strcmp(c, "by_pointer")) pointer<<<1, 32>>>(out);
    if (!strcmp(c, "called")) pointer(out);  // want(called) launch rejected
    if (cudaGetLastError() == cudaErrorMissingConfiguration) puts("missing configuration");
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
