// Radix sort of 32-bit keys, four bits at a time. Each pass counts digits per
// block, scans the counts of all blocks digit by digit, and scatters. The rank
// of a key within its warp comes from ballots: who else has this digit?

#include "../check.h"
#include <algorithm>
#include <utility>

const int BITS = 4, DIGITS = 1 << BITS, BLOCK = 256, WARPS = BLOCK / 32;

__device__ unsigned digitOf(unsigned key, int shift) { return key >> shift & (DIGITS - 1); }

// peers returns the lanes of the warp whose digit equals this lane's.
__device__ unsigned peers(unsigned digit, bool active) {
    unsigned mask = __ballot_sync(0xffffffff, active);
    for (int bit = 0; bit < BITS; bit++) {
        bool set = digit >> bit & 1;
        unsigned votes = __ballot_sync(0xffffffff, set);
        mask &= set ? votes : ~votes;
    }
    return mask;
}

__global__ void count(const unsigned *keys, unsigned *counts, int n, int shift) {
    __shared__ unsigned local[DIGITS];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    if (t < DIGITS) local[t] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&local[digitOf(keys[i], shift)], 1u);
    __syncthreads();
    if (t < DIGITS) counts[t * gridDim.x + blockIdx.x] = local[t]; // digit-major
}

// scan replaces the counts by their exclusive prefix sums, in one block.
__global__ void scan(unsigned *counts, int n) {
    __shared__ unsigned s[BLOCK];
    unsigned carry = 0;
    for (int start = 0; start < n; start += BLOCK) {
        int t = threadIdx.x, i = start + t;
        unsigned own = i < n ? counts[i] : 0;
        s[t] = own;
        __syncthreads();
        for (int offset = 1; offset < BLOCK; offset *= 2) {
            unsigned add = t >= offset ? s[t - offset] : 0;
            __syncthreads();
            s[t] += add;
            __syncthreads();
        }
        if (i < n) counts[i] = carry + s[t] - own;
        carry += s[BLOCK - 1];
        __syncthreads();
    }
}

__global__ void scatter(const unsigned *in, unsigned *out, const unsigned *starts, int n,
                        int shift) {
    __shared__ unsigned warpCount[WARPS][DIGITS];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * BLOCK + t;
    if (t < WARPS * DIGITS) warpCount[t / DIGITS][t % DIGITS] = 0;
    __syncthreads();

    bool active = i < n;
    unsigned key = active ? in[i] : 0, digit = digitOf(key, shift);
    unsigned same = peers(digit, active);
    unsigned below = same & ((1u << lane) - 1);
    if (active && below == 0) warpCount[warp][digit] = __popc(same);
    __syncthreads();
    if (!active) return;
    unsigned at = starts[digit * gridDim.x + blockIdx.x] + __popc(below);
    for (int w = 0; w < warp; w++) at += warpCount[w][digit];
    out[at] = key;
}

int main() {
    const int n = 3000, blocks = (n + BLOCK - 1) / BLOCK;
    Random random;
    std::vector<unsigned> keys(n);
    for (unsigned &k : keys) k = random.next() << 8 ^ random.next();

    unsigned *dIn = toDevice(keys), *dOut, *dCounts;
    CHECK(cudaMalloc(&dOut, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&dCounts, blocks * DIGITS * sizeof(unsigned)));
    for (int shift = 0; shift < 32; shift += BITS) {
        count<<<blocks, BLOCK>>>(dIn, dCounts, n, shift);
        scan<<<1, BLOCK>>>(dCounts, blocks * DIGITS);
        scatter<<<blocks, BLOCK>>>(dIn, dOut, dCounts, n, shift);
        CHECK_LAUNCH();
        std::swap(dIn, dOut);
    }
    std::sort(keys.begin(), keys.end());
    bool ok = same("radix", toHost(dIn, n), keys);
    for (unsigned *p : {dIn, dOut, dCounts}) CHECK(cudaFree(p));
    return ok ? 0 : 1;
}
