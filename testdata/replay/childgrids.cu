// Child grids of child grids with defects of all kinds: within them, between them and their parents, in copies
// that device code asks for, in a launch that CUDA refuses, and in the tail stream.
#include <cstdio>

__global__ void grandchild(int *p, int n)
{
    p[threadIdx.x / 2] = threadIdx.x;
    if (threadIdx.x == 0)
        printf("grandchild of block %d\n", n);
}

__global__ void child(int *p, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    p[64 + threadIdx.x] = s[(threadIdx.x + 1) % 64];
    if (threadIdx.x == 0) {
        grandchild<<<1, 32>>>(p + 128, n);
        cudaMemcpyAsync(p + 256, p, 64, cudaMemcpyDeviceToDevice, 0);
    }
}

__global__ void last(int *p)
{
    p[0] = 7;
    p[1000000] = 3;
}

__global__ void parent(int *p)
{
    if (threadIdx.x == 0) {
        child<<<1, 64>>>(p, blockIdx.x);
        child<<<1, 2048>>>(p, 5);
        last<<<1, 1, 0, cudaStreamTailLaunch>>>(p);
        printf("block %d\n", blockIdx.x);
    }
    p[64] = 2;
}

__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }

int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    fill<<<1, 64>>>(p);
    parent<<<2, 32>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
