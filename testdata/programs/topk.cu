// The k greatest of each row: every warp keeps its own in registers by shuffles, the
// block merges them in shared memory with a bitonic sort.
#include <algorithm>
#include <cstdio>
#include <cstdint>
#include <functional>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

constexpr int K = 32, WARPS = 8;

__device__ uint64_t key(float v, unsigned at) {
    unsigned u = __float_as_uint(v);
    u = u & 0x80000000u ? ~u : u | 0x80000000u;
    return uint64_t(u) << 32 | ~at;
}

template <class G> __device__ uint64_t exchange(const G &g, uint64_t v, int mask, bool greater) {
    uint64_t o = g.shfl_xor(v, mask);
    return (v > o) == greater ? v : o;
}

// Sorts the lanes of a warp, greatest first.
template <class G> __device__ uint64_t sort_warp(const G &g, uint64_t v) {
    int lane = g.thread_rank();
    for (int size = 2; size <= 32; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) v = exchange(g, v, d, ((lane & d) == 0) == ((lane & size) == 0));
    return v;
}

// Merges two sorted rows of lanes and keeps the upper half, sorted.
template <class G> __device__ uint64_t merge_warp(const G &g, uint64_t best, uint64_t more) {
    uint64_t turned = g.shfl(more, 31 - g.thread_rank());
    best = best > turned ? best : turned;
    for (int d = 16; d > 0; d /= 2) best = exchange(g, best, d, (g.thread_rank() & d) == 0);
    return best;
}

__global__ void topk(const float *data, int columns, float *values, int *index) {
    __shared__ uint64_t pool[WARPS * K];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const float *row = data + size_t(blockIdx.x) * columns;
    uint64_t best = 0;
    for (int base = warp.meta_group_rank() * 32; base < columns; base += WARPS * 32) {
        int at = base + warp.thread_rank();
        uint64_t mine = at < columns ? key(row[at], at) : 0;
        if (warp.any(mine > warp.shfl(best, 31))) best = merge_warp(warp, best, sort_warp(warp, mine));
    }
    pool[block.thread_rank()] = best;
    block.sync();
    for (int size = 2; size <= WARPS * K; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            int i = block.thread_rank(), o = i ^ d;
            if (o > i) {
                uint64_t a = pool[i], b = pool[o];
                if ((a < b) == ((i & size) == 0)) {
                    pool[i] = b;
                    pool[o] = a;
                }
            }
            block.sync();
        }
    if (block.thread_rank() < K) {
        int at = int(~unsigned(pool[block.thread_rank()]));
        index[blockIdx.x * K + block.thread_rank()] = at;
        values[blockIdx.x * K + block.thread_rank()] = row[at];
    }
}

int main() {
    const int rows = 5, columns = 3001;
    std::vector<float> data(rows * columns), values(rows * K);
    std::vector<int> index(rows * K);
    unsigned seed = 11;
    for (auto &v : data) seed = seed * 1664525u + 1013904223u, v = int(seed >> 8) % 10007 - 5000.0f;
    float *d_data, *d_values;
    int *d_index;
    cudaMalloc(&d_data, data.size() * 4);
    cudaMalloc(&d_values, values.size() * 4);
    cudaMalloc(&d_index, index.size() * 4);
    cudaMemcpy(d_data, data.data(), data.size() * 4, cudaMemcpyHostToDevice);
    topk<<<rows, WARPS * 32>>>(d_data, columns, d_values, d_index);
    cudaMemcpy(values.data(), d_values, values.size() * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(index.data(), d_index, index.size() * 4, cudaMemcpyDeviceToHost);
    bool ok = cudaGetLastError() == cudaSuccess;
    for (int r = 0; r < rows; r++) {
        std::vector<float> v(data.begin() + r * columns, data.begin() + (r + 1) * columns);
        std::partial_sort(v.begin(), v.begin() + K, v.end(), std::greater<float>());
        for (int i = 0; i < K; i++) ok = ok && values[r * K + i] == v[i] && data[r * columns + index[r * K + i]] == v[i];
    }
    printf(ok ? "PASS\n" : "FAIL\n");
    cudaFree(d_data); cudaFree(d_values); cudaFree(d_index);
    return !ok;
}
