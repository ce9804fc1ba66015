// Two extern arrays begin at the same address.
#include <cstdio>
extern __shared__ float weights[];
extern __shared__ int counts[];
__global__ void both(float *out) {
    weights[threadIdx.x] = threadIdx.x;
    counts[blockDim.x - 1 - threadIdx.x] = 1; // help: weights and counts overlap // not: __sync
    __syncthreads();
    out[threadIdx.x] = weights[threadIdx.x] + counts[threadIdx.x];
}
int main() {
    float *d;
    cudaMalloc(&d, 1024);
    both<<<1, 128, 1024>>>(d);
    printf("%d\n", cudaDeviceSynchronize());
}
