// Four steps of a five-point stencil with a tile and its halo in shared
// memory. The domain's border is fixed; two buffers change roles each step.

#include "../check.h"
#include <utility>

const int TILE = 16;

__global__ void step(const float *in, float *out, int width, int height) {
    __shared__ float s[TILE + 2][TILE + 2];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
    bool inside = x < width && y < height;

    if (inside) {
        s[sy][sx] = in[y * width + x];
        if (threadIdx.x == 0 && x > 0) s[sy][0] = in[y * width + x - 1];
        if (threadIdx.x == TILE - 1 && x + 1 < width) s[sy][TILE + 1] = in[y * width + x + 1];
        if (threadIdx.y == 0 && y > 0) s[0][sx] = in[(y - 1) * width + x];
        if (threadIdx.y == TILE - 1 && y + 1 < height) s[TILE + 1][sx] = in[(y + 1) * width + x];
    }
    __syncthreads();
    if (!inside) return;

    bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    out[y * width + x] =
        border ? s[sy][sx]
               : 0.5f * s[sy][sx] +
                     0.125f * (s[sy][sx - 1] + s[sy][sx + 1] + s[sy - 1][sx] + s[sy + 1][sx]);
}

static void stepHost(const std::vector<float> &in, std::vector<float> &out, int width, int height) {
    out = in;
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            int i = y * width + x;
            out[i] = 0.5f * in[i] +
                     0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
        }
}

int main() {
    const int width = 100, height = 75, steps = 4;
    Random random;
    std::vector<float> a(width * height), b;
    for (float &v : a) v = random.uniform();

    float *dIn = toDevice(a), *dOut;
    CHECK(cudaMalloc(&dOut, a.size() * sizeof(float)));
    dim3 block(TILE, TILE), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    for (int i = 0; i < steps; i++) {
        step<<<grid, block>>>(dIn, dOut, width, height);
        CHECK_LAUNCH();
        std::swap(dIn, dOut);
        stepHost(a, b, width, height);
        std::swap(a, b);
    }
    bool ok = same("stencil", toHost(dIn, a.size()), a, 1e-5);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
