// Blocks that talk to each other while they run: block b waits for a flag of
// block b-1, adds its part to the running sum, and raises its own flag, with
// fences on both sides (a chained scan). Block numbers are drawn from an
// atomic counter, so that a waiting block never keeps its predecessor out.

#include "../check.h"

const int BLOCK = 64;

struct Chain {
    unsigned ticket;
    int ready[64];
    int sum[64];
};

__global__ void chainedScan(const int *in, int *out, Chain *chain, int n) {
    __shared__ int s[BLOCK];
    __shared__ int part, before;
    int t = threadIdx.x;
    if (t == 0) part = atomicAdd(&chain->ticket, 1u);
    __syncthreads();

    int i = part * BLOCK + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
        int add = t >= offset ? s[t - offset] : 0;
        __syncthreads();
        s[t] += add;
        __syncthreads();
    }

    if (t == 0) {
        int sum = 0;
        if (part > 0) {
            while (atomicAdd(&chain->ready[part - 1], 0) == 0) {
            }
            __threadfence();
            sum = chain->sum[part - 1];
        }
        before = sum;
        chain->sum[part] = sum + s[BLOCK - 1];
        __threadfence();
        atomicExch(&chain->ready[part], 1);
    }
    __syncthreads();
    if (i < n) out[i] = before + s[t];
}

int main() {
    const int n = 1500;
    Random random;
    std::vector<int> in(n), want(n);
    int sum = 0;
    for (int i = 0; i < n; i++) want[i] = sum += in[i] = random.below(100);
    int *dIn = toDevice(in), *dOut;
    Chain *dChain;
    CHECK(cudaMalloc(&dOut, n * sizeof(int)));
    CHECK(cudaMalloc(&dChain, sizeof(Chain)));
    CHECK(cudaMemset(dChain, 0, sizeof(Chain)));
    chainedScan<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(dIn, dOut, dChain, n);
    CHECK_LAUNCH();
    bool ok = same("pipeline", toHost(dOut, n), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    CHECK(cudaFree(dChain));
    return ok ? 0 : 1;
}
