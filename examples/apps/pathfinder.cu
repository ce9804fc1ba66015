// The cheapest path down a grid: each cell adds the least of the three above
// it. A block carries a strip through several rows in shared memory; the strip
// loses one cell at each end per row.

#include "../check.h"
#include <algorithm>
#include <utility>

const int BLOCK = 128;

__global__ void advance(const int *wall, const int *in, int *out, int width, int row, int rows) {
    __shared__ int prev[BLOCK];
    __shared__ int result[BLOCK];
    int t = threadIdx.x;
    int core = BLOCK - 2 * rows;
    int x = (int)blockIdx.x * core - rows + t;
    bool inside = x >= 0 && x < width;
    if (inside) prev[t] = in[x];
    __syncthreads();

    int left = x > 0 ? t - 1 : t, right = x < width - 1 ? t + 1 : t;
    bool valid = false;
    for (int i = 1; i <= rows; i++) {
        valid = inside && t >= i && t < BLOCK - i;
        if (valid) {
            int best = min(prev[t], min(prev[left], prev[right]));
            result[t] = best + wall[(row + i) * width + x];
        }
        __syncthreads();
        if (valid) prev[t] = result[t];
        __syncthreads();
    }
    if (valid) out[x] = prev[t];
}

int main() {
    const int width = 500, height = 41, rows = 10;
    Random random;
    std::vector<int> wall(width * height);
    for (int &v : wall) v = random.below(10);
    std::vector<int> a(wall.begin(), wall.begin() + width), b(width);

    int *dWall = toDevice(wall), *dIn = toDevice(a), *dOut;
    CHECK(cudaMalloc(&dOut, width * sizeof(int)));
    int core = BLOCK - 2 * rows;
    for (int row = 0; row + 1 < height; row += rows) {
        advance<<<(width + core - 1) / core, BLOCK>>>(dWall, dIn, dOut, width, row,
                                                      std::min(rows, height - 1 - row));
        CHECK_LAUNCH();
        std::swap(dIn, dOut);
    }
    for (int row = 1; row < height; row++) {
        for (int x = 0; x < width; x++) {
            int best = std::min({a[std::max(x - 1, 0)], a[x], a[std::min(x + 1, width - 1)]});
            b[x] = best + wall[row * width + x];
        }
        std::swap(a, b);
    }
    bool ok = same("pathfinder", toHost(dIn, width), a);
    CHECK(cudaFree(dWall));
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
