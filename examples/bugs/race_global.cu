// Blocks that add to one global counter without an atomic: no barrier can
// order different blocks of one launch.

#include "../check.h"

__global__ void count(int *counter) {
    if (threadIdx.x == 0)
        *counter += 1; // want race
}

int main() {
    int *counter;
    CHECK(cudaMalloc(&counter, sizeof(int)));
    CHECK(cudaMemset(counter, 0, sizeof(int)));
    count<<<8, 32>>>(counter);
    CHECK_LAUNCH();
    printf("race_global: counted %d of 8\n", toHost(counter, 1)[0]);
    CHECK(cudaFree(counter));
    return 0;
}
