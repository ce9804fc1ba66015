// Run-length coding in one pass: blocks take tiles by ticket, count the runs that begin
// there, and find where theirs go by looking back at the tiles before.
#include <cstdio>
#include <vector>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int THREADS = 128, EACH = 4, TILE = THREADS * EACH;
enum : unsigned { EMPTY = 0, PARTIAL = 1u << 30, TOTAL = 2u << 30, VALUE = PARTIAL - 1 };
using State = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ unsigned scan_block(unsigned v, unsigned *sums, unsigned &total) { // exclusive
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned x = v;
    for (int d = 1; d < 32; d *= 2) {
        unsigned y = __shfl_up_sync(0xffffffffu, x, d);
        if (lane >= d) x += y;
    }
    if (lane == 31) sums[warp] = x;
    __syncthreads();
    unsigned before = 0;
    total = 0;
    for (int w = 0; w < THREADS / 32; w++) {
        if (w < warp) before += sums[w];
        total += sums[w];
    }
    return before + x - v;
}

__global__ void encode(const unsigned char *in, int n, unsigned *states, unsigned *ticket, unsigned char *symbol, int *begin, int *runs) {
    __shared__ unsigned tile, base, sums[THREADS / 32];
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1);
    __syncthreads();
    int at = tile * TILE + threadIdx.x * EACH;
    unsigned heads = 0, mine = 0;
    for (int i = 0; i < EACH; i++)
        if (at + i < n && (at + i == 0 || in[at + i] != in[at + i - 1])) {
            heads |= 1u << i;
            mine++;
        }
    unsigned total, offset = scan_block(mine, sums, total);
    if (threadIdx.x == 0) {
        State own(states[tile]);
        unsigned sum = 0;
        if (tile > 0) {
            own.store(PARTIAL | total, cuda::memory_order_release);
            for (int t = tile - 1; t >= 0; t--) {
                unsigned s;
                while ((s = State(states[t]).load(cuda::memory_order_acquire)) == EMPTY) {}
                sum += s & VALUE;
                if (s & TOTAL) break;
            }
        }
        own.store(TOTAL | (sum + total), cuda::memory_order_release);
        base = sum;
        if (tile == gridDim.x - 1) *runs = sum + total;
    }
    __syncthreads();
    offset += base;
    for (int i = 0; i < EACH; i++)
        if (heads >> i & 1) {
            symbol[offset] = in[at + i];
            begin[offset++] = at + i;
        }
}

__global__ void lengths(const int *begin, const int *runs, int n, int *length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < *runs) length[i] = (i + 1 < *runs ? begin[i + 1] : n) - begin[i];
}

int main() {
    const int n = 9001, tiles = (n + TILE - 1) / TILE;
    std::vector<unsigned char> in(n), symbol(n);
    unsigned seed = 5;
    for (int i = 0; i < n;) {
        seed = seed * 1664525u + 1013904223u;
        for (int k = 1 + (seed >> 10) % 23; k > 0 && i < n; k--) in[i++] = seed >> 24;
    }
    std::vector<int> length(n);
    unsigned char *d_in, *d_symbol;
    unsigned *d_states, *d_ticket;
    int *d_begin, *d_runs, *d_length, runs = 0;
    cudaMalloc(&d_in, n);
    cudaMalloc(&d_symbol, n);
    cudaMalloc(&d_states, tiles * sizeof(unsigned));
    cudaMalloc(&d_ticket, sizeof(unsigned));
    cudaMalloc(&d_begin, n * sizeof(int));
    cudaMalloc(&d_length, n * sizeof(int));
    cudaMalloc(&d_runs, sizeof(int));
    cudaMemcpy(d_in, in.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(d_states, 0, tiles * sizeof(unsigned));
    cudaMemset(d_ticket, 0, sizeof(unsigned));
    encode<<<tiles, THREADS>>>(d_in, n, d_states, d_ticket, d_symbol, d_begin, d_runs);
    lengths<<<(n + 255) / 256, 256>>>(d_begin, d_runs, n, d_length);
    cudaMemcpy(&runs, d_runs, sizeof runs, cudaMemcpyDeviceToHost);
    cudaMemcpy(symbol.data(), d_symbol, runs, cudaMemcpyDeviceToHost);
    cudaMemcpy(length.data(), d_length, runs * sizeof(int), cudaMemcpyDeviceToHost);
    bool ok = cudaGetLastError() == cudaSuccess;
    int at = 0;
    for (int r = 0; r < runs; r++)
        for (int i = 0; i < length[r]; i++, at++) ok = ok && at < n && in[at] == symbol[r] && (i > 0 || at == 0 || in[at - 1] != in[at]);
    ok = ok && at == n;
    printf(ok ? "PASS\n" : "FAIL\n");
    cudaFree(d_in); cudaFree(d_symbol); cudaFree(d_states); cudaFree(d_ticket); cudaFree(d_begin); cudaFree(d_length); cudaFree(d_runs);
    return !ok;
}
