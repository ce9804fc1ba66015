// Blocks that wait for the block after them and count how often they looked: what
// they write is not progress.

#include <cstdio>

const int BLOCKS = 7, THREADS = 128;

__device__ unsigned long long looks;
__device__ int flags[BLOCKS];

__global__ void chain(int *order) {
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        if (b + 1 < BLOCKS)
            while (atomicAdd(&flags[b + 1], 0) == 0) atomicAdd(&looks, 1ull);
        __threadfence();
        order[b] = b + 1 < BLOCKS ? order[b + 1] + 1 : 1;
        __threadfence();
        atomicExch(&flags[b], 1);
    }
}

int main() {
    int *order, last[BLOCKS];
    cudaMalloc(&order, sizeof last);
    chain<<<BLOCKS, THREADS>>>(order);
    cudaError_t e = cudaMemcpy(last, order, sizeof last, cudaMemcpyDeviceToHost);
    bool right = e == cudaSuccess;
    for (int b = 0; b < BLOCKS; b++) right = right && last[b] == BLOCKS - b;
    printf("counted waits: %s\n", right ? "PASS" : cudaGetErrorString(e));
    return !right;
}
