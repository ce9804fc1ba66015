// Radix sort of 32-bit keys, 4 bits a pass: counts of digits by block, their prefix sums, and a
// stable scatter. The result is compared with that of std::sort.
#include "../check.h"
#include <algorithm>

const int THREADS = 256, DIGITS = 16;

__global__ void count(const unsigned *keys, int n, int shift, int *counts) {
    __shared__ int of[DIGITS];
    if (threadIdx.x < DIGITS) of[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) atomicAdd(&of[keys[i] >> shift & (DIGITS - 1)], 1);
    __syncthreads();
    if (threadIdx.x < DIGITS) counts[threadIdx.x * gridDim.x + blockIdx.x] = of[threadIdx.x];
}

// Exclusive sums of so many counts, by one block: each thread has a part of them.
__global__ void sums(int *counts, int n) {
    __shared__ int part[1024];
    int t = threadIdx.x, per = (n + 1023) / 1024, from = min(t * per, n), to = min(from + per, n), sum = 0;
    for (int i = from; i < to; i++) sum += counts[i];
    part[t] = sum;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        int left = t >= d ? part[t - d] : 0;
        __syncthreads();
        part[t] += left;
        __syncthreads();
    }
    sum = t > 0 ? part[t - 1] : 0;
    for (int i = from; i < to; i++) {
        int c = counts[i];
        counts[i] = sum;
        sum += c;
    }
}

// A key goes behind those of its digit in earlier blocks, warps and lanes.
__global__ void scatter(const unsigned *keys, int n, int shift, const int *places, unsigned *sorted) {
    __shared__ int before[THREADS / 32][DIGITS];
    int i = blockIdx.x * THREADS + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane < DIGITS) before[warp][lane] = 0;
    __syncwarp();
    unsigned key = i < n ? keys[i] : 0xffffffffu;
    int digit = key >> shift & (DIGITS - 1);
    unsigned same = __match_any_sync(0xffffffffu, i < n ? digit : DIGITS);
    int rank = __popc(same & ((1u << lane) - 1));
    if (i < n && rank == 0) before[warp][digit] = __popc(same);
    __syncthreads();
    if (threadIdx.x < DIGITS)
        for (int w = 0, sum = 0; w < THREADS / 32; w++) {
            int c = before[w][threadIdx.x];
            before[w][threadIdx.x] = sum;
            sum += c;
        }
    __syncthreads();
    if (i < n) sorted[places[digit * gridDim.x + blockIdx.x] + before[warp][digit] + rank] = key;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1 << 16, rounds = argc > 2 ? atoi(argv[2]) : 1, blocks = (n + THREADS - 1) / THREADS;
    std::vector<unsigned> keys(n), got(n);
    unsigned state = 1;
    for (auto &k : keys) k = state = state * 1664525u + 1013904223u;
    unsigned *from, *to;
    int *counts;
    CHECK(cudaMalloc(&from, 4 * n));
    CHECK(cudaMalloc(&to, 4 * n));
    CHECK(cudaMalloc(&counts, 4 * DIGITS * blocks));
    for (int r = 0; r < rounds; r++) {
        CHECK(cudaMemcpy(from, keys.data(), 4 * n, cudaMemcpyHostToDevice));
        for (int shift = 0; shift < 32; shift += 4) {
            count<<<blocks, THREADS>>>(from, n, shift, counts);
            sums<<<1, 1024>>>(counts, DIGITS * blocks);
            scatter<<<blocks, THREADS>>>(from, n, shift, counts, to);
            std::swap(from, to);
        }
    }
    CHECK(cudaMemcpy(got.data(), from, 4 * n, cudaMemcpyDeviceToHost));
    std::sort(keys.begin(), keys.end());
    printf("%s: %d keys\n", got == keys ? "PASS" : "FAIL", n);
    cudaFree(from), cudaFree(to), cudaFree(counts);
    return got != keys;
}
