// Heat on a chip: an iterative stencil where one launch does several time
// steps on a tile. The tile's valid part shrinks by one cell on each side with
// every step ("ghost zone"), so blocks overlap and need no exchange.

#include "../check.h"
#include <algorithm>
#include <utility>

const int BLOCK = 16;
const float SIDE = 0.1f, UP = 0.05f, AMBIENT = 80.0f;

__host__ __device__ float heat(float here, float n, float s, float w, float e, float power) {
    return here + power + SIDE * (n + s + w + e - 4.0f * here) + UP * (AMBIENT - here);
}

__global__ void steps(const float *power, const float *in, float *out, int width, int height,
                      int count) {
    __shared__ float now[BLOCK][BLOCK];
    __shared__ float before[BLOCK][BLOCK];
    int core = BLOCK - 2 * count;
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = (int)blockIdx.x * core - count + tx, y = (int)blockIdx.y * core - count + ty;
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    float p = 0;
    if (inside) {
        before[ty][tx] = in[y * width + x];
        p = power[y * width + x];
    }
    __syncthreads();

    // Neighbors beyond the chip's edge are the cell itself.
    int n = y > 0 ? ty - 1 : ty, s = y < height - 1 ? ty + 1 : ty;
    int w = x > 0 ? tx - 1 : tx, e = x < width - 1 ? tx + 1 : tx;
    bool valid = false;
    for (int i = 1; i <= count; i++) {
        valid = inside && tx >= i && tx < BLOCK - i && ty >= i && ty < BLOCK - i;
        if (valid)
            now[ty][tx] = heat(before[ty][tx], before[n][tx], before[s][tx], before[ty][w],
                               before[ty][e], p);
        __syncthreads();
        if (valid && i < count) before[ty][tx] = now[ty][tx];
        __syncthreads();
    }
    if (valid) out[y * width + x] = now[ty][tx];
}

static void stepHost(const std::vector<float> &power, const std::vector<float> &in,
                     std::vector<float> &out, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            auto at = [&](int px, int py) { return in[py * width + px]; };
            out[y * width + x] =
                heat(at(x, y), at(x, std::max(y - 1, 0)), at(x, std::min(y + 1, height - 1)),
                     at(std::max(x - 1, 0), y), at(std::min(x + 1, width - 1), y),
                     power[y * width + x]);
        }
}

int main() {
    const int width = 70, height = 50, total = 6, perLaunch = 2;
    Random random;
    std::vector<float> power(width * height), a(width * height), b(width * height);
    for (float &v : power) v = random.uniform();
    for (float &v : a) v = 60 + 40 * random.uniform();

    float *dPower = toDevice(power), *dIn = toDevice(a), *dOut;
    CHECK(cudaMalloc(&dOut, a.size() * sizeof(float)));
    int core = BLOCK - 2 * perLaunch;
    dim3 grid((width + core - 1) / core, (height + core - 1) / core);
    for (int i = 0; i < total; i += perLaunch) {
        steps<<<grid, dim3(BLOCK, BLOCK)>>>(dPower, dIn, dOut, width, height, perLaunch);
        CHECK_LAUNCH();
        std::swap(dIn, dOut);
    }
    for (int i = 0; i < total; i++) {
        stepHost(power, a, b, width, height);
        std::swap(a, b);
    }
    bool ok = same("hotspot", toHost(dIn, a.size()), a, 1e-4);
    CHECK(cudaFree(dPower));
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
