// A separable convolution with its weights in constant memory, set with
// cudaMemcpyToSymbol. All threads of a warp read one weight at a time, which
// is what constant memory is good at (`--tool constant`).

#include "../check.h"

const int RADIUS = 4, BLOCK = 128;

__constant__ float weights[2 * RADIUS + 1];

__global__ void rows(const float *in, float *out, int width) {
    __shared__ float s[BLOCK + 2 * RADIUS];
    int start = blockIdx.x * BLOCK - RADIUS;
    const float *row = in + blockIdx.y * width;
    for (int i = threadIdx.x; i < BLOCK + 2 * RADIUS; i += BLOCK) {
        int x = start + i;
        s[i] = x >= 0 && x < width ? row[x] : 0.0f;
    }
    __syncthreads();
    int x = blockIdx.x * BLOCK + threadIdx.x;
    if (x >= width) return;
    float sum = 0;
#pragma unroll
    for (int r = 0; r <= 2 * RADIUS; r++) sum += weights[r] * s[threadIdx.x + r];
    out[blockIdx.y * width + x] = sum;
}

__global__ void columns(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    float sum = 0;
    for (int r = -RADIUS; r <= RADIUS; r++)
        if (y + r >= 0 && y + r < height) sum += weights[r + RADIUS] * in[(y + r) * width + x];
    out[y * width + x] = sum;
}

static float at(const std::vector<float> &image, int x, int y, int width, int height) {
    return x < 0 || y < 0 || x >= width || y >= height ? 0.0f : image[y * width + x];
}

int main() {
    const int width = 300, height = 64;
    float w[2 * RADIUS + 1];
    for (int r = -RADIUS; r <= RADIUS; r++) w[r + RADIUS] = expf(-r * r / 8.0f);
    CHECK(cudaMemcpyToSymbol(weights, w, sizeof(w)));

    Random random;
    std::vector<float> in(width * height), mid(in.size()), want(in.size());
    for (float &v : in) v = random.uniform();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int r = -RADIUS; r <= RADIUS; r++)
                mid[y * width + x] += w[r + RADIUS] * at(in, x + r, y, width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int r = -RADIUS; r <= RADIUS; r++)
                want[y * width + x] += w[r + RADIUS] * at(mid, x, y + r, width, height);

    float *dIn = toDevice(in), *dMid, *dOut;
    CHECK(cudaMalloc(&dMid, in.size() * sizeof(float)));
    CHECK(cudaMalloc(&dOut, in.size() * sizeof(float)));
    dim3 grid((width + BLOCK - 1) / BLOCK, height);
    rows<<<grid, BLOCK>>>(dIn, dMid, width);
    columns<<<grid, BLOCK>>>(dMid, dOut, width, height);
    CHECK_LAUNCH();
    bool ok = same("convolution", toHost(dOut, in.size()), want, 1e-5);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dMid));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
