// Matrix multiplication with asynchronous copies in several stages: while a
// block computes on one pair of tiles, the copies of the next ones are on their
// way from global to shared memory, past the registers (cp.async, sm_80).
//
// With -D BUG the block waits for one group of copies too few.

#include <cuda_pipeline.h>

#include "../check.h"

const int TILE_M = 32, TILE_N = 32, TILE_K = 8, THREADS = 64, STAGES = 3;
const int PER_M = 4, PER_N = 4; // elements of a thread

#ifdef BUG
const int LEAVE = STAGES - 1;
#else
const int LEAVE = STAGES - 2;
#endif

struct Stage {
    alignas(16) float a[TILE_M][TILE_K];
    alignas(16) float b[TILE_K][TILE_N];
};

// Source says where a block's tiles come from.
struct Source {
    const float *a, *b;
    int n, k, row, col;
};

// copy begins the copies of a pair of tiles: 16 bytes a thread and tile.
__device__ void copy(Stage &s, const Source &src, int tile) {
    int t = threadIdx.x, k0 = tile * TILE_K;
    int ar = t * 4 / TILE_K, ac = t * 4 % TILE_K;
    __pipeline_memcpy_async(&s.a[ar][ac], &src.a[(src.row + ar) * src.k + k0 + ac], 16);
    int br = t * 4 / TILE_N, bc = t * 4 % TILE_N;
    __pipeline_memcpy_async(&s.b[br][bc], &src.b[(k0 + br) * src.n + src.col + bc], 16);
}

__device__ void compute(const Stage &s, float (&sum)[PER_M][PER_N]) {
    int y = threadIdx.x / (TILE_N / PER_N) * PER_M, x = threadIdx.x % (TILE_N / PER_N) * PER_N;
    for (int k = 0; k < TILE_K; k++) {
        float4 b = *reinterpret_cast<const float4 *>(&s.b[k][x]); // want race RAW
        for (int i = 0; i < PER_M; i++) {
            float a = s.a[y + i][k]; // want race RAW
            sum[i][0] += a * b.x;
            sum[i][1] += a * b.y;
            sum[i][2] += a * b.z;
            sum[i][3] += a * b.w;
        }
    }
}

__global__ void __launch_bounds__(THREADS) multiply(const float *a, const float *b, float *c, int n, int k) {
    __shared__ Stage ring[STAGES];
    Source src{a, b, n, k, static_cast<int>(blockIdx.y) * TILE_M, static_cast<int>(blockIdx.x) * TILE_N};
    int tiles = k / TILE_K;
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < tiles) copy(ring[t], src, t);
        __pipeline_commit();
    }
    float sum[PER_M][PER_N] = {};
    for (int t = 0; t < tiles; t++) {
        __pipeline_wait_prior(LEAVE);
        __syncthreads(); // the tile is here, and all are done with the one before
        int ahead = t + STAGES - 1;
        if (ahead < tiles) copy(ring[ahead % STAGES], src, ahead);
        __pipeline_commit();
        compute(ring[t % STAGES], sum);
    }
    __pipeline_wait_prior(0);
    int y = src.row + threadIdx.x / (TILE_N / PER_N) * PER_M, x = src.col + threadIdx.x % (TILE_N / PER_N) * PER_N;
    for (int i = 0; i < PER_M; i++)
        *reinterpret_cast<float4 *>(&c[(y + i) * n + x]) = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

// Padded is a matrix whose extents are rounded up to multiples of tiles.
struct Padded {
    int rows, cols;
    std::vector<float> v;
    Padded(int r, int c, int tileR, int tileC)
        : rows((r + tileR - 1) / tileR * tileR), cols((c + tileC - 1) / tileC * tileC), v(rows * cols) {}
    float &at(int r, int c) { return v[r * cols + c]; }
};

bool run(int m, int n, int k) {
    Random random(m + n + k);
    Padded a(m, k, TILE_M, TILE_K), b(k, n, TILE_K, TILE_N), want(m, n, TILE_M, TILE_N);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) a.at(i, j) = random.uniform() - 0.5f;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++) b.at(i, j) = random.uniform() - 0.5f;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += a.at(i, l) * b.at(l, j);
            want.at(i, j) = static_cast<float>(sum);
        }
    float *dA = toDevice(a.v), *dB = toDevice(b.v), *dC;
    CHECK(cudaMalloc(&dC, want.v.size() * sizeof(float)));
    dim3 grid(want.cols / TILE_N, want.rows / TILE_M);
    multiply<<<grid, THREADS>>>(dA, dB, dC, want.cols, a.cols);
    CHECK_LAUNCH();
    char name[48];
    snprintf(name, sizeof name, "%d x %d x %d", m, n, k);
    bool ok = same(name, toHost(dC, want.v.size()), want.v, 1e-4);
    for (float *p : {dA, dB, dC}) CHECK(cudaFree(p));
    return ok;
}

int main() {
    bool ok = run(64, 96, 64);
    ok = run(32, 32, 8) && ok;   // fewer tiles than stages
    ok = run(50, 70, 45) && ok;
    return ok ? 0 : 1;
}
