// Single-pass scan with decoupled look-back (Merrill & Garland), 64-bit status words.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <numeric>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(EXIT_FAILURE); } } while (0)

constexpr int BLOCK = 128;
constexpr int ITEMS = 4;
constexpr int TILE = BLOCK * ITEMS;
enum : unsigned { EMPTY = 0, AGGREGATE = 1, PREFIX = 2 };

struct TileState { unsigned status; int aggregate; int prefix; };

__device__ __forceinline__ int warpInclusive(int v) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        int o = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d) v += o;
    }
    return v;
}

__device__ int blockExclusive(int v, int *warpSums, int &total) {
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int inc = warpInclusive(v);
    if (lane == 31) warpSums[warp] = inc;
    __syncthreads();
    if (warp == 0) {
        int s = lane < BLOCK / 32 ? warpSums[lane] : 0;
        s = warpInclusive(s);
        if (lane < BLOCK / 32) warpSums[lane] = s;
    }
    __syncthreads();
    total = warpSums[BLOCK / 32 - 1];
    return inc - v + (warp ? warpSums[warp - 1] : 0);
}

__global__ void scanLookback(const int *__restrict__ in, int *__restrict__ out, int n,
                             volatile TileState *tiles, unsigned *ticket) {
    __shared__ int warpSums[BLOCK / 32];
    __shared__ int tile, exclusive;
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int base = tile * TILE + threadIdx.x * ITEMS;
    int items[ITEMS], sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        items[i] = base + i < n ? in[base + i] : 0;
        sum += items[i];
    }
    int total;
    int off = blockExclusive(sum, warpSums, total);
    if (threadIdx.x == 0) {
        if (tile == 0) {
            tiles[0].prefix = total;
            __threadfence();
            tiles[0].status = PREFIX;
            exclusive = 0;
        } else {
            tiles[tile].aggregate = total;
            __threadfence();
            tiles[tile].status = AGGREGATE;
            int run = 0;
            for (int t = tile - 1; t >= 0; t--) {
                unsigned s;
                while ((s = tiles[t].status) == EMPTY) { }
                __threadfence();
                if (s == PREFIX) { run += tiles[t].prefix; break; }
                run += tiles[t].aggregate;
            }
            tiles[tile].prefix = run + total;
            __threadfence();
            tiles[tile].status = PREFIX;
            exclusive = run;
        }
    }
    __syncthreads();
    int acc = exclusive + off;
    for (int i = 0; i < ITEMS; i++) {
        if (base + i < n) out[base + i] = acc;
        acc += items[i];
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 20001;
    std::vector<int> h(n), ref(n), got(n);
    for (int i = 0; i < n; i++) h[i] = (i * 7 + 3) % 11;
    std::exclusive_scan(h.begin(), h.end(), ref.begin(), 0);
    int *in, *out; TileState *st; unsigned *ticket;
    int tiles = (n + TILE - 1) / TILE;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMalloc(&st, tiles * sizeof(TileState)));
    CHECK(cudaMalloc(&ticket, sizeof(unsigned)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(st, 0, tiles * sizeof(TileState)));
    CHECK(cudaMemset(ticket, 0, sizeof(unsigned)));
    scanLookback<<<tiles, BLOCK>>>(in, out, n, st, ticket);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    bool ok = got == ref;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(in); cudaFree(out); cudaFree(st); cudaFree(ticket);
    return ok ? 0 : 1;
}
