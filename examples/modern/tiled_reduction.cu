// Statistics of many rows with cooperative groups: tiles of a warp, or of a part
// of one, reduce a row each; the block's tiles exchange their results in shared
// memory; a cooperative launch then normalizes all rows by what the whole grid
// has found, with a barrier of the grid in between.
//
// With -D BUG a tile does not wait for its threads before it reads what they
// have put into shared memory.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../check.h"

namespace cg = cooperative_groups;

const int THREADS = 128;

struct Stats {
    float sum, least, most;
};

__device__ Stats merge(Stats a, Stats b) { return {a.sum + b.sum, fminf(a.least, b.least), fmaxf(a.most, b.most)}; }

// rowStats is the statistics of a row, known to the tile's first thread.
template <unsigned SIZE>
__device__ Stats rowStats(cg::thread_block_tile<SIZE, cg::thread_block> tile, const float *row, int cols) {
    Stats s{0, INFINITY, -INFINITY};
    for (int c = tile.thread_rank(); c < cols; c += static_cast<int>(SIZE)) s = merge(s, {row[c], row[c], row[c]});
    s.sum = cg::reduce(tile, s.sum, cg::plus<float>());
    s.least = cg::reduce(tile, s.least, cg::less<float>());
    s.most = cg::reduce(tile, s.most, cg::greater<float>());
    return s;
}

// smooth replaces a row by the means of three neighbors, through shared memory
// of the tile.
template <unsigned SIZE>
__device__ void smooth(cg::thread_block_tile<SIZE, cg::thread_block> tile, float *buffer, const float *row, float *out, int cols) {
    for (int base = 0; base < cols; base += static_cast<int>(SIZE)) {
        int t = tile.thread_rank(), c = base + t;
        buffer[t + 1] = c < cols ? row[c] : 0;
        if (t == 0) buffer[0] = base > 0 ? row[base - 1] : 0;
        if (t == static_cast<int>(SIZE) - 1) buffer[SIZE + 1] = c + 1 < cols ? row[c + 1] : 0;
#ifndef BUG
        tile.sync();
#endif
        if (c < cols) out[c] = (buffer[t] + buffer[t + 1] + buffer[t + 2]) / 3; // want race RAW
        tile.sync();
    }
}

template <unsigned SIZE>
__global__ void __launch_bounds__(THREADS) rows(const float *in, float *out, Stats *block, int n, int cols) {
    __shared__ float buffer[THREADS / SIZE][SIZE + 2];
    __shared__ Stats part[THREADS / SIZE];
    auto all = cg::this_thread_block();
    auto tile = cg::tiled_partition<SIZE>(all);
    int tiles = THREADS / static_cast<int>(SIZE);
    Stats mine{0, INFINITY, -INFINITY};
    for (int r = blockIdx.x * tiles + tile.meta_group_rank(); r < n; r += gridDim.x * tiles) {
        smooth(tile, buffer[tile.meta_group_rank()], in + r * cols, out + r * cols, cols);
        mine = merge(mine, rowStats(tile, out + r * cols, cols));
    }
    if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = mine;
    all.sync();
    if (all.thread_rank() == 0) {
        for (int i = 1; i < tiles; i++) mine = merge(mine, part[i]);
        block[blockIdx.x] = mine;
    }
}

// normalize brings all elements to the range from 0 to 1.
__global__ void __launch_bounds__(THREADS) normalize(float *data, Stats *block, int blocks, int *count, int n) {
    auto grid = cg::this_grid();
    for (int step = 1; step < blocks; step *= 2) { // a tree over the blocks' results
        int i = grid.thread_rank() * 2 * step;
        if (i + step < blocks) block[i] = merge(block[i], block[i + step]);
        grid.sync();
    }
    Stats s = block[0];
    float scale = s.most > s.least ? 1 / (s.most - s.least) : 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
        data[i] = (data[i] - s.least) * scale;
        if (data[i] > 0.5f) {
            auto active = cg::coalesced_threads();
            if (active.thread_rank() == 0) atomicAdd(count, static_cast<int>(active.size()));
        }
    }
}

struct Expected {
    std::vector<float> data;
    int count = 0;
};

Expected reference(const std::vector<float> &in, int n, int cols) {
    Expected e;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < cols; c++) {
            auto at = [&](int k) { return k >= 0 && k < cols ? in[r * cols + k] : 0; };
            e.data.push_back((at(c - 1) + at(c) + at(c + 1)) / 3);
        }
    float least = e.data[0], most = e.data[0];
    for (float v : e.data) {
        least = std::fmin(least, v);
        most = std::fmax(most, v);
    }
    for (float &v : e.data) v = (v - least) * (1 / (most - least));
    for (float v : e.data) e.count += v > 0.5f;
    return e;
}

template <unsigned SIZE>
bool run(int n, int cols, int blocks) {
    Random random(n + cols);
    std::vector<float> in(n * cols);
    for (float &v : in) v = random.uniform() * 10 - 3;
    float *dIn = toDevice(in), *dOut;
    Stats *block;
    int *count, total = n * cols;
    CHECK(cudaMalloc(&dOut, total * sizeof(float)));
    CHECK(cudaMalloc(&block, blocks * sizeof(Stats)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemset(count, 0, sizeof(int)));
    rows<SIZE><<<blocks, THREADS>>>(dIn, dOut, block, n, cols);
    void *args[] = {&dOut, &block, &blocks, &count, &total};
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(normalize), 4, THREADS, args, 0, nullptr));
    CHECK_LAUNCH();
    Expected want = reference(in, n, cols);
    char name[48];
    snprintf(name, sizeof name, "%d x %d by tiles of %u", n, cols, SIZE);
    bool ok = same(name, toHost(dOut, total), want.data, 1e-5);
    ok = same("count", toHost(count, 1), std::vector<int>{want.count}) && ok;
    for (float *p : {dIn, dOut}) CHECK(cudaFree(p));
    CHECK(cudaFree(block));
    CHECK(cudaFree(count));
    return ok;
}

int main() {
    bool ok = run<32>(20, 100, 3);
    ok = run<16>(33, 47, 5) && ok;
    ok = run<8>(10, 9, 2) && ok;
    return ok ? 0 : 1;
}
