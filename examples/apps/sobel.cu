// Edge detection on 8-bit pixels in pitched memory: cudaMallocPitch, two
// cudaMemcpy2D, bytes in shared memory, saturation.

#include "../check.h"
#include <algorithm>

const int TILE = 16;

__host__ __device__ int clampTo(int v, int low, int high) {
    return v < low ? low : v > high ? high : v;
}

__global__ void sobel(const unsigned char *in, size_t inPitch, unsigned char *out,
                      size_t outPitch, int width, int height) {
    __shared__ unsigned char s[TILE + 2][TILE + 2];
    int x0 = blockIdx.x * TILE - 1, y0 = blockIdx.y * TILE - 1;
    for (int i = threadIdx.y * TILE + threadIdx.x; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
        int sx = i % (TILE + 2), sy = i / (TILE + 2);
        int x = clampTo(x0 + sx, 0, width - 1), y = clampTo(y0 + sy, 0, height - 1);
        s[sy][sx] = in[y * inPitch + x];
    }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int gx = s[ty - 1][tx + 1] + 2 * s[ty][tx + 1] + s[ty + 1][tx + 1] - s[ty - 1][tx - 1] -
             2 * s[ty][tx - 1] - s[ty + 1][tx - 1];
    int gy = s[ty + 1][tx - 1] + 2 * s[ty + 1][tx] + s[ty + 1][tx + 1] - s[ty - 1][tx - 1] -
             2 * s[ty - 1][tx] - s[ty - 1][tx + 1];
    out[y * outPitch + x] = clampTo(abs(gx) + abs(gy), 0, 255);
}

static std::vector<int> sobelHost(const std::vector<unsigned char> &in, int width, int height) {
    auto at = [&](int x, int y) {
        return (int)in[clampTo(y, 0, height - 1) * width + clampTo(x, 0, width - 1)];
    };
    std::vector<int> out(in.size());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int gx = 0, gy = 0;
            for (int d = -1; d <= 1; d++) {
                int weight = d == 0 ? 2 : 1;
                gx += weight * (at(x + 1, y + d) - at(x - 1, y + d));
                gy += weight * (at(x + d, y + 1) - at(x + d, y - 1));
            }
            out[y * width + x] = clampTo(std::abs(gx) + std::abs(gy), 0, 255);
        }
    return out;
}

int main() {
    const int width = 75, height = 50;
    Random random;
    std::vector<unsigned char> in(width * height), got(width * height);
    for (unsigned char &v : in) v = random.below(60);

    unsigned char *dIn, *dOut;
    size_t inPitch, outPitch;
    CHECK(cudaMallocPitch(&dIn, &inPitch, width, height));
    CHECK(cudaMallocPitch(&dOut, &outPitch, width, height));
    CHECK(cudaMemcpy2D(dIn, inPitch, in.data(), width, width, height, cudaMemcpyHostToDevice));
    dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    sobel<<<grid, dim3(TILE, TILE)>>>(dIn, inPitch, dOut, outPitch, width, height);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy2D(got.data(), width, dOut, outPitch, width, height, cudaMemcpyDeviceToHost));

    bool ok = same("sobel", std::vector<int>(got.begin(), got.end()), sobelHost(in, width, height));
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
