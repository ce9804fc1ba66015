// Matrix transpose in three steps of improvement: the naive kernel writes
// uncoalesced, the tiled one has bank conflicts on the columns of its tile, the
// padded one has neither. `--tool bank,coalesce` shows each.

#include "../check.h"

const int TILE = 32, ROWS = 8;

__global__ void transposeNaive(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        int y = blockIdx.y * TILE + r;
        if (x < width && y < height) out[x * height + y] = in[y * width + x];
    }
}

template <int PAD>
__global__ void transposeTiled(const float *in, float *out, int width, int height) {
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        int y = blockIdx.y * TILE + r;
        if (x < width && y < height) tile[r][threadIdx.x] = in[y * width + x];
    }
    __syncthreads();
    int y = blockIdx.y * TILE + threadIdx.x;
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        x = blockIdx.x * TILE + r;
        if (x < width && y < height) out[x * height + y] = tile[threadIdx.x][r];
    }
}

int main() {
    const int width = 200, height = 120;
    std::vector<float> in(width * height), want(width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            in[y * width + x] = y * width + x;
            want[x * height + y] = y * width + x;
        }
    float *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, in.size() * sizeof(float)));
    dim3 block(TILE, ROWS), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);

    transposeNaive<<<grid, block>>>(dIn, dOut, width, height);
    CHECK_LAUNCH();
    bool ok = same("transpose naive", toHost(dOut, in.size()), want);

    CHECK(cudaMemset(dOut, 0, in.size() * sizeof(float)));
    transposeTiled<0><<<grid, block>>>(dIn, dOut, width, height);
    CHECK_LAUNCH();
    ok &= same("transpose tiled", toHost(dOut, in.size()), want);

    CHECK(cudaMemset(dOut, 0, in.size() * sizeof(float)));
    transposeTiled<1><<<grid, block>>>(dIn, dOut, width, height);
    CHECK_LAUNCH();
    ok &= same("transpose padded", toHost(dOut, in.size()), want);

    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
