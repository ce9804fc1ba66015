// exit: 0
// Variables declared __managed__, read and written on both sides.
#include <cstdio>

__managed__ int table[4] = {1, 2, 3, 4};
__device__ __managed__ int total = 5;

__global__ void add() { atomicAdd(&total, table[threadIdx.x]); }

__global__ void through(int *p) { p[1] = 7; }

int main() {
    table[0] = 10;
    add<<<1, 4>>>();
    cudaDeviceSynchronize();
    if (total != 5 + 10 + 2 + 3 + 4) return 1;
    total = 0;
    add<<<1, 4>>>();
    cudaDeviceSynchronize();
    if (total != 19) return 2;
    through<<<1, 1>>>(&table[2]);
    cudaDeviceSynchronize();
    if (table[3] != 7 || table[2] != 3) return 3;
    puts("PASS");
    return 0;
}
