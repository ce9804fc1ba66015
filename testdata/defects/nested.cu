// Child grids that the device refuses, waits that are too deep, and what a child does wrong.
// clean: good_child deep_enough raised room children_of_children checked_child
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void leaf(int *p) { atomicAdd(p, 1); }
__global__ void __launch_bounds__(64) narrow(int *p) { atomicAdd(p, 1); }
__global__ void dynamic(int *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    atomicAdd(p, s[threadIdx.x]);
}
__global__ void writes(int *p) {
    p[1 << 20] = 1; // want(child_out_of_bounds) memory out-of-bounds
}
__global__ void stops(int *p) {
    __builtin_trap(); // want(child_traps) assert trap
}
__global__ void refused(int *p, int how) {
    switch (how) {
    case 0: leaf<<<1, 1025>>>(p); break; // want(too_many) launch rejected
    case 1: leaf<<<0, 32>>>(p); break; // want(no_blocks) launch rejected
    case 2: narrow<<<1, 65>>>(p); break; // want(over_bounds) launch rejected
    case 3: dynamic<<<1, 32, 1 << 20>>>(p); break; // want(too_much_dynamic) launch rejected
    case 4: narrow<<<1, 64>>>(p); break;
    case 5:
        dynamic<<<1, 32, 128>>>(p);
        if (cudaGetLastError() != cudaSuccess) p[1] = 1;
    }
}
// Grids at depth 0 to n, each waiting for the next.
__global__ void waits(int *p, int n) {
    if (n > 0) {
        waits<<<1, 1>>>(p, n - 1);
        cudaDeviceSynchronize(); // want(too_deep) launch rejected
    }
    atomicAdd(p, 1);
}
__global__ void recurses(int *p, int n) {
    if (n > 0) recurses<<<1, 1>>>(p, n - 1); // want(nested_too_deep) launch rejected
    atomicAdd(p, 1);
}
__global__ void many(int *p) {
    leaf<<<1, 1>>>(p); // want(no_room) launch rejected warning
}

int main(int, char **argv) {
    const char *c = argv[1];
    auto is = [&](const char *name) { return !strcmp(c, name); };
    int *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    leaf<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    const char *hows[] = {"too_many", "no_blocks", "over_bounds", "too_much_dynamic", "good_child", "checked_child"};
    for (int i = 0; i < 6; i++)
        if (is(hows[i])) refused<<<1, 1>>>(p, i);
    if (is("raised")) cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4);
    if (is("deep_enough")) waits<<<1, 1>>>(p, 2);
    if (is("too_deep")) waits<<<1, 1>>>(p, 3);
    if (is("raised")) waits<<<1, 1>>>(p, 4);
    if (is("children_of_children")) recurses<<<1, 1>>>(p, 24);
    if (is("nested_too_deep")) recurses<<<1, 1>>>(p, 25);
    if (is("room")) many<<<16, 128>>>(p);
    if (is("no_room")) many<<<16, 129>>>(p);
    if (is("child_out_of_bounds")) writes<<<1, 1>>>(p);
    if (is("child_traps")) stops<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
