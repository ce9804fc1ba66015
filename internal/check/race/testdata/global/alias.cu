// Allocations that are written through one pointer and read through another.
#include "run.h"
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define N (gridDim.x * blockDim.x)

__global__ void two_pointers(const int *in, int *out) {
    out[ID] = in[(ID + 64) % N]; // want WAR blocks-unordered/split-kernel
}
__global__ void apart(const int *in, int *out) { out[ID] = in[(ID + 64) % N]; }
__global__ void half(const int *in, int *out) { out[ID] = in[(ID + 64) % N]; }
__global__ void overlapping(const int *in, int *out) {
    out[ID] = in[(ID + 64) % N]; // want WAR blocks-unordered/split-kernel
}
struct Both { int n; const int *in; int *out; };
__global__ void in_struct(Both b) {
    b.out[ID] = b.in[(ID + 64) % b.n]; // want WAR blocks-unordered/split-kernel
}
__global__ void through_memory(int **p, int *) {
    p[1][ID] = p[0][(ID + 64) % N]; // want WAR blocks-unordered/split-kernel
}
__global__ void chosen(const int *a, const int *b, int *out) {
    const int *in = ID % 2 ? a : b;
    out[ID] = in[(ID + 64) % N]; // want WAR blocks-unordered/split-kernel
}
__device__ int variable[512];
__global__ void of_variable(int *a, int *) {
    variable[ID] = a[ID];
    a[ID] = variable[(ID + 64) % N]; // want RAW blocks-unordered/split-kernel
}
__global__ void variable_by_pointer(const int *in) {
    variable[ID] = in[(ID + 64) % N]; // want WAR blocks-unordered/split-kernel
}

int main() {
    int *a, *b, **p, *v;
    cudaMalloc(&a, words * sizeof(int));
    cudaMalloc(&b, words * sizeof(int));
    cudaMalloc(&p, 2 * sizeof(int *));
    cudaMemset(a, 0, words * sizeof(int));
    cudaMemset(b, 0, words * sizeof(int));
    int *same[2] = {a, a};
    cudaMemcpy(p, same, sizeof same, cudaMemcpyHostToDevice);
    cudaGetSymbolAddress((void **)&v, variable);
    two_pointers<<<4, 64>>>(a, a);
    apart<<<4, 64>>>(a, b);
    half<<<4, 64>>>(a, a + 256);
    overlapping<<<4, 64>>>(a, a + 192);
    in_struct<<<4, 64>>>(Both{256, a, a});
    through_memory<<<4, 64>>>(p, nullptr);
    chosen<<<4, 64>>>(b, a, a);
    of_variable<<<4, 64>>>(a, nullptr);
    variable_by_pointer<<<4, 64>>>(v);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
}
