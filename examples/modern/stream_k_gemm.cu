// Stream-K matrix multiplication: the multiply-accumulate iterations of all
// output tiles are one long sequence, which is cut into equal shares, one for
// each block, whatever the number of tiles. A block whose share begins in the
// middle of a tile leaves its part in a workspace and raises a flag; the block
// that began the tile waits for the flags of the others, adds their parts and
// writes the tile.
//
// With -D BUG the flag is raised before all threads of the block have written
// their part.

#include "../check.h"

const int TILE = 16;          // output tiles are TILE x TILE
const int DEPTH = 8;          // of one iteration, along K
const int THREADS = TILE * TILE;

struct Shape {
    int m, n, k;
    __host__ __device__ int tilesM() const { return (m + TILE - 1) / TILE; }
    __host__ __device__ int tilesN() const { return (n + TILE - 1) / TILE; }
    __host__ __device__ int tiles() const { return tilesM() * tilesN(); }
    __host__ __device__ int iterations() const { return (k + DEPTH - 1) / DEPTH; }
    __host__ __device__ int total() const { return tiles() * iterations(); }
};

// Share is the part of the sequence that a block has, from begin to end-1.
struct Share {
    int begin, end;
    __host__ __device__ Share(const Shape &s, int block, int blocks)
        : begin(static_cast<long long>(s.total()) * block / blocks),
          end(static_cast<long long>(s.total()) * (block + 1) / blocks) {}
};

struct Tiles {
    float a[TILE][DEPTH + 1];
    float b[DEPTH][TILE + 1];
};

// multiply does the iterations from first to last-1 of a tile for one thread's
// element.
__device__ float multiply(Tiles &tiles, const float *a, const float *b, const Shape &s, int tile, int first, int last) {
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    int row = tile / s.tilesN() * TILE, col = tile % s.tilesN() * TILE;
    float sum = 0;
    for (int it = first; it < last; it++) {
        int k0 = it * DEPTH;
        for (int i = threadIdx.x; i < TILE * DEPTH; i += THREADS) {
            int r = i / DEPTH, c = i % DEPTH;
            tiles.a[r][c] = row + r < s.m && k0 + c < s.k ? a[(row + r) * s.k + k0 + c] : 0.0f;
        }
        for (int i = threadIdx.x; i < TILE * DEPTH; i += THREADS) {
            int r = i / TILE, c = i % TILE;
            tiles.b[r][c] = k0 + r < s.k && col + c < s.n ? b[(k0 + r) * s.n + col + c] : 0.0f;
        }
        __syncthreads();
        for (int d = 0; d < DEPTH; d++) sum += tiles.a[y][d] * tiles.b[d][x];
        __syncthreads();
    }
    return sum;
}

// leave hands a block's part of a tile to the block that finishes it.
__device__ void leave(float sum, float *parts, int *flags) {
    parts[blockIdx.x * THREADS + threadIdx.x] = sum;
    __threadfence();
#ifndef BUG
    __syncthreads();
#endif
    if (threadIdx.x == 0) atomicExch(&flags[blockIdx.x], 1);
}

// collect adds the parts that other blocks have of a tile up to iteration end.
__device__ float collect(const Shape &s, int done, int end, const float *parts, int *flags) {
    float sum = 0;
    for (int peer = blockIdx.x + 1; done < end; peer++) {
        if (threadIdx.x == 0) {
            while (atomicAdd(&flags[peer], 0) == 0) {}
            __threadfence();
        }
        __syncthreads();
        sum += parts[peer * THREADS + threadIdx.x]; // want race RAW
        done = Share(s, peer, gridDim.x).end;
    }
    return sum;
}

__global__ void __launch_bounds__(THREADS) streamK(const float *a, const float *b, float *c, Shape s, float *parts, int *flags) {
    __shared__ Tiles tiles;
    Share mine(s, blockIdx.x, gridDim.x);
    int per = s.iterations();
    for (int at = mine.begin; at < mine.end;) {
        int tile = at / per, first = at % per;
        int last = min(per, first + mine.end - at);
        float sum = multiply(tiles, a, b, s, tile, first, last);
        at += last - first;
        if (first > 0) { // another block began this tile
            leave(sum, parts, flags);
            continue;
        }
        if (last < per) sum += collect(s, at, (tile + 1) * per, parts, flags);
        int row = tile / s.tilesN() * TILE + threadIdx.x / TILE;
        int col = tile % s.tilesN() * TILE + threadIdx.x % TILE;
        if (row < s.m && col < s.n) c[row * s.n + col] = sum;
    }
}

std::vector<float> reference(const std::vector<float> &a, const std::vector<float> &b, const Shape &s) {
    std::vector<float> c(s.m * s.n);
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++) {
            double sum = 0;
            for (int k = 0; k < s.k; k++) sum += a[i * s.k + k] * b[k * s.n + j];
            c[i * s.n + j] = static_cast<float>(sum);
        }
    return c;
}

bool run(Shape s, int blocks) {
    Random random(s.m + blocks);
    std::vector<float> a(s.m * s.k), b(s.k * s.n);
    for (float &v : a) v = random.uniform() - 0.5f;
    for (float &v : b) v = random.uniform() - 0.5f;
    float *dA = toDevice(a), *dB = toDevice(b), *dC, *parts;
    int *flags;
    CHECK(cudaMalloc(&dC, s.m * s.n * sizeof(float)));
    CHECK(cudaMalloc(&parts, blocks * THREADS * sizeof(float)));
    CHECK(cudaMalloc(&flags, blocks * sizeof(int)));
    CHECK(cudaMemset(flags, 0, blocks * sizeof(int)));
    streamK<<<blocks, THREADS>>>(dA, dB, dC, s, parts, flags);
    CHECK_LAUNCH();
    char name[64];
    snprintf(name, sizeof name, "%dx%dx%d on %d blocks", s.m, s.n, s.k, blocks);
    bool ok = same(name, toHost(dC, s.m * s.n), reference(a, b, s), 1e-4);
    for (float *p : {dA, dB, dC, parts}) CHECK(cudaFree(p));
    CHECK(cudaFree(flags));
    return ok;
}

int main() {
    bool ok = run({48, 40, 64}, 5);     // 9 tiles of 8 iterations in 5 shares
    ok = run({33, 17, 100}, 7) && ok;   // nothing is a multiple of anything
    ok = run({16, 16, 200}, 4) && ok;   // one tile for all
    ok = run({64, 64, 8}, 16) && ok;    // one iteration each
    return ok ? 0 : 1;
}
