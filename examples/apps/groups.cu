// Cooperative groups: tiles of several widths and tiles of tiles, shuffles of
// structs, coalesced and partitioned groups, collectives, a warp-aggregated
// atomic counter, and a grid-wide barrier.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <algorithm>
#include "../check.h"

namespace cg = cooperative_groups;

struct Sample {
    double value;
    int index;
    char tag;
};

// The largest sample of each tile of 8, by shuffling whole structs.
__global__ void largest(const double *in, Sample *out) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    Sample best = {in[block.thread_rank()], (int)block.thread_rank(), 'x'};
    for (unsigned d = tile.size() / 2; d > 0; d /= 2) {
        Sample other = tile.shfl_down(best, d);
        if (other.value > best.value) best = other;
    }
    best = tile.shfl(best, 0);
    best.tag = 'y';
    if (tile.thread_rank() == 7) out[tile.meta_group_rank()] = best;
}

// A helper that takes any group, as libraries have them.
template <class Group> __device__ int rankSum(const Group &g, int v) {
    return cg::reduce(g, v, cg::plus<int>());
}

__global__ void tiles(int *out) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    int t = block.thread_rank();
    out[t] = quad.meta_group_rank() * 100 + quad.meta_group_size() + 10000 * warp.meta_group_rank();
    out[64 + t] = rankSum(quad, t);
    cg::coalesced_group odd = cg::binary_partition(warp, t % 2 == 1);
    out[128 + t] = rankSum(odd, t);
    auto third = cg::labeled_partition(warp, t % 3);
    out[192 + t] = cg::inclusive_scan(third, 1) * 1000 + cg::exclusive_scan(third, t, cg::plus<int>());
}

// Only some threads take part; one of them adds for all.
__device__ int aggregatedAdd(int *counter) {
    cg::coalesced_group g = cg::coalesced_threads();
    int base = cg::invoke_one_broadcast(g, [&] { return atomicAdd(counter, (int)g.size()); });
    return base + g.thread_rank();
}

__global__ void filter(const double *in, int n, int *out, int *count) {
    int i = cg::this_grid().thread_rank();
    if (i < n && in[i] > 0.5) out[aggregatedAdd(count)] = i;
}

__device__ void synchronize(cg::thread_group g) { g.sync(); }

// Each step needs the neighbors' values of the step before, across blocks.
__global__ void relax(int *a, int *b, int n, int steps) {
    auto grid = cg::this_grid();
    for (int s = 0; s < steps; s++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size())
            b[i] = (a[(i + n - 1) % n] + a[i] + a[(i + 1) % n]) % 1009;
        grid.sync();
        int *t = a;
        a = b;
        b = t;
    }
    synchronize(cg::this_thread_block());
}

bool tryTiles() {
    int *out;
    CHECK(cudaMallocManaged(&out, 256 * sizeof *out));
    tiles<<<1, 64>>>(out);
    CHECK_LAUNCH();
    std::vector<int> want(256);
    for (int t = 0; t < 64; t++) {
        int lane = t % 32, first = t - lane;
        want[t] = lane / 4 * 100 + 8 + 10000 * (t / 32);
        want[64 + t] = 4 * (t - t % 4) + 6;
        int ones = 0, before = 0;
        for (int u = first; u < first + 32; u++) {
            if (u % 2 == t % 2) want[128 + t] += u;
            if (u % 3 == t % 3 && u <= t) ones++;
            if (u % 3 == t % 3 && u < t) before += u;
        }
        want[192 + t] = ones * 1000 + before;
    }
    return same("tiles", std::vector<int>(out, out + 256), want);
}

int main() {
    const int n = 1000, threads = 128;
    Random random;
    std::vector<double> in(n);
    for (double &v : in) v = random.uniform();
    double *data = toDevice(in);

    Sample *best;
    CHECK(cudaMallocManaged(&best, threads / 8 * sizeof *best));
    largest<<<1, threads>>>(data, best);
    CHECK_LAUNCH();
    std::vector<int> got, want;
    for (int k = 0; k < threads / 8; k++) {
        got.push_back(best[k].tag == 'y' ? best[k].index : -1);
        want.push_back((int)(std::max_element(in.begin() + 8 * k, in.begin() + 8 * k + 8) - in.begin()));
    }
    bool ok = same("largest", got, want);
    ok &= tryTiles();

    int *chosen, *count;
    CHECK(cudaMalloc(&chosen, n * sizeof *chosen));
    CHECK(cudaMallocManaged(&count, sizeof *count));
    *count = 0;
    filter<<<(n + threads - 1) / threads, threads>>>(data, n, chosen, count);
    CHECK_LAUNCH();
    want.clear();
    for (int i = 0; i < n; i++)
        if (in[i] > 0.5) want.push_back(i);
    got = toHost(chosen, *count);
    std::sort(got.begin(), got.end());
    ok &= same("filter", got, want);

    const int cells = 600, steps = 5;
    std::vector<int> line(cells), next(cells);
    for (int &v : line) v = random.below(1009);
    int *a = toDevice(line), *b = toDevice(line);
    void *args[] = {&a, &b, (void *)&cells, (void *)&steps};
    CHECK(cudaLaunchCooperativeKernel((void *)relax, 4, 64, args, 0, nullptr));
    CHECK_LAUNCH();
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < cells; i++)
            next[i] = (line[(i + cells - 1) % cells] + line[i] + line[(i + 1) % cells]) % 1009;
        line.swap(next);
    }
    ok &= same("grid", toHost(steps % 2 ? b : a, cells), line);
    return !ok;
}
