// The product of two ints overflows: the address is before the allocation, by 2 GB.
// flags: --on-fault kernel
#include <cstdio>
__global__ void fill(unsigned char *a, int rows, int pitch) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        int off = r * pitch;
        a[off] = 1; // help: 2160000000 does not fit into a signed 32-bit integer and became -2134967296 // help: (size_t)row * pitch // not: host pointer
    }
}
__global__ void wide(unsigned char *a, int rows, int pitch) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) a[(size_t)r * pitch] = 1;
}
// Negative without an overflow.
__global__ void before(int *a) {
    a[(int)threadIdx.x - 200] = 1; // help: 800 bytes before // help: check the index // not: has overflowed
}
int main() {
    int rows = 70, pitch = 40000000;
    unsigned char *d;
    if (cudaMalloc(&d, (size_t)rows * pitch) != cudaSuccess) return 2;
    wide<<<1, 128>>>(d, rows, pitch);
    fill<<<1, 128>>>(d, rows, pitch);
    cudaDeviceSynchronize();
    before<<<1, 1>>>((int *)d);
    cudaDeviceSynchronize();
    cudaFree(d);
}
