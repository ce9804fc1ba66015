// The last steps of a reduction within one warp, without __syncwarp. Before
// sm_70 the lanes moved in lockstep and this worked (with volatile); since
// then they may not. `--race-model lockstep` accepts it.

#include "../check.h"

__global__ void sum(const int *in, int *out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
    s[t] += s[t + 32];
    s[t] += s[t + 16]; // want race
    s[t] += s[t + 8];  // want race
    s[t] += s[t + 4];  // want race
    s[t] += s[t + 2];  // want race
    s[t] += s[t + 1];  // want race
    if (t == 0) out[0] = s[0];
}

int main() {
    std::vector<int> in(64, 1);
    int *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, sizeof(int)));
    sum<<<1, 32>>>(dIn, dOut);
    CHECK_LAUNCH();
    printf("missing_syncwarp: sum %d of 64\n", toHost(dOut, 1)[0]);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return 0;
}
