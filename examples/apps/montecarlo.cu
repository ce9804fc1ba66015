// Pi by throwing darts, with a random number generator of our own (xorshift)
// whose state lives in device memory between two launches; 64-bit atomics.

#include "../check.h"

__host__ __device__ unsigned step(unsigned &state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__host__ __device__ bool hit(unsigned &state) {
    float x = (step(state) >> 8) / 16777216.0f;
    float y = (step(state) >> 8) / 16777216.0f;
    return x * x + y * y < 1.0f;
}

__host__ __device__ unsigned seed(unsigned id) {
    unsigned v = (id + 1) * 2654435761u;
    return v == 0 ? 1 : v;
}

__global__ void init(unsigned *states) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    states[i] = seed(i);
}

__global__ void throwDarts(unsigned *states, unsigned long long *hits, int darts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = states[i];
    unsigned long long mine = 0;
    for (int d = 0; d < darts; d++) mine += hit(state);
    states[i] = state;
    atomicAdd(hits, mine);
}

int main() {
    const int blocks = 8, block = 128, darts = 50, rounds = 2;
    unsigned *dStates;
    unsigned long long *dHits, hits = 0;
    CHECK(cudaMalloc(&dStates, blocks * block * sizeof(unsigned)));
    CHECK(cudaMalloc(&dHits, sizeof(hits)));
    CHECK(cudaMemset(dHits, 0, sizeof(hits)));
    init<<<blocks, block>>>(dStates);
    for (int r = 0; r < rounds; r++) throwDarts<<<blocks, block>>>(dStates, dHits, darts);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&hits, dHits, sizeof(hits), cudaMemcpyDeviceToHost));

    long want = 0;
    for (int i = 0; i < blocks * block; i++) {
        unsigned state = seed(i);
        for (int d = 0; d < darts * rounds; d++) want += hit(state);
    }
    printf("montecarlo: pi is about %.4f\n", 4.0 * hits / (blocks * block * darts * rounds));
    // The device may fuse a multiply and an add: darts on the very edge differ.
    bool ok = std::labs((long)hits - want) <= 8;
    printf("montecarlo: %s\n", ok ? "PASS" : "FAIL");
    CHECK(cudaFree(dStates));
    CHECK(cudaFree(dHits));
    return ok ? 0 : 1;
}
