// A kernel that never ends: thread 0 waits for a flag that nothing sets.

#include "../check.h"

__global__ void wait(volatile int *flag) {
    if (threadIdx.x == 0)
        while (*flag == 0) { // want hang
        }
}

int main() {
    int *flag;
    CHECK(cudaMalloc(&flag, sizeof(int)));
    CHECK(cudaMemset(flag, 0, sizeof(int)));
    wait<<<1, 32>>>(flag);
    cudaDeviceSynchronize();
    cudaFree(flag);
    return 0;
}
