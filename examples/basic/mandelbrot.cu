// The Mandelbrot set: lanes of a warp leave the loop at different times, which
// `--tool divergence` measures. No shared memory, no communication.

#include "../check.h"

__host__ __device__ int escape(float cx, float cy, int limit) {
    float x = 0, y = 0;
    int i = 0;
    while (i < limit && x * x + y * y < 4.0f) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        i++;
    }
    return i;
}

__global__ void mandelbrot(int *out, int width, int height, int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    out[py * width + px] = escape(-2.0f + 3.0f * px / width, -1.0f + 2.0f * py / height, limit);
}

int main() {
    const int width = 96, height = 64, limit = 100;
    int *dOut;
    CHECK(cudaMalloc(&dOut, width * height * sizeof(int)));
    mandelbrot<<<dim3(width / 16, height / 8), dim3(16, 8)>>>(dOut, width, height, limit);
    CHECK_LAUNCH();

    // A pixel on the edge may differ: the device fuses multiply and add.
    std::vector<int> got = toHost(dOut, width * height);
    int different = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            different += got[y * width + x] !=
                         escape(-2.0f + 3.0f * x / width, -1.0f + 2.0f * y / height, limit);
    bool ok = different * 50 < width * height;
    printf("mandelbrot: %s\n", ok ? "PASS" : "FAIL");
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
