// Warp specialization with named barriers: one warp fetches tiles into two
// buffers, the others compute on them. Each buffer has a "full" and an "empty"
// barrier; who only announces uses bar.arrive, who waits uses bar.sync.

#include "../check.h"

const int CONSUMERS = 96, PRODUCERS = 32, THREADS = CONSUMERS + PRODUCERS, TILE = 96;

__device__ void barrierSync(int id) {
    asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

__device__ void barrierArrive(int id) {
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

__device__ int fullBarrier(int buffer) { return 1 + buffer; }
__device__ int emptyBarrier(int buffer) { return 3 + buffer; }

__global__ void pipeline(const int *in, int *out, int tiles) {
    __shared__ int s[2][TILE];
    int t = threadIdx.x;
    if (t < PRODUCERS) {
        for (int tile = 0; tile < tiles; tile++) {
            int buffer = tile % 2;
            if (tile >= 2) barrierSync(emptyBarrier(buffer));
            for (int i = t; i < TILE; i += PRODUCERS) s[buffer][i] = in[tile * TILE + i];
            barrierArrive(fullBarrier(buffer));
        }
    } else {
        int c = t - PRODUCERS, sum = 0;
        for (int tile = 0; tile < tiles; tile++) {
            int buffer = tile % 2;
            barrierSync(fullBarrier(buffer));
            sum += s[buffer][c] * s[buffer][(c + 1) % TILE];
            if (tile + 2 < tiles) barrierArrive(emptyBarrier(buffer));
        }
        out[c] = sum;
    }
}

int main() {
    const int tiles = 9;
    Random random;
    std::vector<int> in(tiles * TILE), want(TILE);
    for (int &v : in) v = random.below(50);
    for (int tile = 0; tile < tiles; tile++)
        for (int c = 0; c < TILE; c++)
            want[c] += in[tile * TILE + c] * in[tile * TILE + (c + 1) % TILE];
    int *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, TILE * sizeof(int)));
    pipeline<<<1, THREADS>>>(dIn, dOut, tiles);
    CHECK_LAUNCH();
    bool ok = same("specialized", toHost(dOut, TILE), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
