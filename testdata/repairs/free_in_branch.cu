// fix: fixed
// has: +    fill<<<1, 32>>>(a, n);
// not: if (n > 8) ;
#include <cstdlib>
__global__ void fill(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 32;
    float *a;
    if (argc > 5) {
        cudaMalloc(&a, 4 * n);
        fill<<<1, 32>>>(a, n);
        cudaFree(a);
    }
    cudaMalloc(&a, 4 * n);
    if (n > 4) cudaMemset(a, 0, 4 * n);
    if (n > 8) cudaFree(a);
    fill<<<1, 32>>>(a, n);
    return cudaDeviceSynchronize();
}
