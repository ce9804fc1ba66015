// LSD radix sort, 4 bits per pass: histogram, scan, stable scatter.
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>
#define RADIX 16
#define THREADS 256

static inline void check(cudaError_t err, const char *file, int line) {
    if (err != cudaSuccess) { printf("CUDA error %s at %s:%d\n", cudaGetErrorName(err), file, line); exit(1); }
}
#define CK(x) check(x, __FILE__, __LINE__)

__global__ void histogram(const uint32_t *keys, uint32_t n, int shift, uint32_t *hist) {
    __shared__ uint32_t bins[RADIX];
    if (threadIdx.x < RADIX) bins[threadIdx.x] = 0;
    __syncthreads();
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uint32_t d = (keys[i] >> shift) & (RADIX - 1);
        atomicAdd(&bins[d], 1u);
    }
    __syncthreads();
    if (threadIdx.x < RADIX) hist[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// one block scans everything
__global__ void scanAll(uint32_t *data, int n) {
    __shared__ uint32_t buf[2][THREADS];
    __shared__ uint32_t carry;
    if (threadIdx.x == 0) carry = 0;
    __syncthreads();
    for (int base = 0; base < n; base += THREADS) {
        int i = base + threadIdx.x;
        uint32_t v = i < n ? data[i] : 0;
        int p = 0;
        buf[p][threadIdx.x] = v;
        __syncthreads();
        for (int d = 1; d < THREADS; d *= 2) {
            uint32_t x = buf[p][threadIdx.x];
            if (threadIdx.x >= d) x += buf[p][threadIdx.x - d];
            buf[1 - p][threadIdx.x] = x;
            p = 1 - p;
            __syncthreads();
        }
        uint32_t inc = buf[p][threadIdx.x] + carry;
        if (i < n) data[i] = inc - v;
        __syncthreads();
        if (threadIdx.x == THREADS - 1) carry = inc;
        __syncthreads();
    }
}

__global__ void scatter(const uint32_t *keys, uint32_t *out, uint32_t n, int shift, const uint32_t *offs) {
    __shared__ uint32_t warpHist[THREADS / 32][RADIX];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < THREADS / 32 * RADIX; i += THREADS) warpHist[i / RADIX][i % RADIX] = 0;
    __syncthreads();
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t key = i < n ? keys[i] : 0xffffffffu;
    uint32_t d = (key >> shift) & (RADIX - 1);
    unsigned peers = __match_any_sync(0xffffffffu, i < n ? d : RADIX);
    int rank = __popc(peers & ((1u << lane) - 1));
    if (i < n && rank == 0) warpHist[warp][d] = __popc(peers);
    __syncthreads();
    if (threadIdx.x < RADIX) {
        uint32_t sum = offs[threadIdx.x * gridDim.x + blockIdx.x];
        for (int w = 0; w < THREADS / 32; w++) {
            uint32_t c = warpHist[w][threadIdx.x];
            warpHist[w][threadIdx.x] = sum;
            sum += c;
        }
    }
    __syncthreads();
    if (i < n) out[warpHist[warp][d] + rank] = key;
}

int main() {
    const uint32_t n = 5000;
    std::mt19937 gen(5);
    std::vector<uint32_t> h(n);
    for (auto &x : h) x = gen();
    auto ref = h;
    std::sort(ref.begin(), ref.end());
    uint32_t *a, *b, *hist;
    int blocks = (n + THREADS - 1) / THREADS;
    CK(cudaMalloc((void **)&a, n * 4));
    CK(cudaMalloc((void **)&b, n * 4));
    CK(cudaMalloc((void **)&hist, RADIX * blocks * 4));
    CK(cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice));
    for (int shift = 0; shift < 32; shift += 4) {
        histogram<<<blocks, THREADS>>>(a, n, shift, hist);
        scanAll<<<1, THREADS>>>(hist, RADIX * blocks);
        scatter<<<blocks, THREADS>>>(a, b, n, shift, hist);
        std::swap(a, b);
    }
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(h.data(), a, n * 4, cudaMemcpyDeviceToHost));
    printf(h == ref ? "PASS\n" : "FAIL\n");
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(hist));
    return h != ref;
}
