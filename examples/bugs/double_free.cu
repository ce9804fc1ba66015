// Host memory bookkeeping gone wrong: a buffer is freed twice, a pointer into
// the middle of another one is freed, and pinned memory is given to cudaFree.
// The program ignores what CUDA tells it.
#include <cstdio>

__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }

int main() {
    int *a, *b, *pinned;
    cudaMalloc(&a, 32 * sizeof(int));
    cudaMalloc(&b, 32 * sizeof(int));
    cudaMallocHost(&pinned, 32 * sizeof(int));
    fill<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(a);       // want memory double-free
    cudaFree(b + 4);   // want memory invalid-free
    cudaFree(pinned);  // want memory invalid-free
    cudaFree(b);
    cudaFreeHost(pinned);
    printf("done\n");
    return 0;
}
