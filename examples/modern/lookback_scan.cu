// Prefix sums in one pass, with decoupled look-back: each block scans its tile,
// publishes the tile's sum, and finds what lies before it by looking back over
// the tiles before, a warp's width at a time: it adds up sums until it reaches
// a tile whose whole prefix is known. Tiles are numbered by a counter, so that
// a block only waits for tiles that have been begun.
//
// With -D BUG a tile's state is published without a fence before it.

#include "../check.h"

const int THREADS = 128, ITEMS = 4, TILE = THREADS * ITEMS, WARP = 32;

enum State { EMPTY, SUM, PREFIX }; // the facts about a tile

// Tiles is what the blocks tell each other.
struct Tiles {
    unsigned next;
    unsigned *state;
    int *sum, *prefix;
};

__device__ void fence() {
#ifndef BUG
    __threadfence();
#endif
}

__device__ void publish(Tiles *tiles, unsigned tile, State state, int value) {
    (state == SUM ? tiles->sum : tiles->prefix)[tile] = value;
    fence();
    atomicExch(&tiles->state[tile], state);
}

__device__ int warpSum(int v) {
    for (int d = WARP / 2; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

// lookBack returns the sum of all tiles before one. The whole warp calls it.
__device__ int lookBack(Tiles *tiles, unsigned tile) {
    int lane = threadIdx.x % WARP, before = 0;
    for (int last = static_cast<int>(tile) - 1;; last -= WARP) {
        int at = last - lane; // lane 0 has the nearest tile
        unsigned state = PREFIX;
        if (at >= 0)
            while ((state = atomicAdd(&tiles->state[at], 0)) == EMPTY) {}
        __threadfence();
        unsigned known = __ballot_sync(0xffffffff, state == PREFIX);
        int nearest = known ? __ffs(known) - 1 : WARP - 1;
        int value = 0;
        if (at >= 0 && lane <= nearest) value = state == PREFIX ? tiles->prefix[at] : tiles->sum[at]; // want race RAW
        before += warpSum(value);
        if (known) return before;
    }
}

// scanBlock turns each thread's value into the sum of those of the threads up
// to it, and returns the sum of all.
__device__ int scanBlock(int &v) {
    __shared__ int sums[THREADS / WARP];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (int d = 1; d < WARP; d *= 2) {
        int x = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += x;
    }
    if (lane == WARP - 1) sums[warp] = v;
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < THREADS / WARP; w++) {
        if (w < warp) before += sums[w];
        all += sums[w];
    }
    v += before;
    return all;
}

__global__ void __launch_bounds__(THREADS) scan(const int *in, int *out, Tiles *tiles, int n) {
    __shared__ unsigned tile;
    __shared__ int before;
    if (threadIdx.x == 0) tile = atomicAdd(&tiles->next, 1u);
    __syncthreads();

    int base = tile * TILE + threadIdx.x * ITEMS, v[ITEMS], sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        v[i] = base + i < n ? in[base + i] : 0;
        sum += v[i];
    }
    int upTo = sum, all = scanBlock(upTo);

    if (tile == 0) {
        if (threadIdx.x == 0) {
            publish(tiles, 0, PREFIX, all);
            before = 0;
        }
    } else if (threadIdx.x < WARP) {
        if (threadIdx.x == 0) publish(tiles, tile, SUM, all);
        int b = lookBack(tiles, tile);
        if (threadIdx.x == 0) {
            publish(tiles, tile, PREFIX, b + all);
            before = b;
        }
    }
    __syncthreads();

    int running = before + upTo - sum;
    for (int i = 0; i < ITEMS; i++) {
        running += v[i];
        if (base + i < n) out[base + i] = running;
    }
}

// Device is the state in device memory for a number of tiles.
struct Device {
    Tiles host{}, *tiles = nullptr;
    explicit Device(int count) {
        CHECK(cudaMalloc(&host.state, count * sizeof(unsigned)));
        CHECK(cudaMalloc(&host.sum, count * sizeof(int)));
        CHECK(cudaMalloc(&host.prefix, count * sizeof(int)));
        CHECK(cudaMemset(host.state, 0, count * sizeof(unsigned)));
        CHECK(cudaMalloc(&tiles, sizeof(Tiles)));
        CHECK(cudaMemcpy(tiles, &host, sizeof(Tiles), cudaMemcpyHostToDevice));
    }
    ~Device() {
        CHECK(cudaFree(host.state));
        CHECK(cudaFree(host.sum));
        CHECK(cudaFree(host.prefix));
        CHECK(cudaFree(tiles));
    }
};

bool run(int n) {
    Random random(n);
    std::vector<int> in(n), want(n);
    int sum = 0;
    for (int i = 0; i < n; i++) want[i] = sum += in[i] = random.below(21) - 10;
    int blocks = (n + TILE - 1) / TILE, *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, n * sizeof(int)));
    Device device(blocks);
    scan<<<blocks, THREADS>>>(dIn, dOut, device.tiles, n);
    CHECK_LAUNCH();
    char name[32];
    snprintf(name, sizeof name, "%d numbers", n);
    bool ok = same(name, toHost(dOut, n), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok;
}

int main() {
    bool ok = run(1);
    ok = run(TILE) && ok;
    ok = run(3 * TILE + 1) && ok;
    ok = run(40 * TILE - 7) && ok; // further back than a warp is wide
    return ok ? 0 : 1;
}
