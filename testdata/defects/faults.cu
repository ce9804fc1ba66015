// Faults hide nothing of their launch, and are not hidden by what follows from them.
// clean: in_bounds flag_set
#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

// Some threads read beyond an array; the race of the others is still found.
__global__ void read_and_race(const int *in, int n, int *out) {
    __shared__ int s[64];
    int v = in[threadIdx.x * n];                   // want(race_too) memory out-of-bounds
    s[threadIdx.x] = v;
    out[threadIdx.x] = s[63 - threadIdx.x];        // want(race_too) race RAW error // want(in_bounds_race) race RAW error
}
__global__ void read_and_wait(const int *in, int n, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x * n];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// Lanes that write beyond the array do not keep the others from writing.
__global__ void write(int *out, int n) {
    out[threadIdx.x * n] = 1;                      // want(write) memory out-of-bounds
}
// A pointer that an invalid read yields is null: the access through it is not a second defect.
__global__ void chase(int **table, int n, int *out) {
    int *p = table[threadIdx.x * n];               // want(chase) memory out-of-bounds
    out[threadIdx.x] = p[0];
}
__global__ void fill(int **table, int *data) { table[threadIdx.x] = data + threadIdx.x; }
// Block 0 waits for block 1, which an assertion ends.
__global__ void wait_for_failed(volatile int *flag, int *out, int bad) {
    if (blockIdx.x == 1) {
        assert(!bad);                              // want(failed) assert assert // want(failed_alone) assert assert
        __threadfence();
        *flag = 1;
        return;
    }
    while (*flag == 0) {}
    __threadfence();
    out[0] = 1;
}
// The same at a barrier of the grid.
__global__ void grid_barrier(int bad) {
    if (blockIdx.x == 1) assert(!bad);             // want(failed_grid) assert assert
    cooperative_groups::this_grid().sync();
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [&](const char *s) { return strcmp(name, s) == 0; };
    int *a, *b, **t;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    cudaMalloc(&t, 64 * sizeof(int *));
    cudaMemset(a, 0, 64 * sizeof(int));
    cudaMemset(b, 0, 64 * sizeof(int));
    if (is("race_too")) read_and_race<<<1, 64>>>(a, 1000, b);
    if (is("in_bounds_race")) read_and_race<<<1, 64>>>(a, 1, b);
    if (is("in_bounds")) read_and_wait<<<1, 64>>>(a, 1, b);
    if (is("write")) write<<<1, 64>>>(a, 2);
    if (is("chase")) {
        fill<<<1, 64>>>(t, a);
        chase<<<1, 64>>>(t, 100, b);
    }
    if (is("failed")) wait_for_failed<<<2, 1>>>(a, b, 1);
    if (is("flag_set")) wait_for_failed<<<2, 1>>>(a, b, 0);
    if (is("failed_alone")) wait_for_failed<<<2, 1>>>(a, b, 1);
    if (is("failed_grid")) {
        int bad = 1;
        void *args[] = {&bad};
        cudaLaunchCooperativeKernel((void *)grid_barrier, 2, 1, args, 0, 0);
    }
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(t);
    return 0;
}
